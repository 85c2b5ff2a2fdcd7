"""What a person has to say yes to before it is saved: rows lost, responses that are none, questions that nearly are
golden questions."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from rapidfuzz import fuzz, process

from qaviz.loading import load_log
from qaviz.loading.align import Chunk, align, normalise_text
from qaviz.loading.formats.cells import FLAGS
from qaviz.loading.load import Preview, open_files
from qaviz.loading.load_log import DETAIL, DOUBT, KIND, entry, quote_text
from qaviz.loading.looks import ENOUGH, Column, Columns, find_separating
from qaviz.loading.roles import FIRST, IGNORE, PHRASES, VARIANTS, Reading, find_question, list_names, read_data
from qaviz.loading.source import Source
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, PIPELINE, QUESTION, QUESTION_ID, REPEAT, RESPONSE
from qaviz.model.errors import DoubtError, Problem, spell_problems

MOST_LOST = 0.2
"""Share of the rows that may be lost before a person is asked."""
MOST_BLANK = 0.5
"""Share of the golden questions from which on too many lack an answer."""
_FEWEST_LOST = 3
"""Rows lost, at least, of which that share says something."""
_SHOWN_CLASHES = 3
"""Pipelines that two tables have answer otherwise, of which a person is told."""
_EQUAL = 0.8
_REPEATED = 0.75
"""Different golden answers by questions, up to which they may be labels."""
_LONG = 4
"""Words of a golden answer that two people would not give alike."""
_DOUBTS = read_data("doubts.toml")
_SENTENCE = r"[.!?。]$|\bno[t']?\b"
"""What names do not say, and short responses do."""
_DENIES = re.compile(r"\b(?:not?|none|unknown|unable|cannot|sorry|insufficient)\b|n't", re.IGNORECASE)
"""What golden answers of unanswerable questions say."""
_IS_RUBRIC = re.compile(rf"\W*(?:{'|'.join(PHRASES['rubrics']['begin'])})", re.IGNORECASE)
_SAYS_HOW = re.compile("|".join(PHRASES["rubrics"]["further"]), re.IGNORECASE)


@dataclass
class Tally:
    """What became of the rows of a load, and a sample of those that are kept."""

    aligned: int = 0
    listed: dict[str, int] = field(default_factory=dict)
    alike: int = 0
    """Responses that stand twice in the same words."""
    asked_twice: int = 0
    """Responses to a question that stands twice, with several golden answers."""
    pipelines: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    unanswered: int = 0
    """Golden questions without a golden answer or fact that are not marked as unanswerable."""
    nulls: int = 0
    sample: list[pl.DataFrame] = field(default_factory=list)
    sheets: dict[str, None] = field(default_factory=dict)
    """Sheets and members of zips that are left out."""
    clashes: dict[str, None] = field(default_factory=dict)
    """What is said of pipelines that two tables have answer otherwise."""
    scored: bool = False
    """Whether they brought FMEval's scores."""

    def add(self, chunk: Chunk) -> None:
        """Count a chunk of the load."""
        if chunk.golden.height != self.questions:  # all chunks have the same golden dataset
            self.questions = chunk.golden.height
            blank = pl.all_horizontal(pl.col(ANSWER, FACT).is_null(), pl.col(ANSWERABLE).fill_null(value=True))
            self.unanswered = chunk.golden.filter(blank).height
        self.scored = self.scored or chunk.scored
        sheets = chunk.listed.filter(pl.col(KIND) == load_log.IGNORED_SHEET)[DETAIL]
        self.sheets |= {detail.removesuffix(" is left out").strip('"'): None for detail in sheets}
        self.clashes |= dict.fromkeys(chunk.listed.filter(pl.col(KIND) == load_log.CLASH)[DETAIL])
        self.aligned += chunk.rows.height
        for name, count in chunk.rows.group_by(PIPELINE, maintain_order=True).len().iter_rows():
            self.pipelines[name] = self.pipelines.get(name, 0) + count
        # A golden triplet may stand twice too: that is no response lost.
        of_responses = chunk.listed.filter(pl.col(PIPELINE).is_not_null() | (pl.col(KIND) == load_log.OTHER_QUESTION))
        for kind, count in of_responses.group_by(KIND).len().iter_rows():
            self.listed[kind] = self.listed.get(kind, 0) + count
        self.asked_twice += of_responses.filter(pl.col(DETAIL) == load_log.ASKED_TWICE).height
        self.alike += of_responses.filter(pl.col(DETAIL) == load_log.ANSWERED_ALIKE).height
        null = (pl.col(KIND) == load_log.PIPELINE_ERROR) | (pl.col(DETAIL) == load_log.NULL_RESPONSE)
        self.nulls += chunk.listed.filter(null).height
        room = 5_000 - sum(map(len, self.sample))  # responses that are looked at
        self.sample.append(chunk.rows.select(QUESTION, ANSWER, FACT, PIPELINE, RESPONSE).head(max(0, room)))

    def rows(self) -> dict[str, int]:
        """How many responses were read, and what became of them: aligned, duplicate, unaligned; and how many the golden
        questions and pipelines lack."""
        duplicate = self.listed.get(load_log.DUPLICATE, 0)
        unaligned = self.listed.get(load_log.UNALIGNED, 0)
        return {
            "read": self.aligned + duplicate + unaligned + self.nulls,
            "aligned": self.aligned,
            "duplicate": duplicate,
            "unaligned": unaligned,
            "unanswered": max(0, self.questions * len(self.pipelines) - self.aligned),
        }


Look = Callable[[Source | None, Sequence[Source]], list[Preview]]
"""`loading.preview`, here or in a process apart."""


def find_doubts(tally: Tally, golden: Source | None, responses: Sequence[Source], look: Look) -> tuple[Problem, ...]:
    """What speaks against what was read of the files, the gravest first; where rows stand twice, also the flags that
    tell them apart."""
    where, rows = where_of([*([golden] if golden else []), *responses]), tally.rows()
    sample = pl.concat(tally.sample) if tally.sample else pl.DataFrame()
    several = _list_several(sample)
    in_doubt = rows["duplicate"] > MOST_LOST * rows["read"] or tally.asked_twice or several
    files = look(golden, responses) if in_doubt else []
    expected = rows["read"], rows["read"], tally.questions * len(tally.pipelines)
    doubts = [
        _doubt(kind, where, _name_separating(files) if kind == "duplicate" else (), lost=rows[kind], of=of)
        for kind, of in zip(("duplicate", "unaligned", "unanswered"), expected, strict=True)
        if rows[kind] > MOST_LOST * of and _counts_as_lost(kind, tally, files)
    ]
    again = _count_again(sample)
    if again > MOST_LOST * len(sample) and not in_doubt:
        flags = [flag for seen in look(golden, responses) for flag in _name_separating([seen])]
        doubts += [_doubt("duplicate", where, flags, lost=again, of=len(sample))] if flags else []
    if tally.unanswered >= MOST_BLANK * tally.questions > 0 and not tally.scored:
        flags = _name_golden(files or look(golden, responses))
        doubts.append(_doubt("blank", where, flags, lost=tally.unanswered, of=tally.questions))
    if tally.clashes:
        shown, more = list(tally.clashes)[:_SHOWN_CLASHES], len(tally.clashes) - _SHOWN_CLASHES
        shown += [f"and {more:,} more"] if more > 0 else []
        doubts.append(_doubt("clash", where, shown="; ".join(shown)))
    if not sample.is_empty():
        golden_doubts = _doubt_answers(where, sample, lambda: files or look(golden, responses))
        doubts += [*golden_doubts, *_doubt_responses(where, sample)]
    if several:
        example = quote_text(several[0])
        doubts.append(_doubt("several", where, _name_one_answer(files), lost=len(several), example=example))
    elif tally.asked_twice:
        doubts.append(_doubt("asked_twice", where, _name_one_answer(files), lost=tally.asked_twice))
    return tuple(doubts)


def _doubt(kind: str, where: str, flags: Iterable[str] = (), **facts: object) -> Problem:
    """A doubt of `doubts.toml`, with the flags that settle it."""
    words = _DOUBTS[kind]
    ways = " or ".join(flags)
    fix = words["flags"].format(flags=ways) if ways or "fix" not in words else words["fix"]
    fault = words["found"].format(**facts)
    return Problem(where=where, found=fault, expected=words["expected"], fix=f"{fix}; --yes saves it as it is.")


def _counts_as_lost(kind: str, tally: Tally, files: Sequence[Preview]) -> bool:
    """Whether rows of this kind, a share that says something, are lost: a text is, of however few rows; the same one
    twice, or what is asked in other words, is where there are some."""
    lost = tally.rows()[kind]
    if kind == "duplicate":
        are_joined = any(seen.one_answer for seen in files)
        is_text = lost > tally.alike and not tally.clashes  # which are asked by themselves
        return is_text or (lost >= _FEWEST_LOST and not are_joined)
    return lost - (tally.asked_twice if kind == "unaligned" else 0) >= _FEWEST_LOST


def _list_several(sample: pl.DataFrame) -> list[str]:
    """Questions with several golden answers beside one response, where they are more than a few."""
    if sample.is_empty():
        return []
    questions = sample.group_by(PIPELINE, QUESTION, maintain_order=True).agg(pl.col(ANSWER, RESPONSE).n_unique())
    unlike = questions.filter((pl.col(ANSWER) > 1) & (pl.col(RESPONSE) == 1))
    return unlike[QUESTION].to_list() if len(unlike) > MOST_LOST * len(questions) else []


def _count_again(sample: pl.DataFrame) -> int:
    """How many responses are others than their pipeline gave before to the same question with the same golden answer:
    kept, each beside a triplet of its own, unless a column tells them apart."""
    if sample.is_empty():
        return 0
    groups = sample.group_by(PIPELINE, QUESTION, ANSWER).agg(pl.len(), pl.col(RESPONSE).n_unique())
    again = groups.filter(pl.col(RESPONSE) > 1)
    # Beside images some rows are alike by chance: here most are.
    return int(again[RESPONSE].sum()) - len(again) if again["len"].sum() >= _EQUAL * len(sample) else 0


def _name_one_answer(files: Sequence[Preview]) -> list[str]:
    """The flags that say what golden answers of one question in rows of their own are."""
    names = dict.fromkeys(name for seen in files for name, word in seen.words.items() if word == ANSWER)
    ways = {VARIANTS: "variants of one", FIRST: "the first counts"}
    return [f"{Reading('', {name: word}).flags()} ({what})" for name in names for word, what in ways.items()]


def _name_golden(files: Sequence[Preview]) -> list[str]:
    """The flags that make a column the golden answers, of those that are left out and look like answers."""
    read = [name for seen in files for name, word in seen.words.items() if word in (ANSWER, FACT)]
    others = dict.fromkeys(name for seen in files for name in seen.ignored if name not in read)
    left_out = dict.fromkeys(read, IGNORE)
    return [Reading("", left_out | {name: ANSWER}).flags() for name in others][:_SHOWN_CLASHES]


def refuse_doubts(doubts: Sequence[Problem]) -> None:
    """Raise DoubtError if there are any."""
    if doubts:
        raise DoubtError(*doubts)


def doubt_entries(files: Iterable[Source], doubts: Iterable[Problem]) -> list[pl.DataFrame]:
    """An entry for the list of each doubt about the files that a person accepted."""
    where = where_of(files)
    return [entry(DOUBT, where, f"{doubt.found}; expected {doubt.expected}") for doubt in doubts]


def read_doubts(listed: pl.DataFrame) -> tuple[str, ...]:
    """What was doubtful when the run was loaded, a sentence each; from what its loading listed."""
    return tuple(listed.filter(pl.col(KIND) == DOUBT)[DETAIL])


def list_bad_rows(listed: pl.DataFrame) -> list[Problem]:
    """The rows that were left out because they will not do, a problem each; from what loading listed."""
    bad = listed.filter(pl.col(KIND) == load_log.BAD_ROW).select(load_log.WHERE, DETAIL)
    problems = []
    for where, detail in bad.iter_rows():
        fault, _, expected = detail.removeprefix("left out: found ").partition("; expected ")
        problems.append(Problem(where=where, found=fault, expected=expected, fix="Correct the row.", in_row=True))
    return problems


def _name_separating(files: Sequence[Preview]) -> Iterator[str]:
    """The flags that make a column that tells rows apart part of the pipeline's name, or its repeats; of several files
    those that name pipelines after the files."""
    answered = [seen for seen in files if seen.has_responses]
    for seen in answered:
        if seen.separating:
            named = [name for name, word in seen.words.items() if word == PIPELINE]
            yield Reading("", dict.fromkeys((*named, *seen.separating), PIPELINE)).flags()
        if len(seen.separating) == 1 and Column(seen.first[seen.separating[0]]).are("number"):  # names count nothing
            yield Reading("", {seen.separating[0]: REPEAT}).flags()
    of_files = [tuple(seen.pipelines) for seen in answered]
    if len(answered) > 1 and len(set(of_files)) == 1 == len(of_files[0]):  # one column of each file
        yield Reading("", {of_files[0][0]: RESPONSE}).flags()
    yield from _name_files_apart(answered)
    for name in dict.fromkeys(name for seen in answered for name, word in seen.words.items() if word == PIPELINE):
        if len(answered) > 1 and all(seen.words.get(name) == PIPELINE for seen in answered):
            yield Reading("", {name: ""}).flags()


def _name_files_apart(answered: Sequence[Preview]) -> Iterator[str]:
    """The flags that make a column the pipeline that has one text in each file, and tells apart what the files answer
    to the same questions; what is the pipeline now is left out where it is the same in all of them."""
    there = [name for name in answered[0].columns if all(name in seen.columns for seen in answered)] if answered else []
    question = find_question(answered[0].words) if answered else ""
    if len(answered) < 2 or question not in there:
        return
    columns = Columns(pl.concat(seen.first.select(there) for seen in answered))
    named = [name for name in there if answered[0].words.get(name) == PIPELINE]
    varied = [name for name in named if columns[name].distinct > 1]
    steady = [name for name in there if all(seen.first[name].n_unique() == 1 for seen in answered)]
    read = [name for name in there if any(name in seen.words for seen in answered)]
    no_texts = [name for name in there if name not in steady or columns[name].is_no_text]
    keys = [columns[name] for name in (question, *varied)]
    if separating := find_separating(columns, keys, {*read, *no_texts}):
        left_out = {name: IGNORE for name in named if name not in varied}
        yield Reading("", {**left_out, **dict.fromkeys([*varied, *separating], PIPELINE)}).flags()


def _doubt_answers(where: str, sample: pl.DataFrame, files: Callable[[], Sequence[Preview]]) -> Iterator[Problem]:
    """Golden answers that say what an answer has to do, are the questions, or one text of most or all questions: they
    are none."""
    answers = sample[ANSWER].drop_nulls().unique().sort()
    rubrics = [answer for answer in answers if _IS_RUBRIC.match(answer) or _SAYS_HOW.search(answer)]
    # Two of 8,250 of real datasets read so; of ten, one may by chance.
    if len(rubrics) > max(0.05 * len(answers), min(1, len(answers) // 10)):
        yield _doubt("rubrics", where, lost=len(rubrics), of=len(answers), example=quote_text(rubrics[0]))
    triplets = sample.unique(QUESTION, maintain_order=True).drop_nulls(ANSWER)
    echoes = triplets.filter(pl.col(ANSWER).str.strip_chars() == pl.col(QUESTION).str.strip_chars())
    if len(echoes) >= max(_FEWEST_LOST, _EQUAL * len(triplets)):
        yield _doubt("echoes", where, _name_golden(files()), lost=len(echoes), of=len(triplets))
    yield from _doubt_classes(where, sample)
    yield from _doubt_questions(where, sample, files)
    counts = triplets[ANSWER].value_counts(sort=True)
    first, often, every = *next(counts.iter_rows(), ("", 0)), sum(counts["count"])
    is_sentence = often > ENOUGH and often >= MOST_BLANK * every and len(first.split()) > _LONG
    is_one = often == every > ENOUGH + 1 and first.lower() not in FLAGS
    if (is_sentence or is_one) and not _DENIES.search(first):
        yield _doubt("again", where, _name_golden(files()), lost=often, of=every, example=quote_text(first))


def _doubt_questions(where: str, sample: pl.DataFrame, files: Callable[[], Sequence[Preview]]) -> Iterator[Problem]:
    """One question of all golden answers, and facts that only name what their questions ask for."""
    answers = sample[ANSWER].drop_nulls().n_unique()
    if sample[QUESTION].n_unique() == 1 and answers > ENOUGH + 1 and sample[QUESTION][0]:
        yield _doubt("one_question", where, of=answers, example=quote_text(sample[QUESTION][0]))
    letters = pl.col(RESPONSE).str.strip_chars("()[]. \t\n").str.contains("^(?i:[a-h])$")
    numbered = sample.filter(letters, pl.col(ANSWER).str.contains(r"^\s*\d\s*$"))
    if len(numbered) > max(_FEWEST_LOST, MOST_BLANK * len(sample)):
        example = f"{quote_text(numbered[RESPONSE][0])} beside {quote_text(numbered[ANSWER][0])}"
        yield _doubt("numbered", where, lost=len(numbered), of=len(sample), example=example)
    facts = sample.unique(QUESTION, maintain_order=True).drop_nulls((ANSWER, FACT))
    question = pl.col(QUESTION).str.to_lowercase()
    inside = [
        question.str.contains(pl.col(name).str.to_lowercase(), literal=True).alias(name) for name in (FACT, ANSWER)
    ]
    stated = pl.col(ANSWER).str.to_lowercase().str.contains(pl.col(FACT).str.to_lowercase(), literal=True)
    named = facts.filter(facts.select(inside).select(pl.col(FACT) & ~pl.col(ANSWER)).to_series(), ~stated)
    if len(named) >= max(_FEWEST_LOST, MOST_BLANK * len(facts)):
        columns = dict.fromkeys(name for seen in files() for name, word in seen.words.items() if word == FACT)
        flags = [Reading("", dict.fromkeys(columns, IGNORE)).flags()]
        yield _doubt("named", where, flags, lost=len(named), of=len(facts), example=quote_text(named[FACT][0]))


def _doubt_classes(where: str, sample: pl.DataFrame) -> Iterator[Problem]:
    """Golden answers to texts that do not ask, where they repeat and most wrong responses are among them: labels of
    classes, but yes and no, letters and numbers."""
    texts = sample.select(QUESTION, pl.col(ANSWER, RESPONSE).str.strip_chars().str.to_lowercase())
    texts = texts.filter(pl.col(ANSWER).str.contains(r"\p{L}{2}"), ~pl.col(ANSWER).is_in(list(FLAGS)))
    golden = texts.unique(QUESTION)[ANSWER].sort()
    wrong = texts.filter(pl.col(RESPONSE) != pl.col(ANSWER))[RESPONSE]
    few = golden.n_unique() <= _REPEATED * len(golden) and len(golden) >= 2 * ENOUGH
    few = few and texts[QUESTION].str.contains("[?？؟]").sum() < MOST_LOST * len(texts)
    if few and len(wrong) > 1 and wrong.is_in(golden.implode()).sum() >= MOST_BLANK * len(wrong):
        example = quote_text(golden[0])
        yield _doubt("classes", where, number=golden.n_unique(), of=len(golden), example=example)


def _doubt_responses(where: str, sample: pl.DataFrame) -> Iterator[Problem]:
    """Pipelines whose responses are the questions, the golden answers, or a few texts again and again."""
    texts = sample.with_columns(pl.col(RESPONSE, QUESTION, ANSWER, FACT).str.strip_chars().str.to_lowercase())
    is_blank = pl.col(RESPONSE) == ""
    blank = texts.group_by(PIPELINE, maintain_order=True).agg(is_blank.mean(), is_blank.sum().alias("lost"))
    blank = blank.filter((pl.col(RESPONSE) >= MOST_BLANK) & (pl.col("lost") > ENOUGH + 1))
    texts = texts.filter(~is_blank)
    golden = pl.concat([texts[ANSWER], texts[FACT]]).drop_nulls().unique().implode()
    response, question, answer, count = pl.col(RESPONSE), pl.col(QUESTION), pl.col(ANSWER), pl.len()
    values = response.n_unique()
    are_names = (response.str.len_chars().max() <= 60) & ~response.str.contains(_SENTENCE).any()  # characters of a name
    varied = (question.n_unique() > ENOUGH) & (answer.n_unique() > values)
    few = varied & (values * 4 <= count) & (response.unique().is_in(golden).mean() * 2 < 1)
    names = few & ((values == 1) | are_names)
    oddities = {
        "questions": (response == question).sum() >= _EQUAL * count,
        "golden": ((response == answer).sum() == count) & (answer.str.count_matches(r"\S+").median() >= _LONG),
        "names": names,
        "words": ~names
        & (values <= 3)  # yes, no and maybe
        & ~response.str.contains(r"\S\s+\S").any()
        & (answer.str.count_matches(r"\S+").median() >= _LONG)
        & (answer.str.starts_with(response).mean() <= MOST_LOST),
    }
    odd = texts.group_by(PIPELINE, maintain_order=True).agg(count, **oddities).filter(pl.col("len") > ENOUGH + 1)
    by_oddity = {"blank": blank} | {oddity: odd.filter(oddity) for oddity in oddities}
    for oddity, those in by_oddity.items():
        if pipelines := those[PIPELINE].to_list():
            yield _doubt("odd", where, pipelines=list_names(pipelines), oddity=_DOUBTS["oddities"][oddity])


@dataclass(frozen=True, kw_only=True)
class DryRun:
    """What an import would make of files; nothing was saved."""

    layout: str
    """`long`, `wide`, `multiple choice`, or the tool that wrote the file."""
    columns: dict[str, list[str]]
    """Our words, each with the columns that are read as it."""
    doubts: tuple[str, ...]
    would_save: bool
    rows: dict[str, int]
    pipelines: dict[str, int]
    ignored_columns: tuple[str, ...]
    """Columns that are left out and look like answers."""
    ignored_sheets: tuple[str, ...]
    """Sheets and members of zips that are left out."""

    def as_json(self) -> dict[str, object]:
        """As `qaviz import --format json` prints it."""
        others = {name: value for name, value in vars(self).items() if name not in ("layout", "columns")}
        return {"reading": {"layout": self.layout, "columns": self.columns}, **others}


def describe_reading(seen: Sequence[Preview], tally: Tally, doubts: Iterable[Problem], *, would_save: bool) -> DryRun:
    """What was read of these tables, for a person or a program to check."""
    roles: dict[str, list[str]] = {}
    for table in seen:
        for name, word in (*table.words.items(), *((name, RESPONSE) for name in table.pipelines)):
            roles[word] = list(dict.fromkeys([*roles.get(word, []), name]))
    first = next((table for table in seen if table.has_responses), next(iter(seen), None))
    return DryRun(
        layout="" if first is None else (first.tool or first.form),
        columns=roles,
        doubts=tuple(spell_problems(doubts)),
        would_save=would_save,
        rows=tally.rows(),
        pipelines=tally.pipelines,
        ignored_columns=tuple(dict.fromkeys(name for table in seen for name in table.ignored)),
        ignored_sheets=tuple(tally.sheets),
    )


def where_of(files: Iterable[Source]) -> str:
    """The files' names."""
    return ", ".join(dict.fromkeys(source.name for source in files))


GOLDEN_QUESTION = "golden_question"
SIMILARITY = "similarity"
NEAR_SCHEMA = {QUESTION: pl.String, QUESTION_ID: pl.String, GOLDEN_QUESTION: pl.String, SIMILARITY: pl.Float64}

LIKE_ENOUGH = 85
"""Similarity in percent (rapidfuzz's ratio, of normalised texts) from which two questions are shown as a pair."""

AHEAD_OF_NEXT = 3
"""Percent by which a pair has to be more alike than the next golden question: else nobody can say which is meant."""

_PLACE = "\0place"
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


def find_near_questions(golden: Source | None, responses: Sequence[Source]) -> pl.DataFrame:
    """One row (NEAR_SCHEMA) for each question of the responses that aligns with none and nearly is a golden question.

    Pairs that differ in a number are no pairs: "in 2022" is not "in 2023". The most alike come first. The files are
    read as `qaviz.loading.stream` reads them. Raises QavizError with their problems.
    """
    opened = open_files(golden, responses)
    alignment = opened.align()
    joined = next((source.joined for source in opened.files if source.joined), ())
    unknown: dict[str, None] = {}
    for part in opened.parts():
        numbered = part.filter(pl.col(QUESTION).is_not_null()).with_row_index(_PLACE)
        aligned, _ = align(numbered, alignment.triplets, joined)
        lost = numbered.filter(~pl.col(_PLACE).is_in(aligned.get_column(_PLACE).implode()))
        unknown |= dict.fromkeys(lost.get_column(QUESTION))
    opened.stop_at_problems()
    triplets = alignment.triplets.unique(QUESTION, keep="none", maintain_order=True)
    compared = list(unknown)[: 20_000_000 // max(1, triplets.height)]  # pairs that are compared in some ten seconds
    if not compared or triplets.is_empty():
        return pl.DataFrame(schema=NEAR_SCHEMA)
    choices = triplets.select(normalise_text(QUESTION)).to_series().to_list()
    queries = pl.DataFrame({QUESTION: compared}).select(normalise_text(QUESTION)).to_series().to_list()
    rows = []
    for place, query in enumerate(queries):
        alike = process.cdist([query], choices, scorer=fuzz.ratio, score_cutoff=LIKE_ENOUGH - AHEAD_OF_NEXT)[0]
        best = int(alike.argmax())
        others = np.delete(alike, best)
        next_best = others.max() if others.size else 0
        clear = alike[best] >= LIKE_ENOUGH and alike[best] - next_best >= AHEAD_OF_NEXT
        if clear and sorted(_NUMBERS.findall(query)) == sorted(_NUMBERS.findall(choices[best])):
            rows.append(
                (compared[place], triplets[QUESTION_ID][best], triplets[QUESTION][best], float(alike[best]) / 100)
            )
    return pl.DataFrame(rows, schema=NEAR_SCHEMA, orient="row").sort(SIMILARITY, descending=True, maintain_order=True)

"""What a person has to say yes to before it is saved: rows lost, responses that are none, questions that nearly are
golden questions."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import polars as pl
from rapidfuzz import fuzz, process

from qaviz.loading import load_log
from qaviz.loading.align import Chunk, align, normalise_text
from qaviz.loading.formats.cells import FLAGS
from qaviz.loading.load import Preview, open_files
from qaviz.loading.load_log import DETAIL, DOUBT, KIND, entry, quote_text
from qaviz.loading.looks import ENOUGH, Column
from qaviz.loading.roles import FIRST, IGNORE, PHRASES, VARIANTS, list_names, read_data, spell_flags
from qaviz.loading.source import Source
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, PIPELINE, QUESTION, QUESTION_ID, REPEAT, RESPONSE
from qaviz.model.errors import Problem, spell_problems

MOST_LOST = 0.2
"""Share of the rows that may be lost before a person is asked."""
MOST_BLANK = 0.5
"""Share of the golden questions from which on too many lack an answer."""
_FEWEST_LOST = 3
"""Rows lost, at least, of which that share says something."""
_SHOWN = 3
"""Columns that a person is told."""
_EQUAL = 0.8
_LONG = 4
"""Words of a golden answer that two people would not give alike."""
_DOUBTS = read_data("doubts.toml")
_SENTENCE = r"[.!?。]$|\bno[t']?\b"
"""What names do not say, and short responses do."""
_DENIES = r"(?i)\b(?:not?|none|unknown|unable|cannot|sorry|insufficient)\b|n't"
"""What golden answers of unanswerable questions say."""
_RUBRIC = rf"(?i)^\W*(?:{'|'.join(PHRASES['rubrics']['begin'])})|{'|'.join(PHRASES['rubrics']['further'])}"
"""What golden answers say that tell how to grade."""


@dataclass
class Tally:
    """What became of the rows of a load, and a sample of those that are kept."""

    listed: Counter[str] = field(default_factory=Counter)
    """Entries about responses by their kind, and by what is said of all of them alike."""
    pipelines: Counter[str] = field(default_factory=Counter)
    """Responses that are kept, of each pipeline."""
    questions: int = 0
    unanswered: int = 0
    """Golden questions without a golden answer or fact that are not marked as unanswerable."""
    sample: list[pl.DataFrame] = field(default_factory=list)
    sheets: dict[str, None] = field(default_factory=dict)
    """Sheets and members of zips that are left out."""
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
        self.pipelines.update(chunk.rows[PIPELINE])
        # A golden triplet may stand twice too: that is no response lost.
        of_responses = chunk.listed.filter(pl.col(PIPELINE).is_not_null())
        self.listed.update(of_responses[KIND])
        self.listed.update(of_responses[DETAIL].filter(of_responses[DETAIL].is_in(_SAID_ALIKE)))
        room = 5_000 - sum(map(len, self.sample))  # responses that are looked at
        self.sample.append(chunk.rows.select(QUESTION, ANSWER, FACT, PIPELINE, RESPONSE).head(max(0, room)))

    def rows(self) -> dict[str, int]:
        """How many responses were read, and what became of them: aligned, duplicate, unaligned; and how many the golden
        questions and pipelines lack."""
        aligned = self.pipelines.total()
        lost = {kind: self.listed[kind] for kind in (load_log.DUPLICATE, load_log.UNALIGNED)}
        nulls = self.listed[load_log.PIPELINE_ERROR] + self.listed[load_log.NULL_RESPONSE]
        unanswered = max(0, self.questions * len(self.pipelines) - aligned)
        return {"read": aligned + sum(lost.values()) + nulls, "aligned": aligned, **lost, "unanswered": unanswered}


_SAID_ALIKE = [load_log.ASKED_TWICE, load_log.ANSWERED_ALIKE, load_log.NULL_RESPONSE]

Look = Callable[[Source | None, Sequence[Source]], list[Preview]]
"""`loading.preview`, here or in a process apart."""
_Fault = tuple[str, dict[str, object]]
"""A doubt of `doubts.toml`, and what its words name."""


def find_doubts(tally: Tally, golden: Source | None, responses: Sequence[Source], look: Look) -> tuple[Problem, ...]:
    """What speaks against what was read of the files, the gravest first, with the flags that settle it."""
    where = where_of([*filter(None, [golden]), *responses])
    files = cache(lambda: look(golden, responses))
    sample = pl.concat(tally.sample) if tally.sample else pl.DataFrame()
    faults = [*_find_lost(tally, sample, files)]
    if not sample.is_empty():
        faults += [*_find_signs(sample), *_find_classes(sample), *_find_odd(sample)]
        faults += _find_several(tally, sample)
    doubts = []
    for kind, facts in faults:
        words = _DOUBTS[kind]
        ways = " or ".join(_FLAGS[kind](files())) if kind in _FLAGS else ""
        fix = words["flags"].format(flags=ways) if ways or "fix" not in words else words["fix"]
        fault = words["found"].format(**facts)
        doubts.append(
            Problem(where=where, found=fault, expected=words["expected"], fix=f"{fix}; --yes saves it as it is.")
        )
    return tuple(doubts)


def _find_lost(tally: Tally, sample: pl.DataFrame, files: Callable[[], Sequence[Preview]]) -> Iterator[_Fault]:
    """Rows that are not in the run, and golden questions without an answer."""
    rows = tally.rows()
    of = {**dict.fromkeys(rows, rows["read"]), "unanswered": tally.questions * len(tally.pipelines)}
    many = [kind for kind in ("duplicate", "unaligned", "unanswered") if rows[kind] > MOST_LOST * of[kind]]
    # A text is lost, of however few rows, and between files of however small a share.
    is_text = tally.listed[load_log.DUPLICATE] > tally.listed[load_log.ANSWERED_ALIKE]
    if is_text and ("duplicate" in many or sum(seen.has_responses for seen in files()) > 1):
        yield "duplicate", {"lost": rows["duplicate"], "of": of["duplicate"]}
    for kind in many:
        lost = rows[kind] - (tally.listed[load_log.ASKED_TWICE] if kind == "unaligned" else 0)
        # The same text twice may be said to be one.
        is_known = kind == "duplicate" and (is_text or any(seen.one_answer for seen in files()))
        if lost >= _FEWEST_LOST and not is_known:
            yield kind, {"lost": rows[kind], "of": of[kind]}
    if not (sample.is_empty() or "duplicate" in many or tally.listed[load_log.ASKED_TWICE]):
        # Responses that are others than their pipeline gave before to the same question with the same golden answer:
        # kept, each beside a triplet of its own, unless a column tells them apart.
        groups = sample.group_by(PIPELINE, QUESTION, ANSWER).agg(pl.len(), pl.col(RESPONSE).n_unique() - 1)
        again = groups.filter(pl.col(RESPONSE) > 0)
        lost = int(again[RESPONSE].sum())
        # Beside images some rows are alike by chance: here most are.
        are_most = again["len"].sum() >= _EQUAL * len(sample)
        if are_most and lost > MOST_LOST * len(sample) and any(seen.separating for seen in files()):
            yield "duplicate", {"lost": lost, "of": len(sample)}
    if tally.unanswered >= MOST_BLANK * tally.questions > 0 and not tally.scored:
        yield "blank", {"lost": tally.unanswered, "of": tally.questions}


def _find_several(tally: Tally, sample: pl.DataFrame) -> Iterator[_Fault]:
    """Questions with several golden answers beside one response, where they are more than a few."""
    questions = sample.group_by(PIPELINE, QUESTION, maintain_order=True).agg(pl.col(ANSWER, RESPONSE).n_unique())
    unlike = questions.filter((pl.col(ANSWER) > 1) & (pl.col(RESPONSE) == 1))
    if len(unlike) > MOST_LOST * len(questions):
        yield "several", {"lost": len(unlike), "example": quote_text(unlike[QUESTION][0])}
    elif lost := tally.listed[load_log.ASKED_TWICE]:
        yield "asked_twice", {"lost": lost}


class _Sign(NamedTuple):
    """What speaks against golden answers, where at least so many rows, and more than this share of all, have it."""

    kind: str
    of: str
    """The rows that count: a `question` each that has a golden answer, a golden `answer` each, or each `response`."""
    has: pl.Expr
    share: float
    fewest: int
    example: pl.Expr = pl.col(ANSWER)


def _stands_in(part: str, text: str) -> pl.Expr:
    return pl.col(text).str.to_lowercase().str.contains(pl.col(part).str.to_lowercase(), literal=True)


_IS_ONE = (pl.col(ANSWER) == pl.col(ANSWER).mode().sort().first()) & ~pl.col(ANSWER).str.contains(_DENIES)
_NAMES_FACT = _stands_in(FACT, QUESTION) & ~_stands_in(ANSWER, QUESTION) & ~_stands_in(FACT, ANSWER)
_LETTER = pl.col(RESPONSE).str.strip_chars("()[]. \t\n").str.contains("^(?i:[a-h])$")
_SIGNS = (
    _Sign("rubrics", "answer", pl.col(ANSWER).str.contains(_RUBRIC), 0.1, 1),
    _Sign("echoes", "question", pl.col(ANSWER).str.strip_chars() == pl.col(QUESTION).str.strip_chars(), 0.75, 3),
    _Sign("one_question", "answer", pl.col(QUESTION) == pl.col(QUESTION).first(), 0.99, 5, pl.col(QUESTION)),
    _Sign("numbered", "response", _LETTER & pl.col(ANSWER).str.contains(r"^\s*\d\s*$"), 0.5, 4, pl.col(RESPONSE)),
    _Sign("named", "question", _NAMES_FACT, 0.49, 3, pl.col(FACT)),
    _Sign("again", "question", _IS_ONE & (pl.col(ANSWER).str.count_matches(r"\S+") > _LONG), 0.49, 4),
    _Sign("again", "question", _IS_ONE & ~pl.col(ANSWER).str.to_lowercase().is_in(list(FLAGS)), 0.99, 5),
)


def _find_signs(sample: pl.DataFrame) -> Iterator[_Fault]:
    """The first sign of each kind that speaks against the golden answers."""
    rows = {
        "question": sample.unique(QUESTION, maintain_order=True).drop_nulls(ANSWER),
        "answer": sample.drop_nulls(ANSWER).unique(ANSWER).sort(ANSWER),
        "response": sample,
    }
    seen: set[str] = set()
    for sign in _SIGNS:
        frame = rows[sign.of]
        has = frame.select(sign.has).to_series() if len(frame) else pl.Series([], dtype=pl.Boolean)
        if has.sum() >= sign.fewest and has.sum() > sign.share * has.count() and sign.kind not in seen:
            seen.add(sign.kind)
            example = quote_text(frame.filter(has).select(sign.example).item(0, 0))
            yield sign.kind, {"lost": has.sum(), "of": has.count(), "example": example}


def _find_classes(sample: pl.DataFrame) -> Iterator[_Fault]:
    """Golden answers to texts that do not ask, where they repeat and most wrong responses are among them: labels of
    classes, but yes and no, letters and numbers."""
    texts = sample.select(QUESTION, pl.col(ANSWER, RESPONSE).str.strip_chars().str.to_lowercase())
    texts = texts.filter(pl.col(ANSWER).str.contains(r"\p{L}{2}"), ~pl.col(ANSWER).is_in(list(FLAGS)))
    golden = texts.unique(QUESTION)[ANSWER].sort()
    wrong = texts.filter(pl.col(RESPONSE) != pl.col(ANSWER))[RESPONSE]
    few = golden.n_unique() <= 0.75 * len(golden) and len(golden) >= 2 * ENOUGH
    few = few and texts[QUESTION].str.contains("[?？؟]").sum() < MOST_LOST * len(texts)
    if few and len(wrong) > 1 and wrong.is_in(golden.implode()).sum() >= MOST_BLANK * len(wrong):
        yield "classes", {"number": golden.n_unique(), "of": len(golden), "example": quote_text(golden[0])}


def _find_odd(sample: pl.DataFrame) -> Iterator[_Fault]:
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
            yield "odd", {"pipelines": list_names(pipelines), "oddity": _DOUBTS["oddities"][oddity]}


def _list_columns(files: Sequence[Preview], *words: str) -> list[str]:
    """The columns that are one of these words."""
    return list(dict.fromkeys(name for seen in files for name in seen.find(*words)))


def _name_one_answer(files: Sequence[Preview]) -> list[str]:
    """The flags that say what golden answers of one question in rows of their own are."""
    ways = {VARIANTS: "variants of one", FIRST: "the first counts"}
    names = _list_columns(files, ANSWER)
    return [f"{spell_flags({name: word})} ({what})" for name in names for word, what in ways.items()]


def _name_golden(files: Sequence[Preview]) -> list[str]:
    """The flags that make a column the golden answers, of those that are left out and look like answers."""
    read = _list_columns(files, ANSWER, FACT)
    others = dict.fromkeys(name for seen in files for name in seen.ignored if name not in read)
    return [spell_flags(dict.fromkeys(read, IGNORE) | {name: ANSWER}) for name in others][:_SHOWN]


def _name_separating(files: Sequence[Preview]) -> Iterator[str]:
    """The flags that make a column that tells rows apart part of the pipeline's name, or its repeats; of several files
    those that name pipelines after the files."""
    answered = [seen for seen in files if seen.has_responses]
    for seen in answered:
        if seen.separating:
            yield spell_flags(dict.fromkeys((*seen.find(PIPELINE), *seen.separating), PIPELINE))
        if len(seen.separating) == 1 and Column(seen.first[seen.separating[0]]).are("number"):  # names count nothing
            yield spell_flags({seen.separating[0]: REPEAT})
    of_files = [tuple(seen.pipelines) for seen in answered]
    if len(answered) > 1 and len(set(of_files)) == 1 == len(of_files[0]):  # one column of each file
        yield spell_flags({of_files[0][0]: RESPONSE})
    if len(answered) > 1 and all(seen.pipelines_named == 1 for seen in answered):
        left_out = dict.fromkeys(_list_columns(answered, PIPELINE), IGNORE)
        yield f"{spell_flags(left_out)} (the name of each file or sheet)"


_FLAGS: Mapping[str, Callable[[Sequence[Preview]], Iterable[str]]] = {
    "duplicate": _name_separating,
    **dict.fromkeys(("blank", "echoes", "again"), _name_golden),
    **dict.fromkeys(("several", "asked_twice"), _name_one_answer),
    "named": lambda files: [spell_flags(dict.fromkeys(_list_columns(files, FACT), IGNORE))],
}
"""The flags that settle a doubt."""


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


def describe_reading(
    seen: Sequence[Preview], tally: Tally, doubts: Iterable[Problem], *, would_save: bool
) -> dict[str, object]:
    """What was read of these tables and would be saved, as `qaviz import --format json` prints it: the layout is
    `long`, `wide`, `multiple choice` or the tool that wrote the file; columns stand by our words."""
    columns: dict[str, dict[str, None]] = {}
    for table in seen:
        for name, word in {**table.words, **dict.fromkeys(table.pipelines, RESPONSE)}.items():
            columns.setdefault(word, {})[name] = None
    first = next((table for table in seen if table.has_responses), next(iter(seen), None))
    layout = (first.tool or first.form) if first else ""
    return {
        "reading": {"layout": layout, "columns": {word: list(names) for word, names in columns.items()}},
        "doubts": tuple(spell_problems(doubts)),
        "would_save": would_save,
        "rows": tally.rows(),
        "pipelines": dict(tally.pipelines),
        "ignored_columns": tuple(dict.fromkeys(name for table in seen for name in table.ignored)),
        "ignored_sheets": tuple(tally.sheets),
    }


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

_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_PLACE = "\0place"


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
        numbered = part.drop_nulls(QUESTION).with_row_index(_PLACE)
        aligned, _ = align(numbered, alignment.triplets, joined)
        unknown |= dict.fromkeys(numbered.join(aligned, on=_PLACE, how="anti", maintain_order="left")[QUESTION])
    opened.stop_at_problems()
    triplets = alignment.triplets.unique(QUESTION, keep="none", maintain_order=True)
    ours = triplets.select(normalise_text(QUESTION)).to_series().to_list()
    compared = list(unknown)[: 20_000_000 // max(1, len(ours))]  # pairs that are compared in some ten seconds
    theirs = pl.DataFrame({QUESTION: compared}, {QUESTION: pl.String}).select(normalise_text(QUESTION)).to_series()
    pairs = []
    for text, even in zip(compared, theirs, strict=True):
        likest = process.extract(even, ours, scorer=fuzz.ratio, limit=2, score_cutoff=LIKE_ENOUGH - AHEAD_OF_NEXT)
        scores = [score for _, score, _ in likest]
        if scores[:1] >= [LIKE_ENOUGH] and (len(scores) == 1 or scores[0] - scores[1] >= AHEAD_OF_NEXT):
            best, score, place = likest[0]
            if sorted(_NUMBERS.findall(even)) == sorted(_NUMBERS.findall(best)):
                meant = triplets.row(place, named=True)
                pairs.append((text, meant[QUESTION_ID], meant[QUESTION], score / 100))
    return pl.DataFrame(pairs, NEAR_SCHEMA, orient="row").sort(SIMILARITY, descending=True, maintain_order=True)

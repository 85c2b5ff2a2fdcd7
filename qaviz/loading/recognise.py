"""What each column of a table is read as: one pass over the evidence of `looks`. Names propose, tests on cells decide;
where two readings pass, both are kept for a person to choose from.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from qaviz.loading import looks, roles
from qaviz.loading.load_log import quote_text
from qaviz.loading.looks import EQUAL, OVERLAP, Column, Columns
from qaviz.loading.roles import IGNORE, META, Guess, Layout, Reading, list_names
from qaviz.loading.tool import search
from qaviz.model import columns as c

_RULES: Mapping[str, Sequence[Mapping[str, Any]]] = roles.read_data("answers.toml")


def read_roles(columns: Columns, mapping: Mapping[str, str]) -> Layout:
    """How to read a table with these first rows. What `mapping` says of its columns has the last word."""
    words = {name: word for name, word in mapping.items() if word != IGNORE}
    guesses: list[Guess] = []
    for word in roles.NAMES:
        # Several columns may be answers or pipelines: names alone do not decide.
        if word not in (c.ANSWER, c.RESPONSE, c.PIPELINE) and word not in words.values():
            chosen = _choose_columns(columns, word, [*words, *mapping])
            guesses += chosen
            words |= {guess.column: guess.word for guess in chosen if guess.certain}
    asking = next((guess.column for guess in guesses if guess.word == c.QUESTION and not guess.certain), "")
    if c.QUESTION in words.values() or not asking:
        return _Answers(columns, mapping, words, guesses).read()
    # Whether that is the question is asked, together with what the other columns would then leave open.
    layout = _Answers(columns, mapping, words | {asking: c.QUESTION}, guesses).read()
    if layout.has_answers and columns[asking].says_nothing and columns[asking].is_question:
        return layout
    ways = layout.readings or (Reading(f"{quote_text(asking)} is the question", {}),)
    return replace(
        layout,
        words={name: word for name, word in layout.words.items() if name != asking},
        doubt=layout.doubt or f"{quote_text(asking)}: is it the question?",
        readings=tuple(replace(way, mapping={asking: c.QUESTION, **way.mapping}) for way in ways),
    )


def _choose_columns(columns: Columns, word: str, taken: Sequence[str]) -> list[Guess]:
    """The column that is this word, by the best of its names; or those that may be, which are not certain."""
    names = roles.NAMES[word]
    free = [column for column in columns.values() if column.name not in taken]
    ranked = []
    for column in free:
        rank, is_unsure = column.rank(word)
        is_called = rank < len(names)
        if (is_called or column.named.word == word) and columns.fits(column, word, sure=is_called):
            ranked.append((rank if is_called else rank + is_unsure, column))
    if word == c.QUESTION_ID and not ranked:
        ranked = [(0, column) for column in free if column.plain in roles.WORDS["rows"] and column.is_identifier][:1]
    if word == c.QUESTION and not ranked:
        asking = [column for column in free if column.says_something and column.is_question]
        if not asking and any(column.named.word in (c.ANSWER, c.RESPONSE) for column in free):
            # The one column of texts whose name says nothing, beside others whose names say that they hold answers.
            texts = [column for column in free if _holds_texts(column) and column.may_ask]
            asking = texts if len(texts) == 1 else []
        return [column.guess(word, "its cells ask", certain=False) for column in asking]
    # A question that most rows lack, beside one that they have, adds something to it: Alpaca's "input".
    most = max((column.filled for _, column in ranked), default=0) if word == c.QUESTION else 1
    filled = [pick for pick in ranked if pick[1].filled * 2 >= most] or ranked
    lowest = min((rank for rank, _ in filled), default=0)
    best = [column for rank, column in filled if rank == lowest]
    if len(best) > 1 and word == c.QUESTION:
        best = [column for column in best if column.is_question] or best
    asks = word == c.QUESTION and all(column.is_question for column in best)
    certain = len(best) == 1 and (asks or lowest <= len(names))
    return [column.guess(word, certain=certain) for column in best]


def _holds_texts(column: Column) -> bool:
    """Whether a column under a name that says nothing holds texts; under a system's name, flags and dates too."""
    is_text = not column.is_no_text
    is_text = is_text or (column.is_called_like_system and not (column.says_something and column.are("number")))
    is_form = roles.WORDS["raw_or_parsed"].issuperset(column.terms() or [""])
    is_form = is_form or roles.PATTERNS["forms"].search(f"_{column.plain}") is not None
    return column.says_nothing and not is_form and bool(column.filled) and is_text and column.lists <= OVERLAP


class _Answers:
    """Which columns are golden answers, responses and pipelines, and what is left open."""

    def __init__(
        self, columns: Columns, mapping: Mapping[str, str], words: Mapping[str, str], guesses: Sequence[Guess]
    ) -> None:
        """`words` and `guesses` are those of the other columns. Here the columns that are left are sorted."""
        self.columns, self.mapping, self.words, self.guesses = columns, mapping, dict(words), list(guesses)
        self.pipelines: Mapping[str, str] = {}
        self.doubt = ""
        self.readings: tuple[Reading, ...] = ()
        free = [column for column in columns.values() if column.name not in words and column.name not in mapping]
        is_empty = not any(column.filled for column in columns.values())  # a table of headings alone
        # Answers of which no name says whose they are.
        self.bare = [column for column in free if column.plain == c.ANSWER or column.named.is_bare_answer]
        called = {column.plain: column for column in columns.values()}
        if "q" in called and "b" not in called:  # beside "b" it is a pipeline
            self.bare += [column for column in free if column.plain == "a"]
        # Golden answers by their names, the best first: of "gold" and "gold_final", in whatever order, the texts.
        self.golden = [
            column
            for column in free
            if column not in self.bare and column.says(c.ANSWER) and columns.fits(column, c.ANSWER, sure=True)
            if (column.named.certain or not (column.are("flag") or (column.is_constant and column.is_half_said)))
            if column.filled or is_empty
        ]
        # "expected" may be a route: beside responses in words, "reference" is the better one.
        answered = [column for column in free if column.plain not in roles.NAMES[c.PIPELINE]]
        answered = [column for column in answered if column in self.bare or column.says(c.RESPONSE)]
        are_words = not any(map(_is_class, answered))
        routes = [column for column in self.golden if are_words and _is_class(column) and not column.terms("GOLDEN")]
        # So are values beside whole objects that hold them.
        worse = [*routes, *(column for column in self.golden if column.are("object"))]
        self.golden.sort(
            key=lambda column: (not column.filled, column in worse, *column.rank(c.ANSWER), column.are("number"))
        )
        self.answer = next(iter([*columns.of_word(words, c.ANSWER), *self.golden, *self.bare]), None)
        self.choices = looks.find_choices(columns, self.answer)
        options = {*self.choices.values(), *(column.name for column in looks.list_options(free))}
        free = [column for column in free if column.name not in options and column not in self.golden]
        systems = [column for column in free if column.named.word == c.PIPELINE and column.is_one_system]
        # "model_a" beside "model_b" names a model, or has what that model answered.
        self.systems = systems if len(systems) > 1 and any(column.is_answered for column in systems) else []
        self.names = self._find_names(free)
        are_figures = self.answer is not None and self.answer.are("number")
        # Of objects a system, the fields that are responses, with the system's name.
        self.grouped = _group_objects([column.name for column in free if are_figures or not column.are("number")])
        self.produced = self._find_produced(free)
        # A system's words that are those of the golden answers, where what it says beside them is not.
        answer = self.answer
        is_said = answer and any(column.share_among(answer) >= OVERLAP for column in self.produced)
        self.classes = [column for column in free if not is_said and self._is_golden_class(column)]
        self.produced += self.classes
        # Texts under names that say nothing: like answers, and others, as a pipeline that is seldom right gives them.
        sorted_out = [*self.bare, *self.golden, *self.produced, *self.names]
        texts = [column for column in free if column not in sorted_out and column.name not in self.grouped]
        texts = [column for column in texts if _holds_texts(column)]
        self.unread = [column for column in texts if self._is_like_answers(column)]
        self.untold = [column for column in texts if column not in self.unread and column.is_text]

    def _find_names(self, free: Sequence[Column]) -> list[Column]:
        """The columns that name who answered, the likeliest first: by their names, then those with a response's name
        and labels in their cells, unless golden answers are labels too."""
        names = [
            column for column in free if column.named.word == c.PIPELINE or column.plain in roles.NAMES[c.PIPELINE]
        ]
        names = [column for column in names if column.filled and column not in self.systems]
        names = [column for column in names if self.columns.fits(column, c.PIPELINE, sure=True)]
        names.sort(key=lambda column: (column.distinct == 1, *column.rank(c.PIPELINE)))
        names += [column for column in free if column.name == roles.SPLIT and column not in names]
        if names or (self.answer and self.columns.is_label(self.answer)):
            return names
        called = [column for column in free if column.named.word == c.RESPONSE and column.distinct > 1]
        return [column for column in called if self.columns.is_label(column, self.answer)]

    def _find_produced(self, free: Sequence[Column]) -> list[Column]:
        """What systems answered, by the columns' names and without what is no text: the best first."""
        free, answer = [column for column in free if column not in self.bare], self.answer
        produced = [column for column in free if self._is_response(column)]
        if answer and answer.are_letters:  # a model that always says "A"
            letters = [column for column in free if column.is_constant and column.are_letters]
            letters = [column for column in letters if column.says(c.RESPONSE) and column not in produced]
            produced += [column for column in letters if column.is_system or not produced]
        produced.sort(key=lambda column: column.rank(c.RESPONSE))
        in_words = [column for column in produced if not roles.WORDS["options"] & set(column.terms())]
        are_letters = any(column.are_letters for column in (*([answer] if answer else []), *in_words))
        return in_words if answer and in_words and not are_letters else produced  # the golden letter, beside words

    def _is_response(self, column: Column) -> bool:
        """Whether a column has a response's name, and cells that can be responses: numbers, flags and labels are only
        where the golden answers are."""
        is_text = column.named.word == c.PIPELINE and column.plain != c.PIPELINE and column.is_prose
        is_text = is_text or column in self.systems
        if column.name in self.grouped or not column.says(c.RESPONSE) or (column in self.names and not is_text):
            return False
        if column.named.word == c.PIPELINE and column.plain not in roles.RESPONSE_NAMES[c.RESPONSE]:
            return is_text
        variants = sum(c.OR_DELIMITER in (cell or "") for cell in column.cells)  # several texts are options
        if (column.named.is_pipeline and column.are("identifier")) or variants > OVERLAP * column.filled:
            return False
        if not column.says_something or column.plain == c.RESPONSE:
            return not (column.filled and column.are("link"))
        if column.are("link") or (column.distinct == 1 and self.columns.is_label(column)):
            return False
        if self.answer is None:
            return not column.are("number") or column.named.certain
        are_labels = self.columns.is_label(self.answer) or not self.columns.is_label(column, self.answer)
        is_number, is_flag = self.answer.are("number"), self.answer.are("flag")
        return are_labels and (is_number or not column.are("number")) and (is_flag or not column.are("flag"))

    def _is_golden_class(self, column: Column) -> bool:
        """Whether a system gave one of a few golden answers again and again: a department of those there are, beside
        what it said at length; or a letter, under a name that says nothing."""
        golden, is_free = self.answer, column not in (*self.bare, *self.golden, *self.names, self.answer)
        if not (golden and is_free and column.says_something and column.are_words):
            return False
        are_letters = column.says_nothing and column.are_letters and golden.are_letters and not self.choices
        is_given = (are_letters or (column.is_of_system and bool(self.produced))) and column.words <= 2
        return is_given and golden.distinct < golden.filled and column.share_among(golden) >= OVERLAP

    def _is_like_answers(self, column: Column) -> bool:
        """Whether a system's name, or texts that share words with questions and answers and are no part of them, make a
        column one of answers."""
        if column.says_something and column.repeats and column.words <= 2:
            return False
        beside = self.columns.of_word(self.words, c.QUESTION, c.QUESTION_ID)[:1]
        beside += [*([self.answer] if self.answer else []), *self.bare, *self.produced]
        is_part = any(column.share_inside(other) >= OVERLAP for other in beside)
        return column.is_called_like_system or (not is_part and column.share_words(*beside) >= OVERLAP)

    def take(self, column: Column, word: str, why: str = "") -> None:
        """Read a column as a word."""
        self.words[column.name] = word
        self.guesses.append(column.guess(word, why))

    def decide(self, table: str, facts: dict[str, Any]) -> Mapping[str, Any]:
        """The first rule of the table in `answers.toml` that holds; what it leaves open is asked."""
        rule: Mapping[str, Any] = next((rule for rule in _RULES[table] if search(rule["when"], facts)), {})
        if "ask" in rule:
            named = {fact: list_names(value) for fact, value in facts.items() if f"{{{fact}}}" in rule["ask"]}
            self.doubt = rule["ask"].format_map(named)
            readings = [_describe(reading, facts) for reading in rule.get("readings", ())]
            ways = facts[rule.get("of", "produced")] if "each" in rule else []
            for chosen in ways[:5]:  # a person is shown no more
                left = [name for name in ways if name != chosen]
                for meaning in rule["each"]:
                    reading = _describe(meaning, facts | {"chosen": [chosen], "left": left})
                    if reading.mapping not in [before.mapping for before in readings]:
                        readings.append(reading)
            self.readings = tuple(readings)
        return rule

    def read(self) -> Layout:
        """The layout of the table."""
        words, columns = self.words, self.columns
        if c.ANSWER not in words.values() and (golden := self._choose_golden()):
            self.take(golden, c.ANSWER)
            self.bare = [column for column in self.bare if column is not golden]
        golden = next(iter(columns.of_word(words, c.ANSWER)), None)
        named = columns.of_word(words, c.PIPELINE)
        mapped = [name for name, word in self.mapping.items() if word == c.RESPONSE]
        self.pipelines = {name: name for name in mapped} if len(mapped) > 1 else {}
        if not (self.pipelines or named or self.grouped):
            named = self._choose_pipeline()
            for column in named:
                values = "one value stands" if column.distinct == 1 else f"{column.distinct} values stand"
                self.take(column, c.PIPELINE, f"its {values} beside many questions: they name who answered")
        responses = [] if mapped else self._choose_responses(golden, named)
        for column in responses:
            self.take(column, c.RESPONSE)
        response = next(iter(responses), None)
        responded = bool(mapped or response or self.pipelines)
        bare = "" if self.doubt else self._settle_bare(golden, response, named=bool(named), responded=responded)
        if self.pipelines:
            objects = tuple(f"{outer.rpartition('.')[0]}." for outer in self.grouped)
            words = {name: word for name, word in words.items() if word not in (c.RESPONSE, c.PIPELINE)}
            # What stands in one system's object says nothing of the row.
            words = {name: word for name, word in words.items() if name in self.mapping or not name.startswith(objects)}
        self.words = words
        partly = next((column for column in self.golden if words.get(column.name) == c.ANSWER), None)
        if partly and not partly.named.certain and (partly.is_half_said or not partly.is_no_text):
            is_open = not self.doubt and (partly.is_half_said or (partly.repeats and partly.words <= 1))
            answered = [*self.produced, *map(columns.__getitem__, self.pipelines)]
            is_short = partly.words < looks.ENOUGH and any(column.words > 2 * looks.SHORT for column in answered)
            self.decide("golden", {"golden": [partly.name], "half": partly.is_half_said, "partly": is_open or is_short})
        guesses = tuple(self.guesses)
        layout = Layout(words, self.pipelines, self.choices, bare, guesses, self.doubt, self.readings)
        read = {*words, *self.pipelines, *self.choices.values(), *self.mapping, bare}
        grouped = [columns[name] for name in self.grouped]
        like_answers = [*self.produced, *grouped, *self.bare, *self.golden, *self.unread, *self._list_named_answers()]
        ignored = dict.fromkeys(column.name for column in like_answers if column.name not in read)
        return replace(layout, ignored=tuple(ignored), separating=self._find_separating(read, bare))

    def _choose_golden(self) -> Column | None:
        """The golden answers, best by their name; but bare answers that say the same as golden ones in some object,
        beside responses, and bare answers of which the golden ones are other forms, by their name."""
        if not self.golden:
            return None
        golden = self.golden[0]
        for bare in self.bare:
            forms = golden.plain.removeprefix(bare.plain)
            is_other = forms != golden.plain and roles.PATTERNS["forms"].fullmatch(forms) is not None
            is_inside = self.produced and "." in golden.name and "." not in bare.name
            if is_other or (is_inside and bare.share_inside(golden) >= OVERLAP):
                return bare
        return golden

    def _choose_pipeline(self) -> list[Column]:
        """Of several columns that may name the pipeline the one that leaves no duplicates; the likeliest where none
        does.

        A column whose name says nothing counts only where questions repeat, and it tells their rows apart.
        """
        by_name = [column for column in self.names if column.says(c.RESPONSE) or column.named.word == c.PIPELINE]
        telling: list[Column] = []
        if question := self.columns.of_word(self.words, c.QUESTION, c.QUESTION_ID)[:1]:
            keys = [*question, *self.columns.of_word(self.words, c.REPEAT)]
            height = self.columns.frame.height
            if self.columns.count_groups(keys) < height:
                telling = [column for column in self.names if self.columns.count_groups([*keys, column]) == height]
        return (telling or by_name)[:1]

    def _choose_responses(self, golden: Column | None, named: Sequence[Column]) -> list[Column]:
        """The column of the responses, if one has them, or the columns that share them; else their columns are
        `pipelines`, or asked."""
        produced = [column for column in self.produced if column not in named]
        produced = self.unread if named and not (produced or self.bare) else produced
        facts = self._list_facts(produced) | {
            "named": bool(named),
            "golden": golden is not None,
            "classes": _names(self.classes),
        }
        rule = self.decide("responses", facts)
        columns = list(search(rule["pipelines"], facts)) if "pipelines" in rule else []
        shared = len(share_beginning(columns))
        self.pipelines = {name: self.grouped.get(name, name[shared:]) for name in columns} or self.pipelines
        return [self.columns[name] for name in search(rule["response"], facts)] if "response" in rule else []

    def _list_facts(self, produced: Sequence[Column]) -> dict[str, Any]:
        """What is known of columns that may be responses, for the rules."""
        systems = [column for column in produced if column.system or column.is_system]
        forms = [column for column in produced if column not in systems]
        sure = [column for column in produced if not column.is_unsure] or produced[:1]
        left_out = [self.columns[name] for name, word in self.mapping.items() if word == IGNORE]
        are_labels = all(looks.OPTION.fullmatch(column.name.strip()) for column in self.unread)
        lists = {
            "produced": produced,
            "systems": systems,
            "forms": forms,
            "sure": sure,
            "others": [column for column in produced if column not in sure],
            "bare": self.bare,
            "unread": self.unread,
            "untold": self.untold,
            "texts": [*self.unread, *self.untold],
            "open": [*self.bare, *self.unread],
        }
        return {fact: _names(columns) for fact, columns in lists.items()} | {
            "grouped": list(self.grouped),
            "answered": self.answer is not None or any(column.says(c.ANSWER) for column in left_out),
            "same": _are_the_same(produced),
            "all_systems": all(column.system for column in produced),
            "is_system": any(column.is_system for column in produced),
            "alike": len({column.system or column.name for column in produced}) < len(produced),
            "unsure": any(column.is_unsure for column in produced),
            "form_is_system": any(column.is_of_machine and len(column.terms("FILLER")) > 1 for column in forms),
            "form_says": any(column.says_form for column in forms[:1]),
            "form_said": any(column.says_form for column in produced),
            "called": all(column.is_called_like_system for column in self.unread),
            "options": are_labels and len(self.unread) >= looks.FEWEST_OPTIONS,
            "too_many": len(self.unread) > roles.PIPELINE_LIMIT,  # refused for their number
        }

    def _settle_bare(self, golden: Column | None, response: Column | None, *, named: bool, responded: bool) -> str:
        """Read the answers of which no name says whose they are by what stands beside them; the column that is left for
        the other tables to say, if there is one."""
        # Lists beside golden answers are options, or several responses to one question.
        listed = [column for column in self.bare if golden and column.lists > OVERLAP]
        read = (*self.words, *self.pipelines)
        left = [column for column in self.bare if column.name not in read and column not in listed]
        if not left:
            return ""
        first = left[0]
        ours = golden if golden in self.golden else None
        alike = 0.75 if ours and ours.are_variants else EQUAL  # one more of the golden answers
        is_copy = ours is not None and first.says_something and first.share_inside(ours) >= alike
        facts = {
            "bare": _names(left),
            "first": [first.name],
            "golden": [golden.name] if golden else [],
            "response": [response.name] if response else [],
            "named": named,
            "responded": responded,
            "fact": c.FACT in self.words.values(),
            "same_bare": _are_the_same(left),
            "same": response is not None and _are_the_same([response, first]),
            "form_says": response is not None and response.says_form,
            "copy": (is_copy and not first.is_of_system and first.plain not in roles.NAMES[c.RESPONSE])
            or (ours is not None and "original" in first.terms()),
            "place": ours is not None and not self._is_answered(ours, first),
        }
        rule = self.decide("bare", facts)
        if rule.get("take") in (c.ANSWER, c.RESPONSE):
            self.take(first, rule["take"], rule.get("why", ""))
        return first.name if rule.get("take") == "bare" else ""

    def _is_answered(self, golden: Column, bare: Column) -> bool:
        """Whether golden answers stand where a name says so, and bare ones beside them answer the same."""
        if roles.PATTERNS["place"].fullmatch(golden.plain):
            return False
        is_alike = golden.share_words(bare) >= 0.3 or bare.filled < looks.ENOUGH  # they answer the same questions
        return is_alike or (not self.choices and golden.words > 1)

    def _list_named_answers(self) -> Iterator[Column]:
        """Columns that are named answers and are none that counts: other forms of one, wrong answers, other answers."""
        for column in self.columns.values():
            is_named = column.named.word in (c.ANSWER, c.RESPONSE, META) and re.search("answer|response", column.plain)
            is_label = column.repeats and column.words <= looks.SHORT
            if is_named and column.filled and not column.is_no_text and not (is_label and column.named.word == META):
                yield column

    def _find_separating(self, read: set[str], bare: str) -> tuple[str, ...]:
        """The columns that tell apart responses of one pipeline to one question; a category may, and then is none."""
        question = self.columns.of_word(self.words, c.QUESTION, c.QUESTION_ID)[:1]
        if not question or not (bare or c.RESPONSE in self.words.values()):
            return ()
        used = {name for name in read if self.words.get(name) != c.CATEGORY or name in self.mapping}
        keys = [*question, *self.columns.of_word(self.words, c.PIPELINE, c.REPEAT)]
        # Of questions with several golden answers, as beside images, rows of one answer may be of several pipelines.
        has_ids = c.QUESTION_ID in self.words.values()
        golden = [] if has_ids else self.columns.of_word(self.words, c.ANSWER)
        separating = looks.find_separating(self.columns, keys, used)
        if golden and not separating:
            separating = looks.find_separating(self.columns, [*keys, *golden], used)
        return tuple(separating)


def _is_class(column: Column) -> bool:
    """Whether few words stand there again and again; letters, yes and no may be answers."""
    return column.repeats and column.words <= 1 and not (column.are("flag") or column.is_no_text or column.are_letters)


def _names(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]


def _are_the_same(columns: Sequence[Column]) -> bool:
    return all(columns[0].share_equal(column) >= EQUAL for column in columns[1:])


def _is_version(outer: str, inner: str) -> bool:
    """Whether the point in "gpt-4.1 answer" is that of a number, and no object `gpt-4` has this field."""
    return outer[-1:].isdigit() and inner[:1].isdigit()


def _group_objects(names: Sequence[str]) -> dict[str, str]:
    """The fields that are responses of several objects, with the objects' names: `arms.rag.answer` and
    `arms.base.answer` are those of `rag` and `base`. Empty where there are no such objects."""
    best: dict[str, str] = {}
    split = [name.rpartition(".") for name in names]
    for last in dict.fromkeys(last for outer, point, last in split if point and not _is_version(outer, last)):
        named = roles.read_column_name(last)
        # Of `answers.gpt-4o` and `latency.gpt-4o` the last part is the system, and no field of one.
        if named.is_pipeline or (not named.is_bare_answer and named.word != c.RESPONSE):
            continue
        objects = {name: name.removesuffix(f".{last}") for name in names if name.endswith(f".{last}")}
        shared = len(share_beginning(list(objects.values())))
        systems = {name: outer[shared:] for name, outer in objects.items()}
        if len(systems) > max(1, len(best)) and not roles.WORDS["one_row"] & {
            outer.lower() for outer in systems.values()
        }:
            best = systems
    return best


def _describe(reading: Mapping[str, str], facts: dict[str, Any]) -> Reading:
    """A reading of a rule: the columns that it settles, and what it makes of them in words."""
    mapping = {name: word for columns, word in reading.items() for name in search(columns, facts) or ()}
    golden, responses = ([name for name in mapping if mapping[name] == word] for word in (c.ANSWER, c.RESPONSE))
    parts = [f"{list_names(golden)} has the golden answers"] if golden else []
    if responses:
        parts.append(f"{list_names(responses)} {'are a pipeline each' if responses[1:] else 'holds the responses'}")
    left_out = [name for name in mapping if mapping[name] == IGNORE]
    return Reading(", ".join(parts) or f"{list_names(left_out)} is left out", mapping)


def share_beginning(names: Sequence[str]) -> str:
    """The outer names that all have in common, with the dot behind."""
    parts = [name.split(".") for name in names]
    outer = zip(*(part[:-1] for part in parts), strict=False)
    shared = [same[0] for same in takewhile(lambda level: len(set(level)) == 1, outer)]
    while shared and any(_is_version(shared[-1], part[len(shared)]) for part in parts):
        shared.pop()
    return "".join(f"{name}." for name in shared)

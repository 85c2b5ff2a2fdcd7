"""What a clause does with a value that it names: answers with it, rejects or compares it, says it of another thing, or
of the opposite of the question's verb.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.parts import YEAR, Part, is_number
from qaviz.diagnosis.evidence.claims.predicates import stands_with_opposite

_CUES = {
    # Right before a value that is denied: `not`, `rather than`.
    "rejects": (
        r"not|n't|never|rather than|instead of|unlike|contrary to|other than|no longer|nor|as opposed to|neither"
        r"|confused with|mistaken for|refused to pay|wrong to say"
    ),
    # Right after a value that is denied: `is wrong`.
    "rejects_after": (
        r"(?:is|was|would be) (?:not|wrong|incorrect|false|the wrong|a myth|a mistake)|(?:is|was|did"
        r"|does)n't|did not|does not"
        r"|(?:plays?|has|had|have) (?:no (?:part|role|influence|effect|share)|nothing to do)|is irrelevant"
        r"|that was wrong|was not|is not|declined|refused|reached the final but lost|lost (?:to|against)"
    ),
    # Anywhere in a clause whose value is said to be wrong: `mistakenly believed`.
    "wrongly": (
        r"(?:wrongly|mistakenly|falsely|erroneously|incorrectly) (?:attributed|credited|believed|said"
        r"|thought|named|given)"
        r"|(?:attributed|believed|said|thought) (?:wrongly|mistakenly)|but wrongly"
        r"|(?:it is|it's|is) (?:a (?:common )?(?:myth|mistake|misconception|legend)|not true|untrue|false|wrong"
        r"|incorrect|not correct|not the case) that"
        r"|(?:failed|refused|declined|neglected) to (?!(?:be|win|lose)\b)(?=[a-z])"
    ),
    # A clause that reports what others say or what was said before; the answer follows in another clause.
    "rumour": (
        r"(?:many|most|some|several|people|guides?|critics|experts|sources|accounts|others|legend|rumou?r"
        r"|tradition|myth)\b"
        r".{0,24}\b(?:think|thought|believe|believed|say|says|claim|claimed|name|give|state|assume|has it"
        r"|have it|credited)"
        r"|(?:is|was|been) (?:often|commonly|widely|sometimes|usually|generally|once|long) "
        r"(?:attributed|credited|believed|said|thought|given|claimed|named)"
        r"|i (?:first |previously |earlier |originally |had )?(?:said|thought|wrote|assumed|answered)"
        r"|first i (?:said|thought)"
        r"|when i said|i was wrong|my first (?:guess|answer)|popular opinion|at first sight"
    ),
    # A clause that says what was expected, planned or first offered, or what would have been.
    "planned": (
        r"expected|forecast|planned|supposed to|meant to|scheduled|intended|was to\b|were to\b|due to\b"
        r"|originally|initially"
        r"|at first|first (?:offered|reported|estimated|thought)|early reports|early estimates|thought to|would have"
        r"|(?:plans?|hopes?|aims?|intends?|wants?) to"
        r"|target(?:ed)? (?:of|at)|missed|projected|anticipated|guidance|had been valued|asked first|submitted|applied"
        r"|feared|predicted|budgeted|foreseen"
        r"|^\W*(?:if|unless|suppose)\b|^\W*had \S+(?: \S+)? (?:been|\w+ed)\b"
    ),
    # Before a value that held before, or that the answer is compared with: `from`, `formerly`, `against`.
    "earlier": (
        r"from|formerly|previously|used to be|up from|down from|compared (?:with|to)|against|versus|vs\.?|former"
        r"|old|earlier|once|prior|preceding|first|more than the|less than the|(?:above|below|over|under|than)"
        r"|well (?:above|below)|after|before"
    ),
    # After a value that held before: `until 2005`, `in the prior year`.
    "earlier_after": (
        r"until(?! (?:his|her|their) death)|(?:in )?(?:the )?(?:prior|previous|preceding|last) (?:year|quarter|month)"
        r"|a year (?:earlier|before|ago)"
        r"|the year before|(?:was|were|is|got|has been) (?:fired|moved|replaced|extended|succeeded|dismissed|retired)"
        r"|at first|stepped (?:down|aside)|years (?:earlier|before)"
    ),
    # A clause that names a source, a page or a note.
    "source": (
        r"source|see (?:page|note|section|chart|table)|page|p\.|chart|according to (?:the|a) (?:survey"
        r"|report) of|copyright"
    ),
    # Before a name that only stands in a relation to the answer: `a student of`, `dedicated to`.
    "related": (
        r"(?:student|pupil|friend|brother|sister|son|daughter|father|mother|wife|husband|rival|assistant"
        r"|deputy|colleague"
        r"|successor|predecessor|disciple|follower|admirer|victors?|winners?) (?:of|over|to)"
        r"|dedicated (?:it )?to|influence of|influenced by|inspired by|named after|based on|competes with|together with"
        r"|(?:won|win|victory|prevailed|competition|triumph) (?:against|over)|beat|defeated|defeating"
        r"|(?<!was )(?<!were )(?<!been )(?<!is )(?:succeeded|replaced|followed by)|succeeding"
        r"|replacing|took over from|ahead of|as opposed to|compared with|compared to|larger than"
        r"|outbid|outbidding|rejected|turned down|declined"
        r"|(?:north|south|east|west) of|(?:km|miles?|metres?|meters?) from"
        r"|moved to|close to|next to|outside|unlike|not far from|neighbou?ring|in honou?r of"
    ),
    # Another person or thing than the one asked about: `her mother`, `its competitor`.
    "kin": (
        r"(?:his|her|its|their|the) (?:own )?(?:mother|father|brother|sister|wife|husband|son|daughter"
        r"|competitor|rival|deputy"
        r"|predecessor|successor|parent|subsidiary|neighbou?r|assistant|engineer)|competitor|rival|deputy"
        r"|assistant|runners?-up"
        r"|is his|is her|is their|are the runners"
    ),
    # A clause that says who was expected or asked, or would have been: what `planned` is for names.
    "fancied": (
        r"expected|supposed to|meant to|planned to|scheduled|intended|asked first|submitted|would have|missed"
        r"|tried to|attempted to|wanted to|offered to|hoped to|almost|nearly"
        r"|(?<!is )(?<!was )(?<!are )considered(?! to be)"
        r"|^\W*(?:if|unless|suppose)\b|^\W*had \S+(?: \S+)? (?:been|\w+ed)\b"
    ),
    # Before a name that held before: what `earlier` is for names.
    "formerly": r"formerly|previously|used to be|former(?: \w+ (?:is|was))?|no longer|since",
    # A clause that says what holds now or in the end: `now`, `finally`, `actually`.
    "current": (
        r"now|today|current|currently|finally|final|actually|in fact|in truth|in the end|eventually"
        r"|correct|real|right"
    ),
}
"""What tells the role of a value, as alternatives of a regular expression over text in small letters."""
_OPENS = (
    r"(?: (?:the|a|an|by|in|on|at|to|of|its|his|her|their|some|about|only|year|s|mr|dr|ms|mrs)\b\.?){0,3}"
    r" ?[\"'(*_$€£]*$"
)
"""What may stand between a cue and its value."""
_WORDS = (
    r"(?: (?!(?:only|just|until|before|but|because|since|merely|simply|solely|is|was|are|were|be|fewer|less|more)\b)"
    r"[\w'-]+){0,2}"
)
"""Words between a negation and its value: `did not close in 1989`."""
_NEAR = 60
_NONE_OF = re.compile(r"(?:^|[.;,] |\bthere (?:is|was|are|were) )no $")
_ASKS_NONE = re.compile(r"\b(?:no|not|without|lack)\b")
_RANK = re.compile(
    r"\b(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next)[ -](?:[a-z]{3,}est|most|best)\b"
    r"|\b(?:is|was|came|comes|finished|ranks?|ranked)(?: the| in)? (second|third|fourth|last)(?: one| place)?\W*$"
    r"|\b(only after)\b"
)
"""Words of the second or a later one."""
_ASKS_FIRST = re.compile(r"\b(?:[a-z]{3,}est|most|best|first)\b")
_OF_WHICH = re.compile(r"(?: [a-z]+)? of (?:which|whom|them|these|those)\b")
_OF_SO_MANY = re.compile(r"(?:^|[.;] )(?:out )?of (?:the |all |these )?[\d.,]+[^.;,]*, $")
ASKS_CHANGE = re.compile(r"\b(?:chang|increas|decreas|gr[eo]w|rais|differ|from|between|by how|percentage point)")
"""A question after a difference, or after two values that it is between."""
_BY_HOW_MUCH = re.compile(
    r"\b(?:increased|rose|grew|climbed|jumped|fell|dropped|decreased|declined|narrowed|widened|shrank|up|down) by "
    r"(?:about |some |roughly |only |nearly |almost )?[$€£]?$"
)
_MORE_THAN = re.compile(
    r"(?: [a-z]+){0,2} (?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|older|younger) than\b"
)
EACH = re.compile(r" (?:from each|each|per)\b")
_MOVED = re.compile(r"\b(?:moved|postponed|changed|shifted|rescheduled|brought forward|delayed)\b")
"""What makes a span of two dates a move from the first to the second."""
_LEFT_FROM = re.compile(r"\b(?:moved|changed|relocated|transferred|shifted|switched|renamed)\b[\w' ]* from (?:the )?$")
_GONE = re.compile(
    r" (?:had |has )?(?:retired|resigned|died|quit|stepped (?:down|aside)|left (?:office|the)"
    r"|was (?:ousted|dismissed|fired))\b"
)
"""What a person did who held an office before."""
_ASKS_PRESENT = re.compile(r"^\W*(?:who|what|which [a-z]+)(?: is| are|'s| currently| runs| leads| heads)\b")
_COMPARED = re.compile(r"\b(?:compared (?:with|to)|against|versus|vs) \W*$")
_FORMER_TITLE = re.compile(r"\b(?:former|ex|previous|outgoing)[ -]([a-z]{3,})(?: [a-z]+){0,2} $")


class Role(StrEnum):
    """What a clause does with a value that it names."""

    ANSWER = "answer"
    REJECTED = "rejected"
    WRONG = "said to be wrong"
    REPORTED = "what others say"
    PLANNED = "what was expected"
    EARLIER = "an earlier or compared value"
    SOURCE = "a source"
    RELATED = "in relation to another"
    CHANGE = "a difference"
    PART = "a part of another number"
    OPPOSITE = "with the opposite of what the question asks"
    OTHER_RANK = "of another rank"
    OTHER_PERIOD = "of another period"
    OTHER_ENTITY = "of another entity"


def _compile_cue(name: str, words: str) -> re.Pattern[str]:
    """What finds a cue before a value, after it, or anywhere in its clause."""
    if name in ("rejects", "earlier", "formerly", "related"):
        return re.compile(rf"(?:(?<!\w)(?:{words})|n't)(?!\w){_WORDS if name == 'rejects' else ''}{_OPENS}")
    if name == "rejects_after":
        return re.compile(rf"^[\"')\]*_]* (?:{words})\b")
    return re.compile(rf"(?<!\w)(?:{words})")


_PATTERNS = {name: _compile_cue(name, words) for name, words in _CUES.items()}


class _Mention(NamedTuple):
    """A value in a levelled response, with what stands around it."""

    question: str
    text: str
    """Its part of a sentence."""
    place: tuple[int, int]
    """Where the value stands in that part."""
    before: str
    """Up to 60 characters before it."""
    after: str
    """Up to 60 characters behind it."""
    local: str
    """Its part, before it."""
    behind: str
    """Its part, behind it."""
    named: bool
    """It is a name and no number."""
    holds_year: bool
    part: Part


def find_role(level: str, start: int, end: int, part: Part, question: str) -> Role:
    """Return what a part of a levelled response does with the value at `start` to `end`: the first role that fits."""
    value = level[start:end]
    mention = _Mention(
        question,
        part.text,
        (start - part.start, end - part.start),
        level[max(0, start - _NEAR) : start],
        level[end : end + _NEAR],
        level[part.start : start],
        level[end : part.end],
        not is_number(value),
        YEAR.search(value) is not None,
        part,
    )
    return next((role for role, fits in _ROLES if fits(mention)), Role.ANSWER)


def _is_rejected(mention: _Mention) -> bool:
    glued = mention.before[-1:].isalnum()
    if _NONE_OF.search(mention.before) and not _ASKS_NONE.search(mention.question):
        return True
    denied = not glued and _finds("rejects", mention.before, mention.question)
    return bool((denied or _PATTERNS["rejects_after"].match(mention.after)) and not DENIES.search(mention.question))


def _is_of_other_rank(mention: _Mention) -> bool:
    """Whether a clause speaks of the second or a later one, where the question asks for the first."""
    if not mention.named or not (found := _RANK.search(mention.text)):
        return False
    later = next(filter(None, found.groups()))
    return later not in mention.question and _ASKS_FIRST.search(mention.question) is not None


def _is_part_of_number(mention: _Mention) -> bool:
    """Whether a number counts some of those that another number counts: `two of which`."""
    return not mention.named and bool(_OF_WHICH.match(mention.after) or _OF_SO_MANY.search(mention.before))


def _is_change(mention: _Mention) -> bool:
    """Whether an amount is by how much something changed, or how much more one thing has than another."""
    if mention.named or ASKS_CHANGE.search(mention.question):
        return False
    return bool(_BY_HOW_MUCH.search(mention.local) or _MORE_THAN.match(mention.after))


def _is_reported(mention: _Mention) -> bool:
    rumoured = _finds("rumour", mention.text, mention.question) and not _PATTERNS["current"].search(mention.text)
    return mention.part.asks or rumoured


def _is_earlier(mention: _Mention) -> bool:
    """Whether a value held before, or is what the answer is compared with."""
    question, local = mention.question, mention.local
    if mention.named and _held_before(mention):
        return True
    if local.endswith("from ") and mention.holds_year and not _MOVED.search(local):
        return False
    if "until" in question or EACH.match(mention.behind):
        return False
    if ASKS_CHANGE.search(question) and not _COMPARED.search(local):
        return False
    return _finds("formerly" if mention.named else "earlier", local, question) or _finds(
        "earlier_after", mention.behind, question
    )


def _held_before(mention: _Mention) -> bool:
    """Whether a name is of who held an office, or where something was, before another one did."""
    if _GONE.match(mention.after) and _ASKS_PRESENT.search(mention.question):
        return True
    former = _FORMER_TITLE.search(mention.local)
    if former and former[1] in mention.question:
        return True
    return _LEFT_FROM.search(mention.local) is not None and "from" not in mention.question


def _is_kin(mention: _Mention) -> bool:
    """Whether a clause speaks of another person or thing than the one asked about: `its competitor`."""
    kin = _PATTERNS["kin"].search(mention.text)
    if not kin or kin.group().split()[-1] in mention.question:
        return False
    title = mention.text[kin.end() : mention.place[0]]
    return not (title.startswith(" of ") and any(word in mention.question for word in title.split() if len(word) > 3))


def _finds(name: str, text: str, question: str) -> bool:
    """Whether a cue stands there whose words the question does not ask with."""
    found = _PATTERNS[name].search(text)
    return found is not None and not any(word in question for word in re.findall(r"[^\W\d_]{4,}", found.group()))


_ROLES: tuple[tuple[Role, Callable[[_Mention], bool]], ...] = (
    (Role.REJECTED, _is_rejected),
    (Role.WRONG, lambda mention: _finds("wrongly", mention.text, mention.question)),
    (Role.OPPOSITE, lambda mention: stands_with_opposite(mention.question, mention.text, *mention.place)),
    (Role.OTHER_RANK, _is_of_other_rank),
    (Role.PART, _is_part_of_number),
    (Role.CHANGE, _is_change),
    (Role.REPORTED, _is_reported),
    (Role.SOURCE, lambda mention: mention.part.bracketed and bool(_PATTERNS["source"].search(mention.text))),
    (Role.PLANNED, lambda mention: _finds("fancied" if mention.named else "planned", mention.text, mention.question)),
    (Role.EARLIER, _is_earlier),
    (Role.RELATED, lambda mention: mention.named and _finds("related", mention.local, mention.question)),
    (Role.OTHER_ENTITY, _is_kin),
)
"""In the order in which they are tried."""

"""Words that tell what a clause does with a value that it names: one `Cues` a language, all of them read together."""

import re
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Cues:
    """Patterns of one language over text in small letters, as alternatives of a regular expression."""

    rejects: str
    """Right before a value that is denied: `not`, `rather than`."""
    rejects_after: str
    """Right after a value that is denied: `is wrong`."""
    wrongly: str
    """Anywhere in a clause whose value is said to be wrong: `mistakenly believed`."""
    rumour: str
    """A clause that reports what others say or what was said before; the answer follows in another clause."""
    planned: str
    """A clause that says what was expected, planned or first offered, or what would have been."""
    earlier: str
    """Before a value that held before, or that the answer is compared with: `from`, `formerly`, `against`."""
    earlier_after: str
    """After a value that held before: `until 2005`, `in the prior year`."""
    source: str
    """A clause that names a source, a page or a note."""
    related: str
    """Before a name that only stands in a relation to the answer: `a student of`, `dedicated to`."""
    kin: str
    """Another person or thing than the one asked about: `her mother`, `its competitor`."""
    fancied: str
    """A clause that says who was expected or asked, or would have been: what `planned` is for names."""
    formerly: str
    """Before a name that held before: what `earlier` is for names."""
    current: str
    """A clause that says what holds now or in the end: `now`, `finally`, `actually`."""


ENGLISH = Cues(
    rejects=(
        r"not|n't|never|rather than|instead of|unlike|contrary to|other than|no longer|nor|as opposed to|neither"
        r"|confused with|mistaken for|refused to pay|wrong to say"
    ),
    rejects_after=(
        r"(?:is|was|would be) (?:not|wrong|incorrect|false|the wrong|a myth|a mistake)|(?:is|was|did"
        r"|does)n't|did not|does not"
        r"|(?:plays?|has|had|have) (?:no (?:part|role|influence|effect|share)|nothing to do)|is irrelevant"
        r"|that was wrong|was not|is not|declined|refused|reached the final but lost|lost (?:to|against)"
    ),
    wrongly=(
        r"(?:wrongly|mistakenly|falsely|erroneously|incorrectly) (?:attributed|credited|believed|said"
        r"|thought|named|given)"
        r"|(?:attributed|believed|said|thought) (?:wrongly|mistakenly)|but wrongly"
        r"|(?:it is|it's|is) (?:a (?:common )?(?:myth|mistake|misconception|legend)|not true|untrue|false|wrong"
        r"|incorrect|not correct|not the case) that"
        r"|(?:failed|refused|declined|neglected) to (?!(?:be|win|lose)\b)(?=[a-z])"
    ),
    rumour=(
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
    planned=(
        r"expected|forecast|planned|supposed to|meant to|scheduled|intended|was to\b|were to\b|due to\b"
        r"|originally|initially"
        r"|at first|first (?:offered|reported|estimated|thought)|early reports|early estimates|thought to|would have"
        r"|(?:plans?|hopes?|aims?|intends?|wants?) to"
        r"|target(?:ed)? (?:of|at)|missed|projected|anticipated|guidance|had been valued|asked first|submitted|applied"
        r"|feared|predicted|budgeted|foreseen"
        r"|^\W*(?:if|unless|suppose)\b|^\W*had \S+(?: \S+)? (?:been|\w+ed)\b"
    ),
    earlier=(
        r"from|formerly|previously|used to be|up from|down from|compared (?:with|to)|against|versus|vs\.?|former"
        r"|old|earlier|once|prior|preceding|first|more than the|less than the|(?:above|below|over|under|than)"
        r"|well (?:above|below)|after|before"
    ),
    earlier_after=(
        r"until(?! (?:his|her|their) death)|(?:in )?(?:the )?(?:prior|previous|preceding|last) (?:year|quarter|month)"
        r"|a year (?:earlier|before|ago)"
        r"|the year before|(?:was|were|is|got|has been) (?:fired|moved|replaced|extended|succeeded|dismissed|retired)"
        r"|at first|stepped (?:down|aside)|years (?:earlier|before)"
    ),
    source=(
        r"source|see (?:page|note|section|chart|table)|page|p\.|chart|according to (?:the|a) (?:survey"
        r"|report) of|copyright"
    ),
    related=(
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
    kin=(
        r"(?:his|her|its|their|the) (?:own )?(?:mother|father|brother|sister|wife|husband|son|daughter"
        r"|competitor|rival|deputy"
        r"|predecessor|successor|parent|subsidiary|neighbou?r|assistant|engineer)|competitor|rival|deputy"
        r"|assistant|runners?-up"
        r"|is his|is her|is their|are the runners"
    ),
    fancied=(
        r"expected|supposed to|meant to|planned to|scheduled|intended|asked first|submitted|would have|missed"
        r"|tried to|attempted to|wanted to|offered to|hoped to|almost|nearly"
        r"|(?<!is )(?<!was )(?<!are )considered(?! to be)"
        r"|^\W*(?:if|unless|suppose)\b|^\W*had \S+(?: \S+)? (?:been|\w+ed)\b"
    ),
    formerly=r"formerly|previously|used to be|former(?: \w+ (?:is|was))?|no longer|since",
    current=(
        r"now|today|current|currently|finally|final|actually|in fact|in truth|in the end|eventually"
        r"|correct|real|right"
    ),
)
CUES = (ENGLISH,)
"""The languages that are read."""


def _join_cues(name: str) -> str:
    return "|".join(getattr(cues, name) for cues in CUES)


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
_BEFORE = ("rejects", "earlier", "formerly", "related")
PATTERNS: dict[str, re.Pattern[str]] = {
    field.name: re.compile(
        rf"(?:(?<!\w)(?:{_join_cues(field.name)})|n't)(?!\w){_WORDS if field.name == 'rejects' else ''}{_OPENS}"
        if field.name in _BEFORE
        else rf"^[\"')\]*_]* (?:{_join_cues(field.name)})\b"
        if field.name == "rejects_after"
        else rf"(?<!\w)(?:{_join_cues(field.name)})"
    )
    for field in fields(Cues)
}
"""By the name of the field: what finds it before a value, after it, or in its clause."""

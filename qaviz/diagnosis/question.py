"""What a question asks for: a date, an amount, a side, a name; and the scale and sign that it sets for amounts."""

import re
from decimal import Decimal
from functools import cached_property, lru_cache

from qaviz.reading import Token, level_text, tokens
from qaviz.reading.tables import table

READ = 2_000
"""Characters of a question that are read."""

_DATE = re.compile(
    r"\b(?:when|what (?:year|date|day|month|decade|century|time)|which (?:year|date|day|month|decade|century|quarter)"
    r"|in what year|since what|until what|by what date|wann|welche[mrsn]? (?:jahr|tag|datum|monat)|bis wann|seit wann"
    r"|cuándo|qué (?:año|día|mes|fecha)|quand|quel(?:le)? (?:année|jour|mois|date)|quando|data di|in che anno"
    r"|khi nào|bao giờ|năm nào|ngày nào|tháng nào|thế kỷ nào|quý nào|hôm nào)\b"
    r"|いつ|何年|何月|何日|何曜日|何時|什么时候|何时|哪(?:一)?年|哪(?:一)?天|哪(?:个)?月|几号|几点|星期几"
)
_AMOUNT = re.compile(
    r"\bhow (?:much|many|old|long|far|tall|high|deep|wide|big|large|fast|often|heavy|hot|cold)\b"
    r"|\b(?:what|which) (?:[a-z]+ ){0,2}(?:number|amount|percentage|percent|quantity|total|ratio|age|price|value|fee"
    r"|rate|cost|margin|share|revenue|income|profit|population|temperature|length|height|weight|speed|salary|rent|fine)s?\b"
    r"|\bwie (?:viele?|hoch|lange?|alt|groß|weit|schwer|teuer|oft)\b|\bcu[áa]nt[oa]s?\b|\bcombien\b|\bquant[oaie]\b"
    r"|\bbao (?:nhiêu|lâu|xa)\b|\bmấy\b|いくら|いくつ|何[人個台席回枚本件歳%％]|どのくらい"
    r"|多少|几[个人次年天]|多[长高大远]"
)
_POLAR = re.compile(
    r"(?:^|[.,;:?] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)(?:n't)?\b"
    r"[^.;?]*(?:\?|$)"
    r"|\b(?:có phải|hay không|phải không)\b|\bcó\b.*\bkhông\s*\?|ですか。?$|ますか。?$|吗[?？]?$"
    r"|^(?:ist|sind|war|hat|haben|kann|darf|wird|gibt)\b"
    r"|^¿?(?:es|está|son|se|puede|hay|tiene|fue)\b|^(?:est-ce|le |la |les )?.*-(?:il|elle|ils|elles|t-il|t-elle)\b"
)
_THING = re.compile(
    r"\b(?:who|whom|whose|where"
    r"|which (?:film|movie|book|song|company|country|city|person|team|player|segment|one|of)|what (?:is|was) the name"
    r"|wer|wen|wem|wo|quién|dónde|qui|où|ai|ở đâu|đâu)\b|誰|だれ|どこ|谁|哪里|哪儿"
)
_SCALE = re.compile(
    r"(?<!\d )(?:\b(?:in|of|as|units?|usd|eur|gbp|vnd|dollars|euros|nhiêu|mấy|vị:?) |[$€£¥₹(])"
    r"(?:(?:us )?(?:usd|eur|gbp|vnd|dollars|\$) ?(?:in )?)?"
    r"(?P<scale>thousand|million|billion|trillion|nghìn|triệu|tỷ)s?\b"
)
_WORTH = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "nghìn": 3, "triệu": 6, "tỷ": 9}
_PERCENT = re.compile(r"%|\bper ?cent|phần trăm|\btỷ lệ\b|prozent|porcentaje|pourcentage")
_RATIO = re.compile(
    r"\b(?:ratio|margin|rate|proportion|fraction|share|return on|yield|growth|roa|roe|roi)\b|tỷ suất|biên lợi nhuận"
)
_LIMIT = re.compile(
    r"\b(?:limits?|maximum|minimum|max|min|cap|at (?:most|least)|höchst\w*|mindest\w*|límite|máxim[oa]|mínim[oa]"
    r"|limite|maximal\w*|minimal\w*|tối đa|tối thiểu)\b|最大|最小|最多|最少|上限|下限"
)
_LEAST = re.compile(r"\b(?:minimum|min|at least|mindest\w*|mínim[oa]|minimal\w*|tối thiểu)\b|最小|最少|下限")
_FALLING = re.compile(
    r"\b(?:loss(?:es)?|los[et]|decreas\w+|declin\w+|fell|fall|drop\w*|shr[aiu]nk|reduc\w+|negative|deficit|below"
    r"|paid|pay|payments?|spen[dt]|spending|outflows?|used|costs?|expens\w+|expenditures?|capex|dividends?|repurchase\w*"
    r"|giảm|lỗ|âm|chi phí|trả)\b"
)


_COUNTS = re.compile(r"\b(?:how many|wie viele|cuánt[oa]s|combien d[e'])|多少个|几个")
_HOW_MANY = re.compile(rf"(?:{_COUNTS.pattern}) ?|\b(?:quant[ei]\b|bao nhiêu|mấy) ?|多少|几|何")


def _asks(pattern: re.Pattern[str]) -> "cached_property[bool]":
    """Whether a question has words of a pattern; looked for where it is asked."""
    return cached_property(lambda target: pattern.search(target.level) is not None)


class Target:
    """What a question is after."""

    def __init__(self, question: str, language: str) -> None:
        self.level = level_text(question[:READ]).strip()
        self._read = question[:READ], language

    date, amount, percent = _asks(_DATE), _asks(_AMOUNT), _asks(_PERCENT)
    polar, thing = _asks(_POLAR), _asks(_THING)
    """It is answered by yes or no, by a name."""
    counts = _asks(_COUNTS)
    """It asks for a number of things."""
    ratio = _asks(_RATIO)
    """0.079 and 7.9 % are the same."""
    limit, least = _asks(_LIMIT), _asks(_LEAST)
    """It asks how far something may go, so an answer may say `up to` or not; how little, so `at least` or not."""
    falling = _asks(_FALLING)
    """It names the direction itself: how far something fell, what was paid."""

    @cached_property
    def scale(self) -> Decimal | None:
        """Of a plain number: 1,000,000 where the question says "in USD millions"."""
        scale = _SCALE.search(self.level)
        return Decimal(10) ** _WORTH[scale["scale"]] if scale else None

    @cached_property
    def units(self) -> frozenset[str]:
        """Units that it names without a number: `how many seconds`."""
        phrases = table(self._read[1]).units
        units = (phrases.at(self.level, match.end()) for match in _HOW_MANY.finditer(self.level))
        return frozenset(unit[1] for unit in units if unit)

    @cached_property
    def named(self) -> bool:
        """It names something: a word within it has a capital."""
        return any(word[:1].isupper() for word in self._read[0].split()[1:])

    @cached_property
    def given(self) -> tuple[Token, ...]:
        """The tokens that the question itself contains."""
        return tokens(*self._read)


read_question = lru_cache(maxsize=4_096)(Target)
"""What a question of a language asks for, read once."""

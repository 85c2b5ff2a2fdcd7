"""Word lists of the evidence: what carries no meaning, what only describes, and which words are the same."""

import re


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, which blanks part."""
    return frozenset(words.split())


FUNCTION_WORDS = word_set("""
a an the of in on at to for by with from and or as is was are were be been being it its this that these those there he
she they his her their them him i you we my your our me us who whom whose which what when where why how do does did has
have had will would can could may might must shall should not no nor so if than then but also into onto about over under
up down out off between during after before s t d n de la le el les los las du des der die das von van da di al y e
là và của các một những trong cho với thì được ở
""")
"""Words of grammar, as forms (see `words.form`)."""

TITLES = word_set("""
sir dr mr mrs ms miss lord lady dame king queen prince princess president prof st captain colonel general emperor
empress pope duke duchess count baron earl judge senator reverend rev father sister uncle aunt jr sr
madame madam monsieur chairman cardinal archbishop admiral lieutenant sergeant chancellor tsar czar kaiser sultan
sheikh rabbi baroness viscount
""")

CLASSES = word_set("""
people person man woman country city town village river lake mt mountain mountains sea ocean island islands state county
province region district area road ave bridge station park club team group band film movie book novel song album series
show game play musical opera character world war battle party army disease co corp inc ltd university school college
hospital church theatre museum award prize cup league football language century year years day days month months type
kind set family part system act law treaty international national united states kingdom republic usa us uk america
theory principle effect method process field industry animal bird fish plant tree flower fruit food drink metal element
england britain europe north south east west northern southern eastern western new old great big little name known
gulf bay cape strait channel valley canyon desert peninsula coast harbor harbour port airport stadium arena tower palace
castle square center centre fc afc cf common small large main
""")
"""Words that name a class of things or a large place: they say little of which one is meant."""

_ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth
"""
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
ORDINAL_TENS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_NUMBERS = {
    **{word: str(value) for value, word in enumerate(_ONES.split())},
    **{word: str(value) for value, word in enumerate(_ORDINALS.split(), 1)},
    **{word: f"{tens}0" for words in (TENS, ORDINAL_TENS) for tens, word in enumerate(words.split(), 2)},
    "hundred": "100",
    "thousand": "1000",
}
_BELOW_TEN = [*_ONES.split()[1:10], *_ORDINALS.split()[:9]]
TWO_WORDS = {
    f"{tens} {one}": str(int(_NUMBERS[tens]) + int(_NUMBERS[one])) for tens in TENS.split() for one in _BELOW_TEN
}
"""Numbers of two words -> digits: `thirty six` and `thirty sixth`."""
_SHORT = """
saint:st street:st mount:mt boulevard:blvd doctor:dr mister:mr fort:ft brothers:bros limited:ltd corporation:corp
company:co incorporated:inc grey:gray junior:jr jnr:jr senior:sr snr:sr versus:vs television:tv avenue:ave
professor:prof
"""
_INHABITANTS = """
spanish:spain spaniard:spain french:france german:germany greek:greece swiss:switzerland welsh:wales scottish:scotland
irish:ireland polish:poland swedish:sweden danish:denmark finnish:finland turkish:turkey portuguese:portugal
norwegian:norway peruvian:peru dutch:netherlands thai:thailand chinese:china japanese:japan vietnamese:vietnam
british:britain briton:britain
"""
_PLURALS = """
men:man women:woman children:child feet:foot teeth:tooth geese:goose mice:mouse oxen:ox dice:die leaves:leaf
wolves:wolf knives:knife wives:wife lives:life halves:half shelves:shelf loaves:loaf thieves:thief fungi:fungus
cacti:cactus nuclei:nucleus genera:genus bacteria:bacterium criteria:criterion phenomena:phenomenon data:datum
mitochondria:mitochondrion stimuli:stimulus alumni:alumnus
"""
_LETTERS = """
α:alpha β:beta γ:gamma δ:delta ε:epsilon ζ:zeta η:eta θ:theta κ:kappa λ:lambda μ:mu π:pi ρ:rho σ:sigma τ:tau φ:phi
χ:chi ψ:psi ω:omega
"""
SAME = _NUMBERS | dict(pair.split(":") for pair in (_SHORT + _INHABITANTS + _PLURALS + _LETTERS).split())
"""Form -> the form it compares as: digits for number words, the short for the long, one for many."""

_ROMANS = "II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX"
ROMAN = {word: str(value) for value, word in enumerate(_ROMANS.split(), 2) if len(word) > 1}
"""A letter alone is more often a letter."""

_NAMES = """
america: US, U.S, U.S., USA, U.S.A, U.S.A., United States, United States of America;
britain: UK, U.K, U.K., United Kingdom, Great Britain;
ww1: WWI, WW1, World War I, World War 1, World War One, First World War;
ww2: WWII, WW2, World War II, World War 2, World War Two, Second World War;
newyork: NY, N.Y., NYC, N.Y.C., New York, New York City;
losangeles: LA, L.A., Los Angeles;
un: UN, U.N, U.N., United Nations;
eu: EU, E.U, E.U., European Union;
uae: UAE, U.A.E, U.A.E., United Arab Emirates;
ussr: USSR, U.S.S.R, U.S.S.R., Soviet Union;
drc: DRC, DR Congo, Democratic Republic of the Congo;
northkorea: North Korea, DPRK;
southkorea: South Korea, ROK, Republic of Korea;
czechia: Czechia, Czech Republic;
myanmar: Myanmar, Burma;
netherlands: Netherlands, Holland;
beijing: Beijing, Peking;
mumbai: Mumbai, Bombay;
kolkata: Kolkata, Calcutta;
kyiv: Kyiv, Kiev;
turkey: Turkey, Türkiye
"""
SHORTEST = 3
"""Letters from which a name is told without its capitals: `usa` and `nyc`, not `us`."""
ALSO_CALLED = {
    name if len(name) < SHORTEST else name.lower(): form
    for form, _, names in (line.strip().partition(": ") for line in _NAMES.split(";"))
    for name in names.split(", ")
}
"""Names, in small letters unless they are shorter than SHORTEST -> the form they compare as: what everybody calls by
several names that share no word."""
NATIONS = frozenset(("america", "britain"))
"""Those that say more than a class does, and less than a name."""

DENIALS = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|cannot|without|false|myths?|misconceptions?|incorrect|untrue"
    r"|unlikely|unknown|uncertain|depends?|varies|vary|debat\w+|subjective|difficult|impossible|disagree|nicht|kein\w*"
    r"|nie|niemand|nichts|ohne|falsch|ningún\w*|ninguno|ninguna|nunca|nada|nadie|sin|depende|varía|falso|cap|mai|res"
    r"|sense|nunha|ningunha|nin|non|ez|inoiz|ezer|inor|ezin|gabe|ne|pas|jamais|aucun\w*|rien|personne|sans|faux|không"
    r"|chưa|chẳng|tidak|bukan|belum|لا|ليس|لم|لن|غير"
    r"|(?:is|are|was|were|do|does|did|ca|could|wo|would|has|have)n?['’ ]t)\b"
    r"|不|没|無|ない|ません|非"
)
"""What denies or limits a statement, in small letters."""

_OPPOSITES = """
left:right top:bottom upper:lower male:female north:south east:west northern:southern eastern:western inner:outer
major:minor positive:negative maximum:minimum hot:cold acid:alkaline maternal:paternal
"""
_PAIRS = [tuple(pair.split(":")) for pair in _OPPOSITES.split()]
OPPOSITE = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""Form -> the form that says the opposite."""
_CONTRARIES = """
buy:sell bought:sold buyer:seller purchase:sale acquired:sold purchased:sold lender:borrower lent:borrowed
landlord:tenant lessor:lessee employer:employee teacher:student doctor:patient plaintiff:defendant winner:loser
won:lost win:lose wins:loses increase:decrease increased:decreased increases:decreases rise:fall rose:fell rises:falls
grew:shrank grew:fell grew:declined grew:dropped rose:dropped rose:declined increased:fell increased:dropped
increased:declined growth:decline gained:lost improved:worsened expanded:contracted accelerated:slowed gain:loss
profit:loss raised:lowered higher:lower more:less more:fewer most:least most:fewest maximum:minimum highest:lowest
largest:smallest biggest:smallest longest:shortest oldest:youngest older:younger first:last early:late earlier:later
earliest:latest before:after start:end started:ended begin:end began:ended opened:closed open:closed open:close
opens:closes arrive:depart arrived:departed arrival:departure enter:leave entered:left import:export imports:exports
imported:exported above:below over:under inside:outside upstairs:downstairs up:down with:without include:exclude
included:excluded includes:excludes allowed:forbidden allowed:prohibited legal:illegal required:optional
mandatory:optional public:private male:female men:women husband:wife mother:father son:daughter brother:sister
parent:child north:south east:west left:right hot:cold wet:dry heavy:light fast:slow strong:weak best:worst
better:worse easy:difficult agree:disagree accept:reject accepted:rejected approved:rejected approve:reject
passed:failed pass:fail success:failure true:false positive:negative active:inactive present:absent alive:dead
born:died fixed:variable permanent:temporary gross:net debit:credit assets:liabilities domestic:foreign
internal:external upper:lower major:minor simple:complex full:empty rich:poor hard:soft love:hate liked:disliked
encourage:discourage attack:defend attacked:defended chased:fled teach:learn sent:received send:receive give:receive
gave:received paid:received lend:borrow hired:fired joined:left promoted:demoted supply:demand cause:effect if:unless
buys:sells kauft:verkauft kaufte:verkaufte gekauft:verkauft compra:vende compró:vendió achète:vend acheté:vendu
racheté:vendu mua:bán trước:sau avant:après antes:después vor:nach
"""
_CONTRARY_PAIRS = [pair.split(":") for pair in _CONTRARIES.split()]
OPPOSITES = {
    word: frozenset(pair[1 - pair.index(word)] for pair in _CONTRARY_PAIRS if word in pair)
    for pair in _CONTRARY_PAIRS
    for word in pair
}
"""Word -> the words that say its opposite or name the other side."""

_ENDINGS = """
ed ing er ers or ors ly ion ions ation ations al ial ally ic ics ical ist y ie a ae e en ment ness ium um us ise ize
ised ized ising izing isation ization ity ful able ance ence ant ent ive ish ship ous iary
"""
ENDINGS = frozenset(_ENDINGS.split())
"""Endings of verbs, adjectives and kin."""
LONGEST_ENDING = max(map(len, ENDINGS))

_IRREGULAR = """
write wrote written; win won; build built; make made; sing sang sung; beat beaten; lead led; take took taken
give gave given; draw drew drawn; sell sold; buy bought; hold held; lose lost; become became; begin began begun
break broke broken; choose chose chosen; come came; fight fought; fly flew flown; go went gone; grow grew grown
keep kept; leave left; meet met; pay paid; rise rose risen; run ran; see saw seen; send sent; shoot shot
sink sank sunk; steal stole stolen; strike struck; teach taught; tell told; throw threw thrown; wear wore worn
fall fell fallen; bear bore born; drive drove driven; lay laid; ride rode ridden; stand stood; hear heard
spend spent; hide hid hidden; shut; speak spoke spoken; swear swore sworn; overthrow overthrew overthrown
forge forged; overtake overtook overtaken; outbid; hit; cut; put; set; cost; sit sat; weave wove woven
withdraw withdrew withdrawn; bring brought
lend lent; catch caught; die died; lie lied; tie tied; use used; own owned; undergo underwent; send sent
"""
BASE_VERB = {form: forms.split()[0] for forms in _IRREGULAR.replace("\n", ";").split(";") for form in forms.split()}
"""Form of an irregular verb -> the verb."""

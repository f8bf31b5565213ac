"""The words that decide what a statement says: small lists, since a word too many costs an answer,
and a wrong equality makes something true that nobody said.
"""

from __future__ import annotations

from functools import cache

EQUAL = {
    word: words.split()[0]
    for words in """
        choose pick select opt
        buy purchase
        live reside
        begin start
        end finish complete
        mom mother mum mama
        dad father papa
        kid child
        photo picture pic
        bike bicycle
        tv television
        database db
        kubernetes k8s
        postgres postgresql
        config configuration
        repo repository
        production prod
        repair fix
        big large
        small little
        euro eur €
        dollar usd $
        percent %
        second s sec
        minute min
        hour hr
        application app
        vacation holiday
        business biz
        competition comp
        company firm
        reserve book
        documentation docs
        backup back-up
        email e-mail
        only exclusively solely merely
    """.strip().splitlines()
    for word in words.split()
    if word not in ("book", "end", "back-up")
}


def _each(words: str) -> frozenset[str]:
    """Words by the one that each is equal to."""
    return frozenset(EQUAL.get(word, word) for word in words.split())


ARTICLES = frozenset(
    "a an the this these those der das den dem la el los las le les een het".split()
)
DEFINITE = frozenset("the this these those der das den dem la el los las le les het".split())

SELF = frozenset("i me we us myself ourselves ich wir yo nosotros je nous 我".split())
MINE = frozenset("my mine our ours mein meine unser unsere mi mis mon ma mes nuestro".split())
THEIRS = frozenset("his her hers their theirs its".split())
PRONOUNS = frozenset(
    "he she they him them it you your yours himself herself themselves itself".split()
)

BE_NOW = frozenset("is are am 's 're 'm".split())
BE_THEN = frozenset("was were".split())
BE_FORMS = frozenset("be been being".split())
HAVE = frozenset("have has 've".split())
DO = frozenset("do does".split())

NOT = frozenset(
    """
    not n't no nicht kein keine keinen keinem keiner pas ne niet geen non não inte ikke nie
    """.split()
)
NO = frozenset("no kein keine keinen keinem keiner geen".split())
NEVER = frozenset("never nunca jamais jamás niemals".split())
WIDE_NOT = frozenset("不没別别无未非勿")
WIDE_EMPTY = frozenset("的了吧呢啊嘛就也都很们")

PREPOSITIONS = {
    word: group
    for group, words in {
        "in": "in on at within inside upon",
        "to": "to into onto towards toward",
        "from": "from",
        "for": "for",
        "with": "with using via",
        "by": "by",
        "of": "of",
        "about": "about regarding concerning",
        "before": "before",
        "after": "after",
        "since": "since",
        "over": "over above",
        "under": "under below",
        "against": "against",
        "between": "between among",
        "through": "through",
        "as": "as",
        "like": "like",
        "near": "near",
        "behind": "behind",
        "beside": "beside next",
        "during": "during",
        "across": "across",
        "off": "off",
        "out": "out",
        "up": "up",
        "down": "down",
        "without": "without ohne sans sin",
        "than": "than",
    }.items()
    for word in words.split()
}
"""The relation that stands before a word; another one says another thing."""

MAY_BE_LEFT_OUT = frozenset(
    "in to with for about as through across during over near at by from".split()
)
"""What is said besides and may be left out of a claim: I moved (to Oslo) with Ben."""

DATED_ALIKE = frozenset(["", *"in to with for by near over through across from".split()])
"""A date after what is said besides is still of what was said: with Ben in May, not after it."""

PARTICLES = frozenset("off out up down".split())
"""Belong to the verb before them when nothing but one of them tells two statements apart."""

EMPTY = frozenset(
    """
    very really so just quite super pretty actually totally definitely honestly basically simply
    literally truly indeed too also even well then ok okay yes yeah yep yup hey hi hello oh wow
    woo woohoo please thanks thank hmm lol btw anyway currently now both ever
    """.split()
)
"""Say nothing of what is so."""

LIGHT = frozenset("happen occur".split())
"""Verbs that say no more than that something is."""

SKIPPED = frozenset(
    """
    still already again finally recently lately always often twice soon today tonight together back
    all every each away later ago here there own sure much
    """.split()
)
"""What a record may say more than a claim, wherever it stands, besides adverbs in -ly."""

UNSAID = SKIPPED | LIGHT

HOW_OFTEN = frozenset("every each daily weekly monthly".split())

PLAIN = frozenset(
    """
    new big small large little great nice cool lovely beautiful amazing awesome local huge tiny
    special red blue green black white yellow grey gray favorite favourite
    """.split()
)
"""A thing is still one without them."""

NO_ADVERBS = frozenset(
    """
    family supply reply apply july italy early daily weekly monthly yearly elderly friendly lovely
    lonely ugly deadly costly silly assembly anomaly monopoly bully belly jelly virtually
    practically falsely nominally partially largely
    """.split()
)
"""End in -ly and change what they stand beside."""

NOT_SO_SURE = _each("""
    if unless whether when whenever until suppose supposing imagine hypothetically wish maybe
    perhaps probably possibly might apparently allegedly supposedly seemingly seem reportedly
    theoretically guess think believe assume doubt hope hopefully expect reckon bet wonder dream
    pretend
    say tell hear claim suggest recommend propose ask advise joke kidding rumour rumor according
    consider plan intend try attempt fail refuse forget almost nearly except unlike besides either
    lets unclear unsure potentially likely unlikely
    vielleicht wenn falls ob quizás quizá si peut-être glaube denke creo
    """)
"""Who says one of these does not say that something is so, unless that is what is claimed."""

WIDE_NOT_SO_SURE = (
    "如果",
    "要是",
    "可能",
    "也许",
    "或许",
    "大概",
    "听说",
    "据说",
    "假如",
    "应该",
    "吗",
    "想要",
)

MODAL = {
    "will": "will",
    "'ll": "will",
    "shall": "will",
    "gonna": "will",
    "would": "would",
    "'d": "would",
    "should": "should",
    "ought": "should",
    "could": "could",
    "may": "may",
    "can": "may",
    "allowed": "may",
    "must": "must",
    "gotta": "must",
    "want": "want",
    "wanna": "want",
}
"""What should or may be is not what is; each says its own thing."""

BARRED = _each("""
    more less fewer most least half partly mostly usually generally sometimes occasionally some few
    halfway midway
    hardly barely rarely seldom scarcely only formerly previously originally temporarily old former
    previous ex fake nobody none nothing nowhere nearly approximately roughly stop quit cease
    """)
"""Words that cannot be passed over: they take back, or bound, what stands after them."""

TAKING_OUT = frozenset("except unlike besides".split())
"""What stands after one of these is not so, but what stands in a clause before it is."""

UNTRUE = _each(
    """
    lie joke hoax myth false untrue wrong fiction nonsense hypothesis hypothetical rumour rumor
    dream
    """
)
"""Words for what is not so; where one stands, nothing beside it is relied on."""

FOR_EXAMPLE = frozenset("e.g eg example".split())

LABELS = frozenset(
    """
    yes no lesson decision decided note update fact fyi btw also result reason rule policy
    preference constraint environment done fixed
    """.split()
)
"""What may stand before a colon without making what follows another's words."""

ALL_OR_NOTHING = frozenset(
    "all anything everything anyone everyone nothing none nobody anybody everybody".split()
)
"""What "but" after one of these takes out."""

SECRETS = _each("""
    password passphrase passcode pin psk key token secret code credential username login flag option
    switch hash checksum serial
    """)
"""What follows these is another thing in capitals."""

SHORTLY = frozenset(
    """
    to about as like before after over under above below behind beside next off out up down
    """.split()
)
"""Before these "just" is not "only": just before noon, just to be sure."""

NOT_EACH = frozenset("every all each everyone everybody everything always many much enough".split())
"""What is not so of these may be so of some."""

HELD_WITHOUT = frozenset("with by since as about".split())
"""What is closed by Ben is closed; what is closed on Mondays may be open."""

STATES = _each("""
    call name live choose decide run listen host locate point cost weigh set default belong forward
    move deploy last bear
    """)
"""Of what these say there is one at a time, so that another name in the same place denies it."""

CHANGED = _each("""
    move change switch set raise lower bump increase decrease reduce upgrade downgrade migrate
    """)
"""What of these is done to something gives it another value."""

NAMING = _each("call name")

ONCE = _each("""
    lose join sign move finish start win marry die pass born arrive launch choose decide migrate
    upgrade found open
    """)
"""What these say is done once, so that another day denies it."""

SAYING = _each("say tell mention decide choose agree announce report")
"""What these say is done by saying it, so that the day it was said is the day it was done."""

KNOWN_FOR_SURE = _each("reason policy rule fact know decide agree remember lesson point")
"""After these, what follows "that" is so."""

FRAMED = {
    ("go", "with"): "choose",
    ("decide", "on"): "choose",
    ("settle", "on"): "choose",
    ("opt", "for"): "choose",
    ("go", "out"): "happen",
    ("take", "place"): "happen",
}
"""Two words that say what one does."""

OPPOSITES = frozenset(
    frozenset(EQUAL.get(word, word) for word in pair.split("/"))
    for pair in """
        enable/disable on/off before/after more/less increase/decrease accept/reject allow/forbid
        allow/deny start/stop begin/stop begin/end public/private up/down open/close add/remove
        buy/sell win/lose love/hate like/dislike first/last true/false above/below over/under in/out
        install/uninstall mount/unmount encrypt/decrypt approve/reject pass/fail rise/fall
        early/late left/right inbound/outbound upgrade/downgrade lock/unlock online/offline
        manual/automatic primary/secondary internal/external alive/dead married/single most/least
        with/without to/from male/female old/new hot/cold hire/fire remember/forget
        dark/light short/long brief/detailed terse/verbose tab/space metric/imperial
    """.split()
)

NUMBERED = _each("""
    number no nr item step task issue ticket room chapter section part track page row case phase
    sprint day week building gate platform
    """)
"""A number after one of these tells which one is meant."""

AGAINST = OPPOSITES | frozenset(
    frozenset(pair.split("/"))
    for pair in """
        like/hate love/dislike enjoy/hate enjoy/dislike prefer/dislike prefer/hate prefer/avoid
        use/avoid want/avoid like/avoid love/avoid eat/avoid drink/avoid
        trust/distrust agree/disagree support/oppose keep/delete require/forbid permit/forbid
        open/closed running/stopped married/divorced married/widowed single/divorced full/empty
        busy/free clean/dirty safe/unsafe stable/unstable up/down
    """.split()
)
"""Verbs of which one person does one only, with one thing."""

ENDING = _each("""
    drop stop quit abandon ditch cancel remove uninstall delete sell retire replace decommission
    scrap dump leave shut kill discontinue unsubscribe
    """)
"""What these are done to is no longer so."""

LEAVING = _each("switch move migrate change go come convert")
"""From what these are done is no longer so."""

ONE_PLACE = frozenset(
    tuple(each.split())
    for each in """
        live in,base in,work for,work in,host in,run in,listen in,point to,store in,keep in,
        report to,terminate in,answer to
        """.strip().split(",")
)
"""A verb and a preposition: where one is, or does this, at one place at a time."""

HOSTING = _each("run host store keep")
"""Where these are done may be a host, and as well what it is made of: on web-01, on Postgres."""

SEVERAL = _each("""
    sister brother sibling son daughter child kid friend colleague dog cat pet cousin uncle aunt
    neighbour neighbor
    """)
"""Of these one may have several, of other names."""

TIMED = _each("meeting appointment lesson train bus pill alarm")
"""Of these there are several, at other times."""

MANY_OF = _each("support test try visit meet send read buy watch play compatible")
"""Of what these are done to there may be any number."""

COUNTRIES = frozenset(
    """
    argentina australia austria bavaria belgium brazil bulgaria canada chile china colombia croatia
    czechia denmark egypt england estonia europe finland flanders france germany greece hungary
    iceland india indonesia ireland israel italy japan kenya latvia lithuania luxembourg malaysia
    malta mexico morocco netherlands nigeria norway peru philippines poland portugal romania russia
    scotland serbia singapore slovakia slovenia spain sweden switzerland taiwan thailand tunisia
    turkey ukraine usa uk vietnam wales bayern deutschland österreich schweiz españa méxico
    """.split()
)
"""What a town lies in."""

ONE_AT_A_TIME = _each("""
    name nickname favourite favorite default main primary preferred current port address ip host
    hostname domain version timezone birthday employer job title role boss wife husband
    partner spouse home city location url email phone number deadline budget owner password branch
    """)
"""Of these somebody or something has one."""

NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}

ORDINALS = {
    word: f"{place}th"
    for place, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}

SHARES = frozenset(
    """
    percent pct percentage permille cent half third quarter fourth fifth sixth seventh eighth ninth
    tenth hundredth
    """.split()
)
"""After a number these tell how much of a thing is so: 80 % full, two thirds done."""

WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())

_IRREGULAR = """
be:been go:went,gone have:had do:did,done say:said tell:told think:thought hear:heard make:made
take:took,taken come:came see:saw,seen know:knew,known get:got,gotten give:gave,given find:found
choose:chose,chosen buy:bought bring:brought sell:sold run:ran begin:began,begun lose:lost win:won
keep:kept leave:left feel:felt meet:met pay:paid send:sent build:built spend:spent stand:stood
write:wrote,written speak:spoke,spoken break:broke,broken drive:drove,driven eat:ate,eaten
fall:fell,fallen fly:flew,flown forget:forgot,forgotten grow:grew,grown hold:held
sing:sang,sung sit:sat sleep:slept swim:swam,swum teach:taught throw:threw,thrown
understand:understood wear:wore,worn catch:caught draw:drew,drawn drink:drank,drunk fight:fought
forbid:forbade,forbidden freeze:froze,frozen hang:hung hide:hid,hidden lead:led lend:lent
mean:meant ride:rode,ridden rise:rose,risen shoot:shot shrink:shrank steal:stole,stolen
stick:stuck strike:struck swear:swore tear:tore,torn wake:woke,woken born:born bear:bore
become:became
"""
_SAME_THEN = frozenset(
    "set put cut hit cost let read shut split spread bet upset reset burst".split()
)
_NO_PAST = frozenset(
    """
    need feed speed seed bed red embed indeed hundred exceed proceed succeed breed weed shed
    """.split()
)
_OTHERS = {
    "has": "have",
    "does": "do",
    "goes": "go",
    "children": "child",
    "kids": "kid",
    "men": "man",
    "women": "woman",
    "people": "person",
    "mice": "mouse",
    "feet": "foot",
    "teeth": "tooth",
}
_NAMES = frozenset(
    """
    agnes anders andreas angeles carlos charles elias frances frans hans ines james jens jonas
    klaas lars lourdes lukas marcos mathias matias mats matthias mercedes nicolas niels nils
    piers thomas tobias
    """.split()
)
"""Names that look like several of what they end in: Hans is not Han."""

_VOWELS = frozenset("aeiouy")


@cache
def _past() -> dict[str, str]:
    return {
        past: base
        for each in _IRREGULAR.split()
        for base, pasts in [each.split(":")]
        for past in pasts.split(",")
    }


def is_past(word: str) -> bool:
    """Whether a word looks like what was done; "set" does not tell."""
    if word in _past():
        return True
    return len(word) > 3 and word.endswith("ed") and word not in _NO_PAST


def may_be_past(word: str) -> bool:
    """Whether a word may be either, as "set" is."""
    return word in _SAME_THEN


def roots(word: str) -> frozenset[str]:
    """The words that a word may be a form of, each as one of those that are equal to it."""
    found = {word, *_roots(word)}
    return frozenset(EQUAL.get(each, each) for each in found)


def _roots(word: str) -> set[str]:
    if word in _past():
        return {_past()[word]}
    if word in _OTHERS:
        return {_OTHERS[word]}
    if len(word) < 4 or word in _NAMES or not word.isalpha():
        return set()
    if word.endswith(("ies", "ied")):
        return {f"{word[:-3]}y", word[:-1]}
    if word.endswith("ing") and len(word) > 4:
        return _stripped(word[:-3])
    if is_past(word):
        return _stripped(word[:-2])
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return {word[:-2], word[:-1]}
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return {word[:-1]}
    return set()


def _stripped(rest: str) -> set[str]:
    """What stood before -ing or -ed: run(n), hop(e), visit."""
    if len(rest) < 2 or _VOWELS.isdisjoint(rest):
        return set()
    if len(rest) > 2 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        return {rest[:-1]}
    if len(rest) > 2 and rest[-1] == rest[-2]:
        return {rest, rest[:-1]}
    vowels = sum(
        here in _VOWELS and before not in _VOWELS
        for before, here in zip(" " + rest, rest, strict=False)
    )
    ends_short = rest[-1] not in _VOWELS | set("wx") and rest[-2] in _VOWELS
    if vowels == 1 and ends_short and (len(rest) < 3 or rest[-3] not in _VOWELS):
        return {f"{rest}e"}
    return {rest, f"{rest}e"}

"""The words by which a sentence is told apart, language by language: what it must not be, and what
kind of statement it is. They are words of the language, never of a subject.

Patterns are matched with a sentence in small letters and with plain apostrophes. Each is looked for
anywhere unless it begins with `^`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import regex

from memoranda.text.claims.words import is_past
from memoranda.types import Kind

Pattern = regex.Pattern[str]


@dataclass(frozen=True, slots=True)
class Words:
    """What is looked for in a sentence of one language.

    `vetoes` by the reason they give. `openers` stand before a statement and say nothing;
    `remember` are those of them that ask to keep it. `telling` are the words with which a statement
    begins that stands on its own. `kinds` are tried in order.
    """

    name: str
    whole: Mapping[str, Pattern]
    vetoes: Mapping[str, Pattern]
    openers: Pattern
    remember: Pattern
    hedges: Pattern
    thinks: Pattern
    reports: Pattern
    of_another: Pattern
    corrects: Pattern
    resolved: Pattern
    durable: Pattern
    orders: Pattern
    ended: Pattern
    successor: Pattern
    because: Pattern
    explains: Pattern
    joins: Pattern
    commas: Pattern
    answers: Pattern
    ahead: Pattern
    bounded: Pattern
    past: Pattern
    placed: Pattern
    vague: Pattern
    kinds: tuple[tuple[Kind, Pattern], ...]
    evaluates: Pattern
    of_self: Pattern
    weak: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    chatty: frozenset[str] = frozenset()
    is_past: Callable[[str], bool] = lambda _: True


def _pattern(*alternatives: str) -> Pattern:
    return regex.compile("|".join(f"(?:{each})" for each in alternatives))

# English ------------------------------------------------------------------------------------------

_I = r"\b(?:i|we)(?:'m|'re|'ve|'d)?\b"
_ADVERBS = (
    r"(?: (?:really|also|still|just|always|usually|often|currently|now|actually|absolutely|totally"
    r"|do|mostly|generally|strongly|definitely|honestly|never|even|both|all|already|recently"
    r"|finally|have|has|had|only|kind of|simply|mainly|personally|much|would|was|were|been"
    r"|do not|don't|cannot|can't|not))*"
)
_MINE = r"\b(?:my|our)\b"
_DOER = rf"(?:{_I}|{_MINE}(?: [\w'-]+){{1,3}}|the (?:team|client|customer|company|family)|nobody)"
_LIKING = (
    r"(?:love|loves|loved|like|likes|prefer|prefers|preferred|hate|hates|enjoy|enjoys|dislike|dislikes"
    r"|adore|adores|despise|favou?r|favou?rs|insist on|insists on|loathe|detest"
    r"|(?:can't|cannot|can not|couldn't) stand|(?:don't|doesn't|do not|does not) (?:like|care for"
    r"|enjoy|eat|drink|want|use)|rather)"
)
_FOND = (
    r"(?:fond of|keen on|an? (?:big |huge |real )?fan of|into|obsessed with|passionate about"
    r"|allergic to)"
)
_IMPERATIVES = (
    "add|analy[sz]e|answer|apply|ask|assume|be|book|build|calculate|call|change|check|clean|click"
    "|commit|compare|consider|continue|convert|copy|correct|create|debug|delete|deploy|describe"
    "|draft|draw|email|estimate|explain|extract|find|fix|format|generate|get|give|go|guess|have"
    "|help|hold|ignore|imagine|implement|improve|include|insert|install|keep|leave|list|look|make"
    "|merge|mention|move|name|open|pick|plan|post|print|proceed|proofread|pull|push|put|read|refactor"
    "|remind|remove|rename|repeat|replace|reply|rerun|resend|restart|return|review|rewrite|run|save"
    "|search|send|set|shorten|show|simplify|skip|sort|start|stop|suggest|summari[sz]e|take|tell"
    "|test|think|translate|try|update|use|verify|wait|walk|write|don't|do not|never|always|please"
)
_PLACED = (
    r"\b(?:runs?|running|listens?|lives?|sits?|is hosted|are hosted|is deployed|deployed|is stored"
    r"|are stored|points? (?:to|at)|is reachable|is installed|is built|are built|built with|mounted"
    r"|lands?|is (?:at|on|in|behind|under)|are (?:at|on|in|behind|under)|uses?|needs?|requires?"
    r"|has|have|is called|is named|serves?|resolves?|connects?|backed by|version|speaks|is an?|are"
    r"|is|expires?|renews?|ships?|exports?|writes?|reads?|sends?|fails?|hosts?)\b"
)


@cache
def english() -> Words:
    return Words(
        name="English",
        weak=WEAK,
        changes=CHANGES,
        chatty=CHATTY,
        evaluates=EVALUATIONS,
        of_self=ABOUT_SELF,
        is_past=lambda verb: is_past(verb) or verb in ("was", "were", "had"),
        past=PAST_BY_SELF,
        placed=PLACED,
        vague=_pattern(r"^(?:it|that|this|they|he|she|there|these|those|one|here)(?:'s|'re)?\b", r"\byou"),
        answers=_pattern(
            r"\b(?:answers?|repl(?:y|ies)|respond|responses?|explain|call me|address me|address|talk"
            r"|speak|paragraphs?|bullets?|emojis?|tone|units?|metric|celsius|english|german|spanish"
            r"|french|chinese|language|short|concise|verbose|brief|sentences?|summar(?:y|ies)|examples?)\b"
        ),
        ahead=_pattern(
            r"\b(?:will|going to|gonna|plan|planning|starts?|starting|begins?|turns|moving|next|want"
            r"|upcoming|due|expires?|ends|by|until|arrives?|leaves?|in \w+ (?:days?|weeks?|months?|years?)"
            r"|from (?!\w+ to)|'ll)\b"
        ),
        bounded=_pattern(r"\b(?:only|for|until|through) (?:this|the current|today|tomorrow|the (?:rest|next))\b"),
        explains=_pattern(r"^(?:because|the reason|that way|otherwise|since|it's because|that's because)\b"),
        whole={
            "a question": _pattern(
                r"\?",
                r"^(?:and |but |so |ok |well )?(?:what(?! (?:finally |really )?(?:helped|worked|fixed|solved))|which|who|whose|how|why|where|when(?= (?:is|are|do"
                r"|does|did|can|should|will)))\b(?!ever)",
                r"^(?:can|could|would|will|do|does|did|is|are|should|shall|have|has|may|any) "
                r"(?:i|you|we|it|there|he|she|they|this|that|the|my|idea|chance|thoughts)\b",
                r"\bi(?:'m| am| was)? (?:wonder|wondering|curious)\b",
                r"\b(?:not sure|unsure|no idea|don't know|do not know) (?:if|whether|what|how|which|why"
                r"|when|where)\b",
            ),
            "a hypothesis": _pattern(
                r"\b(?:if|unless|suppose|supposing|imagine|say) (?:i|we|you|he|she|they|it|the [\w-]+"
                r"|my [\w-]+) (?:were|was|had|did|used|moved|switched|wanted|would|could|went|got|took"
                r"|ran|chose|lived)\b",
                r"^(?:suppose|supposing|imagine|hypothetically|pretend|let's (?:say|pretend|assume"
                r"|imagine)|what if|assuming|in theory|in case|if only)\b",
                r"\b(?:hypothetically|in theory|pretend|role-?play|for the sake of argument)\b",
                r"\b(?:might|may|maybe|perhaps|possibly|could) (?:\w+ )?(?:get|buy|try|move|switch|go"
                r"|start|want|need|do|be|have|use|consider|take|adopt|become|end up)\b",
                r"\b(?:i|we)(?:'m| am|'re| are)?(?: \w+ly)? (?:toying|considering|thinking (?:of|about)|tempted"
                r"|torn|contemplating)\b",
                r"^(?:i|we)(?: would|'d) (?!rather|prefer|say|like|love)",
                r"\bif (?:you|i|we) .*\b(?:'ll|will|would|'d|let me know)\b|^(?:i|we)(?: would|'d) love to\b",
                r"\b(?:some ?day|sometime|one day|who knows)\b",
                r"^(?:i|we) should\b(?! (?:always|never))",
                r"\b(?:would|could|might) have (?:been|had)\b",
            ),
            "hearsay": _pattern(
                r"\b(?:some ?one|some ?body|people|they|folks|everyone|rumou?rs?|a friend|a guy|reddit"
                r"|the internet|the article|an article|the news|the docs?) (?:say|says|said|claims?"
                r"|claimed|told|thinks?|recommends?|swears?|mentioned|suggests?|has it)\b",
                r"\b(?:apparently|allegedly|supposedly|reportedly|rumou?r)\b",
                r"\b(?:i|we)(?:'ve| have)? (?:heard|read|saw (?:somewhere|online)|was told|were told)"
                r"\b(?! back)",
                r"\baccording to\b",
                r"\b(?:the|this|that|his|her|their) (?:e-?mail|message|article|post|page|text|author"
                r"|blog|letter|review|transcript|document)s? (?:says?|said|claims?|states?|reads?)\b",
                r"\byou (?:said|told|mentioned|suggested|recommended|proposed)\b",
            ),
            "a joke": _pattern(
                r"\b(?:just kidding|kidding|joking|jk|lol|lmao|rofl|wink|yeah right|sarcasm|as if!?$"
                r"|not\.\.\. not)\b(?<!jokes aside)",
                r"(?:^|\s)/s$",
                r"[😉😜🤪🙃😏]",
                r"^(?:oh )?(?:sure|great|wonderful|fantastic|brilliant|lovely|right|perfect)[,!] (?:because|i|"
                r"another|just|my|we)\b",
                r"\bbecause (?:who doesn't|who wouldn't|that always)\b",
                r"\b(?:favou?rite thing ever|living the dream|can't get enough of (?:meetings|bugs))\b",
            ),
        },
        vetoes={
            "a request": _pattern(
                r"^(?:i|we)(?:'d| would)? (?:need|want|like|love|wish)(?: for)? (?:you|your)\b",
                r"^(?:i|we) (?:just )?need (?:an?|some|help|to know|the|another|more)\b",
                r"^i(?:'m| am) looking for\b",
                r"^(?:let's|lets|let me|let us)\b(?! (?:go with|use|stick|stay|agree|standardi[sz]e))",
            ),
            "small talk": _pattern(
                r"^(?:thanks|thank you|thx|cheers|hi|hello|hey|good (?:morning|night|evening|luck)|bye"
                r"|see you|talk (?:soon|to you)|welcome|congrats|congratulations|wow|awesome|cool"
                r"|nice|sounds|take care|have (?:a|fun)|keep (?:it|up|going|me)|glad|happy (?:to|for)"
                r"|no (?:problem|worries|doubt)|great|well done|enjoy|can't wait|love (?:it|that|this|your)"
                r"|that's|that is|that (?:sounds|looks|must|was|would|will)|this is|it's (?:great|so|nice"
                r"|good|amazing|awesome|all|always|really|important|been great|cool|okay|ok|fine))\b",
                r"\bi(?:'m| am) (?:so |really |super |very |just |truly |glad |always )*(?:glad|happy"
                r"|proud|sorry|excited|thrilled|grateful|thankful|here|sure|afraid|stoked|rooting"
                r"|impressed|honou?red|interested) (?:for|of|to hear|you|we|that|about your|it|if|with|"
                r"to (?:see|hear|know)|by your|in your)\b",
                r"\b(?:i|we) (?:really |totally |truly |so |completely |can )*(?:hope|wish|agree|bet"
                r"|appreciate (?:you|your|it|that|the)|understand|see (?:what|why|that|how|your)|hear you"
                r"|get it|know|guess|mean|think (?:that's|it's|you|so|about)|'ll keep|can't (?:wait|"
                r"imagine|agree)|couldn't agree)\b",
                r"\b(?:believe in|proud of|good for|thinking of|rooting for|here for) (?:you|yourself)\b",
            ),
            "passing": _pattern(
                r"\b(?:right now|at the moment|one sec|just a sec|brb|hang on|hold on|give me a"
                r"|typing slowly|in a (?:minute|moment|bit)|for a (?:minute|moment|bit|while)"
                r"|back in)\b",
                r"\b(?:i|we)(?:'m| am|'re| are|'ve got| have) (?:\w+ )?(?:tired|hungry|sick|busy|sleepy"
                r"|bored|exhausted|cold|a (?:bit |little )?(?:cold|headache|fever|hangover)|late|stuck"
                r"|in a (?:hurry|meeting|rush)|on (?:a|the) (?:train|bus|phone|call)|swamped)\b"
                r"(?=.*\b(?:today|now|tonight|this (?:morning|afternoon|evening))|$|[,.!])",
                r"\b(?:off to|heading (?:out|off)|gotta (?:go|run)|got to go|have to go|need to go)\b",
            ),
            "about the listener": _pattern(
                r"^(?:(?:and|but|so|yeah|yes|yep) )?(?:you|your|you're|you've|you'll|y'all)\b(?! (?:can"
                r" reach|must|should never))",
            ),
        },
        openers=_pattern(
            r"^(?:(?:no(?=[,;:!.—–-])|ok(?:ay)?|so|well|yes|yeah|yep|and|but|oh|hey|btw|by the way|also|actually|honestly"
            r"|anyway|plus|fyi|ah|hmm|for your info(?:rmation)?|just so you know|as you know|all jokes aside"
            r"|joking aside|seriously|in fact|to be clear|to be honest|frankly|in case it matters|again"
            r"|reminder|note|update|correction|sorry|unfortunately|luckily|fun fact|full disclosure"
            r"|that said|good|great|fine|right|sure|alright|thanks|first|second|finally|surprise"
            r"|one more thing|small thing|heads up)[,:;!.—–-]* +)+",
        ),
        remember=_pattern(
            r"^(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget"
            r"|make a note|for the record|for future reference|fyi|save this|take note|memori[sz]e"
            r"|good to know)(?: that|:|,)* +",
            r"[,;.]? (?:please )?(?:remember|keep|note|memori[sz]e) (?:that|this|it)[.!]?$",
        ),
        thinks=_pattern(
            r"^(?:i|we) (?:think|believe|guess|suspect|assume|suppose|reckon)(?: that)? (?!so\b|about\b|of\b)"
        ),
        hedges=_pattern(
            r"\b(?:i|we) (?:think|believe|guess|suspect|assume|suppose|reckon|feel like)\b",
            r"\b(?:maybe|perhaps|probably|possibly|presumably|seems?|seemingly|looks like|appears|likely"
            r"|might|may be|could be|not sure|as far as i (?:know|remember)|if i remember|afaik|iirc"
            r"|i'd say|sort of)\b",
        ),
        reports=_pattern(
            r"(?<!\bi )(?<!\bwe )\b(?:says|said|told (?:me|us)|mentioned|claims|claimed|announced"
            r"|recommends|recommended|swears)\b",
        ),
        of_another=_pattern(
            r"^(?!(?:i|we)\b)(?:[\w',-]+ ){1,6}?(?:can't stand|wants|hates|loves|likes|dislikes|prefers"
            r"|enjoys|insists|asked for)\b",
        ),
        corrects=_pattern(
            r"^(?:(?:no|wait|oh|hm+|sorry|actually|oops|ah)[,!. —–-]+)*(?:no wait|wait|scratch (?:that|"
            r"what)|correction|i misspoke(?: [\w ]{1,15})?|i meant|i mean|my mistake|my bad|make that|oops|let me correct"
            r"|sorry, (?:i meant|it's|that's|not)|strike that|forget (?:that|what i said))\b",
        ),
        resolved=_pattern(
            r"\b(?:is|are|was|were|got|'s|been|now|all|it) (?:now |all |finally |already |been |both )*"
            r"(?:fixed|resolved|solved|done|merged|closed|finished|complete|completed|over|sorted"
            r"|deployed|working again|back up|back online|green|passing|shipped|up again)\b",
            r"^(?:i|we)(?:'ve| have| just| finally| already)* (?:fixed|resolved|solved|merged|closed"
            r"|finished|completed|deployed|pushed|committed|sorted|restarted|rebooted|patched)\b",
            r"\b(?:works? (?:now|again|fine)|up and running|good to go|all set|tests? pass(?:es)?)\b",
        ),
        durable=_pattern(
            r"\b(?:always|never|from now on|going forward|in (?:the )?future|by default|every time"
            r"|whenever|as a rule|at all times|any ?more|until further notice|each time|without exception"
            r"|in general|permanently|on principle|that's our (?:rule|policy|convention)|must)\b",
            r"^(?:when|before|after|for) (?:you |we |every |each |any |all )?[\w -]{3,40},",
            r"^(?:please )?(?:stop \w+ing|avoid)\b|^please (?:don't|do not|never)\b|^no (?:\w+ ){1,3}please",
            r"\b(?:before|after|on|in|for|with) (?:every|each)\b",
            r"\b(?:call|address) me (?!back|later|when|if)|\b(?:everything|anything|all) you\b"
            r"|\b(?:when|whenever) (?:you|we|i)\b|\bdon't ever\b",
            r"\b(?:only|for) (?:this|the current) (?:sprint|release|week|month|project|quarter)\b",
            r"\bno (?:[\w-]+ ){1,4}(?:on|after|before|without|in) ",
        ),
        orders=_pattern(
            r"^no (?:\w+ ){1,3}please\b|^(?:stop|avoid) ",
            rf"^(?:{_IMPERATIVES})\b(?!:| (?:is|are|was)\b)",
            r"^(?:from now on|going forward|in (?:the )?future|(?:whenever|when|after|before|for|every"
            rf" time) [^,]{{3,40}}),? (?:please )?(?:{_IMPERATIVES})\b(?!:| (?:is|are|was)\b)",
        ),
        ended=_pattern(
            r"\b(?:no longer|any ?longer|any ?more|used to|gave up|give up|given up|called off|cancell?ed"
            r"|off the table|not happening|isn't happening|came to an end|broke up|retired)\b",
            r"\b(?:i|we|he|she|they|[a-z]+)(?:'ve| have| has)?(?: just| finally)? (?:stopped|quit|dropped"
            r"|abandoned|ditched|scrapped)\b",
            r"\bforget what i said about\b",
            r"\b(?:don't|do not|doesn't) care either way\b",
            r"\bno [\w ]{1,30} needed\b",
            r"\b(?:is|are) back (?:in|on|to)\b",
        ),
        successor=_pattern(
            r"\b(?:instead|switched|moved (?:to|from)|replaced|now (?:use|live|work|prefer|drink|eat"
            r"|i|we)|now|went to|in favou?r of|only [\w-]+ does|but now|these days|rather)\b",
        ),
        because=_pattern(
            r"\b(?:because|'cause|cause|since it|since they|since we|so that|due to|the reason (?:is|"
            r"being|was)|as it|as they|in order to|to avoid|instead of|rather than)\b",
        ),
        commas=_pattern(
            r"(?<=\w\w), (?=(?:i|we|i'm|i've|we're) (?!think|guess|hope|know|mean|believe))"
        ),
        joins=_pattern(
            r"(?:,|;)? but (?=(?:i|we|my|our|the|he|she)\b)",
            r";\s+",
            r",? and (?=(?:i|i'm|i've|we|we're|my|our|the)\b)",
            r", and (?=[\w-]+ (?:is|are|was|runs?|lives?|lands?|goes|has|uses?|needs?|works?)\b)",
            r" [-–—]{1,2} (?=(?:i|we|my|our)\b)",
            r", so (?=(?:" + _IMPERATIVES + r")\b)",
        ),
        kinds=(
            (
                Kind.LESSON,
                _pattern(
                    r"\b(?:root cause|turned out|turns out|culprit|the (?:trick|key|catch|fix|lesson"
                    r"|solution|workaround|reason|cause|problem|issue|bug)s? (?:is|was|were|are|that"
                    r"|here)(?! (?:now |all |finally |already )*(?:fixed|resolved|solved|gone|done|closed|back))|lesson learned|learned (?:that|the hard way)|(?:was|were|is) caused by"
                    r"|never again|never hire|gotcha|found (?:out|that)|figured out|comes? down to|was down to|boils? down to)\b",
                    r"\b\w+ing .{3,60} (?:fixed|solved|cured) (?:it|this|that|the)\b|\bcame from (?:an?|the)\b",
                    r"\b(?:fails?|failed|breaks?|broke|crash(?:es|ed)?|leaks?|leaked|hangs?|hung|drops?"
                    r"|timed? out|stalls?|corrupts?|didn't (?:work|run|start)|doesn't work|won't"
                    r"|never works?|only works?|slow(?:s|ed)?) .{0,60}\b(?:because|when|if|unless|until"
                    r"|due to|with|on|after|from|since)\b",
                    r"\b(?:leak|bug|error|problem|issue|crash|fault|failure|bottleneck|outage|regression)s? (?:was|is"
                    r"|were|came|comes|happens?|occurs?) (?:in|from|with|when|only|because|after)\b",
                    r"^what (?:finally |really )?(?:helped|worked|fixed|solved)\b",
                    r"\b(?:went away|solved by|fixed by|helped was)\b",
                ),
            ),
            (
                Kind.DECISION,
                _pattern(
                    rf"(?:{_I}|\bteam|\bboard|\bcommittee)(?:'ve| have| has| had)?(?: just| finally| all"
                    r"| both| now| then| also)* (?:decided|chose|chosen|picked|settled|agreed|opted"
                    r"|committed to|standardi[sz]ed|went with|going with|sticking with|stick with|stay"
                    r"|staying|resolved to|voted|ruled out|rejected|gave up|dropped|abandoned|adopt"
                    r"|adopted|will use|won't use|are using|replaced|postponed|scrapped|approved"
                    r"|switched|switching|migrated|upgraded|changed|renamed)\b",
                    r"\bwe(?:'ve| have)?(?: just| finally| all)* moved (?:to|from) ",
                    r"^(?:decision|decided|verdict|agreed)\b",
                    r"\b(?:i|we)(?:'ll| will) (?:go with|use|stick with|stay with|adopt|keep using)\b",
                    r"^let's (?:go with|use|stick|stay|agree|standardi[sz]e)\b",
                    r"\b(?:it was decided|our decision|the decision is|final answer|signed (?:it )?off"
                    r"|is off the table|for (?:this|the current) (?:sprint|release|quarter) only)\b",
                ),
            ),
            (
                Kind.CONSTRAINT,
                _pattern(
                    r"\b(?:we|all|every ?\w*|each|nobody|no one|they|agents?|users?|the [\w ]{1,30}) (?:must"
                    r"|mustn't|must not|has to|have to)\b(?! (?:have|'ve|be (?:so|really|very|great|nice|hard)))",
                    r"\b(?:are not allowed|is not allowed|isn't allowed|forbidden|required to|is required"
                    r"|are required|mandatory"
                    r"|prohibited|nobody (?:may|is)|no one (?:may|is)|at most|at least|no more than"
                    r"|our (?:rule|policy|convention|standard)|is (?:the|our) (?:rule|convention|policy))\b",
                    r"\bwe (?:\w+ )?(?:lint|format|test|deploy|release|review|commit|document|tag|branch"
                    r"|squash|rebase|ship|merge|sign|version|log|pin|require|store|do want)\b",
                    r"\bwe (?:don't|never|always|only) (?!know|see|hear|think|have time|get to)",
                    r"^(?:the|all|every|our|in this [\w-]+|new|each)\b.* (?:goes?|gets?|(?:are|is) (?:written|named"
                    r"|kept|signed|reviewed|formatted|tested|merged)|stays?) (?:in|into|to|on|with|by|under"
                    r"|through|out|only)\b",
                    r"\bsigns off\b",
                ),
            ),
            (
                Kind.PREFERENCE,
                _pattern(
                    rf"{_DOER}{_ADVERBS} {_LIKING}\b",
                    r"\b(?:i|we) (?:\w+ )?find .+ \w+(?:ing|ful|ive|ish|less|ible|able)\b|\bi(?:'m| am) fine with\b"
                    r"|\b(?:don't|do not|wouldn't) mind\b|\bworks? (?:\w+ )?for me\b",
                    rf"{_I}(?: am| are| was)?{_ADVERBS} (?:\w+ )?{_FOND}\b",
                    rf"{_MINE} (?:\w+ )?(?:favou?rite|preferred|go-to|dream|hobby|hobbies|passion)\b",
                    rf"{_I} (?:never|always|only|no longer|don't|do not) (?:\w+ )?(?:eat|drink|use|wear|watch"
                    r"|buy|read|listen|work|take|smoke|cook)\b",
                    r"\b(?:preference|suits? me|works (?:best|better) for me|don't care (?:for|about|either))\b",
                    r"^(?!(?:it|this|that|there|every|no|who|what|sounds|looks|feels)\b)[\w', .-]{2,50}? (?:can't stand"
                    r"|wants|hates|loves|likes|dislikes|prefers|insists on|asked for|is allergic to)\b",
                    rf"{_I}{_ADVERBS} (?:drink|take|eat|wear|order) (?!care|place|part|it |your|a look|advice)",
                ),
            ),
            (
                Kind.FACT,
                _pattern(
                    rf"{_I}{_ADVERBS} (?:live|work|study|teach|own|have|speak|play|come|came|grew|run"
                    r"|drive|learn|studied|learning|practi[sc]e|collect|coach|volunteer|manage|lead|triage"
                    r"|maintain|use|got|need|follow|belong|know|keep|build|make|write|cook|train|sing|paint"
                    r"|travel|commute|support|host|read|weigh|sleep|go|avoid|plan|want|aim|hope to|help)\b",
                    r"\b(?:i'm|i am|we're|we are)(?: not| currently| still| also| now| originally)* (?:an?|the"
                    r"|from|in|at|allergic|vegetarian|vegan|married|single|based|\d+|left-handed|engaged"
                    r"|divorced|retired|studying|working|learning|training|writing|reading|building|moving"
                    r"|planning|going|trying|saving|starting|getting|doing|taking|pregnant|diabetic|on)\b",
                    r"\b(?:i've|we've|i have|we have) been\b",
                    rf"^{_MINE} (?:[\w'&-]+ ){{1,6}}(?:is|are|was|were|has|have|had|lives?|works?|called|named"
                    r"|turns?|starts?|loves?|plays?|goes|runs?|likes?|died|moved|got|reached|switched|says"
                    r"|helps?|makes?|keeps?|uses?|speaks?|needs?|expires?|listens?|arrived|'s)\b",
                    r"^(?:i|we)\b.* (?:every|each) \w+|\b(?:i'm|i am)(?: an?)? \w+-\w+",
                    r"^(?!(?:it|that|this|there|what|who|he|she|they)\b)\w+ (?:is|are) (?:now|currently) |^\w+ only \w+s\b",
                    r"\b(?:is|are) (?:called|named|short for)\b|^an? [\w -]{2,30} (?:called|named)\b",
                    r"^(?!(?:it|that|this|there|you|what|who)\b)[\w'& -]{2,40}? (?:has |have |had )?(?:just )?(?:switched"
                    r"|moved (?:to|in|from|away|back)|renamed|replaced|joined|left (?:the|us|for)|married"
                    r"|got (?:married|engaged|promoted)|passed away|became|retired|was born|turns \w+|works? from"
                    r"|reached)\b",
                    r"^(?:[\w-]+ ){1,5}(?:is|are) .*\b(?:for all|for every|of all|our|everywhere)\b",
                ),
            ),
        ),
    )


PAST_BY_SELF = regex.compile(
    r"^(?:(?:yesterday|last|this|on|in|so|and|then|today|earlier|recently|just|since|a|after|the)"
    r"[^,]{0,40}?,? )?(?:i|we|me and [\w ]{1,20}|my [\w ]{1,24}and i)(?:'ve| have| had)?"
    r"(?: (?:just|finally|recently|also|already|even|actually|really|never|only|both))* (?P<verb>[\w']+)"
)
"""Someone tells what they did, or what befell them."""

WEAK = frozenset(
    """
    thought guessed meant said felt heard knew saw understood wished hoped agreed wondered
    appreciated believed grew used been born
    """.split()
)
"""What is done with these is no event."""

CHANGES = frozenset(
    """
    moved switched started joined quit stopped married became left changed replaced began adopted
    upgraded migrated swapped ditched dropped
    """.split()
)
"""After these something else is so, which is more than an event."""

PLACED = regex.compile(
    _PLACED + r"|^(?:the|our|all|every|each|new|no|in|on|for|at|since)\b|\b(?:no longer|anymore|now|since"
    r"|instead|only|every|each|via|per|until|follow|live|need|go|run)\b|\b\w+(?:ed|es|ts|ks|ds|ns|ps|rs|ls|ms)\b"
)
"""Says of a thing what it is, where it stands, what it needs or does."""

EVALUATIONS = regex.compile(
    r"\b(?:amazing|awesome|great|beautiful|nice|incredible|wonderful|fantastic|lovely|gorgeous|cool"
    r"|inspiring|fun|impressive|adorable|cute|perfect|exciting|interesting|super|delicious|best|worth"
    r"|important|special|rewarding|tough|powerful|good)\b"
)
"""What someone thinks of a thing is no fact about it."""

ABOUT_SELF = regex.compile(
    r"^(?:(?:since|in|on|for|from|at|after|before|until|every|each|as|by)\b[^,]{2,40},? )?(?:i|we)"
    r"(?:'m|'re|'ve| am| are| have| had| was| were| do| don't| can't| didn't| haven't)?(?: \w+ly| just"
    r"| also| still| always| never| not| only| both| now| no longer)* (?P<verb>[\w']+)"
)
"""Someone tells of themselves, whatever it is."""

CHATTY = frozenset(
    """
    think know hope guess mean wish agree see bet understand appreciate feel believe wonder imagine
    love glad happy sorry excited sure proud hear try need want get keep be thinking feeling looking
    thrilled grateful wondering hoping here say tell let had was were been got could
    """.split()
)
"""What follows "I" where nothing is told."""


# German -------------------------------------------------------------------------------------------

_ICH = r"\b(?:ich|wir)\b"
_GERMAN_ORDERS = (
    "schreib|schreibe|mach|mache|zeig|zeige|erklär|erkläre|gib|prüf|prüfe|nimm|füg|füge|übersetz"
    "|übersetze|fass|fasse|lösch|lösche|erstell|erstelle|hilf|sag|sage|such|suche|nenn|nenne|lass"
    "|korrigier|korrigiere|ändere|antworte|antwort|verwende|benutze|nutze|starte|öffne|schick"
    "|schicke|merk|beachte|bitte|nie|niemals|immer"
)


@cache
def german() -> Words:
    return Words(
        name="German",
        whole={
            "a question": _pattern(
                r"\?",
                r"^(?:und |aber |also )?(?:wer|wie|was|wo|wann|warum|wieso|weshalb|welche[rsmn]?|wohin"
                r"|woher)\b",
                r"^(?:kannst|könntest|würdest|hast|bist|ist|sind|soll|sollen|sollte|darf|gibt|weißt"
                r"|magst|willst) (?:du|ich|wir|es|das|er|sie|ihr)\b",
                r"\b(?:frage mich|weiß nicht|keine ahnung|nicht sicher),? (?:ob|wie|was|warum|welche)\b",
            ),
            "a hypothesis": _pattern(
                r"\b(?:wäre|hätte|würde|würden|könnte|könnten|wären|hätten|müsste)\b(?! lieber)",
                r"^(?:angenommen|stell dir vor|nehmen wir an|was wäre|falls|mal angenommen)\b",
                r"\b(?:vielleicht|eventuell|möglicherweise|irgendwann|überlege|überlegen|mal sehen)\b",
            ),
            "hearsay": _pattern(
                r"\b(?:jemand|man|leute|die leute|alle|ein bekannter|ein freund) (?:sagt|sagte|sagen"
                r"|meint|meinte|hat gesagt|behauptet|erzählt|erzählte)\b",
                r"\b(?:angeblich|anscheinend|gerüchteweise|laut|soll (?:angeblich|ja|wohl))\b",
                r"\b(?:habe|hab) (?:gehört|gelesen)\b|\bgehört, dass\b|\bdu (?:hast gesagt|sagtest|meintest)\b",
            ),
            "a joke": _pattern(
                r"\b(?:scherz|spaß beiseite|nur spaß|kleiner scherz|haha|ja klar|na klar|lol|ironie)\b",
                r"[😉😜🤪🙃😏]",
            ),
        },
        vetoes={
            "a request": _pattern(
                r"^(?:ich|wir) (?:brauche|brauchen|bräuchte|suche|suchen|möchte|hätte gern\w*)"
                r" (?:ein\w*|hilfe|etwas|dass du|von dir)\b",
                r"^(?:lass|lasst) (?:uns|mich)\b",
            ),
            "small talk": _pattern(
                r"^(?:danke|vielen dank|hallo|hi|guten (?:morgen|tag|abend)|gute nacht|tschüss|bis (?:bald"
                r"|dann|morgen|später)|super|toll|prima|klasse|schön|cool|viel (?:spaß|erfolg|glück)"
                r"|gern geschehen|das (?:klingt|ist (?:toll|super|gut|schön|klasse))|freut mich"
                r"|glückwunsch|gute besserung)\b",
                r"\bich (?:hoffe|wünsche|verstehe|stimme|freue mich|danke)\b",
            ),
            "passing": _pattern(
                r"\b(?:gerade eben|momentan|im moment|moment mal|bin gleich|einen augenblick|kurz weg)\b",
                r"\b(?:bin|habe|hab) (?:\w+ )?(?:heute|gerade|jetzt) (?:\w+ )?(?:müde|krank|hungrig|erkältet"
                r"|kopfschmerzen|beschäftigt)\b|\bich bin (?:müde|hungrig|kaputt|krank)\b",
            ),
            "about the listener": _pattern(r"^(?:du|dein\w*|ihr|euer|eure)\b"),
        },
        openers=_pattern(
            r"^(?:(?:ok(?:ay)?|also|ja|nein|und|aber|ach|übrigens|naja|eigentlich|ehrlich gesagt|gut|na gut"
            r"|zur info|nur zur info|hinweis|leider|zum glück|außerdem|wie gesagt|spaß beiseite"
            r"|im ernst|alles klar)[,:;! .–-]* +)+"
        ),
        remember=_pattern(
            r"^(?:bitte )?(?:merk dir|merke dir|denk dran|denk daran|denke daran|vergiss nicht|notier"
            r"|notiere|fürs protokoll|zur erinnerung|beachte)(?: dir)?,?(?: bitte,?)?(?: dass|:)? +",
        ),
        thinks=_pattern(r"^ich (?:glaube|denke|vermute|schätze|meine),?(?: dass)? "),
        hedges=_pattern(
            r"\b(?:ich (?:glaube|denke|vermute|schätze|meine)|wahrscheinlich|vermutlich|wohl|scheint"
            r"|scheinbar|soweit ich weiß|meines wissens|könnte sein)\b|\b(?:glaube|denke|vermute) ich\b"
        ),
        reports=_pattern(r"(?<!\bich )\b(?:sagt|sagte|meint|meinte|erzählt|erzählte|behauptet|erwähnte)\b"),
        of_another=_pattern(
            r"^(?!(?:ich|wir)\b)(?:[\w',-]+ ){1,5}?(?:mag|hasst|liebt|bevorzugt|will|möchte)\b"
        ),
        corrects=_pattern(
            r"^(?:(?:nein|ach|oh|äh+|halt|sorry|moment)[,!. —–-]+)*(?:korrektur|ich meinte|quatsch"
            r"|stimmt nicht|falsch|vielmehr|moment|vergiss das|streich das|das war falsch"
            r"|ich habe mich vertan)\b[,:. ]*"
        ),
        resolved=_pattern(
            r"\b(?:ist|sind|wurde|wurden|hat sich) (?:jetzt |nun |endlich |schon |bereits |alle )*(?:behoben|gelöst"
            r"|erledigt|fertig|gefixt|geschlossen|gemergt|repariert|deployt|ausgerollt|abgeschlossen"
            r"|vorbei|durch)\b",
            r"\b(?:läuft|geht|funktioniert|klappt) (?:jetzt |nun |endlich )?wieder\b",
        ),
        durable=_pattern(
            r"\b(?:immer|nie|niemals|ab jetzt|von jetzt an|ab sofort|künftig|in zukunft|grundsätzlich"
            r"|standardmäßig|jedes mal|generell|stets|dauerhaft)\b|^(?:wenn|bevor|nachdem|sobald) .*,"
        ),
        orders=_pattern(
            rf"^(?:{_GERMAN_ORDERS})\b(?! ich\b| wir\b)",
            rf"^(?:ab jetzt|ab sofort|von jetzt an|künftig|in zukunft),? (?:bitte )?(?:{_GERMAN_ORDERS})\b",
            r"^ab (?:jetzt|sofort) .* bitte\b",
        ),
        ended=_pattern(
            r"\b(?:nicht mehr|kein\w* \w+ mehr|nicht länger|aufgehört|aufgegeben|abgeschafft|eingestellt"
            r"|früher (?:habe|hab|war|hatte)|gekündigt|keine\w* mehr)\b"
        ),
        successor=_pattern(r"\b(?:stattdessen|sondern|jetzt|umgestiegen|gewechselt|ersetzt|lieber)\b"),
        because=_pattern(r"\b(?:weil|denn|da (?:es|er|sie|ich|wir|der|die|das)|damit|wegen|statt|anstatt)\b"),
        explains=_pattern(r"^(?:weil|denn|der grund|sonst|andernfalls|deswegen|deshalb)\b"),
        joins=_pattern(
            r",? aber (?=(?:ich|wir|mein|unser|der|die|das)\w*\b)",
            r";\s+",
            r",? und (?=(?:ich|wir|mein\w*|unser\w*)\b)",
        ),
        commas=_pattern(r"(?<=\w\w), (?=(?:ich|wir) )"),
        answers=_pattern(
            r"\b(?:antworte\w*|antworten|erklär\w*|nenn\w*|duz\w*|siez\w*|deutsch|englisch|kurz|knapp"
            r"|ausführlich|stichpunkte\w*|absätze\w*|emojis?|ton|sprache|sätze\w*|zusammenfass\w*)\b"
        ),
        ahead=_pattern(r"\b(?:wird|werde|werden|will|wollen|plane|planen|nächste\w*|kommende\w*|ab|bis|startet|beginnt)\b"),
        bounded=_pattern(r"\b(?:nur|für|bis) (?:diese[nrsm]?|heute|morgen|ende)\b"),
        past=_pattern(
            r"\b(?:ich|wir) (?:bin|sind|habe|hab|haben) .*?(?P<verb>\b(?:\w*ge\w{2,}(?:t|en)|\w+iert|besucht"
            r"|verkauft|bekommen|begonnen|verlassen|erhalten|verloren))\b",
            r"\b(?:habe|hab|haben|bin|sind) (?:ich|wir) .*?(?P<verb>\b(?:\w*ge\w{2,}(?:t|en)|\w+iert|besucht"
            r"|verkauft|bekommen|begonnen|verlassen|erhalten|verloren))\b",
        ),
        placed=_pattern(
            r"\b(?:läuft|laufen|liegt|liegen|steht|stehen|hört|lauscht|nutzt|benutzt|verwendet|braucht"
            r"|ist|sind|hat|haben|heißt|heißen|gelten|gilt|gehen|geht|werden|wird|kommt|kommen|hängt|endet|dauert)\b"
        ),
        vague=_pattern(r"^(?:es|das|dies|er|sie|da|hier|so)\b(?! \w+er\b)|\b(?:du|dir|dich|dein\w*)\b"),
        evaluates=_pattern(
            r"\b(?:toll|super|schön|großartig|wunderbar|cool|lustig|wichtig|spannend|gut|klasse|nett)\b"
        ),
        of_self=_pattern(r"^(?:(?:seit|in|am|im|ab|bei|jeden|jede)\b.{2,30}? (?P<verb>\w+) )?(?:ich|wir)(?: (?P<verb>\w+))?"),
        chatty=frozenset(
            """
            glaube denke weiß hoffe meine verstehe finde sehe vermute kann will möchte soll muss
            werde bin habe hab haben sind
            """.split()
        ),
        kinds=(
            (
                Kind.LESSON,
                _pattern(
                    r"\b(?:ursache|der grund|lag (?:an|am|daran)|stellte sich heraus|herausgestellt|gelernt,?"
                    r" dass|die lösung|der trick|das problem (?:war|ist)|verursacht)\b",
                    r"\b(?:scheitert|scheiterte|bricht|brach|hängt|stürzt|fällt|schlägt) .{0,60}\b(?:weil|wenn"
                    r"|sobald|wegen|falls)\b",
                ),
            ),
            (
                Kind.DECISION,
                _pattern(
                    r"\b(?:entschieden|beschlossen|geeinigt|festgelegt|gewählt|ausgewählt|umgestiegen"
                    r"|gewechselt|umgestellt|aktualisiert|migriert|ersetzt|abgeschafft|verworfen"
                    r"|bleiben (?:bei|wir)|wir (?:nehmen|setzen auf|wechseln|verzichten))\b",
                    r"^(?:entscheidung|beschluss)\b",
                ),
            ),
            (
                Kind.CONSTRAINT,
                _pattern(
                    r"\b(?:müssen|muss|darf nicht|dürfen nicht|darf kein\w*|verboten|pflicht|vorschrift"
                    r"|nicht erlaubt|ist die regel|unsere regel|höchstens|mindestens)\b",
                    r"\bwir (?:\w+ )?(?:testen|deployen|formatieren|prüfen|reviewen|committen|veröffentlichen"
                    r"|dokumentieren|mergen|releasen)\b",
                    r"^(?:ab (?:jetzt|sofort)|künftig|in diesem \w+)\b",
                    r"\b(?:wird|werden) (?:nicht|nie|niemals|immer|nur)\b",
                ),
            ),
            (
                Kind.PREFERENCE,
                _pattern(
                    r"\b(?:ich|wir) (?:\w+ )?(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge|bevorzugen"
                    r"|esse|essen|trinke|trinken|ziehe|ziehen|schwärme)\b",
                    r"\b(?:mag|liebe|hasse|bevorzuge|esse|trinke|ziehe) ich\b|\b(?:gefällt|gefallen|schmeckt|liegt)"
                    r" (?:mir|uns)\b|\bmir (?:gefällt|gefallen|schmeckt|ist .* lieber)\b",
                    r"\b(?:lieblings\w+|am liebsten|lieber|vorliebe)\b",
                    r"^(?!(?:es|das|du)\b)(?:[\w,-]+ ){1,5}?(?:mag|hasst|liebt|bevorzugt|möchte|will)\b",
                ),
            ),
            (
                Kind.FACT,
                _pattern(
                    r"\bich (?:\w+ )?(?:wohne|lebe|arbeite|studiere|spreche|spiele|lerne|besitze|komme|fahre"
                    r"|unterrichte|leite|betreue|nutze|benutze|verwende|sammle|brauche|heiße|pflege)\b",
                    r"\b(?:wohne|lebe|arbeite|studiere|spreche|spiele|lerne|fahre|nutze|benutze|verwende) ich\b",
                    r"\bich (?:bin|habe|hab) (?!(?:mir |mich |nur |mal |schon )?(?:gerade|froh|sicher|gespannt|da|dabei"
                    r"|eine frage|keine ahnung))",
                    r"\bwir (?:haben|sind|wohnen|leben|nutzen|benutzen|verwenden|arbeiten|brauchen|betreiben)\b",
                    r"^(?:mein|unser)\w* (?:[\w-]+ ){1,5}(?:ist|sind|war|hat|haben|heißt|heißen|wohnt|arbeitet"
                    r"|läuft|wird|kommt|studiert|spielt|fängt|beginnt|\w{3,}et)\b",
                    r"^(?!(?:es|das|du|er|sie)\b)[\w -]{2,30} (?:ist|sind|hat) (?:jetzt |nun )?(?:umgezogen|gewechselt|Mitglied)\b",
                ),
            ),
        ),
    )


# Spanish ------------------------------------------------------------------------------------------

_SPANISH_ORDERS = (
    "escribe|haz|muestra|muéstrame|explica|explícame|dame|dime|revisa|corrige|traduce|resume|añade"
    "|agrega|borra|crea|busca|ayúdame|pon|quita|cambia|usa|utiliza|responde|contesta|ejecuta|prueba"
    "|envía|lista|ignora|por favor|nunca|siempre|no (?:uses|hagas|pongas|escribas|respondas|borres)"
)


@cache
def spanish() -> Words:
    return Words(
        name="Spanish",
        whole={
            "a question": _pattern(
                r"[?¿]",
                r"^(?:y |pero )?(?:qué|quién|cómo|cuándo|dónde|cuál|cuáles|cuánto|cuánta|por qué|a qué)\b",
                r"\b(?:no sé|me pregunto|no estoy segur[oa] de) (?:si|qué|cómo|cuál|por qué)\b",
            ),
            "a hypothesis": _pattern(
                r"\bsi (?:yo |nosotros )?(?:fuera|tuviera|usara|pudiera|viviera|\w+ramos|\w+semos|hubiera"
                r"|usáramos|tuviéramos|\w+(?:ara|iera))\b",
                r"^(?:supongamos|imagina|imaginemos|digamos|hipotéticamente)\b",
                r"\b(?:quizás?|tal vez|a lo mejor|puede que|podría|podríamos|algún día|estoy pensando en)\b",
            ),
            "hearsay": _pattern(
                r"\b(?:alguien|la gente|dicen que|se dice|un amigo|todos) (?:dice|dijo|dicen|cree|cuenta|que)\b",
                r"\b(?:al parecer|por lo visto|supuestamente|según|he (?:oído|leído)|me (?:dijeron|contaron)"
                r"|dijiste|dijeron que|dicen que)\b",
            ),
            "a joke": _pattern(r"\b(?:es broma|bromeo|jaja\w*|ja ja|sí claro|lol|ironía)\b", r"[😉😜🤪🙃😏]"),
        },
        vetoes={
            "a request": _pattern(
                r"^(?:necesito|quiero|quisiera|busco|me gustaría) (?:un\w*|ayuda|que|saber|algo)\b",
                r"^(?:vamos a|déjame|puedes|podrías)\b",
            ),
            "small talk": _pattern(
                r"^(?:gracias|muchas gracias|hola|buenos días|buenas|buenas (?:tardes|noches)|adiós|hasta"
                r"|genial|perfecto|vale|bien|qué bien|de nada|suena|me alegro|felicidades|eso)\b",
                r"\b(?:espero que|entiendo|de acuerdo|te agradezco)\b",
            ),
            "passing": _pattern(
                r"\b(?:ahora mismo|en este momento|un momento|un segundo|ahorita)\b",
                r"\bestoy (?:cansad|enferm|ocupad|resfriad)[oa]\b|\btengo (?:hambre|sueño|prisa|frío)\b",
            ),
            "about the listener": _pattern(r"^(?:tú|tu|tus|usted|ustedes|vosotros)\b"),
        },
        openers=_pattern(
            r"^(?:(?:no(?=[,;:!.—–-])|ok|vale|bueno|pues|sí|y|pero|ah|oye|por cierto|además|en realidad|la verdad|nota"
            r"|para tu información|como sabes|en serio|bromas aparte|fuera de bromas|claro|es que)"
            r"[,:;!. –-]* +)+"
        ),
        remember=_pattern(
            r"^(?:por favor,? )?(?:recuerda|acuérdate|ten en cuenta|toma nota|anota|apunta|no olvides"
            r"|para que conste)(?: de)?(?: que|:|,)* +",
            r"[,;.]? (?:recuérdalo|anótalo|apúntalo)[.!]?$",
        ),
        thinks=_pattern(r"^(?:creo|pienso|supongo|me parece|diría) que "),
        hedges=_pattern(
            r"\b(?:creo que|pienso que|supongo|me parece|probablemente|seguramente|parece que|diría que"
            r"|que yo sepa|si no recuerdo mal)\b"
        ),
        reports=_pattern(r"\b(?:dice|dijo|comentó|mencionó|cuenta|contó|afirma) (?:que|:)"),
        of_another=_pattern(
            r"^(?!(?:me|nos|yo)\b)(?:a )?(?:[\w',-]+ ){1,5}?(?:(?:le|les) (?:gusta|encanta)n?|odia|prefiere|detesta"
            r"|quiere)\b"
        ),
        corrects=_pattern(
            r"^(?:(?:no|ay|perdón|espera|uy)[,!. —–-]+)*(?:corrección|quise decir|quería decir|me equivoqué"
            r"|mejor dicho|espera|perdón|olvida (?:eso|lo que dije))\b[,:. ]*"
        ),
        resolved=_pattern(
            r"\b(?:está|están|quedó|quedaron|ya) (?:ya |todo )*(?:arreglad|resuelt|terminad|solucionad|cerrad"
            r"|list|corregid|desplegad|hech)[oa]s?\b",
            r"\b(?:ya funciona|funciona de nuevo|vuelve a funcionar|he terminado|ya está)\b",
        ),
        durable=_pattern(
            r"\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|desde ahora|en adelante"
            r"|por defecto|cada vez|en el futuro|por norma)\b|^(?:cuando|antes de|después de) .*,"
        ),
        orders=_pattern(
            rf"^(?:{_SPANISH_ORDERS})\b(?! (?:uso|como|bebo|he|me|hago|trabajo|escribo|\w+amos|\w+emos|\w+imos) ?\b)",
            rf"^(?:a partir de ahora|de ahora en adelante|desde ahora),? (?:{_SPANISH_ORDERS})\b",
        ),
        ended=_pattern(
            r"\bya no\b|\b(?:dejé de|dejamos de|he dejado|hemos dejado|abandoné|abandonamos|renuncié"
            r"|cancelamos|cancelé|antes (?:usaba|vivía|tenía|trabajaba|era))\b"
        ),
        successor=_pattern(r"\b(?:sino|en su lugar|ahora|cambiamos|cambié|en vez)\b"),
        because=_pattern(r"\b(?:porque|ya que|puesto que|debido a|para que|en lugar de|en vez de)\b"),
        explains=_pattern(r"^(?:porque|ya que|la razón|el motivo|así|si no|de lo contrario)\b"),
        joins=_pattern(
            r",? pero (?=(?:yo|me|no me|mi|mis|nuestr\w+|el|la)\b)",
            r";\s+",
            r",? y (?=(?:yo|mi|mis|nuestr\w+|me)\b)",
        ),
        commas=_pattern(r"(?<=\w\w), (?=(?:yo|me|nos) )"),
        answers=_pattern(
            r"\b(?:responde\w*|contesta\w*|respuestas?|explica\w*|llámame|tutéame|trátame|español|inglés"
            r"|breves?|cortas?|párrafos?|viñetas|emojis?|tono|idioma|frases)\b"
        ),
        ahead=_pattern(r"\b(?:va a|voy a|vamos a|quiero|planeo|próxim[oa]|que viene|empieza|hasta|a partir)\b"),
        bounded=_pattern(r"\b(?:solo|sólo|hasta|por) (?:este|esta|hoy|mañana)\b"),
        past=_pattern(
            r"\b(?:(?:he|hemos) (?P<verb>\w+(?:ado|ido|cho|sto|rto))|(?P<verb>fui|fuimos|compré|compramos|corrí"
            r"|corrimos|viajé|viajamos|conocí|empecé|empezamos|terminé|gané|ganamos|perdí|nací|visité"
            r"|visitamos|participé|corrí|subí|hice|hicimos|tuve|tuvimos|aprobé|me (?:mudé|casé|gradué)))\b"
        ),
        placed=_pattern(
            r"\b(?:corre|corren|está|están|vive|usa|usan|escucha|es|son|tiene|tienen|necesita|se llama|van"
            r"|va|apunta|se \w+[ae]n?|funciona|ocupa|cuesta|dura)\b"
        ),
        vague=_pattern(r"^(?:eso|esto|ello|él|ella|ellos|ellas|ahí|así|aquí)\b|\b(?:tú|te|ti|tuyo|tus|tu)\b"),
        evaluates=_pattern(
            r"\b(?:genial|increíble|bonit[oa]s?|buen[oa]?s?|maravillos[oa]|divertid[oa]|importante|interesante)\b"
        ),
        of_self=_pattern(r"^(?:yo|nosotr[oa]s) (?P<verb>\w+)"),
        chatty=frozenset("creo pienso espero sé supongo entiendo veo".split()),
        kinds=(
            (
                Kind.LESSON,
                _pattern(
                    r"\b(?:la causa|la razón|el motivo|resultó que|resulta que|el problema (?:era|es|fue)"
                    r"|la solución|el truco|aprendí que|aprendimos que|causad[oa] por|se debía a)\b",
                    r"\b(?:falla|fallaba|falló|se cae|se cuelga|se rompe|no funciona) .{0,60}\b(?:porque|cuando|si"
                    r"|debido|con|desde)\b",
                ),
            ),
            (
                Kind.DECISION,
                _pattern(
                    r"\b(?:decidí|decidimos|hemos decidido|he decidido|acordamos|hemos acordado|elegimos|elegí"
                    r"|optamos|nos quedamos con|me quedo con|cambiamos|cambié|migramos|actualizamos"
                    r"|hemos (?:cambiado|migrado|actualizado|elegido|pasado|adoptado)|pasamos a|adoptamos"
                    r"|descartamos|reemplazamos|vamos con)\b",
                    r"^decisión\b",
                ),
            ),
            (
                Kind.CONSTRAINT,
                _pattern(
                    r"\b(?:debe|deben|hay que|tiene que|tienen que|prohibido|obligatori[oa]|no se (?:puede|permite"
                    r"|debe)|nuestra (?:regla|norma|política)|como máximo|al menos)\b",
                    r"\b(?:se escriben?|se hacen?|se nombran?|van? en|siempre|nunca|a partir de ahora)\b",
                ),
            ),
            (
                Kind.PREFERENCE,
                _pattern(
                    r"\b(?:me|nos) (?:gusta|encanta|molesta|disgusta|apetece|fascina)n?\b",
                    r"\b(?:prefiero|preferimos|odio|odiamos|detesto|adoro|favorit[oa]s?|no (?:como|bebo|tomo|uso))\b",
                    r"\b(?:le|les) (?:gusta|encanta)n?\b|^[\w ]{2,40} (?:odia|prefiere|detesta|quiere)\b",
                ),
            ),
            (
                Kind.FACT,
                _pattern(
                    r"\b(?:soy|somos|vivo|vivimos|trabajo (?:en|como|de|con|para)|trabajamos|tengo|tenemos|estudio"
                    r"|estudiamos|hablo|hablamos|uso|usamos|utilizo|utilizamos|toco|juego|aprendo|nací|me llamo"
                    r"|conduzco|enseño|dirijo|cocino|corro|llevo|estoy (?:en|casad|aprendiendo|estudiando"
                    r"|trabajando|leyendo|escribiendo)\w*)\b",
                    r"^(?:mi|mis|nuestr[oa]s?) (?:[\w-]+ ){1,5}(?:es|son|está|tiene|tienen|se llaman?|vive|trabaja"
                    r"|usa|corre|empieza|cumple|escucha|va|van)\b",
                ),
            ),
        ),
    )


# Chinese ------------------------------------------------------------------------------------------


@cache
def chinese() -> Words:
    """Matched in Simplified characters, which folding makes of the others, one for one."""
    return Words(
        name="Chinese",
        whole={
            "a question": _pattern(
                "[?？]", "[吗嘛呢]$|什么|怎么|为什么|哪[里个些儿]|谁[能会]|多少[钱个]|几[点个]|是不是|要不要|能不能|可不可以|好不好|有没有"
            ),
            "a hypothesis": _pattern(
                "如果|假如|假设|要是|万一|假装|扮演|可能会|也许|或许|说不定|说不准|考虑|有一天|将来可能|打算看看"
            ),
            "hearsay": _pattern(
                "听说|据说|有人说|人家说|大家说|他们说|网上说|据报道|传闻|你(?:刚才|之前)?说|文章(?:里)?说|读到|看到有人"
            ),
            "a joke": _pattern("开玩笑|哈哈|呵呵才怪|才怪|说笑|反话|[😉😜🤪🙃😏]"),
        },
        vetoes={
            "a request": _pattern(
                "^(?:请)?(?:帮|给|替)(?:我|忙)|^(?:请|麻烦)(?:你)?(?!.*(?:以后|总是|永远|一律|都))|^我(?:需要|想要|要)(?:一个|一份|你|帮)|^我们来|^让我"
            ),
            "small talk": _pattern(
                "^(?:谢谢|多谢|感谢|你好|您好|早安|晚安|早上好|再见|拜拜|太好了|好的|好啊|好吧|不错|真棒|恭喜|加油|没问题|没关系|辛苦了|收到)"
            ),
            "passing": _pattern("现在(?:正)?(?:好累|很累|很忙|很饿)|今天(?:很|好|有点)(?:累|忙|困|不舒服)|等一下|稍等|马上回来"),
            "about the listener": _pattern("^(?:你|您|妳)"),
        },
        openers=_pattern(
            "^(?:(?:其实|对了|顺便(?:说|一提)?|另外|还有|不过|而且|嗯|哦|喔|好|好的|是的|对|那么|所以|说真的|老实说|言归正传|正经的|找到原因了)[,，:：、。!！ ]*)+"
            "(?=.{4})"
        ),
        remember=_pattern("^(?:请)?(?:记住|记得|记下|记一下|注意|备忘)[,，:：]?(?!.*[吗呢]$)"),
        thinks=_pattern("^我(?:觉得|认为|猜|估计)"),
        hedges=_pattern("我(?:觉得|认为|想是|猜|估计)|大概|应该是|可能是|似乎|好像|看起来"),
        reports=_pattern("(?<!我)(?<!我们)(?:说|表示|提到|告诉我)(?:[,，:：]|他|她|过)"),
        of_another=_pattern("^(?!我|你).{1,12}(?:喜欢|讨厌|偏好|不喜欢|爱吃|不吃)"),
        corrects=_pattern("^(?:不对|不是|等等|更正|我说错了|说错了|搞错了|应该说|纠正)[,，:：。! ]*"),
        resolved=_pattern("(?:已经?|都|终于).{0,6}(?:修好|解决|完成|搞定|修复|关闭|上线|合并|部署)|(?:修好|解决|完成|搞定|修复|关闭|上线|合并|部署)(?:好)?了[。!！]?$|(?:恢复|正常)了[。!！]?$"),
        durable=_pattern("总是|永远|从不|绝不|一律|以后|从现在(?:起|开始)|今后|每次|每天|默认|都要|一定要|务必"),
        orders=_pattern(
            "^(?:请|麻烦)?(?:用|写|改|做|给|帮|把|翻译|解释|列出|检查|删除|生成|总结|回答|回复|说明|不要|别|总是|永远|一律|务必|以后(?:请|都|不要|别)|从现在(?:起|开始)[,，]?(?:请|都|不要|别|用))"
        ),
        ended=_pattern("不再|已经?不(?!错)|再也不|戒了|放弃了?|取消了?|停止了?|停用了?|没有再|不需要.*了"),
        successor=_pattern("改用|改成|换成|换到|改为|现在(?:用|住|喜欢)|而是|搬到"),
        because=_pattern("因为|由于|以便|免得|而不是"),
        explains=_pattern("^(?:因为|由于|原因|否则|不然)"),
        joins=_pattern("[;；]", "[,，]?(?:但是?|可是|不过)(?=我|我们)"),
        commas=_pattern("[,，](?=我|我们)"),
        answers=_pattern("回答|回复|解释|中文|英文|简短|简洁|详细|语气|表情|称呼|段落|条列"),
        ahead=_pattern("将|会|打算|计划|下(?:个|周|月|星期)|明(?:天|年)|即将"),
        bounded=_pattern("(?:只|仅)(?:限|在)?(?:这|本|今)"),
        past=_pattern("(?:我|我们).{0,14}?(?P<verb>(?:去|买|跑|参加|搬|完成|见|拜访|考|得|拿|赢|旅行|毕业|结婚|出生|开始|养|生|吃|看|学|换|辞职|入职)(?:到|完|上|过)?了)"),
        placed=_pattern("是|在|用|跑|运行|有|叫|需要|使用|位于|部署|放在|存在|支持|版本|端口"),
        vague=_pattern("^(?:这|那|它|他|她|此)(?!个|台|项)|你|您|妳"),
        evaluates=_pattern("很棒|很好|不错|真好|漂亮|有趣|好玩|厉害|重要"),
        of_self=_pattern("^(?:我|我们)(?P<verb>.)"),
        chatty=frozenset("想觉知希猜懂明理同看"),
        kinds=(
            (Kind.LESSON, _pattern("原因(?:是|在|:|：)|是因为|根本原因|结果发现|发现.*(?:才|就)|教训|解决(?:方法|办法)(?:是|:)|会.*(?:崩溃|失败|出错|卡住)|就好了|导致")),
            (Kind.DECISION, _pattern("决定|选择了|选了|定了|商定|敲定|改用|改成|换成|换到|升级(?:到|了)|迁移|不再(?:使?用)|采用|停用|放弃了|确定(?:用|使用)")),
            (Kind.CONSTRAINT, _pattern("必须|不得|禁止|不允许|不能(?:在|用|直接)|规定|规则|一律|务必|不可以|最多|至少|我们(?:每|都|只|从不|总是)|(?:我们|专案|项目|团队).{0,8}(?:用|使用).{0,30}(?:检查|格式化|测试|部署|管理|开发|做)|(?:提交|注释|文件|文档|讯息|信息).{0,8}(?:用|写|以)")),
            (Kind.PREFERENCE, _pattern("(?:最|更|很|比较|不)?喜欢|偏好|偏爱|讨厌|热爱|宁愿|习惯(?:用|喝|吃)|不吃|不喝|爱吃|爱喝|最爱|受不了|(?:吃|喝)(?:素|全素|咖啡不)")),
            (Kind.FACT, _pattern("我(?:们)?(?:现在|目前|已经|也|都|还|正在)?(?:住|是|在.{1,12}(?:工作|上班|读|念|学|教|当|做|任职)|叫|有|会(?:说|讲|弹|写)|养|学|教|用|使用|来自|对.{1,10}过敏|从事|负责|姓|属)|我(?:的)?(?:名字|生日|女儿|儿子|太太|先生|丈夫|妻子|老婆|老公|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|狗|猫|家|公司|团队|老板|同事|电脑|服务器).{0,14}(?:是|叫|在|有|住|岁|用|养|喜欢|搬|换)|我们?(?:的)?.{1,12}(?:叫|是|在|跑在|用的?是)")),
        ),
    )


# Which language -----------------------------------------------------------------------------------

_HAN = regex.compile(r"\p{Han}")
_KANA_OR_HANGUL = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Hangul}]")
_LATIN = regex.compile(r"\p{Latin}[\p{Latin}\p{M}'’]*")
_OTHER = regex.compile(r"[\p{L}--\p{Latin}]", regex.V1)

_GERMAN = frozenset(
    """
    ich wir mein meine meinen meiner unser unsere unseren ist sind nicht und der die das den dem ein
    eine einen einer auf mit für im vom zum zur bei nach seit ab heißt läuft habe haben kein keine
    keinen immer nie jetzt bitte auch mich mir uns merk dass weil nur sehr bin hat wird werden von zu
    am du dir in steht alle wurde wurden er es war aber oder wenn noch schon mehr
    """.split()
)
_SPANISH = frozenset(
    """
    el la los las un una unos unas de del en que y no mi mis nuestro nuestra nuestros nuestras es son
    está están soy somos tengo tenemos me nos gusta con por para al se lo ya pero porque cuando muy a
    ahora siempre nunca uso usamos vivo como su sus este esta partir más prefiero recuerda yo
    """.split()
)
_GERMAN_LETTERS = regex.compile("[äöüß]")
_SPANISH_LETTERS = regex.compile("[ñáéíóú¿¡]")
_ENGLISH = frozenset(
    """
    i i'm i've we we're my our the a an is are was were and or but not of to in on at for with it
    that this you your be do don't have has had will would can never always from by as so no they he
    she me us just use now please if
    """.split()
)


def of(text: str) -> Words | None:
    """The words of the language that a sentence is in, if it is one of ours."""
    if not text.isascii():
        if _KANA_OR_HANGUL.search(text):
            return None
        if len(_HAN.findall(text)) * 3 >= len(_LATIN.findall(text)):
            if _HAN.search(text):
                return chinese()
        if len(_OTHER.findall(text)) * 3 > len(text):
            return None
    said = [word.lower().replace("’", "'") for word in _LATIN.findall(text[:LONGEST_LOOK])]
    letters = " ".join(said)
    scores = {
        english: sum(word in _ENGLISH for word in said),
        german: sum(word in _GERMAN for word in said) + len(_GERMAN_LETTERS.findall(letters)),
        spanish: sum(word in _SPANISH for word in said) + len(_SPANISH_LETTERS.findall(letters)),
    }
    return max(scores, key=lambda each: scores[each])()


LONGEST_LOOK = 600
"""Characters of a sentence by which its language is told."""

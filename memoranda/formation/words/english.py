"""What tells an English sentence apart."""

from __future__ import annotations

from functools import cache

import regex

from memoranda.formation.words.form import Pattern, Words, pattern
from memoranda.text.claims.words import is_past
from memoranda.types import Kind

_I = r"\b(?:i|we)(?:'m|'re|'ve|'d)?\b"
_ADVERBS = (
    r"(?: (?:really|also|still|just|always|usually|often|currently|now|actually|absolutely|totally"
    r"|do|mostly|generally|strongly|definitely|honestly|never|even|both|all|already|recently"
    r"|finally|have|has|had|only|kind of|simply|mainly|personally|much|would|was|were|been|do not"
    r"|don't|cannot|can't|not))*"
)
_MINE = r"\b(?:my|our)\b"
_DOER = rf"(?:{_I}|{_MINE}(?: [\w'-]+){{1,3}}|the (?:team|client|customer|company|family)|nobody)"
_LIKING = (
    r"(?:love|loves|loved|like|likes|prefer|prefers|preferred|hate|hates|enjoy|enjoys|dislike"
    r"|dislikes|adore|adores|despise|favou?r|favou?rs|insist on|insists on|loathe|detest|(?:can't"
    r"|cannot|can not|couldn't) stand|(?:don't|doesn't|do not|does not) (?:like|care for|enjoy|eat"
    r"|drink|want|use)|rather)"
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
    "|merge|mention|move|name|open|pick|plan|post|print|proceed|proofread|pull|push|put|read"
    "|refactor|remind|remove|rename|repeat|replace|reply|rerun|resend|restart|return|review|rewrite"
    "|run|save|search|send|set|shorten|show|simplify|skip|sort|start|stop|suggest|summari[sz]e|take"
    "|tell|test|think|translate|try|update|use|verify|wait|walk|write|don't|do not|never|always"
    "|please"
)
_PLACED = (
    r"\b(?:runs?|running|listens?|lives?|sits?|is hosted|are hosted|is deployed|deployed|is stored"
    r"|are stored|points? (?:to|at)|is reachable|is installed|is built|are built|built with|mounted"
    r"|lands?|is (?:at|on|in|behind|under)|are (?:at|on|in|behind|under)|uses?|needs?|requires?|has"
    r"|have|is called|is named|serves?|resolves?|connects?|backed by|version|speaks|is an?|are|is"
    r"|expires?|renews?|ships?|exports?|writes?|reads?|sends?|fails?|hosts?)\b"
)


@cache
def words() -> Words:
    return Words(
        name="English",
        weak=WEAK,
        changes=CHANGES,
        chatty=CHATTY,
        evaluates=EVALUATIONS,
        things=pattern(
            r"^an? |\bis the \w+ of\b",
            r"^(?:the|this|these|those) (?:\w+ )?(?:tests?|functions?|methods?|class|variables?"
            r"|loop|button|page|file|files|output|error|title|script|query|column|row|component"
            r"|paragraph|character|answer|result|results|list|text|code|user|users|train|recipe"
            r"|story|essay)\b",
        ),
        of_self=ABOUT_SELF,
        is_past=lambda verb: is_past(verb) or verb in ("was", "were", "had"),
        past=PAST_BY_SELF,
        placed=PLACED,
        vague=pattern(
            r"^(?:it|that|this|they|he|she|there|these|those|one|here)(?:'s|'re)?\b", r"\byou"
        ),
        tail=pattern(rf",? so (?:please |just )?(?=(?:{_IMPERATIVES})\b)|[,;] please (?=\w)"),
        answers=pattern(
            r"\b(?:answers?|repl(?:y|ies)|respond|responses?|explain|call me|address me|address"
            r"|talk|speak|paragraphs?|bullets?|emojis?|tone|units?|metric|celsius|english|german"
            r"|spanish|french|chinese|language|short|concise|verbose|brief|sentences?|summar(?:y"
            r"|ies)|examples?)\b"
        ),
        ahead=pattern(
            r"\b(?:will|going to|gonna|plan|planning|starts?|starting|begins?|turns|moving|next"
            r"|want|upcoming|due|expires?|ends|by|until|arrives?|leaves?|in \w+ (?:days?|weeks?"
            r"|months?|years?)|from (?!\w+ to)|'ll)\b"
        ),
        bounded=pattern(
            r"\b(?:only|for|until|through) (?:this|the current|today|tomorrow|the (?:rest|next))\b"
        ),
        explains=pattern(
            r"^(?:because|the reason|that way|otherwise|since|it's because|that's because)\b"
        ),
        whole={
            "a question": pattern(
                r"\?",
                r"^(?:and |but |so |ok |well )?(?:what(?! (?:finally |really )?(?:helped|worked"
                r"|fixed|solved))|which|who|whose|how|why|where|when(?= (?:is|are|do|does|did|can"
                r"|should|will)))\b(?!ever)",
                r"^(?:can|could|would|will|do|does|did|is|are|should|shall|have|has|may|any) (?:i"
                r"|you|we|it|there|he|she|they|this|that|the|my|idea|chance|thoughts)\b",
                r"\bi(?:'m| am| was)? (?:wonder|wondering|curious)\b",
                r"\b(?:not sure|unsure|no idea|don't know|do not know) (?:if|whether|what|how"
                r"|which|why|when|where)\b",
            ),
            "a hypothesis": pattern(
                r"\b(?:if|unless|suppose|supposing|imagine|say) (?:i|we|you|he|she|they|it"
                r"|the [\w-]+|my [\w-]+) (?:were|was|had|did|used|moved|switched|wanted|would"
                r"|could|went|got|took|ran|chose|lived)\b",
                r"^(?:suppose|supposing|imagine|hypothetically|pretend|let's (?:say|pretend|assume"
                r"|imagine)|what if|assuming|in theory|in case|if only)\b",
                r"\b(?:hypothetically|in theory|pretend|role-?play|for the sake of argument)\b",
                r"\b(?:might|may|maybe|perhaps|possibly|could) (?:\w+ )?(?:get|buy|try|move|switch"
                r"|go|start|want|need|do|be|have|use|consider|take|adopt|become|end up)\b",
                r"\b(?:i|we)(?:'m| am|'re| are)?(?: \w+ly)? (?:toying|considering|thinking (?:of"
                r"|about)|tempted|torn|contemplating)\b",
                r"^(?:i|we)(?: would|'d) (?!rather|prefer|say|like|love)",
                r"^if .*\b(?:will|'ll|would|won't)\b",
                r"\bif (?:you|i|we) .*\b(?:'ll|will|would|'d|let me know)\b|^(?:i|we)(?: would"
                r"|'d) love to\b",
                r"\b(?:some ?day|sometime|one day|who knows)\b",
                r"^(?:i|we) should\b(?! (?:always|never))",
                r"\b(?:would|could|might) have (?:been|had)\b",
            ),
            "hearsay": pattern(
                r"\b(?:some ?one|some ?body|people|they|folks|everyone|rumou?rs?|a friend|a guy"
                r"|reddit|the internet|the article|an article|the news|the docs?) (?:say|says|said"
                r"|claims?|claimed|told|thinks?|recommends?|swears?|mentioned|suggests?|has it)\b",
                r"\b(?:apparently|allegedly|supposedly|reportedly|rumou?r)\b",
                r"\b(?:i|we)(?:'ve| have)? (?:heard|read|saw (?:somewhere|online)|was told"
                r"|were told)\b(?! back)",
                r"\baccording to\b",
                r"\b(?:the|this|that|his|her|their) (?:e-?mail|message|article|post|page|text"
                r"|author|blog|letter|review|transcript|document)s? (?:says?|said|claims?|states?"
                r"|reads?)\b",
                r"\byou (?:said|told|mentioned|suggested|recommended|proposed)\b",
            ),
            "a joke": pattern(
                r"\b(?:just kidding|kidding|joking|jk|lol|lmao|rofl|wink|yeah right|sarcasm"
                r"|as if!?$|not\.\.\. not)\b(?<!jokes aside)",
                r"(?:^|\s)/s$",
                r"[😉😜🤪🙃😏]",
                r"^(?:oh )?(?:sure|great|wonderful|fantastic|brilliant|lovely|right"
                r"|perfect)[,!] (?:because|i|another|just|my|we)\b",
                r"\bbecause (?:who doesn't|who wouldn't|that always)\b",
                r"\b(?:favou?rite thing ever|living the dream|can't get enough of (?:meetings"
                r"|bugs))\b",
            ),
        },
        vetoes={
            "a request": pattern(
                r"^(?:i|we)(?:'d| would)? (?:need|want|like|love|wish)(?: for)? (?:you|your)\b",
                r"^(?:i|we) (?:just )?need (?:an?|some|help|to know|the|another|more)\b",
                r"^i(?:'m| am) looking for\b",
                r"^only (?:"
                + _IMPERATIVES
                + r")\b|\bshould (?:say|be|have|look|return|contain|show|read"
                r"|mention|include|start|end|use|go)\b(?!.*\b(?:always|never)\b)",
                r"^(?:let's|lets|let me|let us)\b(?! (?:go with|use|stick|stay|agree"
                r"|standardi[sz]e))",
            ),
            "small talk": pattern(
                r"^(?:thanks|thank you|thx|cheers|hi|hello|hey|good (?:morning|night|evening|luck)"
                r"|bye|see you|talk (?:soon|to you)|welcome|congrats|congratulations|wow|awesome"
                r"|cool|nice|sounds|take care|have (?:a|fun)|keep (?:it|up|going|me)|glad"
                r"|happy (?:to|for)|no (?:problem|worries|doubt)|great|well done|enjoy|can't wait"
                r"|love (?:it|that|this|your)|that's|that is|that (?:sounds|looks|must|was|would"
                r"|will)|this is|it's (?:great|so|nice|good|amazing|awesome|all|always|really"
                r"|important|been great|cool|okay|ok|fine))\b",
                r"\bi(?:'m| am) (?:so |really |super |very |just |truly |glad |always )*(?:glad"
                r"|happy|proud|sorry|excited|thrilled|grateful|thankful|here|sure|afraid|stoked"
                r"|rooting|impressed|honou?red|interested) (?:for|of|to hear|you|we|that"
                r"|about your|it|if|with|to (?:see|hear|know)|by your|in your)\b",
                r"\b(?:i|we) (?:really |totally |truly |so |completely |can )*(?:hope|wish|agree"
                r"|bet|appreciate (?:you|your|it|that|the)|understand|see (?:what|why|that|how"
                r"|your)|hear you|get it|know|guess|mean|think (?:that's|it's|you|so|about)"
                r"|'ll keep|can't (?:wait|imagine|agree)|couldn't agree)\b",
                r"\b(?:believe in|proud of|good for|thinking of|rooting for|here for) (?:you"
                r"|yourself)\b",
            ),
            "work at hand": _at_hand(
                r"(?:i|we)(?:'m| am|'re| are)? (?:now |still |just |also )*(?:getting|get|got|see"
                r"|seeing|hit) (?:an?|this|the|that|these|some) (?:[\w-]+ )?(?:\d+|error|errors"
                r"|exception|warnings?|crash|message|traceback|output|result|file|failure)\b",
                r"i(?:'ve| have)?(?: just| already| also| then| only)* (?:attached|pasted|copied"
                r"|added|removed|deleted|edited|restarted|reran|retried|re-?ran|rebooted|clicked"
                r"|changed|updated|tried (?:that|this|it|to|both|all|again|the)|ran (?:the|it|this"
                r"|that|your|a \w+ script)|did (?:that|this|it|so)|checked|looked (?:at|into)"
                r"|created (?:a|the) (?:file|branch|pr|function|class|test|script)|wrote (?:a"
                r"|the) (?:test|function|script|query))\b",
                r"(?:i|we) (?:\w+ )?(?:need|have|ought|still need|got) to (?!know my)",
                r"(?:i|we) (?:just |only |really )?(?:want|would like"
                r"|'d like) (?:to (?:\w+ )?(?:this|the|that|it|these|those|all)\b|(?:the|this|it"
                r"|these|that)\b)|(?:i|we)'d like (?:the|this|it|these|that|to)\b",
                r"(?:i|we)(?:'ve| have)(?: got)? (?:an?|one|two|another|some|the|this"
                r"|\d+) (?:\w+ )?(?:question|problem|issue|list|file|table|script|function|error"
                r"|bug|idea|request|task|csv|json|dataset|method|class|query|string|array)s?\b",
                r"(?:my|our) (?:\w+ )?(?:code|question|goal here|function|script|tests?|output"
                r"|query|prompt|input|file|answer|point|problem|issue|guess|attempt|example"
                r"|draft)\b",
                r"(?:i|we) (?:\w+ )?(?:like|love|hate|prefer|enjoy|dislike|want|don't like"
                r"|don't want) (?:\w+ing )?(?:it|this|that|these|those|(?:the|your) (?:first"
                r"|second|third|last|other|new|current|final|\w+ (?:one|option|version|idea"
                r"|answer)|idea|way|answer))\b(?! (?:is|are) )",
                r"i(?:'ve| have)?(?: just| already| also| then| only)* (?:noticed|forgot|reverted"
                r"|installed|committed|saved|sent|opened|uploaded|downloaded|was (?:thinking"
                r"|trying|wondering))\b",
                r"we can\b|i(?:'ll| will)\b|i can (?:see|do|try|also|just|then|send|give|show|make"
                r"|add)\b",
                r"the (?:first|second|third|last|next|other|same|current) ",
                r"here(?:'s| is| are)\b",
                r"in (?:this|the) (?:chapter|story|scene|essay|paragraph|example|exercise|snippet"
                r"|function)\b",
                r"(?:the|this|it|my|our)\b.*\b(?:keeps \w+ing|(?:is|are) not \w+ing|isn't \w+ing"
                r"|not working|again|(?:doesn't|does not|won't|don't) (?:do|work|load|start|open"
                r"|show)|looks? (?:wrong|like this|good|weird|fine|off)|still (?:fails?|broken|red"
                r"|the same)|same (?:error|problem|result)|below|above|attached|so far)\b",
                r".*\b(?:line|page|column|row|step|question|exercise|slide|figure) (?:\d+|[a-z])\b",
                r"i(?:'ve| have)?(?: \w+ly| just)? \w+ed .*\b(?:and|but) (?:now|it|nothing|still"
                r"|every)\b",
                r"(?:i|we) (?:keep (?:seeing|getting)|was able to|were able to|can't (?:find|see"
                r"|get|open))\b|.*\bby mistake\b",
            ),
            "passing": pattern(
                r"\bin (?:an?|\w+) (?:minutes?|mins?|hours?|seconds?)\b|\bby \d+ ?(?:am|pm)\b",
                r"\b(?:right now|at the moment|one sec|just a sec|brb|hang on|hold on|give me a"
                r"|in a (?:minute|moment|bit)|for a (?:minute|moment|bit|while)|back in)\b",
                r"\b(?:i|we)(?:'m| am|'re| are|'ve got| have) (?:\w+ )?(?:tired|hungry|sick|busy"
                r"|sleepy|bored|exhausted|cold|a (?:bit |little )?(?:cold|headache|fever|hangover)"
                r"|late|stuck|in a (?:hurry|meeting|rush)|on (?:a|the) (?:train|bus|phone|call)"
                r"|swamped)\b(?=.*\b(?:today|now|tonight|this (?:morning|afternoon|evening))|$"
                r"|[,.!])",
                r"\b(?:off to|heading (?:out|off)|gotta (?:go|run)|got to go|have to go"
                r"|need to go)\b",
            ),
            "about the listener": pattern(
                r"^(?:(?:and|but|so|yeah|yes|yep) )?(?:you|your|you're|you've|you'll"
                r"|y'all)\b(?! (?:can reach|must|should never))",
            ),
        },
        openers=pattern(
            r"^(?:(?:no(?=[,;:!.—–-])|ok(?:ay)?|so|well|yes|yeah|yep|and|but|oh|hey|btw|by the way"
            r"|also|actually|honestly|anyway|plus|fyi|ah|hmm|for your info(?:rmation)?"
            r"|just so you know|as you know|all jokes aside|joking aside|seriously|in fact"
            r"|to be clear|to be honest|frankly|in case it matters|again|reminder|note|update"
            r"|correction|sorry|unfortunately|luckily|fun fact|full disclosure|that said|good"
            r"|great|fine|right|sure|alright|thanks|first|second|finally|surprise|one more thing"
            r"|small thing|heads up)[,:;!.—–-]* +)+",
        ),
        remember=pattern(
            r"^(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget"
            r"|make a note|for the record|for future reference|fyi|save this|take note|memori[sz]e"
            r"|good to know)(?: that|:|,)* +",
            r"[,;.]? (?:please )?(?:remember|keep|note|memori[sz]e) (?:that|this|it)[.!]?$",
        ),
        thinks=pattern(
            r"^(?:i|we) (?:think|believe|guess|suspect|assume|suppose|reckon)(?: that)? (?!so\b"
            r"|about\b|of\b)"
        ),
        hedges=pattern(
            r"\b(?:i|we) (?:think|believe|guess|suspect|assume|suppose|reckon|feel like)\b",
            r"\b(?:maybe|perhaps|probably|possibly|presumably|seems?|seemingly|looks like|appears"
            r"|likely|might|may be|could be|not sure|as far as i (?:know|remember)|if i remember"
            r"|afaik|iirc|i'd say|sort of)\b",
        ),
        reports=pattern(
            r"(?<!\bi )(?<!\bwe )\b(?:says|said|told (?:me|us)|mentioned|claims|claimed|announced"
            r"|recommends|recommended|swears)\b",
        ),
        of_another=pattern(
            r"^(?!(?:i|we)\b)(?:[\w',-]+ ){1,6}?(?:can't stand|wants|hates|loves|likes|dislikes"
            r"|prefers|enjoys|insists|asked for)\b",
        ),
        corrects=pattern(
            r"^(?:(?:no|wait|oh|hm+|sorry|actually|oops|ah)[,!. —–-]+)*(?:no wait|wait"
            r"|scratch (?:that|what)[^,.:]{0,30}|correction|i misspoke(?: [\w ]{1,15})?|i meant"
            r"|i mean|my mistake|my bad|make that|oops|let me correct|sorry, (?:i meant|it's"
            r"|that's|not)|strike that|forget (?:that|what i said))\b",
        ),
        resolved=pattern(
            r"\b(?:is|are|was|were|got|'s|been|now|all|it) (?:now |all |finally |already |been "
            r"|both )*(?:fixed|resolved|solved|done|merged|closed|finished|complete|completed|over"
            r"|sorted|deployed|working again|back up|back online|green|passing|shipped"
            r"|up again)\b(?! (?:on|at|every|from|until|during|for)\b)",
            r"^(?:i|we)(?:'ve| have| just| finally| already)* (?:fixed|resolved|solved|merged"
            r"|closed|finished|completed|deployed|pushed|committed|sorted|restarted|rebooted"
            r"|patched)\b",
            r"\b(?:works? (?:now|again|fine)|up and running|good to go|all set"
            r"|tests? pass(?:es)?)\b",
        ),
        durable=pattern(
            r"\b(?:always|never|from now on|going forward|in (?:the )?future|by default|every time"
            r"|whenever|as a rule|at all times|any ?more|until further notice|each time"
            r"|without exception|in general|permanently|on principle|that's our (?:rule|policy"
            r"|convention)|must)\b",
            r"^(?:when|before|after|for) (?:you |we |every |each |any |all )?[\w -]{3,40},",
            r"^(?:please )?(?:stop \w+ing|avoid)\b|^please (?:don't|do not|never)\b"
            r"|^no (?:\w+ ){1,3}please",
            r"\b(?:before|after|on|in|for|with) (?:every|each)\b",
            r"\b(?:call|address) me (?!back|later|when|if)|\b(?:everything|anything|all) you\b"
            r"|\b(?:when|whenever) (?:you|we|i)\b|\bdon't ever\b",
            r"\b(?:only|for) (?:this|the current) (?:sprint|release|week|month|project|quarter)\b",
            r"\bno (?:[\w-]+ ){1,4}(?:on|after|before|without|in) ",
        ),
        orders=pattern(
            r"^no (?:\w+ ){1,3}please\b|^(?:stop|avoid) ",
            rf"^(?:{_IMPERATIVES})\b(?!:| (?:is|are|was)\b)",
            r"^(?:from now on|going forward|in (?:the )?future|(?:whenever|when|after|before|for"
            r"|every"
            rf" time) [^,]{{3,40}}),? (?:please )?(?:{_IMPERATIVES})\b(?!:| (?:is|are|was)\b)",
        ),
        ended=pattern(
            r"\b(?:no longer|any ?longer|any ?more|used to|gave up|give up|given up|called off"
            r"|cancell?ed|off the table|not happening|isn't happening|came to an end|broke up"
            r"|retired)\b",
            r"\b(?:i|we|he|she|they|[a-z]+)(?:'ve| have| has)?(?: just| finally)? (?:stopped|quit"
            r"|dropped|abandoned|ditched|scrapped)\b",
            r"\bforget what i said about\b",
            r"\b(?:don't|do not|doesn't) care either way\b",
            r"\bno [\w ]{1,30} needed\b",
            r"\b(?:is|are) back (?:in|on|to)\b",
        ),
        successor=pattern(
            r"\b(?:instead|switched|moved (?:to|from)|replaced|now (?:use|live|work|prefer|drink"
            r"|eat|i|we)|now|went to|in favou?r of|only [\w-]+ does|but now|these days|rather)\b",
        ),
        because=pattern(
            r"\b(?:because|'cause|cause|since it|since they|since we|so that|due to"
            r"|the reason (?:is|being|was)|as it|as they|in order to|to avoid|instead of"
            r"|rather than)\b",
        ),
        commas=pattern(
            r"(?<=\w\w), (?=(?:i|we|i'm|i've|we're) (?!think|guess|hope|know|mean|believe))"
        ),
        joins=pattern(
            r"(?:,|;)? but (?=(?:i|we|my|our|the|he|she)\b)",
            r";\s+",
            r",? and (?=(?:i|i'm|i've|we|we're|my|our|the)\b)",
            r", and (?=[\w-]+ (?:is|are|was|runs?|lives?|lands?|goes|has|uses?|needs?|works?)\b)",
            r" [-–—]{1,2} (?=(?:i|we|my|our)\b)",
        ),
        kinds=(
            (
                Kind.LESSON,
                pattern(
                    r"\b(?:root cause|turned out|turns out|culprit|the (?:trick|key|catch|fix"
                    r"|lesson|solution|workaround|reason|cause|problem|issue|bug)s? (?:is|was|were"
                    r"|are|that|here)(?! (?:now |all |finally |already )*(?:fixed|resolved|solved"
                    r"|gone|done|closed|back))|lesson learned|learned (?:that|the hard way)|(?:was"
                    r"|were|is) caused by|never again|gotcha|found (?:out|that)|figured out"
                    r"|comes? down to|was down to|boils? down to)\b",
                    r"\b\w+ing .{3,60} (?:fixed|solved|cured) (?:it|this|that|the)\b"
                    r"|\bcame from (?:an?|the)\b",
                    r"\b(?:fails?|failed|breaks?|broke|crash(?:es|ed)?|leaks?|leaked|hangs?|hung"
                    r"|drops?|timed? out|stalls?|corrupts?|didn't (?:work|run|start)|doesn't work"
                    r"|won't|never works?|only works?|slow(?:s|ed)?) .{0,60}\b(?:because|when|if"
                    r"|unless|until|due to|with|on|after|from|since)\b",
                    r"\b(?:leak|bug|error|problem|issue|crash|fault|failure|bottleneck|outage"
                    r"|regression)s? (?:was|is|were|came|comes|happens?|occurs?) (?:in|from|with"
                    r"|when|only|because|after)\b",
                    r"^what (?:finally |really )?(?:helped|worked|fixed|solved)\b",
                    r"\b(?:went away|solved by|fixed by|helped was)\b",
                ),
            ),
            (
                Kind.DECISION,
                pattern(
                    rf"(?:{_I}|\bteam|\bboard|\bcommittee)(?:'ve| have| has| had)?(?: just| finally"
                    rf"| all"
                    r"| both| now| then| also)* (?:decided|chose|chosen|picked|settled|agreed"
                    r"|opted|committed to|standardi[sz]ed|went with|going with|sticking with"
                    r"|stick with|stay|staying|resolved to|voted|ruled out|rejected|gave up"
                    r"|dropped|abandoned|adopt|adopted|will use|won't use|are using|replaced"
                    r"|postponed|scrapped|approved|switched|switching)\b",
                    r"\bwe(?:'ve| have)?(?: just| finally| all)* moved (?:to|from) ",
                    r"^(?:decision|decided|verdict|agreed)\b",
                    r"\b(?:i|we)(?:'ll| will) (?:go with|use|stick with|stay with|adopt"
                    r"|keep using)\b",
                    r"^let's (?:go with|use|stick|stay|agree|standardi[sz]e)\b",
                    r"\b(?:it was decided|our decision|the decision is|final answer"
                    r"|signed (?:it )?off|is off the table|for (?:this|the current) (?:sprint"
                    r"|release|quarter) only)\b",
                ),
            ),
            (
                Kind.ENVIRONMENT,
                pattern(
                    r"\bwe(?:'ve| have)?(?: just| finally| also)* (?:upgraded|migrated|renamed"
                    r"|updated|changed|bumped|rotated|resized|expanded)\b",
                ),
            ),
            (
                Kind.CONSTRAINT,
                pattern(
                    r"\b(?:we|all|every ?\w*|each|nobody|no one|they|agents?|users?"
                    r"|the [\w ]{1,30}) (?:must|mustn't|must not|has to|have to)\b(?! (?:(?:have"
                    r"|'ve) (?:been|\w+ed)|be (?:so|really|very|great|nice|hard)))",
                    r"\b(?:are not allowed|is not allowed|isn't allowed|forbidden|required to"
                    r"|is required|are required|mandatory|prohibited|nobody (?:may|is)"
                    r"|no one (?:may|is)|at most|at least|no more than|our (?:rule|policy"
                    r"|convention|standard)|is (?:the|our) (?:rule|convention|policy))\b",
                    r"\bwe (?:\w+ )?(?:lint|format|test|deploy|release|review|commit|document|tag"
                    r"|branch|squash|rebase|ship|merge|sign|version|log|pin|require|store"
                    r"|do want)\b",
                    r"\bwe (?:don't|never|always|only) (?!know|see|hear|think|have time|get to)",
                    r"^(?:the|all|every|our|in this [\w-]+|new|each)\b.* (?:goes?|gets?|(?:are"
                    r"|is) (?:written|named|kept|signed|reviewed|formatted|tested|merged)"
                    r"|stays?) (?:in|into|to|on|with|by|under|through|out|only)\b",
                    r"\bsigns off\b",
                ),
            ),
            (
                Kind.PREFERENCE,
                pattern(
                    rf"{_DOER}{_ADVERBS} {_LIKING}\b",
                    r"\b(?:i|we) (?:\w+ )?find .+ \w+(?:ing|ful|ive|ish|less|ible|able)\b|\bi(?:'m"
                    r"| am) fine with\b|\b(?:don't|do not|wouldn't) mind\b"
                    r"|\bworks? (?:\w+ )?for me\b",
                    rf"{_I}(?: am| are| was)?{_ADVERBS} (?:\w+ )?{_FOND}\b",
                    rf"{_MINE} (?:\w+ )?(?:favou?rite|preferred|go-to|dream|hobby|hobbies"
                    rf"|passion)\b",
                    rf"{_I} (?:never|always|only|no longer|don't|do not) (?:\w+ )?(?:eat|drink|use"
                    rf"|wear|watch"
                    r"|buy|read|listen|work|take|smoke|cook)\b",
                    r"\b(?:preference|suits? me|works (?:best|better) for me|don't care (?:for"
                    r"|about|either))\b",
                    r"^(?!(?:it|this|that|there|every|no|who|what|sounds|looks"
                    r"|feels)\b)[\w', .-]{2,50}? (?:can't stand|wants|hates|loves|likes|dislikes"
                    r"|prefers|insists on|asked for|is allergic to)\b",
                    rf"{_I}{_ADVERBS} (?:drink|take|eat|wear|order) (?!care|place|part|it |your"
                    rf"|a look|advice)",
                ),
            ),
            (
                Kind.FACT,
                pattern(
                    rf"{_I}{_ADVERBS} (?:live|work|study|teach|own|have|speak|play|come|came|grew"
                    rf"|run"
                    r"|drive|learn|studied|learning|practi[sc]e|collect|coach|volunteer|manage"
                    r"|lead|triage|maintain|use|got|need|follow|belong|know|keep|build|make|write"
                    r"|cook|train|sing|paint|travel|commute|support|host|read|weigh|sleep|go|avoid"
                    r"|plan|want|aim|hope to|help)\b",
                    r"\b(?:i'm|i am|we're|we are)(?: not| currently| still| also| now"
                    r"| originally)* (?:an?|the|from|in|at|allergic|vegetarian|vegan|married"
                    r"|single|based|\d+|left-handed|engaged|divorced|retired|studying|working"
                    r"|learning|training|writing|reading|building|moving|planning|going|trying"
                    r"|saving|starting|getting|doing|taking|pregnant|diabetic|on)\b",
                    r"\b(?:i've|we've|i have|we have) been\b",
                    rf"^{_MINE} (?:[\w'&-]+ ){{1,6}}(?:is|are|was|were|has|have|had|lives?|works?"
                    rf"|called|named"
                    r"|turns?|starts?|loves?|plays?|goes|runs?|likes?|died|moved|got|reached"
                    r"|switched|says|helps?|makes?|keeps?|uses?|speaks?|needs?|expires?|listens?"
                    r"|arrived|'s)\b",
                    r"^(?:i|we)\b.* (?:every|each) \w+|\b(?:i'm|i am)(?: an?)? \w+-\w+",
                    r"^(?!(?:it|that|this|there|what|who|he|she|they)\b)\w+ (?:is|are) (?:now"
                    r"|currently) |^\w+ only \w+s\b",
                    r"\b(?:is|are) (?:called|named|short for)\b|^an? [\w -]{2,30} (?:called"
                    r"|named)\b",
                    r"^(?!(?:it|that|this|there|you|what|who)\b)[\w'& -]{2,40}? (?:has |have "
                    r"|had )?(?:just )?(?:switched|moved (?:to|in|from|away|back)|renamed|replaced"
                    r"|joined|left (?:the|us|for)|married|got (?:married|engaged|promoted)"
                    r"|passed away|became|retired|turns \w+|works? from|reached)\b",
                    r"^(?:[\w-]+ ){1,5}(?:is|are) .*\b(?:for all|for every|of all|our"
                    r"|everywhere)\b",
                ),
            ),
        ),
    )


def _at_hand(*begins: str) -> Pattern:
    """How someone begins who tells of what they are working on, unless something is learnt."""
    learnt = r"because|caused by|cause|turns? out|turned out|always|never|every|each|decided|must"
    return pattern(rf"^(?!.*\b(?:{learnt})\b)(?:{'|'.join(begins)})")


PAST_BY_SELF = regex.compile(
    r"^(?:(?:yesterday|last|this|on|in|so|and|then|today|earlier|recently|just|since|a|after"
    r"|the)[^,]{0,40}?,? )?(?:i|we|me and [\w ]{1,20}|my [\w ]{1,24}and i)(?!(?:'ve"
    r"| have) got)(?:'ve| have| had)?(?: (?:just|finally|recently|also|already|even|actually|really"
    r"|never|only|both))* (?P<verb>[\w']+)"
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
    _PLACED
    + r"|^(?:the|our|all|every|each|new|no|in|on|for|at|since)\b|\b(?:no longer|anymore|now|since"
    r"|instead|only|every|each|via|per|until|follow|live|need|go|run)\b|\b\w+(?:ed|es|ts|ks|ds|ns"
    r"|ps|rs|ls|ms)\b"
)
"""Says of a thing what it is, where it stands, what it needs or does."""

EVALUATIONS = regex.compile(
    r"\b(?:amazing|awesome|great|beautiful|nice|incredible|wonderful|fantastic|lovely|gorgeous|cool"
    r"|inspiring|fun|impressive|adorable|cute|perfect|exciting|interesting|super|delicious|best"
    r"|worth|important|special|rewarding|tough|powerful|good)\b"
)
"""What someone thinks of a thing is no fact about it."""

ABOUT_SELF = regex.compile(
    r"^(?:(?:since|in|on|for|from|at|after|before|until|every|each|as|by)\b[^,]{2,40},? )?(?:i"
    r"|we)(?:'m|'re|'ve| am| are| have| had| was| were| do| don't| can't| didn't"
    r"| haven't)?(?: \w+ly| just| also| still| always| never| not| only| both| now"
    r"| no longer)* (?P<verb>[\w']+)"
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

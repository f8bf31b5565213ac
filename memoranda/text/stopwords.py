"""Words without content, which would match almost every text.

English in full; of other languages the commonest that are no names or words of content elsewhere
(nas, os, die, la). A question made of nothing else is still looked up.
"""

_ENGLISH = """
a about above after again against all also am an and any are aren as at be because been before being
below between both but by can cannot could couldn did didn do does doesn doing don down during each
ever few for from further get go got had hadn has hasn have haven having he her here hers herself
him himself his how i if in into is isn it its itself just ll let me more most mustn my myself no
nor not of off on once only or other ought our ours ourselves out over own please re same shan she
should shouldn so some such tell than that the their theirs them themselves then there these they
this those through to too under until up us very ve was wasn we were weren what when where which
while who whom whose why will with won would wouldn you your yours yourself yourselves
aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't shan't shouldn't
wasn't weren't won't wouldn't s t d m
"""

_OTHERS = """
el ella ellos los las una unos del por para porque cual cuando donde quien pero más
der das dem den des ein eine einem einen einer eines und ist sind nicht wer wie wir ich sie auf auch
aus bei nach oder uns vom von warum wird zu zum zur
le les une dans du est et qui que pas où avec pour sur votre vous nous je elle ils ne
il lo gli che di della delle per più sono nella
uma não seu sua pelo pela você
"""

ENGLISH = frozenset(_ENGLISH.split())
STOPWORDS = ENGLISH | frozenset(_OTHERS.split())

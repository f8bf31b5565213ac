"""Words without content, which would match almost every text.

English in full; of other languages the articles, pronouns and prepositions that are not also words
of content in English. A question made of nothing else is still looked up.
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
al como con cual cuando de del donde el ella ellos en es esta este la las lo los nos para pero por
porque que quien se sus un una uno unos y ya
aber als am auch auf aus bei bist das dass dem den der du ein eine einem einen einer
eines er es hat ich ihr im ist mein nach nicht noch oder sein seine sich sie sind und uns unser
vom von vor wann warum was wer wie wir wird wo zu zum zur
au aux avec ce ces cette dans du elle est et eux il ils je le les leur mais mes mon ne nous
ou où par pas qui sa ses ta te tes tu une vos votre vous
da das de do dos e em na nas no nos os pelo pela seu sua um uma você
che della delle di gli ho il io lo mi nel nella non per più sono tra un una
"""

STOPWORDS = frozenset(_ENGLISH.split()) | frozenset(_OTHERS.split())

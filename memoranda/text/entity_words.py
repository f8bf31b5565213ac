"""Words that the rules for names know, in lower case: what is no name, and what tells of what kind
the name beside it is. English and some German; closed lists, to which a word is added when a text
shows that it is missing.
"""

from __future__ import annotations

from memoranda.text.stopwords import STOPWORDS

CALENDAR = frozenset(
    """
may monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
fridays saturdays sundays mon tue tues wed thu thurs fri january february march april june july
august september october november december jan feb mar apr jun jul aug sep sept oct nov dec montag
dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz mai juni juli
oktober dezember am pm gmt utc cet cest est pst today tomorrow yesterday tonight
""".split()
)
"""Days and months, which are times."""

ALWAYS = STOPWORDS | CALENDAR
"""Never a name by itself, wherever it stands. Acronyms such as US and IT are not taken either."""

COMMON = frozenset(
    """
able absolutely according ack actually add adding additionally admittedly adult after afterwards
again agree agreed ah aha ahh alas almost alone along already alright also although always amazing
amen among announce anybody anyhow anyone anything anytime anyway anyways anywhere apart apologies
apparently apply approve april archive around arrange artists as ask assign assume assuming at ate
attach audio aw awesome aww back backup backups bad basically beautiful because become been beer
before begin being believe besides best better big bit black blame bled bless block blood blue boo
book books boot boss both boy boys bread break breakfast bring bro broke brother brothers brought
brown bug build built bus business busy but buy bye cake call called can cancel car care cars cash
cats caught certain certainly chances change check cheers children chill choose chose christ city
class clean clear clearly click close clothes code coffee cold collect college color come comes
coming commit common compare complete concerning config configure confirm congrats congratulations
connect consider considering contact continue cook cool copy correct couple course crap crazy
create curious current currently cut cute dad daddy daily damn dance dang dark darling data date
day days dear debug decide deep definitely delete delicious deliver depending deploy deploys
despite detach details different dinner disable disk do does dog dogs doing done doubt download
draft dragon drank draw drew drink drinks drive drop drove dude due dug during each early earth
easier easy eat edit education eight either eleven else email enable end english enjoy enough
entertain equally error especially essentially even evening eventually ever every everybody
everyday everyone everything everywhere evidence exact exactly example excellent except excited
exciting excuse exercise expect experience explain export extra fact facts fair fall families
family fans fantastic far fascinating father fed feel feeling feels few fifty film final finally
find fine finish fire first fish fix flash fled flew flights folks follow following food for force
forget forgot forty forward found four free french fresh friend friends from froze full fun funny
further future game games gardening gee general generally generate german get gets getting girl
girls give given glad go goal goals god goes going good goodbye goodness goodnight goose gosh got
grand grandma grandpa gray great green greet grew guess guessing guys ha had haha hahaha half
halfway hang happy hard hardly hardware has hate have having he head health hear heard heaven hell
hello help helping her here hers hey hi hid high hiking hire his history hit hm hmm hold home
homework honest honestly honey hope hopefully hoping hot hour hours house how however huge huh
human hundred hundreds hung hurray hurry husband idea ideas if ignore im image imagine immediately
import important impressive in include including incredible incredibly indeed info information
initially inside inspiring install instead insurance interesting internet into invite is issue it
its ive jeez job join judging juice just keep kept kids kind kinda kindly knew knock knowing
knowledge kudos land last lastly lately later latest laugh laundry law lead learn learning least
leave led left legal lent less lesson lessons let lets letting life light like likely likewise line
link list listen little live living lmao load loads local lock log logs lol long look looking looks
lord lost lots loud love lovely loving low luck luckily lunch machine mail main mainly make makes
making mama man many map market maybe me meals mean meaning means meant meanwhile meat media
meditation meet meeting men mention merge merry message met middle might migrate milk mind mine
minor miss mistakes mm mmm mobile mom moment mommy money monitor month months more moreover morning
most mostly mother mount move moves movie movies moving mr mrs ms much mum music must mutual my
name names naturally nature near nearly need needed needs neither nephew network never nevertheless
new news next nice nicely night nights nine no nobody none nonetheless nope nor normal normally not
note noted notes nothing notice noticed now nowadays nowhere number numerous obviously of off oh ok
okay old on once one ones online only oof ooh oops open opening option or order ordinary original
originally other others otherwise ouch our out outdoors outside over overall own page paid painting
papa paper parents part partly parts party past patience pay people per perfect perfectly perhaps
person personal personally pets phew phone photo photography photos pick picture pictures ping pink
pizza place plan planning plans play playing please plenty plus point poor possible possibly post
power practice prefer preferably pretty previous previously print prior privacy probably problem
problems project promise proper props proud public pull purple push put question questions quick
quickly quiet quit quite rain raise ran random rang rare rather read reading ready real really
reason rebase reboot recently red redeploy regarding regardless relationships reload remember
remembering remind reminder reminds remove rename rent repeat replace replied reply research rest
restart restore result results review rice right rode roger rollback room rough roughly round run
running sad sadly safe same sang sauce save saw say saying says scan school science sec second
secondly see seeing seem seems seen self send sending sent serious seriously server servers set
setting seven several sex shall she ship shit shoot short should show shower shut shutdown sick
side similarly simple simply since sir sis sister sisters sit six sleep slept slow slowly small
smart smile smiling snacks snow so social software sold some somebody someday somehow someone
something sometimes somewhat somewhere son soon sorry sort sorta sound sounds space speaking
special specially sped spend spending spoke sports spring start started starting status stay steak
step steps stick still stole stop stopped store stories storms story strange stress strong student
students stuff stupid style success such sucks suddenly sugar suggest summer sun sunsets super
support supposedly sure surprisingly swam swap sweet sweetie sweets switch sync tag take takes
taking talk talking tap taught tea teach team teamwork tech technically technology teenagers tell
telling ten terrible test testing tests text than thank thankfully thanks that the their theirs
them then there therefore these they thing things think thinking third thirty this those though
thought thoughts thousand thousands three threw through throw thus ticket till time times tip tips
to today together told tomorrow tonight too took top total totally touch tough toward towards
traffic train training translate travel travelling treat trees trip true truly trust truth try
trying turn turns tv tweak twelve twenty twice two type typically ugh uh uhm um under understand
understandable understood unfortunately uninstall unless unlike unmount until up update updated
upgrade upload upon upstairs use used useful user users using usually vacation various verify
version very via vice video visit vs wait waiting wake walk walking walks wanna want wanted war
warm was wasn watch watching water way we wealth wear weather wedding week weekend weekends weeks
weird welcome well went were what whatever whatsoever when whenever where whereas wherever whether
which while whilst white who whoa whoever whole whom whose why wife wild will win wine winter wish
with within without woah woke women won wonder wonderful wondering wooden woohoo word words wore
work working workouts works world worry worse worst worth would wow write writing wrong wrote yay
yeah year years yellow yep yes yesterday yet yikes yo yoga you young your yours yourself youth yup
zero

abends aber achso achtung alles allerdings also als am anfang an auch auf bald bei beim bin bis
bitte brauche da dabei dafür daher damals damit danach dann danke daran darauf darum das dein deine
denn dennoch der deshalb dich die dies diese dieser dieses doch dort du eben eigentlich ein eine
einen einfach ende endlich er erst es etwas euch euer falls fast findest frage ganz gar geht genau
gern gerne gestern gib gibt gut guten habe haben hallo hat hast hatte herzlichen heute hier hilfe
ich ihm ihn ihr ihre im immer ja je jede jeden jeder jetzt kann kannst kein keine klar komm komme
können könntest lass leider letzte letzten letztes liebe lieber mach mache mal man manchmal mein
meine meinem meinen meiner mich mir mit möchte moin morgen morgens muss nach nächste nächsten
natürlich nein nicht nichts nie niemand noch nun nur ob obwohl oder ohne ok prima schade schau
schick schon schön sehr seit sicher sie sind so sobald sollen sollte sonst stimmt super tja toll
trotzdem tschüss über übrigens um und uns unser unsere unter viel viele vielleicht vielen vom von
vor wann war warte warum was weg weil welche welcher wenn wer werde wie wieder willst wir wird wo
wohl wollen wollte wozu zeig ziemlich zu zuerst zum zur zurück
""".split()
)
"""What begins a sentence with a capital and is no name, and what is shouted."""

SHOUTED = frozenset(
    """
    ok lol omg btw fyi imo imho asap todo wip ps nb tldr rofl wtf idk afaik iirc brb thx pls etc
    eta rip vip diy faq tba tbd aka rsvp bbq fixme xxx
    """.split()
)
"""Abbreviations that name nothing."""

TITLES = frozenset(
    """
    mr mrs ms miss mx dr prof professor sir madam lady lord uncle aunt auntie aunty grandma grandpa
    captain coach judge officer sensei frau herr herrn fräulein onkel tante oma opa doktor monsieur
    madame señor señora don doña
    """.split()
)
"""What stands before the name of a person, and belongs to it when a surname follows alone."""

KIN = frozenset(
    """
    wife husband brother sister son daughter cousin nephew niece friend buddy girlfriend boyfriend
    partner fiancé fiancée colleague coworker boss manager neighbor neighbour roommate flatmate
    landlord teacher therapist dentist mom mum mother dad father kid baby named called hi hey hello
    dear thanks danke hallo liebe lieber freundin freund schwester bruder mutter vater sohn tochter
    kollege kollegin chef chefin nachbar nachbarin
    """.split()
)
"""What stands before a person's name, and does not belong to it."""

PERSONAL = frozenset(
    """
    said says told tells asked asks thinks thought likes liked loves loved hates hated wants wanted
    lives lived drinks drank eats ate prefers preferred bought married knows knew feels felt hopes
    hoped laughed smiled cried visited invited promised agreed refused suggested mentioned works
    worked moved wrote called phoned texted emailed needs needed plays played went goes came comes
    turned studied studies teaches taught sings sang paints painted speaks spoke talks talked
    believes remembers remembered forgot forgets enjoys enjoyed misses missed met meets meint
    meinte sagt sagte fragt fragte möchte mag wohnt arbeitet trinkt kommt findet will
    """.split()
)
"""What a person does."""

RELATED = frozenset(
    """
    birthday wife husband brother sister son daughter mom mum mother dad father parents family kids
    wedding house flat apartment car phone laptop number email advice idea suggestion opinion dog
    cat recipe haus wohnung garten büro zimmer auto geburtstag hochzeit handy nummer eltern familie
    hund katze frau mann
    """.split()
)
"""What a person has."""

SINGULAR = PERSONAL | frozenset(
    """
    is isn't was wasn't has hasn't had does doesn't did didn't can can't could couldn't will won't
    would wouldn't should shouldn't must may might runs ran serves served holds held keeps kept
    uses used makes made takes took gives gave gets got sends sent starts started stops stopped
    fails failed crashes crashed broke breaks handles handled listens listened sits sat stands
    stood stores stored seems looks looked reads supports supported requires provides provided
    returns returned raises raised shows showed hosts hosted wins won lost loses sold sells brought
    brings found finds helped helps offered offers booked cooked fixed changed opened closed left
    joined paid died arrived picked hat ist war kann wird
    """.split()
)
"""What follows a name that begins a sentence: an English noun that is no name wants an article."""

GIVING = frozenset(
    """
    give gives gave giving ask asks asked asking tell tells told send sends sent show shows showed
    lend lends lent owe owes owed bring brings brought buy buys bought teach teaches taught write
    writes wrote offer offers offered promise promised hand hands handed pay pays paid make makes
    made cook cooked bake baked read get gets got leave left sell sells sold cost costs save saved
    gib gibt gab gebe gaben frag fragt fragte schick schickt schickte schenk schenkt schenkte kauf
    kauft kaufte bring bringt brachte zeig zeigt zeigte
    """.split()
)
"""What somebody does who gives a person so many of something: gave Tom 3 books."""

PLACED = frozenset(
    """
    live lives lived living move moved moving fly flew flying travel traveled travelled traveling
    travelling trip trips vacation holiday holidays born office stay stayed staying arrived based
    relocated wohne wohnt wohnen
    """.split()
)
"""What stands before "in" or "to" and the name of a place."""

PROJECTS = frozenset(
    """
    project projects repo repository codebase projekt
    """.split()
)
SERVICES = frozenset(
    """
    service container daemon dienst
    """.split()
)
HOSTS = frozenset(
    """
    host machine node vm
    """.split()
)

TEAMS = frozenset(
    """
    team group club band bot server company gmbh inc ltd
    """.split()
)
"""What ends the name of something that acts as a person does and is none."""

PRODUCTS = frozenset(
    """
    debian ubuntu fedora centos rhel windows macos ios android proxmox iphone ipad galaxy pixel
    python java php node postgres postgresql mysql mariadb django xbox playstation boeing airbus
    """.split()
)
"""What has its version for a name."""

NUMBERED = PRODUCTS | frozenset(
    """
    room building floor house hall gate terminal platform zone wing unit apartment suite lab studio
    warehouse dock bay rack bus tram flight route station tower server machine node box printer
    camera sensor pump team group ticket issue bug incident invoice raum zimmer gebäude haus halle
    gleis linie wohnung drucker kamera
    """.split()
)
"""What has its number for a name, so that a number after it counts nothing."""

PARTS = frozenset(
    """
    chapter page section paragraph figure fig table appendix part volume verse version release step
    phase option point question item example exercise lesson act scene season episode week day night
    month year quarter hour minute round grade number top rule line
    kapitel seite abschnitt absatz abbildung tabelle teil schritt punkt frage beispiel aufgabe
    lektion woche tag nacht monat jahr stunde runde klasse nummer zeile
    """.split()
)
"""What is numbered within something else: chapter 3 of one book is not chapter 3 of another."""

EDITIONS = frozenset("pro max plus mini ultra lite air se xl fe ti lts home enterprise".split())
"""What follows the number of a product and belongs to its name."""

COUNTED = frozenset(
    """
    second seconds sec secs minute minutes min mins hour hours hr hrs h day days night nights week
    weeks weekend weekends month months year years decades times x o'clock am pm people persons kids
    children men women percent % € $ £ dollar dollars bucks euro euros cents pounds quid km kms
    kilometers kilometres m meter meters metres mile miles feet foot ft inch inches cm mm kg kilo
    kilos grams g lbs liters litres gb mb tb mbit watt watts degrees points pieces more others other
    sekunden stunde stunden tage tagen woche wochen monat monate monaten jahr jahre jahren mal uhr
    leute personen kinder kindern stück prozent grad meilen liter gramm weitere andere
    """.split()
)
"""What a number before it counts or measures, whatever stands before the number."""

UNITS = frozenset(
    """
    kb mb gb tb pb kib mib gib tib pib bit kbit mbit gbit bps kbps mbps gbps hz khz mhz ghz w kw mw
    gw wh kwh mwh v kv mv ma mah ah db dpi rpm fps km kg cm mm nm ml pa hpa px mp eur usd
    gbp chf jpy
    """.split()
)
"""What a number before it is measured in, often in capitals."""

PLURAL = frozenset(
    """
    are aren't were weren't have haven't had do don't did can can't could will won't would should
    must may might need run use go come keep look work sind waren haben hatten werden
    """.split()
)
"""What follows a subject of many things."""

IN_ED = frozenset("ed fred ted ned jed reed ahmed mohammed muhammad mohamed hamed saeed".split())
"""Names that end as what somebody did does."""

OPENING = frozenset(
    """
    new home big black red blue green white little
    """.split()
)
"""Ordinary words that begin many a name of two words."""

PARTICLES = frozenset(
    """
    de del della der den di da du van von zu la le ter ten bin ibn al of
    """.split()
)
"""Small words inside a name."""

GERMAN = frozenset(
    """
    der die das und ist nicht ich ein eine einen wir ihr sie mit auf für von dem den des zu im vom
    haben hat war sind auch wenn aber oder noch nach bei wie mein meine kein keine habe wird du
    bitte zum zur beim am er es uns mir mich dir
    """.split()
)
"""By which German is told, whose every noun has a capital."""

"""What tells a German sentence apart."""

from __future__ import annotations

from functools import cache

from memoranda.formation.words.form import Words, pattern
from memoranda.types import Kind

_ICH = r"\b(?:ich|wir)\b"
_GERMAN_ORDERS = (
    "schreib|schreibe|mach|mache|zeig|zeige|erklär|erkläre|gib|prüf|prüfe|nimm|füg|füge|übersetz"
    "|übersetze|fass|fasse|lösch|lösche|erstell|erstelle|hilf|sag|sage|such|suche|nenn|nenne|lass"
    "|korrigier|korrigiere|ändere|antworte|antwort|verwende|benutze|nutze|starte|öffne|schick"
    "|schicke|merk|beachte|bitte|nie|niemals|immer"
)


@cache
def words() -> Words:
    return Words(
        name="German",
        whole={
            "a question": pattern(
                r"\?",
                r"^(?:und |aber |also )?(?:wer|wie|was|wo|wann|warum|wieso|weshalb|welche[rsmn]?"
                r"|wohin|woher)\b",
                r"^(?:kannst|könntest|würdest|hast|bist|ist|sind|soll|sollen|sollte|darf|gibt"
                r"|weißt|magst|willst) (?:du|ich|wir|es|das|er|sie|ihr)\b",
                r"\b(?:frage mich|weiß nicht|keine ahnung|nicht sicher),? (?:ob|wie|was|warum"
                r"|welche)\b",
            ),
            "a hypothesis": pattern(
                r"\b(?:wäre|hätte|würde|würden|könnte|könnten|wären|hätten|müsste)\b(?! lieber)",
                r"^(?:angenommen|stell dir vor|nehmen wir an|was wäre|falls|mal angenommen)\b",
                r"\b(?:vielleicht|eventuell|möglicherweise|irgendwann|überlege|überlegen"
                r"|mal sehen)\b",
            ),
            "hearsay": pattern(
                r"\b(?:jemand|man|leute|die leute|alle|ein bekannter|ein freund) (?:sagt|sagte"
                r"|sagen|meint|meinte|hat gesagt|behauptet|erzählt|erzählte)\b",
                r"\b(?:angeblich|anscheinend|gerüchteweise|laut|soll (?:angeblich|ja|wohl))\b",
                r"\b(?:habe|hab) (?:gehört|gelesen)\b|\bgehört, dass\b|\bdu (?:hast gesagt|sagtest"
                r"|meintest)\b",
            ),
            "a joke": pattern(
                r"\b(?:scherz|spaß beiseite|nur spaß|kleiner scherz|haha|ja klar|na klar|lol"
                r"|ironie)\b",
                r"[😉😜🤪🙃😏]",
            ),
        },
        vetoes={
            "a request": pattern(
                r"^(?:ich|wir) (?:brauche|brauchen|bräuchte|suche|suchen|möchte"
                r"|hätte gern\w*) (?:ein\w*|hilfe|etwas|dass du|von dir)\b",
                r"^(?:lass|lasst) (?:uns|mich)\b",
            ),
            "small talk": pattern(
                r"^(?:danke|vielen dank|hallo|hi|guten (?:morgen|tag|abend)|gute nacht|tschüss"
                r"|bis (?:bald|dann|morgen|später)|super|toll|prima|klasse|schön|cool|viel (?:spaß"
                r"|erfolg|glück)|gern geschehen|das (?:klingt|ist (?:toll|super|gut|schön|klasse))"
                r"|freut mich|glückwunsch|gute besserung)\b",
                r"\bich (?:hoffe|wünsche|verstehe|stimme|freue mich|danke)\b",
            ),
            "work at hand": pattern(
                r"^(?:ich|wir) (?:hab|habe|haben) .*(?:versucht|ausprobiert|hinzugefügt|geändert"
                r"|angehängt|eingefügt|gelöscht|gestartet|getestet|nachgesehen)\b",
                r"^(?:ich|wir) (?:bekomme|bekommen|kriege|kriegen|erhalte|muss|müssen|sollte)\b",
                r"^(?:ich|wir) (?:hab|habe|haben) (?:da )?(?:eine\w*|noch) (?:frage|problem|fehler"
                r"|idee|datei|liste|termin)\b",
                r"^(?:mein|meine|unser|unsere) (?:code|frage|problem|skript|funktion|test"
                r"|ausgabe)\b",
                r"\bzeile \d+\b|^hier (?:ist|sind)\b",
            ),
            "passing": pattern(
                r"\b(?:gerade eben|momentan|im moment|moment mal|bin gleich|einen augenblick"
                r"|kurz weg)\b",
                r"\b(?:bin|habe|hab) (?:\w+ )?(?:heute|gerade|jetzt) (?:\w+ )?(?:müde|krank"
                r"|hungrig|erkältet|kopfschmerzen|beschäftigt)\b|\bich bin (?:müde|hungrig|kaputt"
                r"|krank)\b",
            ),
            "about the listener": pattern(r"^(?:du|dein\w*|ihr|euer|eure)\b"),
        },
        openers=pattern(
            r"^(?:(?:ok(?:ay)?|also|ja|nein|und|aber|ach|übrigens|naja|eigentlich|ehrlich gesagt"
            r"|gut|na gut|zur info|nur zur info|hinweis|leider|zum glück|außerdem|wie gesagt"
            r"|spaß beiseite|im ernst|alles klar)[,:;! .–-]* +)+"
        ),
        remember=pattern(
            r"^(?:bitte )?(?:merk dir|merke dir|denk dran|denk daran|denke daran|vergiss nicht"
            r"|notier|notiere|fürs protokoll|zur erinnerung"
            r"|beachte)(?: dir)?,?(?: bitte,?)?(?: dass|:)? +",
        ),
        thinks=pattern(r"^ich (?:glaube|denke|vermute|schätze|meine),?(?: dass)? "),
        hedges=pattern(
            r"\b(?:ich (?:glaube|denke|vermute|schätze|meine)|wahrscheinlich|vermutlich|wohl"
            r"|scheint|scheinbar|soweit ich weiß|meines wissens|könnte sein)\b|\b(?:glaube|denke"
            r"|vermute) ich\b"
        ),
        reports=pattern(
            r"(?<!\bich )\b(?:sagt|sagte|meint|meinte|erzählt|erzählte|behauptet|erwähnte)\b"
        ),
        of_another=pattern(
            r"^(?!(?:ich|wir)\b)(?:[\w',-]+ ){1,5}?(?:mag|hasst|liebt|bevorzugt|will|möchte)\b"
        ),
        corrects=pattern(
            r"^(?:(?:nein|ach|oh|äh+|halt|sorry|moment)[,!. —–-]+)*(?:korrektur|ich meinte|quatsch"
            r"|stimmt nicht|falsch|vielmehr|moment|vergiss das|streich das|das war falsch"
            r"|ich habe mich vertan)\b[,:. ]*"
        ),
        resolved=pattern(
            r"\b(?:ist|sind|wurde|wurden|hat sich) (?:jetzt |nun |endlich |schon |bereits "
            r"|alle )*(?:behoben|gelöst|erledigt|fertig|gefixt|geschlossen|gemergt|repariert"
            r"|deployt|ausgerollt|abgeschlossen|vorbei|durch)\b",
            r"\b(?:läuft|geht|funktioniert|klappt) (?:jetzt |nun |endlich )?wieder\b",
        ),
        durable=pattern(
            r"\b(?:immer|nie|niemals|ab jetzt|von jetzt an|ab sofort|künftig|in zukunft"
            r"|grundsätzlich|standardmäßig|jedes mal|generell|stets|dauerhaft)\b|^(?:wenn|bevor"
            r"|nachdem|sobald) .*,"
        ),
        orders=pattern(
            rf"^(?:{_GERMAN_ORDERS})\b(?! ich\b| wir\b)",
            rf"^(?:ab jetzt|ab sofort|von jetzt an|künftig"
            rf"|in zukunft),? (?:bitte )?(?:{_GERMAN_ORDERS})\b",
            r"^ab (?:jetzt|sofort) .* bitte\b",
        ),
        ended=pattern(
            r"\b(?:nicht mehr|kein\w* \w+ mehr|nicht länger|aufgehört|aufgegeben|abgeschafft"
            r"|eingestellt|früher (?:habe|hab|war|hatte)|gekündigt|keine\w* mehr)\b"
        ),
        successor=pattern(
            r"\b(?:stattdessen|sondern|jetzt|umgestiegen|gewechselt|ersetzt|lieber)\b"
        ),
        because=pattern(
            r"\b(?:weil|denn|da (?:es|er|sie|ich|wir|der|die|das)|damit|wegen|statt|anstatt)\b"
        ),
        explains=pattern(r"^(?:weil|denn|der grund|sonst|andernfalls|deswegen|deshalb)\b"),
        joins=pattern(
            r",? aber (?=(?:ich|wir|mein|unser|der|die|das)\w*\b)",
            r";\s+",
            r",? und (?=(?:ich|wir|mein\w*|unser\w*)\b)",
        ),
        commas=pattern(r"(?<=\w\w), (?=(?:ich|wir) )"),
        tail=pattern(rf", also (?=(?:{_GERMAN_ORDERS})\b)|, bitte (?=\w)"),
        answers=pattern(
            r"\b(?:antworte\w*|antworten|erklär\w*|nenn\w*|duz\w*|siez\w*|deutsch|englisch|kurz"
            r"|knapp|ausführlich|stichpunkte\w*|absätze\w*|emojis?|ton|sprache|sätze\w*"
            r"|zusammenfass\w*)\b"
        ),
        ahead=pattern(
            r"\b(?:wird|werde|werden|will|wollen|plane|planen|nächste\w*|kommende\w*|ab|bis|startet"
            r"|beginnt)\b"
        ),
        bounded=pattern(r"\b(?:nur|für|bis) (?:diese[nrsm]?|heute|morgen|ende)\b"),
        past=pattern(
            r"\b(?:ich|wir) (?:bin|sind|habe|hab|haben) .*?(?P<verb>\b(?:\w*ge\w{2,}(?:t|en)"
            r"|\w+iert|besucht|verkauft|bekommen|begonnen|verlassen|erhalten|verloren))\b",
            r"\b(?:habe|hab|haben|bin|sind) (?:ich|wir) .*?(?P<verb>\b(?:\w*ge\w{2,}(?:t|en)"
            r"|\w+iert|besucht|verkauft|bekommen|begonnen|verlassen|erhalten|verloren))\b",
        ),
        placed=pattern(
            r"\b(?:läuft|laufen|liegt|liegen|steht|stehen|hört|lauscht|nutzt|benutzt|verwendet"
            r"|braucht|ist|sind|hat|haben|heißt|heißen|gelten|gilt|gehen|geht|werden|wird|kommt"
            r"|kommen|hängt|endet|dauert)\b"
        ),
        vague=pattern(
            r"^(?:es|das|dies|er|sie|da|hier|so)\b(?! \w+er\b)|\b(?:du|dir|dich|dein\w*)\b"
        ),
        evaluates=pattern(
            r"\b(?:toll|super|schön|großartig|wunderbar|cool|lustig|wichtig|spannend|gut|klasse"
            r"|nett)\b"
        ),
        things=pattern(
            r"^ein\w* |^(?:der|die|das|diese[rs]?) (?:test|funktion|methode|klasse|variable"
            r"|schleife|knopf|seite|datei|ausgabe|fehler|titel|text|code|liste|antwort|skript)\w*\b"
        ),
        of_self=pattern(
            r"^(?:(?:seit|in|am|im|ab|bei|jeden|jede)\b.{2,30}? (?P<verb>\w+) )?(?:ich"
            r"|wir)(?: (?P<verb>\w+))?"
        ),
        chatty=frozenset(
            """
            glaube denke weiß hoffe meine verstehe finde sehe vermute kann will möchte soll muss
            werde bin habe hab haben sind
            """.split()
        ),
        kinds=(
            (
                Kind.LESSON,
                pattern(
                    r"\b(?:ursache|der grund|lag (?:an|am|daran)|stellte sich heraus"
                    r"|herausgestellt|gelernt,? dass|die lösung|der trick|das problem (?:war|ist)"
                    r"|verursacht)\b",
                    r"\b(?:scheitert|scheiterte|bricht|brach|hängt|stürzt|fällt"
                    r"|schlägt) .{0,60}\b(?:weil|wenn|sobald|wegen|falls)\b",
                ),
            ),
            (
                Kind.DECISION,
                pattern(
                    r"\b(?:entschieden|beschlossen|geeinigt|festgelegt|gewählt|ausgewählt"
                    r"|umgestiegen|gewechselt|umgestellt|ersetzt|abgeschafft|verworfen"
                    r"|bleiben (?:bei|wir)|wir (?:nehmen|setzen auf|wechseln|verzichten))\b",
                    r"^(?:entscheidung|beschluss)\b",
                ),
            ),
            (
                Kind.ENVIRONMENT,
                pattern(r"\bwir\b.* (?:aktualisiert|migriert|umbenannt|erweitert|umgezogen)\b"),
            ),
            (
                Kind.CONSTRAINT,
                pattern(
                    r"\b(?:müssen|muss|darf nicht|dürfen nicht|darf kein\w*|verboten|pflicht"
                    r"|vorschrift|nicht erlaubt|ist die regel|unsere regel|höchstens|mindestens)\b",
                    r"\bwir (?:\w+ )?(?:testen|deployen|formatieren|prüfen|reviewen|committen"
                    r"|veröffentlichen|dokumentieren|mergen|releasen)\b",
                    r"^(?:ab (?:jetzt|sofort)|künftig|in diesem \w+)\b",
                    r"\b(?:wird|werden) (?:nicht|nie|niemals|immer|nur)\b",
                ),
            ),
            (
                Kind.PREFERENCE,
                pattern(
                    r"\b(?:ich|wir) (?:\w+ )?(?:mag|mögen|liebe|lieben|hasse|hassen|bevorzuge"
                    r"|bevorzugen|esse|essen|trinke|trinken|ziehe|ziehen|schwärme)\b",
                    r"\b(?:mag|liebe|hasse|bevorzuge|esse|trinke|ziehe) ich\b|\b(?:gefällt"
                    r"|gefallen|schmeckt|liegt) (?:mir|uns)\b|\bmir (?:gefällt|gefallen|schmeckt"
                    r"|ist .* lieber)\b",
                    r"\b(?:lieblings\w+|am liebsten|lieber|vorliebe)\b",
                    r"^(?!(?:es|das|du)\b)(?:[\w,-]+ ){1,5}?(?:mag|hasst|liebt|bevorzugt|möchte"
                    r"|will)\b",
                ),
            ),
            (
                Kind.FACT,
                pattern(
                    r"\bich (?:\w+ )?(?:wohne|lebe|arbeite|studiere|spreche|spiele|lerne|besitze"
                    r"|komme|fahre|unterrichte|leite|betreue|nutze|benutze|verwende|sammle|brauche"
                    r"|heiße|pflege)\b",
                    r"\b(?:wohne|lebe|arbeite|studiere|spreche|spiele|lerne|fahre|nutze|benutze"
                    r"|verwende) ich\b",
                    r"\bich (?:bin|habe|hab) (?!(?:mir |mich |nur |mal |schon )?(?:gerade|froh"
                    r"|sicher|gespannt|da|dabei|eine frage|keine ahnung))",
                    r"\bwir (?:haben|sind|wohnen|leben|nutzen|benutzen|verwenden|arbeiten|brauchen"
                    r"|betreiben)\b",
                    r"^(?:mein|unser)\w* (?:[\w-]+ ){1,5}(?:ist|sind|war|hat|haben|heißt|heißen"
                    r"|wohnt|arbeitet|läuft|wird|kommt|studiert|spielt|fängt|beginnt|\w{3,}et)\b",
                    r"^(?!(?:es|das|du|er|sie)\b)[\w -]{2,30} (?:ist|sind|hat) (?:jetzt "
                    r"|nun )?(?:umgezogen|gewechselt|Mitglied)\b",
                ),
            ),
        ),
    )

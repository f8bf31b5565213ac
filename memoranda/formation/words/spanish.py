"""What tells a Spanish sentence apart."""

from __future__ import annotations

from functools import cache

from memoranda.formation.words.form import Words, pattern
from memoranda.types import Kind

_SPANISH_ORDERS = (
    "escribe|haz|muestra|muéstrame|explica|explícame|dame|dime|revisa|corrige|traduce|resume|añade"
    "|agrega|borra|crea|busca|ayúdame|pon|quita|cambia|usa|utiliza|responde|contesta|ejecuta|prueba"
    "|envía|lista|ignora|por favor|nunca|siempre|no (?:uses|hagas|pongas|escribas|respondas|borres)"
)


@cache
def words() -> Words:
    return Words(
        name="Spanish",
        whole={
            "a question": pattern(
                r"[?¿]",
                r"^(?:y |pero )?(?:qué|quién|cómo|cuándo|dónde|cuál|cuáles|cuánto|cuánta|por qué"
                r"|a qué)\b",
                r"\b(?:no sé|me pregunto|no estoy segur[oa] de) (?:si|qué|cómo|cuál|por qué)\b",
            ),
            "a hypothesis": pattern(
                r"\bsi (?:yo |nosotros )?(?:fuera|tuviera|usara|pudiera|viviera|\w+ramos|\w+semos"
                r"|hubiera|usáramos|tuviéramos|\w+(?:ara|iera))\b",
                r"^(?:supongamos|imagina|imaginemos|digamos|hipotéticamente)\b",
                r"\b(?:quizás?|tal vez|a lo mejor|puede que|podría|podríamos|algún día"
                r"|estoy pensando en)\b",
            ),
            "hearsay": pattern(
                r"\b(?:alguien|la gente|dicen que|se dice|un amigo|todos) (?:dice|dijo|dicen|cree"
                r"|cuenta|que)\b",
                r"\b(?:al parecer|por lo visto|supuestamente|según|he (?:oído|leído)|me (?:dijeron"
                r"|contaron)|dijiste|dijeron que|dicen que)\b",
            ),
            "a joke": pattern(
                r"\b(?:es broma|bromeo|jaja\w*|ja ja|sí claro|lol|ironía)\b", r"[😉😜🤪🙃😏]"
            ),
        },
        vetoes={
            "a request": pattern(
                r"^(?:necesito|quiero|quisiera|busco|me gustaría) (?:un\w*|ayuda|que|saber|algo)\b",
                r"^(?:vamos a|déjame|puedes|podrías)\b",
            ),
            "small talk": pattern(
                r"^(?:gracias|muchas gracias|hola|buenos días|buenas|buenas (?:tardes|noches)"
                r"|adiós|hasta|genial|perfecto|vale|bien|qué bien|de nada|suena|me alegro"
                r"|felicidades|eso)\b",
                r"\b(?:espero que|entiendo|de acuerdo|te agradezco)\b",
            ),
            "work at hand": pattern(
                r"^(?:ya )?(?:he|hemos) (?:probado|intentado|añadido|agregado|cambiado el|borrado"
                r"|pegado|adjuntado|ejecutado|reiniciado|subido)\b|^(?:probé|intenté|añadí|agregué"
                r"|borré|ejecuté|reinicié)\b",
                r"^(?:me sale|obtengo|recibo|tengo que|tenemos que|hay que)\b",
                r"^(?:tengo|tenemos) (?:un|una|otra|otro) (?:duda|pregunta|problema|error|lista"
                r"|archivo|idea|reunión)\b",
                r"^(?:mi|nuestro|nuestra) (?:código|pregunta|problema|función|script|prueba"
                r"|salida)\b",
                r"\blínea \d+\b|^aquí (?:está|están|tienes)\b",
            ),
            "passing": pattern(
                r"\b(?:ahora mismo|en este momento|un momento|un segundo|ahorita)\b",
                r"\bestoy (?:cansad|enferm|ocupad|resfriad)[oa]\b|\btengo (?:hambre|sueño|prisa"
                r"|frío)\b",
            ),
            "about the listener": pattern(r"^(?:tú|tu|tus|usted|ustedes|vosotros)\b"),
        },
        openers=pattern(
            r"^(?:(?:no(?=[,;:!.—–-])|ok|vale|bueno|pues|sí|y|pero|ah|oye|por cierto|además"
            r"|en realidad|la verdad|nota|para tu información|como sabes|en serio|bromas aparte"
            r"|fuera de bromas|claro|es que)[,:;!. –-]* +)+"
        ),
        remember=pattern(
            r"^(?:por favor,? )?(?:recuerda|acuérdate|ten en cuenta|toma nota|anota|apunta"
            r"|no olvides|para que conste)(?: de)?(?: que|:|,)* +",
            r"[,;.]? (?:recuérdalo|anótalo|apúntalo)[.!]?$",
        ),
        thinks=pattern(r"^(?:creo|pienso|supongo|me parece|diría) que "),
        hedges=pattern(
            r"\b(?:creo que|pienso que|supongo|me parece|probablemente|seguramente|parece que"
            r"|diría que|que yo sepa|si no recuerdo mal)\b"
        ),
        reports=pattern(r"\b(?:dice|dijo|comentó|mencionó|cuenta|contó|afirma) (?:que|:)"),
        of_another=pattern(
            r"^(?!(?:me|nos|yo)\b)(?:a )?(?:[\w',-]+ ){1,5}?(?:(?:le|les) (?:gusta|encanta)n?|odia"
            r"|prefiere|detesta|quiere)\b"
        ),
        corrects=pattern(
            r"^(?:(?:no|ay|perdón|espera|uy)[,!. —–-]+)*(?:corrección|quise decir|quería decir"
            r"|me equivoqué|mejor dicho|espera|perdón|olvida (?:eso|lo que dije))\b[,:. ]*"
        ),
        resolved=pattern(
            r"\b(?:está|están|quedó|quedaron|ya) (?:ya |todo )*(?:arreglad|resuelt|terminad"
            r"|solucionad|cerrad|list|corregid|desplegad|hech)[oa]s?\b",
            r"\b(?:ya funciona|funciona de nuevo|vuelve a funcionar|he terminado|ya está)\b",
        ),
        durable=pattern(
            r"\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|desde ahora"
            r"|en adelante|por defecto|cada vez|en el futuro|por norma)\b|^(?:cuando|antes de"
            r"|después de) .*,"
        ),
        orders=pattern(
            rf"^(?:{_SPANISH_ORDERS})\b(?! (?:uso|como|bebo|he|me|hago|trabajo|escribo|\w+amos"
            rf"|\w+emos|\w+imos) ?\b)",
            rf"^(?:a partir de ahora|de ahora en adelante|desde ahora),? (?:{_SPANISH_ORDERS})\b",
        ),
        ended=pattern(
            r"\bya no\b|\b(?:dejé de|dejamos de|he dejado|hemos dejado|abandoné|abandonamos"
            r"|renuncié|cancelamos|cancelé|antes (?:usaba|vivía|tenía|trabajaba|era))\b"
        ),
        successor=pattern(r"\b(?:sino|en su lugar|ahora|cambiamos|cambié|en vez)\b"),
        because=pattern(
            r"\b(?:porque|ya que|puesto que|debido a|para que|en lugar de|en vez de)\b"
        ),
        explains=pattern(r"^(?:porque|ya que|la razón|el motivo|así|si no|de lo contrario)\b"),
        joins=pattern(
            r",? pero (?=(?:yo|me|no me|mi|mis|nuestr\w+|el|la)\b)",
            r";\s+",
            r",? y (?=(?:yo|mi|mis|nuestr\w+|me)\b)",
        ),
        commas=pattern(r"(?<=\w\w), (?=(?:yo|me|nos) )"),
        tail=pattern(rf", así que (?=(?:{_SPANISH_ORDERS})\b)|, por favor,? (?=\w)"),
        answers=pattern(
            r"\b(?:responde\w*|contesta\w*|respuestas?|explica\w*|llámame|tutéame|trátame|español"
            r"|inglés|breves?|cortas?|párrafos?|viñetas|emojis?|tono|idioma|frases)\b"
        ),
        ahead=pattern(
            r"\b(?:va a|voy a|vamos a|quiero|planeo|próxim[oa]|que viene|empieza|hasta|a partir)\b"
        ),
        bounded=pattern(r"\b(?:solo|sólo|hasta|por) (?:este|esta|hoy|mañana)\b"),
        past=pattern(
            r"\b(?:(?:he|hemos) (?P<verb>\w+(?:ado|ido|cho|sto|rto))|(?P<verb>fui|fuimos|compré"
            r"|compramos|corrí|corrimos|viajé|viajamos|conocí|empecé|empezamos|terminé|gané|ganamos"
            r"|perdí|nací|visité|visitamos|participé|corrí|subí|hice|hicimos|tuve|tuvimos|aprobé"
            r"|me (?:mudé|casé|gradué)))\b"
        ),
        placed=pattern(
            r"\b(?:corre|corren|está|están|vive|usa|usan|escucha|es|son|tiene|tienen|necesita"
            r"|se llama|van|va|apunta|se \w+[ae]n?|funciona|ocupa|cuesta|dura)\b"
        ),
        vague=pattern(
            r"^(?:eso|esto|ello|él|ella|ellos|ellas|ahí|así|aquí)\b|\b(?:tú|te|ti|tuyo|tus|tu)\b"
        ),
        evaluates=pattern(
            r"\b(?:genial|increíble|bonit[oa]s?|buen[oa]?s?|maravillos[oa]|divertid[oa]|importante"
            r"|interesante)\b"
        ),
        things=pattern(
            r"^una? |^(?:el|la|los|las|este|esta) (?:prueba|función|método|clase|variable|bucle"
            r"|botón|página|archivo|salida|error|título|texto|código|lista|respuesta|script)s?\b"
        ),
        of_self=pattern(r"^(?:yo|nosotr[oa]s) (?P<verb>\w+)"),
        chatty=frozenset("creo pienso espero sé supongo entiendo veo".split()),
        kinds=(
            (
                Kind.LESSON,
                pattern(
                    r"\b(?:la causa|la razón|el motivo|resultó que|resulta que|el problema (?:era"
                    r"|es|fue)|la solución|el truco|aprendí que|aprendimos que|causad[oa] por"
                    r"|se debía a)\b",
                    r"\b(?:falla|fallaba|falló|se cae|se cuelga|se rompe"
                    r"|no funciona) .{0,60}\b(?:porque|cuando|si|debido|con|desde)\b",
                ),
            ),
            (
                Kind.DECISION,
                pattern(
                    r"\b(?:decidí|decidimos|hemos decidido|he decidido|acordamos|hemos acordado"
                    r"|elegimos|elegí|optamos|nos quedamos con|me quedo con|cambiamos|cambié"
                    r"|hemos (?:cambiado|elegido|pasado|adoptado)|pasamos a|adoptamos|descartamos"
                    r"|reemplazamos|vamos con)\b",
                    r"^decisión\b",
                ),
            ),
            (
                Kind.ENVIRONMENT,
                pattern(
                    r"\b(?:hemos )?(?:migramos|actualizamos|renombramos|migrado|actualizado)\b"
                ),
            ),
            (
                Kind.CONSTRAINT,
                pattern(
                    r"\b(?:debe|deben|hay que|tiene que|tienen que|prohibido|obligatori[oa]"
                    r"|no se (?:puede|permite|debe)|nuestra (?:regla|norma|política)|como máximo"
                    r"|al menos)\b",
                    r"\b(?:se escriben?|se hacen?|se nombran?|van? en|siempre|nunca"
                    r"|a partir de ahora)\b",
                ),
            ),
            (
                Kind.PREFERENCE,
                pattern(
                    r"\b(?:me|nos) (?:gusta|encanta|molesta|disgusta|apetece|fascina)n?\b",
                    r"\b(?:prefiero|preferimos|odio|odiamos|detesto|adoro|favorit[oa]s?|no (?:como"
                    r"|bebo|tomo|uso))\b",
                    r"\b(?:le|les) (?:gusta|encanta)n?\b|^[\w ]{2,40} (?:odia|prefiere|detesta"
                    r"|quiere)\b",
                ),
            ),
            (
                Kind.FACT,
                pattern(
                    r"\b(?:soy|somos|vivo|vivimos|trabajo (?:en|como|de|con|para)|trabajamos|tengo"
                    r"|tenemos|estudio|estudiamos|hablo|hablamos|uso|usamos|utilizo|utilizamos"
                    r"|toco|juego|aprendo|nací|me llamo|conduzco|enseño|dirijo|cocino|corro|llevo"
                    r"|estoy (?:en|casad|aprendiendo|estudiando|trabajando|leyendo"
                    r"|escribiendo)\w*)\b",
                    r"^(?:mi|mis|nuestr[oa]s?) (?:[\w-]+ ){1,5}(?:es|son|está|tiene|tienen"
                    r"|se llaman?|vive|trabaja|usa|corre|empieza|cumple|escucha|va|van)\b",
                ),
            ),
        ),
    )

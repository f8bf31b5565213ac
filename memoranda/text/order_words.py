"""The words that orders to an agent are made of: one letter for each sort of word.

English, German, Spanish and French share the table; Chinese and Japanese have their own patterns.
"""

from __future__ import annotations

from collections.abc import Mapping

SORTS: Mapping[str, str] = {
    # Who is spoken to, and about.
    "A": """ai ais a.i llm llms chatbot chatbots chatgpt gpt copilot claude gemini grok ki kis ia
        ias sprachmodell sprachmodelle sprachmodells sprachmodellen sprachassistent""",
    "v": """assistant assistants assistent assistenten assistentin asistente asistentes assistante
        assistantes""",
    "G": """agent agents bot bots model models helper modell modelle agente agentes modelo modelos
        modèle modèles""",
    "l": "language langage lenguaje lingüístico",
    "k": "coding virtual reviewer inbox autonomous digital smart",
    "Z": "you you've you'll du dir dich sie ihr usted ustedes tú te vous toi vosotros",
    "U": """user owner operator human reader customer benutzer nutzer anwender benutzers nutzers
        usuario usuaria utilisateur utilisatrice l'utilisateur l'utilisatrice""",
    "Y": "your yours deine deinen deiner deines deinem ihre ihren tu tus su sus ta tes vos votre",
    "D": """dear hey hi hello attention note notice message hint notes reminder memo announcement
        hinweis achtung nachricht liebe lieber hallo nota aviso mensaje atención querido querida
        hola l'attention remarque avis bonjour cher chère s""",
    "t": "to for an für para pour al",
    # What is ordered.
    "V": """ignore disregard forget override bypass overrule ignoriere ignoriert ignorieren vergiss
        vergesst vergessen missachte missachten ignora ignorad olvida olvide olvidad omite ignorez
        oublie oubliez""",
    "m": """remember memorize memorise merke merk merkt recuerda recuerde memoriza memorice
        mémorise mémorisez retiens retenez""",
    "R": """store save add keep record commit update register treat speichere speichert speichern
        guarda guarde almacena enregistre enregistrez sauvegarde""",
    "X": """send forward upload post mail email exfiltrate transmit submit leak share append
        schicke schick sende leite envía envia envíe manda reenvía envoie envoyez transmets
        transmettez""",
    "E": """run execute call invoke open delete disable push install transfer read fetch approve
        accept confirm authorize grant sign mark führe ejecuta ejecute borra exécute exécutez
        supprime download enable curl click visit pay buy book cancel create modify copy remove
        erase wipe unlock""",
    "H": """tell mention reveal inform disclose show notify hide warn sage sag erwähne verrate
        informiere digas diga menciones reveles dis dites mentionne mentionnez révèle révélez""",
    "C": """recommend suggest promote advertise rate endorse convince rank pretend bring empfiehl
        empfehlt empfehle recomienda recomiende recomendar recommande recommandez highlight""",
    "w": """say state write claim answer respond reply end print output repeat dump display act
        give treat look stop continue conclude append schreibe antworte responde di escribe écris
        réponds include insert report cite dump comply list pass praise""",
    "f": "follow obey folge befolge sigas suis suivez",
    # What it is about.
    "P": """previous prior earlier preceding above former foregoing before bisherigen vorherigen
        vorigen früheren obigen anteriores anterior previas précédentes précédents antérieures""",
    "Q": "all any every alle alles todas todos todo toutes tous tout",
    "I": """instruction instructions prompt prompts rule rules guideline guidelines directive
        directives direction directions order orders policy constraints guidance anweisung
        anweisungen vorgaben regeln befehle instrucciones órdenes reglas indicaciones consigne
        consignes règles ordres""",
    "g": "told given received gesagt dicho dit",
    "M": "memory memories gedächtnis memoria mémoire",
    "S": """session sessions conversation conversations chat chats sitzung sitzungen gespräche
        gesprächen conversaciones sesiones""",
    "F": """future later subsequent long term other standing künftigen zukünftigen künftig futuras
        prochaines futures next""",
    "y": "permanently permanent dauerhaft forever permanentemente definitivamente durablement",
    "s": "system systems",
    "B": "restrictions filters limitations unrestricted restricted einschränkungen restricciones",
    "x": "text words everything",
    "T": "task job persona role goal purpose aufgabe tarea rol tâche rôle",
    "e": "mode modus modo",
    # What holds them together.
    "N": """not don't dont never without no nicht nie niemals ohne kein keine nichts nunca sin ne
        pas jamais sans n't""",
    "O": """must should shall ought musst sollst sollen müssen debes debe deben dois devez doit
        doivent""",
    "q": "instructed required obliged",
    "L": "authorised authorized permitted autorisiert autorizado autorisé",
    "J": "tool tools function functions werkzeug herramienta outil",
    "K": "history verlauf historial historique",
    "z": "answering responding replying",
    "h": "be sei sé soyez",
    "i": "are re bist bin eres êtes es",
    "p": "please bitte favor kindly hereby veuillez",
    "a": "always immer siempre toujours",
    "W": "now longer jetzt ahora maintenant sofort",
    "j": "if when whenever once wenn falls si cuando quand lorsque",
    "r": """reading processing indexing summarizing summarising transcribing parsing scraping
        crawling screening working visiting handling handle process reads used reviewing summarises
        summarizes analyzing analysing""",
    "d": "this these dieses diese diesen dies este esta esto ce cette cet",
    "o": "of about on in for from regarding del de du des zu über sur von with until unless",
    "c": "that dass que",
    "n": "new neue neuen nuevas nuevos nuevo nouvelles updated update",
    "&": "and or but then und oder y e et ou first instead",
}


def letters() -> dict[str, str]:
    """The letter of each word; the first sort that names it wins."""
    found: dict[str, str] = {}
    for letter, words in SORTS.items():
        for word in words.split():
            found.setdefault(word, letter)
    return found

"""What secrets look like, and the words beside them: the tables of `secrets`."""

# ruff: noqa: E501  a form is read best in one line
from __future__ import annotations

PASSWORD, PIN, CODE, TOKEN, API_KEY = "password", "pin", "code", "token", "api key"
PRIVATE_KEY, SECRET, CARD = "private key", "secret", "card number"
RECOVERY, SEED = "recovery code", "seed phrase"

KINDS = (PASSWORD, PIN, CODE, TOKEN, API_KEY, PRIVATE_KEY, SECRET, CARD, RECOVERY, SEED)

# Keys that say whose they are: those that must begin where no letter, digit, _ or - stands before
# them, for they are short or have parts, and those that are looked for anywhere, and so must be a
# beginning and one run: then a million beginnings in a row are read once. They have letters, digits
# and _ - . : / + = only, and a plain letter has no sign of number after it.
ISSUED = (
    (
        API_KEY,
        r"""
        sk-[A-Za-z0-9]{20,} xai-\w{30,} hf_[A-Za-z0-9]{30,} r8_\w{30,} csk-\w{30,} fc-[0-9a-f]{32}
        sk_[0-9a-f]{40,} key-[0-9a-f]{32} SK[0-9a-f]{32} [0-9a-f]{32}-us\d{1,2} re_\w{8}_\w{20,}
        SG\.[\w-]{16,}\.[\w-]{16,} pat\w{14}\.[0-9a-f]{64} secret_[A-Za-z0-9]{40,} LTAI\w{12,20}
        dapi[0-9a-f]{32} e2b_\w{30,} A3-[A-Z0-9]{6}-[A-Z0-9-]{20,} phx_\w{30,} ntn_\w{30,}
        """,
        r"""
        sk-ant-[\w-]{20,} sk-or-v1-\w{32,} sk-(?:proj|svcacct|admin|None|lf|live|test)-[\w-]{20,}
        gsk_\w{30,} pplx-\w{30,} nvapi-[\w-]{30,} tvly-[\w-]{20,} jina_\w{30,} AIza[\w-]{35,}
        (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16} [sr]k_(?:live|test|prod)_\w{16,} whsec_[\w+/=]{20,}
        tskey-[a-z]{3,9}-[\w-]{16,} glsa_\w{30,} glc_[\w+/=]{30,} NRAK-\w{20,} PMAK-[\w-]{30,}
        lin_api_\w{30,} figd_[\w-]{30,} sntry[su]_[\w+/=-]{30,} sbp_\w{30,} sb_secret_[\w-]{20,}
        ATATT3[\w=+/-]{50,}
        """,
    ),
    (
        TOKEN,
        r"""
        eyJ[\w-]{10,}(?:\.[\w-]+){1,4} cio\w{32} ya29\.[\w-]{20,} 1//0[\w-]{30,} EAA[A-Z]\w{50,}
        gl[a-z]{2,6}-[\w-]{20,} nfp_\w{30,} fo1_[\w-]{30,} sq0[a-z]{3}-[\w-]{20,} pul-\w{40}
        hv[sbr]\.[\w-]{20,} dp\.[a-z]{2,5}\.\w{30,} pscale_[a-z]+_[\w.-]{30,} sl\.[\w-]{60,}
        xoxe\.xox[a-z]-[\w-]{20,} \d{8,10}:AA[\w-]{30,}
        [MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,}
        """,
        r"""
        gh[pousr]_\w{30,} github_pat_\w{30,} glpat-[\w-]{20,} xox[a-z]-[\w-]{20,} xapp-[\w-]{20,}
        npm_\w{30,} pypi-AgE[\w-]{30,} rubygems_\w{40,} dckr_[a-z]{3}_[\w-]{20,} do[opr]_v1_\w{40,}
        HRKU-[\w-]{30,} GOCSPX-[\w-]{20,} shp[a-z]{2}_\w{30,} ops_eyJ[\w+/=-]{50,}
        """,
    ),
    (
        PRIVATE_KEY,
        "nsec1[a-z0-9]{50,} xprv[A-Za-z0-9]{100,}",
        "AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    ),
)

# Secrets in a place of their own: what the form begins with in small letters, the kind, the form
# (the secret is the group), and what the secret must be: "any", "strong" (no plain word) or "random".
PLACES = (
    ("://", PASSWORD, r"""://[^\s/:@"'<>]{0,100}:([^\s@/"'<>]{1,300})@""", "any"),
    ("bearer", TOKEN, r"(?i:bearer)(?:\s|%20)+([\w.~+/=-]{8,}+)", "random"),
    ("basic", PASSWORD, r"\b(?i:basic) +([A-Za-z0-9+/_-]{8,}+={0,2})", "strong"),
    ("bot", TOKEN, r"bot(\d{8,10}:AA[\w-]{30,})", "any"),
    ("hooks.slack.com/", TOKEN, r"hooks\.slack\.com/\w{1,20}/([\w/]{20,})", "any"),
    ("/webhooks/", TOKEN, r"/webhooks/\d{10,20}/([\w-]{40,})", "any"),
    ("mysql|mariadb", PASSWORD, r"\b(?:mysql|mariadb)\w{0,9}\b[^\n|;]{0,200}? -p([^\s]{1,200})", "any"),
    ("7z|zip|unzip|rar|unrar", PASSWORD, r"\b(?:7z|7za|zip|unzip|rar|unrar) [^\n|;]{0,200}? -[pP]([^\s]{4,200})", "strong"),
    ("sshpass|docker login|podman login|twine", PASSWORD, r"\b(?:sshpass|docker login|podman login|twine)\b[^\n|;]{0,120}? ?-p ?([^\s]{1,200})", "any"),
    ("redis-cli", PASSWORD, r"\bredis-cli\b[^\n|;]{0,120}? -a +([^\s]{1,200})", "any"),
    ("curl", PASSWORD, r"\bcurl\b[^\n|;]{0,300}? (?:-u|--user|-U|--proxy-user)[ =]?[\"']?[^\s:\"']{1,64}:([^\s]{1,200})", "any"),
    ("wifi:", PASSWORD, r"WIFI:[^\s]{0,80}?\bP:([^;\s]{4,63})", "any"),
    ("smbclient", PASSWORD, r"\bsmbclient\b[^\n|;]{0,120}? -U +[^\s%]{1,64}%([^\s]{1,200})", "any"),
    ("ldap", PASSWORD, r"\bldap\w{3,8}\b[^\n|;]{0,200}? -w +([^\s]{1,200})", "any"),
    ("ssh-keygen", PASSWORD, r"\bssh-keygen\b[^\n|;]{0,200}? -N ?([^\s]{1,200})", "any"),
    ("ssh-keygen", PASSWORD, r"\bssh-keygen\b[^\n|;]{0,200}? -P ?([^\s]{1,200})", "any"),
    ("echo|printf", PASSWORD, r"\b(?:echo|printf)(?: -\w{1,3})? {1,4}[\"']?[\w.-]{1,64}:([^\n|%$][^\n|]{0,200}?) {0,4}\| {0,4}(?:sudo )?[\w/]{0,20}chpasswd", "any"),
    ("echo|printf", PASSWORD, r"\b(?:echo|printf)(?: -\w{1,3})? {1,4}([^\n|]{1,200}?) {0,4}\| {0,4}sudo(?: -{1,2}\w{1,20}){0,4}? -(?:\w{0,6}S|-stdin)\b", "any"),
    ("chpasswd", PASSWORD, r"chpasswd {0,4}<<< {0,4}[\"']?[\w.-]{1,64}:([^\s]{1,200})", "any"),
    ("sudo", PASSWORD, r"\bsudo(?: -{1,2}\w{1,20}){0,4}? -(?:\w{0,6}S|-stdin)\b[^\n|;<]{0,120}<<< {0,4}([^\s]{1,200})", "any"),
    ("htpasswd", PASSWORD, r"\bhtpasswd(?=[^\n|;]{0,30}? -\w{0,6}b)(?=[^\n|;]{0,30}? -\w{0,6}n)(?: +-\w{1,8}(?: +\d{1,2})?){1,6} +[^\s-][^\s]{0,100} +([^\s]{1,200})", "any"),
    ("htpasswd", PASSWORD, r"\bhtpasswd(?=[^\n|;]{0,30}? -\w{0,6}b)(?![^\n|;]{0,30}? -\w{0,6}n)(?: +-\w{1,8}(?: +\d{1,2})?){1,6}(?: +[^\s-][^\s]{0,100}){2} +([^\s]{1,200})", "any"),
    ("net use", PASSWORD, r"\b(?i:net use)\b[^\n|;]{0,200}? /(?i:user):[^\s]{1,64} +(?![/*])([^\s]{1,200})", "strong"),
    ("net use", PASSWORD, r"\b(?i:net use)(?: +\S{1,2}:)? +\\\\[^\s]{1,100} +(?![/*])([^\s]{1,200}) +/(?i:user):", "any"),
    ("net use", PASSWORD, r"\b(?i:net user) +[^\s/]{1,64} +(?![/*])([^\s]{4,200})", "strong"),
    ("-pass", PASSWORD, r"-pass(?:in|out)? +pass:([^\s]{1,200})", "any"),
    ("?|&", SECRET, r"[?&](?:(?i:key|sig|auth|signature|x-amz-signature|sign|code))=([\w%.~+/=-]{16,}+)", "random"),
    ("credentials", PASSWORD, r"(?i:credentials)(?: (?:are|is|for \w{1,30} are))?:? +[\w.@+-]{1,64} ?[/:] ?([^\s]{4,200})", "strong"),
    ("login", PASSWORD, r"(?i:\blogin)(?: is)?:? +[\w.@+-]{1,64} ?[/:] ?([^\s]{4,200})", "strong"),
    ("zugangsdaten", PASSWORD, r"(?i:zugangsdaten)(?: sind)?:? +[\w.@+-]{1,64} ?[/:] ?([^\s]{4,200})", "strong"),
)  # fmt: skip

# Words that a secret follows: those that are found within other words too, and those that are not.
# A `~` is a space, _, - or nothing, and a `_` a space; a choice stands in front, and a plain letter
# has no sign of number after it.
LABELS = (
    (
        PASSWORD,
        "password passwd passwort passphrase passcode kennwort kennung contraseña contrasena senha "
        "wachtwoord lösenord hasło пароль parola heslo salasana adgangskode şifre mật_khẩu 密码 密碼 口令 パスワード パスフレーズ 비밀번호 암호 패스워드 "
        "mot_de_passe phrase_de_passe (?:wifi|wi-fi|wlan|wireless|wpa|wpa2|hotspot|network)~key "
        "snmp~community~string snmp~community community~string rocommunity rwcommunity",
        "pass pwd pw psk clave wlan-schlüssel netzwerkschlüssel",
    ),
    (PIN, "暗証番号 핀번호 geheimzahl пин-код пинкод", "pin pin-code pin_code pinコード pin番号 pin码 pin碼"),
    (
        CODE,
        "验证码 驗證碼 门禁码 門禁碼 门锁码 开门码 开锁码 解锁码 确认码 安全码 動態碼 动态码 取件码 "
        "確認コード 認証コード 解除コード 解錠コード 인증번호 türcode "
        "код_подтверждения код_доступа "
        "(?:safe|vault|locker|lock|padlock)~combination (?:tresor|safe|zahlen|schloss)~kombination",
        "cvv cvc cvv2 otp combination combo kombination combinaison combinación (?:alarm|door|gate|garage|safe|entry|lock|lockbox|unlock|keypad|access|security"
        "|verification|confirmation|login|log-in|sign-in|2fa|mfa|one-time|auth|authentication"
        "|bestätigungs|tür)~code código_de_(?:acceso|verificación|seguridad) "
        "code_(?:d'accès|de_sécurité|de_vérification)",
    ),
    (
        TOKEN,
        "token 令牌 トークン 토큰",
        "authorization phpsessid jsessionid jwt",
    ),
    (
        PRIVATE_KEY,
        "private~key preshared~key pre-shared_key 私钥 私鑰 秘密鍵 privater_schlüssel",
        "",
    ),
    (
        API_KEY,
        "(?:api|access|account|secret|auth|app|application|admin|master|encryption|encrypt|signing"
        "|shared|storage|subscription|consumer|service|license|bot|hmac|aes|root|deploy|client)"
        "~key apikey 密钥 密鑰 api-schlüssel apiキー api키 clé_api",
        "key(?<!publickey)(?<!public.key)",
    ),
    (SECRET, "secret geheimnis", "(?:2fa|mfa|totp|otp|setup|authenticator)~(?:setup_)?(?:key|seed)"),
)  # fmt: skip

# After "password is": words that tell of a password and are none.
ORDINARY = frozenset(
    """
    a about above accepted access again all allowed almost already also always an and any anything are
    as at available back bad because been before being below best better between blank both broken but
    by can case changed clear complex compromised correct critical current dead default different dumb
    due easy either empty encrypted enough entered even everything exactly expired fine for forgotten
    from fun funny generated gone good great hard hashed here hidden how important in incorrect insecure
    inside invalid it its just kept known last leaked like long lost mandatory maybe mine missing more
    my needed never new nice no none not nothing now null obvious of off ok okay old on once one only
    optional or other our out over plain possible printed private probably protected public quite random
    really rejected required reset right safe saved secret secure sent set shared short similar simple
    so some something somewhere soon still stored strong stupid such terrible that the their there these
    they this those to too top true false truncated two unchanged under undefined unique unknown unsafe
    unset up used useless valid very visible way weak weird well what when where which who why with
    within without working written wrong yes yet you your yours unavailable sensitive mismatch identical
    string str text bool boolean int integer number object any bytes char varchar optional type value
    values name none nil void input hidden field fields id true false null undefined na n/a tbd todo
    admin root user username login test example sample demo dummy fake changeme change-me placeholder
    redacted removed masked empty unset anonymous guest here below above attached prompt stdin manager
    management policy reset protection hash hint length strength recovery
    falsch richtig abgelaufen geheim sicher unsicher schwach stark leer neu alt gleich nicht kein noch
    zu im in ungültig vergessen korrekt nötig erforderlich
    incorrect incorrecte faux trop dans le la les un une débil incorrecta obligatoria correcta nueva muy
    demasiado el en mismo misma scaduta sbagliata troppo errada fraca incorreta obrigatória muito no na
    """.split()
)

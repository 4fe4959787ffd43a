/**
 * Detects dialogs in front of a text that ask for consent, a login or another browser. On a page rendered by scripts
 * they are its only text, and look like a short post. Recognized by phrases in the most common languages.
 */
import type { Block } from './blocks.ts'

/** Whether most of the text is such a dialog. */
export function isDialog(blocks: readonly Block[]): boolean {
  let total = 0
  for (const { size } of blocks) total += size
  if (total > MAX_DIALOG_CHARS) return false
  let dialogSize = 0
  for (const { text, size } of blocks) if (DIALOGS.test(text.toLowerCase())) dialogSize += size
  return dialogSize > 0 && dialogSize >= 0.4 * total
}

const MAX_DIALOG_CHARS = 2_000

const CONSENT = [
  'cookies?.{0,80}\\b(?:accept|agree|allow|consent|preferences|policy|settings|store|uses?)',
  '(?:accept|agree|allow|consent|uses?|using|store)\\b.{0,80}\\bcookies?\\b',
  'we (?:value|care about|respect) your privacy',
  '(?:cookies?|tracking|werbung|daten).{0,120}(?:akzeptieren|zustimm\\w*|einwillig\\w*|verwenden|verarbeiten)',
  '(?:akzeptieren|zustimm\\w*|einwillig\\w*|verwenden).{0,80}cookies?',
  'datenschutzeinstellungen',
  '(?:acceptez|acceptant|accepter|consentement|utilis\\w+).{0,80}(?:cookies|traceurs)',
  'respect\\w* (?:de )?votre vie privée',
  '(?:aceptar?|acepta|utiliza\\w*|usa\\w*|consentimiento).{0,80}cookies',
  '(?:accett\\w+|utilizz\\w+|consenso).{0,80}cookie',
  '(?:aceit\\w+|utiliza\\w*|usa\\w*).{0,80}cookies',
  '(?:gebruik\\w*|accepte\\w+|toestemming).{0,80}cookies',
  '(?:använd\\w*|bruker|bruger|käytämme|godkänn\\w*|samtycke\\w*).{0,80}(?:cookies|kakor|informasjonskapsler|evästeitä)',
  '(?:plików|pliki|soubory?|используем|использует|файлы|файлов|çerez\\w*).{0,60}(?:cookies?|куки|kullan\\w*)',
  '(?:使用|接受|同意).{0,30}cookie',
  'cookie.{0,30}(?:使用|同意|동의|사용)',
]

const PASSWORD = [
  '(?:content|post|page|article|site|entry) is (?:password[- ])?protected',
  '(?:enter|type|need) (?:in )?(?:a |the |your )?password',
  'to view it,? (?:please )?enter',
  '(?:inhalt|beitrag|seite|artikel) ist (?:passwortgeschützt|geschützt)',
  'passwort.{0,30}(?:eingeben|ein\\b)|bitte.{0,30}passwort',
  'protégée? par (?:un )?mot de passe',
  '(?:saisi\\w*|entr\\w+).{0,40}mot de passe',
  '(?:protegid[ao]) (?:por|con) (?:una |uma )?(?:contraseña|senha|palavra-passe)',
  '(?:introdu\\w+|escrib\\w+|ingres\\w+|digite|insira).{0,40}(?:contraseña|senha|palavra-passe)',
  'protetto da password|inserisci.{0,20}password',
  'met een wachtwoord|wachtwoord.{0,20}(?:in\\b|invoeren)',
  '(?:chronion\\w|chráněn\\w|zabezpieczon\\w).{0,20}hasłem|(?:podaj|wpisz).{0,20}hasło',
  '(?:защищен\\w*|введите).{0,20}парол\\w*',
  '(?:输入|輸入|受).{0,8}密[码碼]|パスワードを?入力|비밀번호',
]

const BROWSER = [
  '(?:your|this|an?) (?:web )?browser (?:is |version is |you are using is )?(?:out[- ]of[- ]date|outdated|old|too old|not supported|unsupported|no longer supported|does(?: not|n.t) support)',
  '(?:outdated|unsupported|old) (?:version of )?(?:your )?browser',
  '(?:upgrade|update) (?:to a |your )(?:modern |newer |latest )?(?:web )?browser',
  '(?:enable|activate|turn on|requires?) java ?script',
  'java ?script (?:is|to be|must be|has been) (?:disabled|enabled|required|turned)',
  'checking (?:if |your ).{0,40}(?:browser|connection|human)',
  'browser (?:ist|wird).{0,40}(?:veraltet|nicht (?:mehr )?unterstützt)|veralteter? (?:version ihres )?browsers?|javascript (?:aktivieren|ist deaktiviert)|aktivieren sie.{0,20}javascript',
  'navigateur.{0,40}(?:obsolète|plus (?:à jour|pris en charge)|pas (?:à jour|pris en charge|compatible))|activer javascript',
  'navegador.{0,40}(?:obsoleto|desactualizado|no es compatible|não é (?:compatível|suportado)|antiguo)|(?:habilit\\w+|activ\\w+|ativ\\w+).{0,10}javascript',
  'browser.{0,30}(?:obsoleto|non (?:è )?(?:più )?(?:supportato|aggiornato))|abilita\\w*.{0,10}javascript',
  'browser.{0,30}(?:verouderd|niet (?:meer )?ondersteund|föråldrad|stöds inte|nieaktualn\\w+|przestarzał\\w+)',
  'браузер.{0,30}(?:устарел|не поддерживается)|устаревш\\w+ (?:верси\\w+ )?браузер|включите javascript',
  '浏览器(?:版本)?(?:过低|过旧|不支持)|瀏覽器(?:版本)?(?:過低|過舊|不支援)|javascriptを有効|ブラウザ.{0,12}(?:古い|対応していません)|브라우저.{0,12}지원',
]

const DIALOGS = new RegExp([...CONSENT, ...PASSWORD, ...BROWSER].join('|'))

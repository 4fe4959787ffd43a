/**
 * Texts in places of names that are not names: form labels, menu items, words before a name, job titles. Compared in lower
 * case, with an approximate class of letters: a pattern with Unicode letters takes milliseconds to compile.
 */

export function isNotName(text: string): boolean {
  const small = text.toLowerCase()
  return ALONE.has(small) || NEVER_IN_NAMES.test(small)
}

/** A job title, or an employer. */
export function isJobTitle(text: string): boolean {
  return OFFICE.test(text.toLowerCase())
}

/** An organization or team, if a person may be named elsewhere: "Redaktion", "Web Admin", "The Lamp Staff". */
export function isOrganization(text: string): boolean {
  return ORGANIZATION.test(text.toLowerCase())
}

/** An account name: "adab", "ada_b", "AdaB88". Does not apply to scripts without capitals. */
export function isHandle(text: string): boolean {
  return /^[\w.-]+$/.test(text) && (/[\d_]/.test(text) || !/^[A-Z]/.test(text) || /[a-z][A-Z]/.test(text))
}

/** Lower-case words in names. */
export const PARTICLES: ReadonlySet<string> = new Set(
  'van von vom de der den des da di do du dos das del della la le el al bin bint ibn ter ten zu zum zur y e i af av of the and und for'.split(
    ' ',
  ),
)

const ALONE: ReadonlySet<string> = new Set(
  `admin administrator root editor author authors guest user users home blog news contact about share follow view read see
  more none null undefined unknown by written posted published from text texte texto testo tekst words
  von par por di da de door av af od przez autor autorin autora autore autores auteur автор текст
  name nom nombre nome naam namn navn nimi imię jméno meno név nume ime имя ім'я isim adı tên nama όνομα 名前 姓名 이름 الاسم שם ชื่อ
  email e-mail website webseite url comment kommentar commentaire comentario commento search suche suchen menu menü
  monday tuesday wednesday thursday friday saturday sunday today yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag
  startseite impressum kontakt datenschutz über blogroll archiv archive archives categories kategorien tags permalink`
    .split(/\s+/)
    .concat([
      'all posts',
      'written by',
      'posted by',
      'published by',
      'guest author',
      'your name',
      'ihr name',
      'dein name',
    ]),
)

const pattern = (source: string) => new RegExp(source.replaceAll('LETTER', '[a-z\\u00df-\\u1fff\\u3040-\\ud7ff]'))

/** Words of menus, forms and templates. */
const NEVER_IN_NAMES = pattern(
  `(?<!LETTER)(?:required|erforderlich|pflichtfeld|obligatoire|obligatorio|obbligatorio|verplicht|wajib|bearbeiten|anmelden|abmelden|registrieren|anzeigen|weiterlesen|kommentare?|kommentieren|antworten|drucken|teilen|abonnieren|schlagwörter|comments?|reply|replies|login|logout|log in|log out|sign in|sign up|subscribe|unsubscribe|newsletter|read more|read next|learn more|click here|powered by|permalink|copyright|all rights|cookies?|previous|next post|share this|follow us|contact us|creative commons|cc by(?:-LETTER+)*|istock(?:photo)?|getty images|shutterstock|adobe stock|unsplash|pixabay|pexels|alamy|depositphotos|picture alliance|about us|commentaires?|répondre|connexion|s'abonner|comentarios?|responder|suscribirse|commenti|rispondi|reacties)(?!LETTER)`,
)

const OFFICE = pattern(
  `(?<!LETTER)(?:writers?|editors?|reporters?|correspondent|journalist(?:in)?|columnist|contributor|staff|photographer|founder|co-founder|ceo|cto|director|manager|professor|analyst|engineer|specialist|expert|coach|therapist|consultant|strategist|president|redakteur(?:in)?|autor(?:in)?|korrespondent(?:in)?|volontär(?:in)?|mitarbeiter(?:in)?|rédact(?:eur|rice)|journaliste|redactor[ae]?|periodista|giornalista|news|newsroom|business|insider|press|media|magazine|times|post|daily|weekly|today|university|universität|institute?|college|school|agency|inc|llc|ltd|gmbh)(?!LETTER)`,
)

const ORGANIZATION = pattern(
  String.raw`^the\s|(?<!LETTER)(?:web-?master|anonymous|anonym|gastautor(?:in)?|guest (?:author|post|writer)|LETTER*admin|news|staff|team|desk|press|media|magazine|times|today|inc\.?|llc|ltd\.?|gmbh|corp(?:oration)?\.?|company|publishing|publications|communications|editors?|editorial(?: board| staff)?|LETTER*redaktion|redaksi|redakcja|redactie|redacción|redação|redazione|rédaction|редакция)$|^(?:redaktion|rédaction|redazione|redacción|team|editorial)(?!LETTER)|^(?:agentur|agencies|agenturen|dpa|afp|ap|reuters|kna|epd|sid|pti|ians|ani|associated press)$`,
)

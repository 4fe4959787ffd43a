/** Parses the names in a text: "By Ada Byron and Charles Babbage | Updated 3 May" contains two. */
import { monthOf } from '../../html/index.ts'
import { isJobTitle, isNotName, isOrganization, PARTICLES } from './non-names.ts'

/** A metadata field contains only names; a line is written for readers, and begins with "by" in its language. */
export type NamePlace = 'field' | 'line'

export function parseNames(text: string, place: NamePlace): string[] {
  if (text.length > MAX_TEXT_LENGTH || NO_NAME.test(text)) return []
  const whole = withoutPrefix(text, place).replace(BRACKETS, ' ')
  const inOrder = place === 'field' ? SURNAME_FIRST.exec(whole) : null
  if (inOrder) return [`${inOrder[2]} ${inOrder[1]}`]
  return whole.split(AND).flatMap((group) => {
    const [first, ...otherNames] = group.split(BETWEEN).flatMap((part) => parseName(part, place) ?? [])
    if (first === undefined) return []
    return [first, ...otherNames.filter((candidate) => !isTitleOrPlace(candidate, first))]
  })
}

/** The name without common prefixes and suffixes; undefined if it is not a name. */
export function parseName(text: string, place: NamePlace): string | undefined {
  if (NO_NAME.test(text)) return undefined
  const name = withoutPrefix(text, place)
    .replace(BEHIND, '')
    .replace(BRACKETS, ' ')
    .replace(/\s*[([（][^)\]）]*$/u, '')
    .replace(/^([^([（]*)[)\]）].*$/u, '$1')
    .replace(/\s+(?:am|on|le|el|il|op|at|vom|den|em|unter|posted|published|geschrieben|veröffentlicht)$/u, '')
    .replace(/^[\s\p{P}\p{S}]+|[\s\p{S}:;,/•·–—*"”»-]+$/gu, '')
  if (name.length < 2 || name.length > MAX_NAME_LENGTH || !/\p{L}/u.test(name)) return undefined
  const words = name.split(/\s+/)
  if (isNotName(name) || words.length > 6 || words.some((word) => /^\d+$/.test(word))) return undefined
  if (place === 'line' && !isShapedLikeName(words) && !isOrganization(name)) return undefined
  return words.length > 1 && words.every((word) => monthOf(word) !== undefined) ? undefined : name
}

/** In scripts with capitals the words of a name are capitalized, except "van" and similar; a nickname is one word. */
function isShapedLikeName(words: readonly string[]): boolean {
  if (words.length === 1) return true
  return words.every((word) => !/^\p{Ll}/u.test(word) || PARTICLES.has(word) || /^\p{Ll}['’]\p{Lu}/u.test(word))
}

/** After a full name and a comma: a degree, a place, a job title, an organization. */
function isTitleOrPlace(addition: string, first: string): boolean {
  return /\s/.test(first) && (!/\s/.test(addition) || isJobTitle(addition))
}

const MAX_TEXT_LENGTH = 400
const MAX_NAME_LENGTH = 60

/** "E" is an initial, "e" is Portuguese. */
const AND = /\s+(?:and|And|AND|und|et|y|e|en|og|och|i|ja|&|\+|with)\s+|\s*[;\n]\s*/u
const BETWEEN = /\s*[,|•·●⋅/、，／]\s*/u

/** Brackets after a name; between two of its words they belong to it: "Ada (Augusta) Byron". */
const BRACKETS =
  /\s*(?:\([^()]*\)|\[[^[\]]*\]|（[^（）]*）)(?:(?!\s*[A-Za-z\u00c0-\uffef])|(?=\s+(?:and|und|et|y|e|en|og|och|i|ja|with)\s))/g

/** "Byron, Ada". */
const SURNAME_FIRST = /^(\p{Lu}[\p{Ll}\p{M}'’-]+), (\p{Lu}[\p{Ll}\p{M}'’-]+)$/u

const IN_FIELD =
  /^(?:(?:(?:(?:a|an|the|guest|analysis|opinion|review|post|story|article|blog|text|words|commentary|column|essay|interview|report|medically|fact|written|posted|published|reported|reviewed|checked|edited|authored|contributed|created)\s+){0,4}by|and|&|authors?|автор|текст|作者|記者|记者)(?=[\s:：/／•|])|(?:view |see |read )?(?:all|more|other)? ?(?:posts|articles|stories|entries|content) (?:by|from)(?=\s)|(?:zeige )?alle (?:beiträge|artikel|posts) (?:von|anzeigen von)(?=\s)|(?:voir )?tous les (?:articles|billets|messages) (?:de|par)(?=\s)|(?:ver )?tod[ao]s (?:las|los|os|as) (?:entradas|artículos|posts|publicaciones|publicações) (?:de|por)(?=\s)|(?:vedi |leggi )?tutti gli articoli (?:di|da)(?=\s)|alle berichten (?:van|door)(?=\s))\s*[:：/／•|]?\s*/iu
/** "By" in the most common languages; some of these words are names as well. */
const IN_LINE =
  /^(?:autor(?:in|a|es)?|autore|auteur|verfasser(?:in)?|(?:verfasst|geschrieben|veröffentlicht|gepostet|erstellt|ein beitrag|ein gastbeitrag|text) von|von|(?:écrit|publié|posté|rédigé) par|par|(?:escrito|publicado|postado) por|por|(?:scritto|pubblicato|postato) da|di|(?:geschreven|geplaatst) door|door|av|af|od|przez|texte?|texto|testo|tekst|text|words|redaktion|redakteur(?:in)?|редактор|文|撰文|글|โดย|ผู้เขียน|כתב|بقلم|نویسنده)(?=[\s:：/／•|])\s*[:：/／•|]?\s*/iu

function withoutPrefix(text: string, place: NamePlace): string {
  let remaining = text.trim().replace(/^[Bb]y(?=\p{Lu})/u, '')
  for (let i = 0; i < 3; i++) {
    const next = remaining.replace(IN_FIELD, '').replace(AROUND, '')
    if (next === remaining) break
    remaining = next
  }
  return place === 'line' ? remaining.replace(IN_LINE, '') : remaining
}

/** "Alle Beiträge von Ada Byron anzeigen" ends with its verb. */
const AROUND = /\s+(?:anzeigen|ansehen|→|»|›|>)\s*$/iu

/** From a date, a time or the start of another statement to the end. */
const BEHIND =
  /\s*(?:[-–—|•·,(]\s*)?(?:(?<=\s)(?:on|in|for|says)\b|(?<=\s|^)(?:[Uu]pdated|UPDATED|[Pp]ublished|[Pp]osted|[Ll]ast|[Mm]in(?:ute)?s? read|[Cc]ategor(?:y|ies)|[Kk]ategorien?|[Uu]hr)\b|(?<=[\s,])(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?<=[\s,])(?:Montag|Dienstag|Mittwoch|Donnerstag|Samstag|Sonntag)\b|\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d).*$/su

/** Software signs as well: "markup version 1.2". */
const NO_NAME =
  /\bversion \d|\bv\d+\.\d|https?:|www\.|^@|[{}<>=?!*]|\S@\S|\.(?:com|org|net)\b|^(?:foto|photo|bild|image|picture|©|copyright|powered)/i

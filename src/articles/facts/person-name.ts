/** Names in a text that is said to hold some: "By Ada Byron and Charles Babbage | Updated 3 May" holds two. */
import { monthOf } from '../../markup/index.ts'

/** A field is made to hold names; a line is written for people, and begins with "by" in their language. */
export type NamePlace = 'field' | 'line'

export function namesIn(text: string, place: NamePlace): string[] {
  if (text.length > LONGEST_TEXT || NO_NAME.test(text)) return []
  return withoutPrefix(text, place)
    .split(BETWEEN)
    .flatMap((part) => nameOf(part, place) ?? [])
}

/** The name that a text is, without what often stands before and behind it; undefined where it is none. */
export function nameOf(text: string, place: NamePlace): string | undefined {
  if (NO_NAME.test(text)) return undefined
  const name = withoutPrefix(text, place)
    .replace(BEHIND, '')
    .replace(/^[\s\p{P}]+|[\s:;,|/•·–—-]+$/gu, '')
  if (name.length < 2 || name.length > LONGEST_NAME || !/\p{L}/u.test(name)) return undefined
  const words = name.split(/\s+/)
  if (NO_PERSON.test(name) || words.length > 6 || words.some((word) => /^\d+$/.test(word))) return undefined
  return words.length > 1 && words.every((word) => monthOf(word) !== undefined) ? undefined : name
}

const LONGEST_TEXT = 400
const LONGEST_NAME = 60

/** "E" is an initial, "e" is Portuguese. */
const BETWEEN = /\s*[,;|•·\n/、，／]\s*|\s+(?:and|And|AND|und|et|y|e|en|og|och|i|ja|&|\+|with)\s+/u

const IN_FIELD =
  /^(?:(?:(?:written|posted|published|reported|reviewed|medically reviewed|words|text|story|article|post)\s+)?by|and|&|authors?|автор|作者|記者|记者)(?=[\s:：/／•|])\s*[:：/／•|]?\s*/iu
/** "By" in the languages that pages use most; some of these words are names as well. */
const IN_LINE =
  /^(?:autora?|autore|auteur|verfasser|verfasst von|von|par|por|di|door|av|af|od|texto?|редактор|文|撰文|글|โดย|ผู้เขียน|כתב|بقلم|نویسنده)(?=[\s:：/／•|])\s*[:：/／•|]?\s*/iu

function withoutPrefix(text: string, place: NamePlace): string {
  let rest = text.trim().replace(/^[Bb]y(?=\p{Lu})/u, '')
  for (let i = 0; i < 3; i++) {
    const next = rest.replace(IN_FIELD, '')
    if (next === rest) break
    rest = next
  }
  return place === 'line' ? rest.replace(IN_LINE, '') : rest
}

/** From a date, a time or a word that begins another statement to the end. */
const BEHIND =
  /\s*(?:[-–—|•·,(]\s*)?(?:(?<=\s)(?:on|in|for|says)\b|(?<=\s|^)(?:[Uu]pdated|UPDATED|[Pp]ublished|[Pp]osted|[Ll]ast|[Mm]in(?:ute)?s? read)\b|\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d).*$/su

const NO_NAME = /https?:|www\.|^@|[{}<>=?!]|\S@\S|\.(?:com|org|net)\b/i
const NO_PERSON =
  /^(?:admin|administrator|editor|author|guest|user|home|blog|news|contact|about|share|follow|view|read|see|more|all posts|none|null|undefined|unknown|by|written by)$/i

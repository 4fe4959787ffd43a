/** Names in a text that is said to hold some: "By Ada Byron and Charles Babbage | Updated 3 May" holds two. */
import { monthOf } from '../dates/months.ts'

export function namesIn(text: string): string[] {
  if (text.length > LONGEST_TEXT || NO_NAME.test(text)) return []
  return withoutPrefix(text)
    .split(BETWEEN)
    .flatMap((part) => nameOf(part) ?? [])
}

/** The name that a text is, without what often stands before and behind it; undefined where it is none. */
export function nameOf(text: string): string | undefined {
  if (NO_NAME.test(text)) return undefined
  const name = withoutPrefix(text)
    .replace(BEHIND, '')
    .replace(/^[\s\p{P}]+|[\s:;,|/•·–—-]+$/gu, '')
  if (name.length < 2 || name.length > LONGEST_NAME || !/\p{L}/u.test(name)) return undefined
  const words = name.split(/\s+/)
  if (NO_PERSON.test(name) || words.length > 6 || words.some((word) => /^\d+$/.test(word))) return undefined
  return words.length > 1 && words.every((word) => monthOf(word) !== undefined) ? undefined : name
}

const LONGEST_TEXT = 400
const LONGEST_NAME = 60

const BETWEEN = /\s*[,;|•·\n/、，／]\s*|\s+(?:and|und|et|y|e|en|og|och|i|ja|&|\+|with)\s+/iu

/** "By", "Written by", "Author:" in the languages that pages use most. */
const BEFORE =
  /^(?:(?:and|&)\s|(?:(?:written|posted|published|reported|reviewed|words|text|story|medically reviewed|fact checked|article|post)\s+)?by|(?:written|posted) on|author|authors|autora?|autore|auteur|verfasser|verfasst von|von|par|por|di|door|av|af|od|texto?|redacción|редактор|автор|作者|文|記者|记者|撰文|글|기자|โดย|כתב|بقلم|نویسنده|ผู้เขียน)(?=[\s:：/／•|])\s*[:：/／•|]?\s*/iu

function withoutPrefix(text: string): string {
  let rest = text.trim().replace(/^[Bb]y(?=\p{Lu})/u, '')
  for (let i = 0; i < 3; i++) {
    const next = rest.replace(BEFORE, '')
    if (next === rest) break
    rest = next
  }
  return rest
}

/** From a date, a time or a word that begins another statement to the end. */
const BEHIND =
  /\s*(?:[-–—|•·,(]\s*)?(?:(?<=\s|^)(?:updated|published|posted|last|on|in|for|says|min read|minute read|read time)\b|\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d).*$/isu

const NO_NAME = /https?:|www\.|^@|[{}<>=?!]|\S@\S|\.(?:com|org|net)\b/i
const NO_PERSON =
  /^(?:admin|administrator|editor|author|guest|user|home|blog|news|contact|about|share|follow|view|read|see|more|all posts|none|null|undefined|unknown|by|written by)$/i

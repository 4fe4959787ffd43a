/**
 * A hash of an entry's text below its title, so that a poll detects rewritten text without loading the stored one. It ignores what
 * changes by itself: tags and attributes, whitespace, punctuation, words with digits (counters, dates), and units of relative
 * times ("two hours ago"). One pass, no copies, bounded length.
 */
import type { EntryDraft } from './feed.ts'

const MAX_HASHED_LENGTH = 20_000
const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** Used in place of the texts, where those are not loaded; null: there is no text. */
export interface HashedBefore {
  textHash?: number | null
}

/** 32 bits. Undefined if there is no text. */
export function textHash(draft: Pick<EntryDraft, 'content' | 'summary'> & HashedBefore): number | undefined {
  const { content, summary, textHash: before } = draft
  if (before !== undefined) return before ?? undefined
  const text = content ?? summary ?? ''
  const end = Math.min(text.length, MAX_HASHED_LENGTH)
  let hash = BASIS
  let [word, letters, hasFigure, isTag, isAnything] = [BASIS, 0, false, false, false]
  for (let i = 0; i <= end; i++) {
    const code = i === end ? SPACE : text.charCodeAt(i)
    if (isTag) {
      isTag = code !== CLOSE
      continue
    }
    if (isLetter(code)) {
      word = Math.imul(word ^ lower(code), PRIME)
      letters++
      continue
    }
    if (isFigure(code)) {
      hasFigure = true
      continue
    }
    if (letters > 0 && !hasFigure && !RELATIVE_TIME_WORDS.has(word)) {
      hash = Math.imul(hash ^ word, PRIME)
      isAnything = true
    }
    ;[word, letters, hasFigure] = [BASIS, 0, false]
    isTag = code === OPEN
  }
  return isAnything ? hash >>> 0 : undefined
}

const [SPACE, OPEN, CLOSE] = [0x20, 0x3c, 0x3e]

function isFigure(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** All non-ASCII characters count as letters. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code > 0xbf
}

function lower(code: number): number {
  return code <= 0x5a ? code | 0x20 : code
}

function hashOf(word: string): number {
  let hash = BASIS
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ lower(word.charCodeAt(i)), PRIME)
  return hash
}

/** Words of relative times, in the most frequent languages of feeds. */
const RELATIVE_TIME_WORDS: ReadonlySet<number> = new Set(
  `second seconds sec minute minutes min mins hour hours day days week weeks month months year years ago now just yesterday today
  monday tuesday wednesday thursday friday saturday sunday am pm vor sekunde sekunden minuten stunde stunden tag tagen tage
  woche wochen monat monaten jahr jahren gestern heute il y a seconde secondes heure heures jour jours semaine semaines mois an
  ans hier hace segundo segundos minuto minutos hora horas semana semanas mes meses ayer hoy nbsp amp`
    .split(/\s+/)
    .map(hashOf),
)

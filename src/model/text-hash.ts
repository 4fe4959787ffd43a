/**
 * What an entry says below its title, as a number: another number, other words. So a poll can tell that a text was rewritten without
 * reading what was kept of it. What changes by itself says nothing: tags and their attributes, spaces, punctuation, words with
 * figures in them (counters, dates), and the units of "two hours ago". One pass, without a copy, and of a bounded length.
 */
import type { EntryDraft } from './feed.ts'

const LONGEST_HASHED = 20_000
const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** Where something else stands for the texts: their number, or null if they say nothing. */
export interface HashedBefore {
  textHash?: number | null
}

/** Of 32 bits. Undefined if it says nothing. */
export function textHash(draft: Pick<EntryDraft, 'content' | 'summary'> & HashedBefore): number | undefined {
  const { content, summary, textHash: before } = draft
  if (before !== undefined) return before ?? undefined
  const text = content ?? summary ?? ''
  const end = Math.min(text.length, LONGEST_HASHED)
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
    if (letters > 0 && !hasFigure && !PASSING.has(word)) {
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

/** Whatever is not ASCII counts as one: letters of any script, and their marks. */
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

/** How time is told that passes by itself, in the languages in which feeds mostly do. */
const PASSING: ReadonlySet<number> = new Set(
  `second seconds sec minute minutes min mins hour hours day days week weeks month months year years ago now just yesterday today
  monday tuesday wednesday thursday friday saturday sunday am pm vor sekunde sekunden minuten stunde stunden tag tagen tage
  woche wochen monat monaten jahr jahren gestern heute il y a seconde secondes heure heures jour jours semaine semaines mois an
  ans hier hace segundo segundos minuto minutos hora horas semana semanas mes meses ayer hoy nbsp amp`
    .split(/\s+/)
    .map(hashOf),
)

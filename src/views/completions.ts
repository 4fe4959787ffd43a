/**
 * Completes a search query that is being typed, by the titles and snippets of its best results: so only words are suggested that the user
 * may see, and that find something. Each completion is a whole query.
 */
import { foldedWords, wordPositions } from '../ports/index.ts'

const MAX_COMPLETIONS = 5
/** Results that have two words side by side, for their phrase to be suggested. */
const MIN_PHRASE_RESULTS = 2

/** Most frequent first. Empty if the query does not end in the letters of a word. */
export function completionsOf(query: string, results: readonly string[]): string[] {
  const [, head = '', beginning = ''] = /^(.*?)([\p{L}\p{N}\p{M}]{2,})$/su.exec(query) ?? []
  const [letters] = foldedWords(beginning)
  const isInQuotes = (head.match(/["“”„«»]/g)?.length ?? 0) % 2 === 1
  if (letters === undefined || /\p{L}{2,}:\S*$/u.test(head) || /(^|\s)-\S*$/.test(head)) return []
  const previous = isInQuotes ? undefined : /(?:^|\s)([\p{L}\p{M}]{2,})\s+$/u.exec(head)
  const [before] = foldedWords(previous?.[1] ?? '')
  const words = new Map<string, Completion>()
  for (const text of results) countWords(text, letters, before, words)
  const ranked = [...words.values()].sort((a, b) => b.results - a.results || a.written.length - b.written.length)
  const phrases = ranked
    .filter(({ besideBefore }) => besideBefore >= MIN_PHRASE_RESULTS)
    .slice(0, 1)
    .map(({ written }) => `${head.slice(0, head.length - previous![0].trimStart().length)}"${previous![1]} ${written}"`)
  const completed = ranked
    .filter(({ written }) => written.length > beginning.length)
    .map(({ written }) => `${head}${written}${isInQuotes ? '"' : ''}`)
  return [...completed.slice(0, MAX_COMPLETIONS - phrases.length), ...phrases]
}

interface Completion {
  written: string
  results: number
  /** Results in which it follows the word that is typed before it. */
  besideBefore: number
}

function countWords(text: string, letters: string, before: string | undefined, words: Map<string, Completion>): void {
  const seen = new Set<string>()
  const seenBeside = new Set<string>()
  let last: string | undefined
  for (const { folded, from, to } of wordPositions(text)) {
    const isBeside = before !== undefined && last === before
    last = folded
    if (!folded.startsWith(letters)) continue
    const written = text.slice(from, to)
    const word = words.get(folded) ?? { written, results: 0, besideBefore: 0 }
    words.set(folded, word)
    if (written === written.toLowerCase()) word.written = written // rather than at the start of a sentence
    if (!seen.has(folded)) word.results++
    seen.add(folded)
    if (isBeside && !seenBeside.has(folded)) {
      word.besideBefore++
      seenBeside.add(folded)
    }
  }
}

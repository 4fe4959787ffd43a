/**
 * Word-by-word differences between two texts, for display. Words are compared without case, accents and punctuation, and
 * shown verbatim. Common prefix and suffix are skipped; between them the longest common subsequence is kept if its table is
 * not too large, else everything counts as replaced.
 */
import { fold, UNSPACED_SCRIPTS } from '../sign/words.ts'

export interface WordChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

const MOST_WORDS = 2_000
const LARGEST_TABLE = 250_000

/** Changes from one text to another; neighbouring words of the same kind are one change. */
export function wordDiff(before: string, after: string): WordChange[] {
  const a = shownWords(before)
  const b = shownWords(after)
  let start = 0
  while (start < a.length && start < b.length && a[start]!.key === b[start]!.key) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1]!.key === b[endB - 1]!.key) {
    endA--
    endB--
  }
  const changes: WordChange[] = []
  say(changes, 'same', b.slice(0, start))
  compareMiddle(a.slice(start, endA), b.slice(start, endB), changes)
  say(changes, 'same', b.slice(endB))
  return changes
}

interface ShownWord {
  /** The word with the spaces after it, so that words can be joined again. */
  text: string
  key: string
}

function shownWords(text: string): ShownWord[] {
  const words: ShownWord[] = []
  for (const [word] of text.matchAll(/\S+\s*/g)) {
    const parts = UNSPACED_SCRIPTS.test(word) ? Array.from(word) : [word]
    for (const part of parts) {
      const key = fold(part).replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
      words.push({ text: part, key: key || part.trim() })
    }
    if (words.length >= MOST_WORDS) break
  }
  return words
}

function compareMiddle(a: ShownWord[], b: ShownWord[], changes: WordChange[]): void {
  if (a.length * b.length > LARGEST_TABLE) {
    say(changes, 'removed', a)
    say(changes, 'added', b)
    return
  }
  const width = b.length + 1
  /** longest[i * width + j]: of the common sequences of a from i and b from j. */
  const longest = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j
      longest[at] =
        a[i]!.key === b[j]!.key ? longest[at + width + 1]! + 1 : Math.max(longest[at + width]!, longest[at + 1]!)
    }
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const at = i * width + j
    if (i < a.length && j < b.length && a[i]!.key === b[j]!.key) {
      say(changes, 'same', [b[j]!])
      i++
      j++
    } else if (j >= b.length || (i < a.length && longest[at + width]! >= longest[at + 1]!))
      say(changes, 'removed', [a[i++]!])
    else say(changes, 'added', [b[j++]!])
  }
}

function say(changes: WordChange[], kind: WordChange['kind'], words: readonly ShownWord[]): void {
  if (words.length === 0) return
  const text = words.map(({ text }) => text).join('')
  const last = changes.at(-1)
  if (last?.kind === kind) last.text += text
  else changes.push({ kind, text })
}

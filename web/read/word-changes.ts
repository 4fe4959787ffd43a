/**
 * Which words differ between two short texts, such as two versions of a headline: the longest common run of words stays, all
 * else was removed or added. Texts are cut at a bound, for the table grows with both.
 */
export interface WordChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

const MOST_WORDS = 400

export function wordChanges(before: string, after: string): WordChange[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i]![j] = a[i] === b[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!)
  const changes: WordChange[] = []
  const add = (kind: WordChange['kind'], word: string) => {
    const last = changes.at(-1)
    if (last?.kind === kind) last.text += ` ${word}`
    else changes.push({ kind, text: word })
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i]!)
      i++
      j++
    } else if (j >= b.length || (i < a.length && longest[i + 1]![j]! >= longest[i]![j + 1]!)) add('removed', a[i++]!)
    else add('added', b[j++]!)
  }
  return changes
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
}

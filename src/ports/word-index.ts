/** Positions of the words of a text, to find words, prefixes and phrases in it without scanning the text. */

export interface WordIndex {
  /** Positions of each word, ascending. */
  positions: ReadonlyMap<string, readonly number[]>
  /** Its distinct words in order. Sorted when the first prefix is looked up. */
  sorted?: readonly string[]
}

/** `words`: folded, in their order. */
export function indexWords(words: readonly string[]): WordIndex {
  const positions = new Map<string, number[]>()
  for (let i = 0; i < words.length; i++) {
    const known = positions.get(words[i]!)
    if (known) known.push(i)
    else positions.set(words[i]!, [i])
  }
  return { positions }
}

/** How often a phrase occurs. With `prefix`, its last word may be longer. */
export function countPhrase(index: WordIndex, phrase: readonly string[], prefix: boolean): number {
  const last = phrase.length - 1
  if (last < 0) return 0
  if (!prefix && last === 0) return index.positions.get(phrase[0]!)?.length ?? 0
  const ends = prefix ? wordsBeginningWith(index, phrase[last]!) : [phrase[last]!]
  if (last === 0) return ends.reduce((sum, word) => sum + (index.positions.get(word)?.length ?? 0), 0)
  const starts = index.positions.get(phrase[0]!)
  if (!starts) return 0
  const middles = phrase.slice(1, last).map((word) => new Set(index.positions.get(word)))
  const lasts = new Set(ends.flatMap((word) => index.positions.get(word) ?? []))
  return starts.filter((start) => lasts.has(start + last) && middles.every((at, i) => at.has(start + i + 1))).length
}

function wordsBeginningWith(index: WordIndex, prefix: string): string[] {
  index.sorted ??= [...index.positions.keys()].sort()
  const { sorted } = index
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < prefix) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < sorted.length && sorted[end]!.startsWith(prefix)) end++
  return sorted.slice(low, end)
}

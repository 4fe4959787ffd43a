/**
 * Likeness of a headline and a story, or of two stories. Each is a vector: for every word, the share of its tellings that
 * use it, times the word's weight (see word-spread.ts). Likeness is the cosine between two vectors. `surprise` is the
 * information in the shared words, in nats: it distinguishes a likeness of many words from one of few, which may be chance.
 */

export interface Tellings {
  /** How many tellings use each word. */
  words: ReadonlyMap<number, number>
  /** Number of tellings. */
  count: number
  /** Length of the vector. */
  length: number
}

export interface StoryLikeness {
  likeness: number
  surprise: number
}

/** How much a word says about which story it is. */
export type Weight = (word: number) => number

/** Below 1, so that a word used by half of the tellings counts more than half of one used by all. */
const LIKENESS_POWER = 0.6
const SURPRISE_POWER = 0.5
/** Words used by fewer tellings than one in this many add next to nothing to the length. */
const RARE_IN_STORY = 128

export function storyLikeness(a: Tellings, b: Tellings, weight: Weight): StoryLikeness {
  const [few, many] = a.words.size < b.words.size ? [a, b] : [b, a]
  let product = 0
  let surprise = 0
  for (const [word, uses] of few.words) {
    const others = many.words.get(word)
    if (others === undefined) continue
    const shares = (uses / few.count) * (others / many.count)
    const value = weight(word)
    product += value * value * dampened(shares)
    surprise += Math.max(0, value + SURPRISE_POWER * Math.log(shares))
  }
  return { likeness: rounded(product / (a.length * b.length || 1)), surprise: rounded(surprise) }
}

/** Contribution of a headline's word to the likeness, before dividing by the lengths of the vectors. */
export function wordLikeness(share: number, weight: number): number {
  return weight * weight * dampened(share)
}

export function vectorLength(words: ReadonlyMap<number, number>, count: number, weight: Weight): number {
  let squares = 0
  for (const [word, uses] of words) {
    if (uses * RARE_IN_STORY >= count) squares += (weight(word) * dampened(uses / count)) ** 2
  }
  return Math.sqrt(squares)
}

/** Usually the share is one; and computing powers is expensive. */
function dampened(share: number): number {
  return share === 1 ? 1 : share ** LIKENESS_POWER
}

/** Rounded, so that the order of summation does not matter: a restored story may have another. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

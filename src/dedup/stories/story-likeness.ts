/**
 * How alike a headline and a story are, or two stories. Each is a vector: for every word, the share of its tellings
 * that use it, times what the word says about which story is told (see word-spread.ts). Likeness is the cosine between
 * two such vectors. `surprise` is the information in the words they share, in nats: it tells a likeness of many words
 * from one of few, which may be chance.
 */

export interface Tellings {
  /** How many tellings use each word. */
  words: ReadonlyMap<number, number>
  /** How many tellings there are. */
  count: number
  /** Of the vector. */
  length: number
}

export interface StoryLikeness {
  likeness: number
  surprise: number
}

/** What a word says about which story is told. */
export type Weight = (word: number) => number

/** Below 1, so that a word which half of the tellings use counts for more than half of one that all use. */
const LIKENESS_POWER = 0.6
const SURPRISE_POWER = 0.5
/** Words that fewer tellings use than one in so many add next to nothing to the length. */
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

/** What one word that a headline has adds to its likeness with a story, but for the lengths of the vectors. */
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

/** Mostly all tellings use a word, being one; and powers are dear. */
function dampened(share: number): number {
  return share === 1 ? 1 : share ** LIKENESS_POWER
}

/** So that it does not matter in which order words were added up: a restored story may have them in another. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

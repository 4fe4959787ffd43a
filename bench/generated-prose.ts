/**
 * Generates news in English-looking prose: common words are as frequent as in English and the others are made of syllables, by Zipf's law,
 * so that texts compress, fill an index and share words like real ones. The same seed gives the same text.
 */

const COMMON = (
  'the of and to in a is that for on with as was by at from are it has have be this an not said will its after who were ' +
  'more their than which but been they new had over up out about two first his or when all would people there into year'
).split(' ')
const SYLLABLES =
  'ba ber con da den di el fer ga gen hal in ka lan li ma men mi na nor on pa per ra ri sa ser ta tor ver'.split(' ')
const WORDS = 30_000

export interface Prose {
  /** That many words, the first one capitalized. */
  words(count: number): string
  /** From 0 up to 1. */
  chance(): number
}

export function createProse(seed: number): Prose {
  const chance = createChance(seed)
  const words = (count: number) => {
    const all = Array.from({ length: count }, () => wordOfRank(Math.floor(WORDS ** chance()))).join(' ')
    return all.charAt(0).toUpperCase() + all.slice(1)
  }
  return { words, chance }
}

/** Deterministic: mulberry32. */
export function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function wordOfRank(rank: number): string {
  const common = COMMON[rank - 1]
  if (common) return common
  let word = ''
  for (let rest = rank * 7; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}

/**
 * How much a word says about which story is told. Not how rare it is: the word of the day stands in a hundred
 * headlines, all of one story. What counts is over how many stories it is spread, and the spread of a word that occurs
 * n_s times in story s is (sum n_s)^2 / sum n_s^2: 1 if one story has it all, 50 if fifty have as much each. Of K
 * stories, a word of spread p picks one with the probability p/K of being right by chance; its weight is the logarithm
 * of the inverse.
 *
 * Fillers weigh no more than their rarity among all tellings allows: else a story large enough to hold most of them
 * would own the word "to", and draw in whatever has it.
 */
import { FILLER } from './word-kinds.ts'

export interface WordSpread<Story> {
  /** The stories that use a word, and how many of their tellings. */
  storiesWith(word: number): ReadonlyMap<Story, number>
  /** What a word says, where there are so many stories and tellings. */
  weight(word: number, stories: number, tellings: number): number
  /** Adds uses of a word to a story, or takes them away. */
  change(word: number, story: Story, by: number): void
}

interface Use<Story> {
  total: number
  squares: number
  stories: Map<Story, number>
}

export function createWordSpread<Story>(): WordSpread<Story> {
  const uses = new Map<number, Use<Story>>()
  const none: ReadonlyMap<Story, number> = new Map()

  return {
    storiesWith: (word) => uses.get(word)?.stories ?? none,

    weight(word, stories, tellings) {
      const use = uses.get(word)
      const spread = use ? (use.total * use.total) / use.squares : 1
      const weight = Math.log(1 + stories / (spread + 0.5))
      if ((word & 3) !== FILLER) return weight
      return Math.max(0, Math.min(weight, Math.log((tellings + 100) / ((use?.total ?? 0) + 1))))
    },

    change(word, story, by) {
      let use = uses.get(word)
      if (!use) {
        use = { total: 0, squares: 0, stories: new Map() }
        uses.set(word, use)
      }
      const before = use.stories.get(story) ?? 0
      const after = before + by
      use.total += by
      use.squares += after * after - before * before
      if (after > 0) use.stories.set(story, after)
      else use.stories.delete(story)
      if (use.total <= 0) uses.delete(word)
    },
  }
}

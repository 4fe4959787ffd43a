/** The stories in memory, and their scores. A story in memory has a number, which indexes the words' lists and the scores. */
import { DAY } from '../../model/index.ts'
import { gapBetween, isOlder, type Story, type Telling, usesIn } from './story.ts'
import { type Weight, wordLikeness } from './story-likeness.ts'

export interface StoryTable {
  count(): number
  withId(id: number): Story | undefined
  /** Gives a story a number. */
  add(story: Story): void
  drop(story: Story): void
  /** Sets the number of its tellings. */
  resize(story: Story, size: number): void
  /** The numbers of all stories that use a word, each followed by how often. Looks at every story. */
  usersOf(word: number): number[]
  /**
   * At most `most` stories that share most with a telling at about its time; of ties, the older ones. `usersOf` has lists of frequent
   * words only. Stories whose common words cannot be worth `leastSurprise` are left out.
   */
  likeliest(
    telling: Telling,
    usersOf: (word: number) => readonly number[],
    weight: Weight,
    bounds: { most: number; leastSurprise: number },
  ): Story[]
}

const NOT_MET = -1 // a score of 0 is valid: some words weigh nothing

export function createStoryTable(): StoryTable {
  const stories: (Story | undefined)[] = []
  const freeNumbers: number[] = []
  let sizes = new Uint32Array(64)
  let scores = new Float64Array(64).fill(NOT_MET)
  let worths = new Float64Array(64)

  function highest(met: readonly number[], most: number): Story[] {
    const best: Story[] = []
    for (const number of met) {
      const score = scores[number]!
      if (best.length === most && score < scores[best.at(-1)!.number]!) continue
      const story = stories[number]!
      const isBehind = (one: Story) =>
        scores[one.number]! < score || (scores[one.number] === score && isOlder(story, one))
      const place = best.findIndex(isBehind)
      best.splice(place < 0 ? best.length : place, 0, story)
      if (best.length > most) best.pop()
    }
    return best
  }

  return {
    count: () => stories.length - freeNumbers.length,
    withId: (id) => stories.find((story) => story?.id === id),

    add(story) {
      story.number = freeNumbers.pop() ?? stories.length
      stories[story.number] = story
      if (story.number < sizes.length) return
      const [oldSizes, length] = [sizes, sizes.length * 2]
      sizes = new Uint32Array(length)
      sizes.set(oldSizes)
      scores = new Float64Array(length).fill(NOT_MET)
      worths = new Float64Array(length)
    },

    drop(story) {
      stories[story.number] = undefined
      freeNumbers.push(story.number)
    },

    resize(story, size) {
      story.size = size
      sizes[story.number] = size
    },

    usersOf(word) {
      const users: number[] = []
      for (const story of stories) {
        const uses = story && usesIn(story, word)
        if (uses) users.push(story.number, uses)
      }
      return users
    },

    likeliest(telling, usersOf, weight, { most, leastSurprise }) {
      const met: number[] = []
      let unlisted = 0 // maximum worth of the words without lists, should a story use them all
      for (const word of telling.words) {
        const users = usersOf(word)
        const value = weight(word)
        if (users.length === 0) unlisted += value
        for (let i = 0; i < users.length; i += 2) {
          const number = users[i]!
          if (scores[number] === NOT_MET) {
            met.push(number)
            scores[number] = 0
            worths[number] = 0
          }
          scores[number]! += wordLikeness(users[i + 1]! / sizes[number]!, value)
          worths[number]! += value
        }
      }
      for (const number of met) scores[number]! /= 1 + gapBetween(stories[number]!, telling.at, telling.at) / DAY
      const best = highest(
        met.filter((number) => worths[number]! + unlisted >= leastSurprise),
        most,
      )
      for (const number of met) scores[number] = NOT_MET
      return best
    },
  }
}

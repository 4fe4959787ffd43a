/**
 * How much a word says about which story is told. Not how rare it is: the word of the day stands in a hundred
 * headlines, all of one story. What counts is over how many stories it is spread, and the spread of a word that occurs
 * n_s times in story s is (sum n_s)^2 / sum n_s^2: 1 if one story has it all, 50 if fifty have as much each. Of K
 * stories, a word of spread p picks one with the probability p/K of being right by chance; its weight is the logarithm
 * of the inverse.
 *
 * Fillers weigh no more than their rarity among all tellings allows: else a story large enough to hold most of them
 * would own the word "to", and draw in whatever has it.
 *
 * A word also leads to the stories that use it. Words that very many use lead nowhere, and need no list of them; should
 * they become rarer, the list is made again.
 */
import { createLargeMap } from '../large-map.ts'
import { FILLER } from '../sign/word-kinds.ts'

export interface WordSpread {
  /** The numbers of the stories that use a word, each with how many of its tellings do: story, uses, story, uses. */
  usersOf(word: number): readonly number[]
  /** What a word says, where there are so many stories and tellings. */
  weight(word: number, stories: number, tellings: number): number
  /** So many tellings of a story use a word from now on. */
  change(word: number, story: number, before: number, after: number): void
}

/** Words that more stories use than this lead nowhere; they still count when two are compared. */
const MOST_USERS = 64
const LONGEST_LIST = 4 * MOST_USERS // twice as many users, so that a list which was made again is not dropped at once

interface Use {
  total: number
  squares: number
  stories: number
  /** As `usersOf` answers, in no order; absent where there are too many. */
  users: number[] | undefined
}

/** `findUsers`: the same for a word that has no list, by asking every story. */
export function createWordSpread(findUsers: (word: number) => number[]): WordSpread {
  const uses = createLargeMap<Use>()
  const none: readonly number[] = []

  function changeList(use: Use, story: number, before: number, after: number): void {
    if (!use.users) return
    if (before === 0) use.users.push(story, after)
    else setUses(use.users, story, after)
    if (use.users.length > LONGEST_LIST) use.users = undefined
  }

  return {
    usersOf(word) {
      const use = uses.get(word)
      if (!use || use.stories > MOST_USERS) return none
      use.users ??= findUsers(word)
      return use.users
    },

    weight(word, stories, tellings) {
      const use = uses.get(word)
      const spread = use ? (use.total * use.total) / use.squares : 1
      const weight = Math.log(1 + stories / (spread + 0.5))
      if ((word & 3) !== FILLER) return weight
      return Math.max(0, Math.min(weight, Math.log((tellings + 100) / ((use?.total ?? 0) + 1))))
    },

    change(word, story, before, after) {
      const use = uses.get(word)
      if (!use) {
        uses.set(word, { total: after, squares: after * after, stories: 1, users: [story, after] })
        return
      }
      use.total += after - before
      use.squares += after * after - before * before
      use.stories += Number(before === 0) - Number(after === 0)
      if (use.total === 0) uses.delete(word)
      else changeList(use, story, before, after)
    },
  }
}

function setUses(users: number[], story: number, uses: number): void {
  for (let at = 0; at < users.length; at += 2) {
    if (users[at] !== story) continue
    users[at + 1] = uses
    if (uses === 0) takeOut(users, at)
    return
  }
}

/** The last pair takes the place. */
function takeOut(pairs: number[], at: number): void {
  const last = pairs.length - 2
  pairs[at] = pairs[last]!
  pairs[at + 1] = pairs[last + 1]!
  pairs.length = last
}

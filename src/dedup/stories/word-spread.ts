/**
 * How much a word says about which story it is. Not by rarity: the word of the day is in a hundred headlines, all of one
 * story. What counts is over how many stories it is spread. The spread of a word that occurs n_s times in story s is (sum
 * n_s)^2 / sum n_s^2: 1 if one story has all uses, 50 if fifty have equally many. Of K stories, a word of spread p picks one
 * with probability p/K of being right by chance; its weight is the logarithm of the inverse.
 *
 * Fillers weigh no more than their rarity among all tellings allows: otherwise a story with most uses of "to" would attract
 * everything that contains it.
 *
 * A word also indexes the stories that use it. Very common words have no list; if they become rarer, it is built again.
 */
import { createLargeMap } from '../large-map.ts'
import { FILLER } from '../sign/word-kinds.ts'

export interface WordSpread {
  /** The numbers of the stories that use a word, each with its number of tellings that do: story, uses, story, uses. */
  usersOf(word: number): readonly number[]
  /** A word's weight, given the numbers of stories and tellings. */
  weight(word: number, stories: number, tellings: number): number
  /** Records that this many tellings of a story use a word. */
  change(word: number, story: number, before: number, after: number): void
}

/** Words used by more stories have no list; they still count in comparisons. */
const MOST_USERS = 64
const LONGEST_LIST = 4 * MOST_USERS // twice the limit, so that a rebuilt list is not dropped at once

interface Use {
  total: number
  squares: number
  stories: number
  /** In the format of `usersOf`, in no order; absent if there are too many. */
  users: number[] | undefined
}

/** `findUsers`: the same for a word without a list, by searching every story. */
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

/** The last pair moves into the gap. */
function takeOut(pairs: number[], at: number): void {
  const last = pairs.length - 2
  pairs[at] = pairs[last]!
  pairs[at + 1] = pairs[last + 1]!
  pairs.length = last
}

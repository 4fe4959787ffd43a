/**
 * The stories of a window of time, and the words that they use. Tellings stand in a queue in the order they came; what
 * is too old, or too much, is forgotten from its front whenever another comes. What is known is thus a function of the
 * tellings held and of their groups, and can be restored from a store.
 *
 * Most stories are told by few, so those are kept small: their words are counted when they are asked for. A story has a number while it is held, by which words lead to it and scores are added up.
 */
import type { Instant, Millis } from '../../model/index.ts'
import { isEarlier } from '../groups/primary.ts'
import { createLargeMap } from '../large-map.ts'
import { earliest, type Story, type Telling, tellingsOf, usesIn, wordsIn } from './story.ts'
import { wordLikeness } from './story-likeness.ts'
import { createWordSpread } from './word-spread.ts'

export interface StoryMemory {
  readonly size: number
  telling(id: number): Telling | undefined
  storyWithId(id: number): Story | undefined
  /** What a word says about which story is told. */
  weight(word: number): number
  /**
   * At most so many stories that share most with a telling; of equals, those with the lowest id. Those are left out whose
   * words in common cannot be worth `leastSurprise`.
   */
  likeliest(telling: Telling, most: number, leastSurprise: number): Story[]
  /** Nothing is known of a story before something is told of it. */
  enter(story: Story, telling: Telling): void
  /** Everything that was told of the second belongs to the first. */
  absorb(story: Story, other: Story): void
  forget(telling: Telling): void
  /** Makes room for a telling of that date. */
  forgetBefore(at: Instant): void
  /** How many stories there are, but for the beginning, when few say little about how words are spread. */
  manyStories(): number
}

const FEW_STORIES = 100
const FEW_TELLINGS = 3
const NOT_MET = -1 // a score of 0 is one: some words weigh nothing

export function createStoryMemory(windowMs: Millis, capacity: number): StoryMemory {
  const spread = createWordSpread(findUsers)
  const stories: (Story | undefined)[] = []
  const freeNumbers: number[] = []
  const byId = createLargeMap<Telling>()
  let sizes = new Uint32Array(64)
  let scores = new Float64Array(64).fill(NOT_MET)
  let worths = new Float64Array(64)
  let queue: Telling[] = []
  let front = 0
  let newestAt = Number.NEGATIVE_INFINITY

  const manyStories = () => Math.max(stories.length - freeNumbers.length, FEW_STORIES)
  const weight = (word: number) => spread.weight(word, manyStories(), byId.size)

  function enter(story: Story, telling: Telling): void {
    if (story.size === 0) give(story)
    if (story.size === FEW_TELLINGS) story.words ??= wordsIn(story)
    for (const word of telling.words) addUses(story, word, 1)
    telling.story = story
    if (story.size === 0)
      story.tellings = [telling] // which has room for one; what is pushed to has room for many
    else story.tellings.push(telling)
    sizes[story.number] = ++story.size
    if (story.first && isEarlier(telling, story.first)) story.first = telling
    queue.push(telling)
    byId.set(telling.id, telling)
  }

  /** A number. */
  function give(story: Story): void {
    story.number = freeNumbers.pop() ?? stories.length
    stories[story.number] = story
    if (story.number < sizes.length) return
    const [oldSizes, length] = [sizes, sizes.length * 2]
    sizes = new Uint32Array(length)
    sizes.set(oldSizes)
    scores = new Float64Array(length).fill(NOT_MET)
    worths = new Float64Array(length)
  }

  function drop(story: Story): void {
    stories[story.number] = undefined
    freeNumbers.push(story.number)
  }

  function addUses(story: Story, word: number, more: number): void {
    const before = usesIn(story, word)
    const after = before + more
    if (after > 0) story.words?.set(word, after)
    else story.words?.delete(word)
    spread.change(word, story.number, before, after)
  }

  function absorb(story: Story, other: Story): void {
    const [first, second] = [earliest(story), earliest(other)]
    if (story.size + other.size > FEW_TELLINGS) story.words ??= wordsIn(story)
    for (const [word, uses] of wordsIn(other)) {
      spread.change(word, other.number, uses, 0)
      addUses(story, word, uses)
    }
    for (const telling of tellingsOf(other)) {
      telling.story = story
      story.tellings.push(telling)
    }
    story.size += other.size
    other.size = 0
    sizes[story.number] = story.size
    story.first = isEarlier(first, second) ? first : second
    drop(other)
  }

  function forget(telling: Telling): void {
    const story = telling.story!
    for (const word of telling.words) addUses(story, word, -1)
    telling.story = undefined
    if (byId.get(telling.id) === telling) byId.delete(telling.id)
    sizes[story.number] = --story.size
    if (story.size < 2 || story.size * 2 < story.tellings.length) story.tellings = tellingsOf(story)
    if (story.first === telling) story.first = undefined
    if (story.size <= FEW_TELLINGS) story.words = undefined
    if (story.size === 0) drop(story)
  }

  /** Those that were replaced by a newer version of themselves have no story any more, and are passed over. */
  function forgetBefore(at: Instant): void {
    newestAt = Math.max(newestAt, at)
    for (; front < queue.length; front++) {
      const telling = queue[front]!
      if (telling.story && telling.at >= newestAt - windowMs && byId.size < capacity) break
      if (telling.story) forget(telling)
    }
    if (front > 1000 && front * 2 > queue.length) {
      queue = queue.slice(front)
      front = 0
    }
  }

  function likeliest(telling: Telling, most: number, leastSurprise: number): Story[] {
    const met: number[] = []
    let unlisted = 0 // what the words are worth that lead nowhere, should a story use them all
    for (const word of telling.words) {
      const users = spread.usersOf(word)
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
    const best = highest(
      met.filter((number) => worths[number]! + unlisted >= leastSurprise),
      most,
    )
    for (const number of met) scores[number] = NOT_MET
    return best
  }

  function highest(met: readonly number[], most: number): Story[] {
    const best: Story[] = []
    for (const number of met) {
      const score = scores[number]!
      if (best.length === most && score < scores[best.at(-1)!.number]!) continue
      const story = stories[number]!
      const isBehind = (one: Story) =>
        scores[one.number]! < score || (scores[one.number] === score && one.id > story.id)
      const place = best.findIndex(isBehind)
      best.splice(place < 0 ? best.length : place, 0, story)
      if (best.length > most) best.pop()
    }
    return best
  }

  function findUsers(word: number): number[] {
    const users: number[] = []
    for (const story of stories) {
      const uses = story && usesIn(story, word)
      if (uses) users.push(story.number, uses)
    }
    return users
  }

  return {
    get size() {
      return byId.size
    },
    telling: (id) => byId.get(id),
    storyWithId: (id) => stories.find((story) => story?.id === id),
    weight,
    likeliest,
    enter,
    absorb,
    forget,
    forgetBefore,
    manyStories,
  }
}

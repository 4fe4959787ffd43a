/**
 * The stories of a window of time, and the words they use. Tellings are kept in order of time, however late they came; those
 * too old, or too many, are removed when another comes. The state thus depends only on the tellings held and their groups,
 * and can be restored from a store.
 *
 * Most stories have few tellings, so they are stored compactly: their words are counted on demand. A story has a number
 * while it is held, which indexes the words' lists and the scores.
 */
import { DAY, type Instant, type Millis } from '../../model/index.ts'
import { isEarlier } from '../groups/primary.ts'
import { createLargeMap } from '../large-map.ts'
import { NUMBER, SERIAL } from '../sign/word-kinds.ts'
import { earliest, gapBetween, isOlder, type Story, type Telling, tellingsOf, usesIn, wordsIn } from './story.ts'
import { type Weight, wordLikeness } from './story-likeness.ts'
import { createTextWords, type InCommon } from './text-words.ts'
import { createTimeHeap } from './time-heap.ts'
import { createWordDays } from './word-days.ts'
import { createWordSpread } from './word-spread.ts'

export interface StoryMemory {
  readonly size: number
  telling(id: number): Telling | undefined
  storyWithId(id: number): Story | undefined
  /** The weights of words at a date. */
  weightsAt(at: Instant): Weight
  /** Likeness of two packed texts. */
  textOverlap(a: string, b: string): number
  /** Likeness of two reports with texts. */
  inCommon(a: Telling, b: Telling): InCommon
  /**
   * At most `most` stories that share most with a telling at about its time; of ties, the older ones. Stories whose common
   * words cannot be worth `leastSurprise` are left out.
   */
  likeliest(telling: Telling, weight: Weight, most: number, leastSurprise: number): Story[]
  /** A story is created with its first telling. */
  enter(story: Story, telling: Telling): void
  /** Everything that was told of the second belongs to the first. Of a large one that takes many steps. */
  absorb(story: Story, other: Story): void
  forget(telling: Telling): void
  /** Makes room for a telling of that date: after a long silence many have to go. */
  forgetBefore(at: Instant): void
  /** How many stories there are, but for the beginning, when few say little about how words are spread. */
  manyStories(): number
}

const FEW_STORIES = 100
const FEW_TELLINGS = 3
const NOT_MET = -1 // a score of 0 is valid: some words weigh nothing

export function createStoryMemory(windowMs: Millis, capacity: number): StoryMemory {
  const spread = createWordSpread(findUsers)
  const stories: (Story | undefined)[] = []
  const freeNumbers: number[] = []
  const byId = createLargeMap<Telling>()
  let sizes = new Uint32Array(64)
  let scores = new Float64Array(64).fill(NOT_MET)
  let worths = new Float64Array(64)
  const line = createTimeHeap<Telling>()
  const days = createWordDays()
  const texts = createTextWords()
  let newestAt = Number.NEGATIVE_INFINITY

  const manyStories = () => Math.max(stories.length - freeNumbers.length, FEW_STORIES)

  /** Called many times while one telling is placed. */
  function weightsAt(at: Instant): Weight {
    const onUsualDays = days.weightsAt(at)
    const known = new Map<number, number>()
    return (word) => {
      let weight = known.get(word)
      if (weight === undefined) {
        weight = shareOfKind(word) * Math.min(spread.weight(word, manyStories(), byId.size), onUsualDays(word))
        known.set(word, weight)
      }
      return weight
    }
  }

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
    stretch(story, telling.at, telling.at, telling.id)
    days.count(telling.words, telling.at, 1)
    texts.count(telling, 1)
    line.push(telling)
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
    stretch(story, other.firstAt, other.lastAt, other.firstId)
    drop(other)
  }

  function forget(telling: Telling): void {
    const story = telling.story!
    for (const word of telling.words) addUses(story, word, -1)
    days.count(telling.words, telling.at, -1)
    texts.count(telling, -1)
    telling.story = undefined
    if (byId.get(telling.id) === telling) byId.delete(telling.id)
    sizes[story.number] = --story.size
    if (story.size < 2 || story.size * 2 < story.tellings.length) story.tellings = tellingsOf(story)
    if (story.first === telling) story.first = undefined
    if (story.size <= FEW_TELLINGS) story.words = undefined
    if (story.size === 0) drop(story)
  }

  /** Removed and replaced tellings have no story any more, and are skipped. */
  function forgetBefore(at: Instant): void {
    newestAt = Math.max(newestAt, at)
    for (let oldest = line.first(); oldest; oldest = line.first()) {
      if (oldest.story && oldest.at >= newestAt - windowMs && byId.size < capacity) break
      line.shift()
      if (oldest.story) forget(oldest)
    }
  }

  function likeliest(telling: Telling, weight: Weight, most: number, leastSurprise: number): Story[] {
    const met: number[] = []
    let unlisted = 0 // maximum worth of the words without lists, should a story use them all
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
    for (const number of met) scores[number]! /= 1 + gapBetween(stories[number]!, telling.at, telling.at) / DAY
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
        scores[one.number]! < score || (scores[one.number] === score && isOlder(story, one))
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
    weightsAt,
    textOverlap: texts.overlap,
    inCommon: texts.inCommon,
    likeliest,
    enter,
    absorb,
    forget,
    forgetBefore,
    manyStories,
  }
}

function stretch(story: Story, firstAt: Instant, lastAt: Instant, firstId: number): void {
  if (isEarlier({ at: firstAt, id: firstId }, { at: story.firstAt, id: story.firstId })) {
    story.firstAt = firstAt
    story.firstId = firstId
  }
  story.lastAt = Math.max(story.lastAt, lastAt)
}

/** Months, weekdays and ordinals occur in monthly events, too, and round figures in many texts. */
function shareOfKind(word: number): number {
  if ((word & 3) === SERIAL) return 0.3
  return (word & 3) === NUMBER ? 0.7 : 1
}

/**
 * The stories of a window of time, and the words they use. Tellings are kept in order of time, however late they came; those
 * too old, or too many, are removed when another comes. The state thus depends only on the tellings held and their groups,
 * and can be restored from a store.
 *
 * Most stories have few tellings, so they are stored compactly: their words are counted on demand.
 */
import type { Instant, Millis } from '../../model/index.ts'
import { isEarlier } from '../groups/primary.ts'
import { createLargeMap } from '../large-map.ts'
import { NUMBER, SERIAL } from '../sign/word-kinds.ts'
import { earliest, type Story, type Telling, tellingsOf, usesIn, wordsIn } from './story.ts'
import type { Weight } from './story-likeness.ts'
import { createStoryTable } from './story-table.ts'
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

export function createStoryMemory(windowMs: Millis, capacity: number): StoryMemory {
  const table = createStoryTable()
  const spread = createWordSpread(table.usersOf)
  const byId = createLargeMap<Telling>()
  const line = createTimeHeap<Telling>()
  const days = createWordDays()
  const texts = createTextWords()
  let newestAt = Number.NEGATIVE_INFINITY

  const manyStories = () => Math.max(table.count(), FEW_STORIES)

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
    if (story.size === 0) table.add(story)
    if (story.size === FEW_TELLINGS) story.words ??= wordsIn(story)
    for (const word of telling.words) addUses(story, word, 1)
    telling.story = story
    if (story.size === 0)
      story.tellings = [telling] // which has room for one; what is pushed to has room for many
    else story.tellings.push(telling)
    table.resize(story, story.size + 1)
    if (story.first && isEarlier(telling, story.first)) story.first = telling
    stretch(story, telling.at, telling.at, telling.id)
    days.count(telling.words, telling.at, 1)
    texts.count(telling, 1)
    line.push(telling)
    byId.set(telling.id, telling)
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
    table.resize(story, story.size + other.size)
    other.size = 0
    story.first = isEarlier(first, second) ? first : second
    stretch(story, other.firstAt, other.lastAt, other.firstId)
    table.drop(other)
  }

  function forget(telling: Telling): void {
    const story = telling.story!
    for (const word of telling.words) addUses(story, word, -1)
    days.count(telling.words, telling.at, -1)
    texts.count(telling, -1)
    telling.story = undefined
    if (byId.get(telling.id) === telling) byId.delete(telling.id)
    table.resize(story, story.size - 1)
    if (story.size < 2 || story.size * 2 < story.tellings.length) story.tellings = tellingsOf(story)
    if (story.first === telling) story.first = undefined
    if (story.size <= FEW_TELLINGS) story.words = undefined
    if (story.size === 0) table.drop(story)
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

  return {
    get size() {
      return byId.size
    },
    telling: (id) => byId.get(id),
    storyWithId: table.withId,
    weightsAt,
    textOverlap: texts.overlap,
    inCommon: texts.inCommon,
    likeliest: (telling, weight, most, leastSurprise) =>
      table.likeliest(telling, (word) => spread.usersOf(word), weight, { most, leastSurprise }),
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

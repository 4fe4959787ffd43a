/**
 * The stories of a window of time, and the words that they use. Tellings stand in a queue in the order they came; what
 * is too old, or too much, is forgotten from its front whenever another comes. What is known is thus a function of the
 * tellings held and of their groups, and can be restored from a store.
 */
import type { Instant, Millis } from '../model/index.ts'
import { isEarlier } from './election.ts'
import { earliest, type Story, type Telling } from './story.ts'
import { createWordSpread } from './word-spread.ts'

export interface StoryMemory {
  readonly size: number
  readonly stories: ReadonlySet<Story>
  telling(id: number): Telling | undefined
  /** What a word says about which story is told. */
  weight(word: number): number
  storiesWith(word: number): ReadonlyMap<Story, number>
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

export function createStoryMemory(windowMs: Millis, capacity: number): StoryMemory {
  const spread = createWordSpread<Story>()
  const stories = new Set<Story>()
  const byId = new Map<number, Telling>()
  let queue: Telling[] = []
  let front = 0
  let newestAt = Number.NEGATIVE_INFINITY

  const manyStories = () => Math.max(stories.size, FEW_STORIES)

  function enter(story: Story, telling: Telling): void {
    stories.add(story)
    telling.story = story
    story.tellings.add(telling)
    if (story.first && isEarlier(telling, story.first)) story.first = telling
    queue.push(telling)
    byId.set(telling.id, telling)
    for (const word of telling.words) use(story, word, 1)
  }

  function use(story: Story, word: number, by: number): void {
    const uses = (story.words.get(word) ?? 0) + by
    if (uses > 0) story.words.set(word, uses)
    else story.words.delete(word)
    spread.change(word, story, by)
  }

  function absorb(story: Story, other: Story): void {
    const [first, second] = [earliest(story), earliest(other)]
    for (const [word, uses] of other.words) {
      spread.change(word, other, -uses)
      use(story, word, uses)
    }
    for (const telling of other.tellings) {
      telling.story = story
      story.tellings.add(telling)
    }
    story.first = isEarlier(first, second) ? first : second
    stories.delete(other)
  }

  function forget(telling: Telling): void {
    const story = telling.story!
    telling.story = undefined
    if (byId.get(telling.id) === telling) byId.delete(telling.id)
    story.tellings.delete(telling)
    if (story.first === telling) story.first = undefined
    for (const word of telling.words) use(story, word, -1)
    if (story.tellings.size === 0) stories.delete(story)
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

  return {
    get size() {
      return byId.size
    },
    stories,
    telling: (id) => byId.get(id),
    weight: (word) => spread.weight(word, manyStories(), byId.size),
    storiesWith: spread.storiesWith,
    enter,
    absorb,
    forget,
    forgetBefore,
    manyStories,
  }
}

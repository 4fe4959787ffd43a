/**
 * Groups stories: reports of the same event at about the same time. Headlines are compared with stories first, and a
 * headline joins the most similar one if it belongs there (story-membership.ts). Stories that have become similar are
 * merged: the first reports of an event often start two of them.
 *
 * Ties go to the story with the earliest telling. The state consists of tellings and their stories only, so a restart
 * changes nothing.
 */
import { DAY } from '../../model/index.ts'
import { createMerges } from '../groups/merges.ts'
import { byTime } from '../groups/primary.ts'
import {
  BYTES_AN_ITEM,
  type CopyIndex,
  type CopyIndexOptions,
  type Item,
  type KnownItem,
  type Placement,
} from '../item.ts'
import { createLargeMap } from '../large-map.ts'
import { toPlainItem } from '../plain-item.ts'
import { signatureOf } from '../sign/signature.ts'
import { createNearestStories, evidenceOf, type Nearness, vectorOf } from './nearest-stories.ts'
import {
  earliest,
  groupOfStory,
  isOlder,
  newStory,
  type Story,
  standing,
  type Telling,
  tellingOf,
  wordsIn,
} from './story.ts'
import { storyLikeness, type Tellings, type Weight } from './story-likeness.ts'
import { createStoryMembership } from './story-membership.ts'
import { createStoryMemory } from './story-memory.ts'

export const STORY_THRESHOLD = 0.12

interface Placed {
  telling: Telling
  placement: Placement
}

export function createStoryGrouping({ threshold, windowDays, capacity }: Required<CopyIndexOptions>): CopyIndex {
  const memory = createStoryMemory(windowDays * DAY, capacity)
  const membership = createStoryMembership(threshold, windowDays * DAY, memory)
  const { belongs, areOne, fits } = membership
  const stories = createNearestStories(memory, membership)

  /** Groups by the ids of a store; needed only until an item is added. */
  let restored = createLargeMap<Story>()

  function place(item: Item): Placed {
    if (restored.size > 0) restored = createLargeMap()
    memory.forgetBefore(item.at)
    const what = toPlainItem(item)
    const signed = item.signature ?? signatureOf(what)
    const telling = tellingOf(item.id, item.at, signed)
    const before = memory.telling(item.id)
    if (before) return replace(before, telling)
    const weight = memory.weightsAt(item.at)
    const copied = stories.ofCopies(item)
    const contained = storyOfDigest(item)
    const near = stories.nearest(telling, weight).filter(({ story }) => story !== contained || copied.has(story))
    const best = near.find((one) => copied.has(one.story) || belongs(telling, one.story, one, weight))
    const [home = best?.story, ...others] = copied
    const evidence = copied.size
      ? { like: item.copyOf![0]!, likeness: 1, reason: 'says the same as a telling, being a copy of it' }
      : best
        ? evidenceOf(best, what, signed, weight)
        : { likeness: near[0]?.likeness ?? 0, reason: 'no story like it' }
    const joined = home ? [earliest(home).id] : []
    memory.enter(home ?? newStory(item.id), telling)
    const merged: number[] = []
    for (const other of others) merged.push(absorb(telling, other, joined))
    // a new story has just been compared with the others
    if (home) merged.push(...mergeAlike(telling, near, joined, weight))
    const placement = {
      id: item.id,
      ...standing(telling),
      evidence,
      joined,
      merged: merged.filter((id) => id !== item.id),
    }
    return { telling, placement }
  }

  /** A digest shares all words of a report in it, but covers other events, too. */
  function storyOfDigest({ digestOf }: Item): Story | undefined {
    return digestOf === undefined ? undefined : memory.telling(digestOf)?.story
  }

  function replace(before: Telling, telling: Telling): Placed {
    memory.enter(before.story!, telling)
    memory.forget(before)
    const evidence = { like: telling.id, likeness: 1, reason: 'another version of the same item' }
    return { telling, placement: { id: telling.id, ...standing(telling), evidence, joined: [], merged: [] } }
  }

  /** Returns the ids that no longer exist; `joined` gets a telling of each merged story. */
  function mergeAlike(telling: Telling, near: readonly Nearness[], joined: number[], weight: Weight): number[] {
    const merged: number[] = []
    let vector: Tellings | undefined
    for (const { story: other } of near) {
      const story = telling.story!
      if (other === story || other.size === 0) continue // already absorbed
      if (!fits(story, other.firstAt, other.lastAt)) continue
      vector ??= vectorOf(wordsIn(story), story.size, weight)
      const how = storyLikeness(vector, vectorOf(wordsIn(other), other.size, weight), weight)
      if (!areOne(story, other, how, telling)) continue
      merged.push(absorb(telling, other, joined))
      vector = undefined
    }
    return merged
  }

  /** Merges the younger into the older; returns the younger one's id. */
  function absorb(telling: Telling, other: Story, joined: number[]): number {
    const story = telling.story!
    joined.push(earliest(other).id)
    const [older, younger] = isOlder(story, other) ? [story, other] : [other, story]
    memory.absorb(older, younger)
    return younger.id
  }

  /** Later items of a batch may move earlier ones, so all placements are read again at the end. */
  function addAll(items: readonly Item[]): Placement[] {
    const placed = new Map<Item, Placed>()
    const merges = createMerges()
    for (const item of [...items].sort(byTime)) {
      const one = place(item)
      merges.record(one.placement)
      placed.set(item, one)
    }
    const placements: Placement[] = []
    for (const item of items) {
      const { telling, placement } = placed.get(item)!
      const now = telling.story ? standing(telling) : standingOfForgotten(merges.currentId(placement.group), telling)
      placements.push({ ...placement, ...now })
    }
    return placements
  }

  /** For an item that has left the window: its story may have other tellings. */
  function standingOfForgotten(id: number, telling: Telling): Partial<Placement> {
    const story = memory.storyWithId(id)
    return story ? standing({ ...telling, story }) : { group: id }
  }

  function restore(items: Iterable<KnownItem>): void {
    for (const { id, at, signature, group } of items) {
      memory.forgetBefore(at)
      const story = restored.get(group) ?? newStory(group)
      restored.set(group, story)
      memory.enter(story, tellingOf(id, at, signature))
    }
  }

  return {
    add: (item) => place(item).placement,
    addAll,
    restore,
    forget(ids) {
      for (const id of ids) {
        const telling = memory.telling(id)
        if (telling) memory.forget(telling)
      }
    },
    group(id) {
      const story = memory.storyWithId(id)
      return story && story.size > 1 ? groupOfStory(story) : undefined
    },
    get compared() {
      return stories.compared
    },
    get size() {
      return memory.size
    },
    get bytes() {
      return memory.size * BYTES_AN_ITEM.story
    },
  }
}

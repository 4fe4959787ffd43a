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
  type LikenessEvidence,
  type Placement,
} from '../item.ts'
import { createLargeMap } from '../large-map.ts'
import { type PlainItem, toPlainItem } from '../plain-item.ts'
import { type Signature, signatureOf, wordsOfSaid } from '../sign/signature.ts'
import {
  earliest,
  groupOfStory,
  isOlder,
  isSerial,
  newStory,
  type Story,
  standing,
  type Telling,
  tellingOf,
  usesIn,
  wordsIn,
} from './story.ts'
import {
  type StoryLikeness,
  storyLikeness,
  type Tellings,
  vectorLength,
  type Weight,
  wordLikeness,
} from './story-likeness.ts'
import { createStoryMembership, GROWN_TELLINGS } from './story-membership.ts'
import { createStoryMemory } from './story-memory.ts'

export const STORY_THRESHOLD = 0.12

interface Nearness extends StoryLikeness {
  story: Story
}

interface Placed {
  telling: Telling
  placement: Placement
}

const MOST_COMPARED = 5

export function createStoryGrouping({ threshold, windowDays, capacity }: Required<CopyIndexOptions>): CopyIndex {
  const memory = createStoryMemory(windowDays * DAY, capacity)
  const { leastSurprise, belongs, areOne, fits } = createStoryMembership(threshold, windowDays * DAY, memory)

  /** Groups by the ids of a store; needed only until an item is added. */
  let restored = createLargeMap<Story>()
  let compared = 0

  function place(item: Item): Placed {
    if (restored.size > 0) restored = createLargeMap()
    memory.forgetBefore(item.at)
    const what = toPlainItem(item)
    const signed = item.signature ?? signatureOf(what)
    const telling = tellingOf(item.id, item.at, signed)
    const before = memory.telling(item.id)
    if (before) return replace(before, telling)
    const weight = memory.weightsAt(item.at)
    const copied = storiesOfCopies(item)
    const contained = storyOfDigest(item)
    const near = nearest(telling, weight).filter(({ story }) => story !== contained || copied.has(story))
    const best = near.find((one) => copied.has(one.story) || belongs(telling, one.story, one, weight))
    const [home = best?.story, ...others] = copied
    const evidence = copied.size
      ? { like: item.copyOf![0]!, likeness: 1, reason: 'says the same as a telling, being a copy of it' }
      : best
        ? inWords(best, what, signed, weight)
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

  /** The stories of the items it copies, within the window; a single copy does not merge two large stories. */
  function storiesOfCopies({ copyOf = [], at }: Item): Set<Story> {
    const stories = new Set<Story>()
    let [firstAt, lastAt] = [at, at]
    const found = [...new Set(copyOf.flatMap((id) => memory.telling(id)?.story ?? []))].sort(
      (a, b) => b.size - a.size || (isOlder(a, b) ? -1 : 1),
    )
    for (const [i, story] of found.entries()) {
      if (!fits(story, firstAt, lastAt)) continue
      if (i > 0 && story.size >= GROWN_TELLINGS) continue
      stories.add(story)
      firstAt = Math.min(firstAt, story.firstAt)
      lastAt = Math.max(lastAt, story.lastAt)
    }
    return stories
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

  /** The stories most similar to a headline, most similar first. */
  function nearest(telling: Telling, weight: Weight): Nearness[] {
    const own = vectorOf(new Map(telling.words.map((word) => [word, 1])), 1, weight)
    const candidates = memory.likeliest(telling, weight, MOST_COMPARED, leastSurprise())
    compared += candidates.length
    const near = candidates.flatMap((story): Nearness[] => {
      if (!fits(story, telling.at, telling.at)) return []
      const others = vectorOf(wordsIn(story), story.size, weight)
      return isSerial(telling, others) ? [] : [{ story, ...storyLikeness(own, others, weight) }]
    })
    if (telling.unspaced) for (const one of near) one.surprise /= 2
    return near.sort((a, b) => b.likeness - a.likeness || (isOlder(a.story, b.story) ? -1 : 1))
  }

  function vectorOf(words: ReadonlyMap<number, number>, count: number, weight: Weight): Tellings {
    return { words, count, length: vectorLength(words, count, weight) }
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

  /** Names the words most characteristic of this story. */
  function inWords(
    { story, likeness }: Nearness,
    what: PlainItem,
    signed: Signature,
    weight: Weight,
  ): LikenessEvidence {
    const { words } = wordsOfSaid(what)
    const shared = new Map<string, number>()
    for (const [i, word] of signed.words.entries()) {
      const uses = usesIn(story, word)
      if (uses) shared.set(words[i] ?? '', wordLikeness(uses / story.size, weight(word)))
    }
    const most = [...shared].sort(([, a], [, b]) => b - a).slice(0, 3)
    const others = story.size === 1 ? '1 other' : `${story.size} others`
    const reason = `speaks of ${inOneBreath(most.map(([word]) => word))}, like ${others}`
    return { like: earliest(story).id, likeness, reason }
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
      return compared
    },
    get size() {
      return memory.size
    },
    get bytes() {
      return memory.size * BYTES_AN_ITEM.story
    },
  }
}

/** "a", "a and b", "a, b and c" */
function inOneBreath(words: string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

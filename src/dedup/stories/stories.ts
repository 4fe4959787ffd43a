/**
 * The index of stories: who tells of the same event? Headlines are compared with stories, not with each other. A
 * headline joins the story to which it is most alike, if it is like it at all and if the words they share could hardly
 * be so by chance. Stories that have grown alike become one: the first tellings of an event often begin two of them.
 *
 * The figures were chosen on English headlines of March 2014 that people had grouped.
 */
import { DAY } from '../../model/index.ts'
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
import { type PlainItem, said } from '../said.ts'
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
import { type StoryLikeness, storyLikeness, type Tellings, vectorLength, wordLikeness } from './story-likeness.ts'
import { createStoryMemory } from './story-memory.ts'

export const STORY_THRESHOLD = 0.17

interface Nearness extends StoryLikeness {
  story: Story
}

interface Placed {
  telling: Telling
  placement: Placement
}

/** Two stories of at least so many tellings each must be so much alike to become one. */
const MERGE_THRESHOLD = 0.35
const GROWN_TELLINGS = 8
/** Chance has one try for each story there is, hence the logarithm of their number; and then there is this to spare. */
const SPARE_SURPRISE = 1.5
const MOST_COMPARED = 5

export function createStories({ threshold, windowDays, capacity }: Required<CopyIndexOptions>): CopyIndex {
  const memory = createStoryMemory(windowDays * DAY, capacity)
  const { weight } = memory
  const leastSurprise = () => Math.log(memory.manyStories()) + SPARE_SURPRISE

  /** By the ids that a store gave them; of use only until something is added. */
  let restored = new Map<number, Story>()
  let compared = 0

  function place(item: Item): Placed {
    if (restored.size > 0) restored = new Map()
    memory.forgetBefore(item.at)
    const what = said(item)
    const signed = item.signature ?? signatureOf(what)
    const telling = tellingOf(item.id, item.at, signed)
    const before = memory.telling(item.id)
    if (before) return replace(before, telling)
    const near = nearest(telling)
    const best = near.find(({ likeness, surprise }) => likeness >= threshold && surprise >= leastSurprise())
    const evidence = best
      ? inWords(best, what, signed)
      : { likeness: near[0]?.likeness ?? 0, reason: 'no story like it' }
    const joined = best ? [earliest(best.story).id] : []
    memory.enter(best?.story ?? newStory(item.id, item.at), telling)
    // A story that begins now has just been compared with the others.
    const merged = best ? mergeAlike(telling, near, joined).filter((id) => id !== item.id) : []
    return { telling, placement: { id: item.id, ...standing(telling), evidence, joined, merged } }
  }

  function replace(before: Telling, telling: Telling): Placed {
    memory.enter(before.story!, telling)
    memory.forget(before)
    const evidence = { like: telling.id, likeness: 1, reason: 'another version of the same item' }
    return { telling, placement: { id: telling.id, ...standing(telling), evidence, joined: [], merged: [] } }
  }

  /** The stories that share most with a headline, the most alike first. */
  function nearest(telling: Telling): Nearness[] {
    const own = vectorOf(new Map(telling.words.map((word) => [word, 1])), 1)
    const candidates = memory.likeliest(telling, MOST_COMPARED, leastSurprise())
    compared += candidates.length
    const near = candidates.flatMap((story): Nearness[] => {
      const others = vectorOfStory(story)
      return isSerial(telling, others) ? [] : [{ story, ...storyLikeness(own, others, weight) }]
    })
    if (telling.unspaced) for (const one of near) one.surprise /= 2
    return near.sort((a, b) => b.likeness - a.likeness || a.story.id - b.story.id)
  }

  function vectorOfStory(story: Story): Tellings {
    return vectorOf(wordsIn(story), story.size)
  }

  function vectorOf(words: ReadonlyMap<number, number>, count: number): Tellings {
    return { words, count, length: vectorLength(words, count, weight) }
  }

  /** Answers the ids that are ids no longer; `joined` gets a telling of each story that became one with this. */
  function mergeAlike(telling: Telling, near: readonly Nearness[], joined: number[]): number[] {
    const merged: number[] = []
    let vector: Tellings | undefined
    for (const { story: other } of near) {
      const story = telling.story!
      if (other === story || other.size === 0) continue // that one has been absorbed
      vector ??= vectorOfStory(story)
      if (!haveGrownAlike(vector, vectorOfStory(other))) continue
      joined.push(earliest(other).id)
      const [older, younger] = isOlder(story, other) ? [story, other] : [other, story]
      memory.absorb(older, younger)
      merged.push(younger.id)
      vector = undefined
    }
    return merged
  }

  /** A single telling that came too early to be recognised is judged as if it came now; stories must be more alike. */
  function haveGrownAlike(a: Tellings, b: Tellings): boolean {
    const grown = Math.min(1, (Math.min(a.count, b.count) - 1) / (GROWN_TELLINGS - 1))
    const { likeness, surprise } = storyLikeness(a, b, weight)
    return likeness >= threshold + (MERGE_THRESHOLD - threshold) * grown && surprise >= leastSurprise()
  }

  /** Names the words that say most about this story. */
  function inWords({ story, likeness }: Nearness, what: PlainItem, signed: Signature): LikenessEvidence {
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

  /** Items that come later in a batch may move earlier ones: in the end all are asked again. */
  function addAll(items: readonly Item[]): Placement[] {
    const placed = new Map([...items].sort(byTime).map((item) => [item, place(item)]))
    return items.map((item) => {
      const { telling, placement } = placed.get(item)!
      return telling.story ? { ...placement, ...standing(telling) } : placement
    })
  }

  function restore(items: Iterable<KnownItem>): void {
    for (const { id, at, signature, group } of items) {
      memory.forgetBefore(at)
      const story = restored.get(group) ?? newStory(group, at)
      restored.set(group, story)
      if (id === group) story.foundedAt = at
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

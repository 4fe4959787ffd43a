/**
 * The index of stories: who tells of the same event? Headlines are compared with stories, not with each other. A headline
 * joins the story to which it is most alike, if it is like it at all and if the words they share could hardly be so by
 * chance. Stories that have grown alike become one: the first tellings of an event often begin two of them.
 *
 * What is known is a function of the tellings of the window and of their groups, so it can be restored from a store.
 * The figures were chosen on English headlines of March 2014 that people had grouped.
 */
import { DAY, type Instant } from '../model/index.ts'
import { bitsApart, byTime, type Candidate, isEarlier } from './election.ts'
import type { CopyIndex, CopyIndexOptions, Evidence, Group, Item, KnownItem, Placement } from './item.ts'
import { type Signature, signature, wordsOfText } from './signature.ts'
import { type StoryLikeness, storyLikeness, type Tellings, vectorLength, wordLikeness } from './story-likeness.ts'
import { NUMBER, SERIAL } from './word-kinds.ts'
import { createWordSpread } from './word-spread.ts'

export const STORY_THRESHOLD = Number(process.env.ST ?? .16)

interface Story {
  id: number
  foundedAt: Instant
  words: Map<number, number>
  tellings: Set<Telling>
  /** The earliest telling; looked for when it is asked for. */
  first?: Telling | undefined
}

interface Telling extends Candidate {
  words: Map<number, number>
  /** Overlapping pairs of characters say everything twice. */
  unspaced: boolean
  story?: Story
}

interface Nearness extends StoryLikeness {
  story: Story
}

const MERGE_THRESHOLD = Number(process.env.MT ?? .32)
const GROWN_TELLINGS = Number(process.env.GT ?? 8)
/** Chance has one try for each story there is, hence the logarithm of their number; and then there is this to spare. */
const SPARE_SURPRISE = Number(process.env.MG ?? 2)
const FEW_STORIES = 100
/** Words that more stories use than this lead nowhere; they still count when two are compared. */
const MOST_STORIES_A_WORD = 256
const MOST_COMPARED = Number(process.env.MC ?? 5)
/** Where a headline has fewer, the first ones of the text help. */
const FEWEST_WORDS = 8

export function createStories({ threshold, windowDays, capacity }: Required<CopyIndexOptions>): CopyIndex {
  const spread = createWordSpread<Story>()
  const stories = new Map<number, Story>()
  /** In the order they came: what is to be forgotten stands first. */
  const tellings = new Set<Telling>()
  const byId = new Map<number, Telling>()
  /** Of stories that the item in hand was compared with. */
  const lengths = new Map<Story, number>()
  let newestAt = Number.NEGATIVE_INFINITY

  const weight = (word: number) => spread.weight(word, Math.max(stories.size, FEW_STORIES), tellings.size)
  const leastSurprise = () => Math.log(Math.max(stories.size, FEW_STORIES)) + SPARE_SURPRISE

  function place(item: Item): { telling: Telling; placement: Placement } {
    forgetBefore(item.at)
    lengths.clear()
    const signed = item.signature ?? signature(item)
    const telling = tellingOf(item.id, item.at, signed)
    const before = byId.get(item.id)
    if (before) return replace(before, telling)
    const near = nearest(telling)
    const best = near.find(({ likeness, surprise }) => likeness >= threshold && surprise >= leastSurprise())
    const evidence = best
      ? inWords(best, item, signed)
      : { likeness: near[0]?.likeness ?? 0, reason: 'no story like it' }
    enter(best?.story ?? found(item.id, item.at), telling)
    const merged = near.flatMap(({ story }) => mergeIfAlike(telling.story!, story)).filter((id) => id !== item.id)
    return { telling, placement: { id: item.id, ...standing(telling), evidence, merged } }
  }

  function replace(before: Telling, telling: Telling): { telling: Telling; placement: Placement } {
    const story = before.story!
    enter(story, telling)
    forget(before)
    byId.set(telling.id, telling)
    const evidence = { like: telling.id, likeness: 1, reason: 'another version of the same item' }
    return { telling, placement: { id: telling.id, ...standing(telling), evidence, merged: [] } }
  }

  function nearest(telling: Telling): Nearness[] {
    const scores = new Map<Story, number>()
    for (const word of telling.words.keys()) {
      const users = spread.storiesWith(word)
      if (users.size > MOST_STORIES_A_WORD) continue
      const value = weight(word)
      for (const [story, uses] of users) {
        scores.set(story, (scores.get(story) ?? 0) + wordLikeness(uses / story.tellings.size, value))
      }
    }
    const best = highest(scores).filter((story) => !isSerial(telling, story))
    const own = { words: telling.words, count: 1, length: vectorLength(telling.words, 1, weight) }
    const near = best.map((story) => ({ story, ...storyLikeness(own, tellingsOf(story), weight) }))
    if (telling.unspaced) for (const one of near) one.surprise /= 2
    return near.sort((a, b) => b.likeness - a.likeness || a.story.id - b.story.id)
  }

  function tellingsOf(story: Story): Tellings {
    const count = story.tellings.size
    const length = lengths.get(story) ?? vectorLength(story.words, count, weight)
    lengths.set(story, length)
    return { words: story.words, count, length }
  }

  /** The id that is no longer one, if they have become one. */
  function mergeIfAlike(story: Story, other: Story): number[] {
    if (other === story || stories.get(other.id) !== other || !haveGrownAlike(story, other)) return []
    const [older, younger] = isEarlier(foundation(story), foundation(other)) ? [story, other] : [other, story]
    absorb(older, younger)
    return [younger.id]
  }

  /** A single telling that came too early to be recognised is judged as if it came now; stories must be more alike. */
  function haveGrownAlike(a: Story, b: Story): boolean {
    const smaller = Math.min(a.tellings.size, b.tellings.size)
    const grown = Math.min(1, (smaller - 1) / (GROWN_TELLINGS - 1))
    const { likeness, surprise } = storyLikeness(tellingsOf(a), tellingsOf(b), weight)
    return likeness >= threshold + (MERGE_THRESHOLD - threshold) * grown && surprise >= leastSurprise()
  }

  function absorb(story: Story, other: Story): void {
    const first = isEarlier(earliest(story), earliest(other)) ? earliest(story) : earliest(other)
    stories.delete(other.id)
    for (const [word, uses] of other.words) {
      spread.change(word, other, -uses)
      use(story, word, uses)
    }
    for (const telling of other.tellings) {
      telling.story = story
      story.tellings.add(telling)
    }
    story.first = first
  }

  function found(id: number, foundedAt: Instant): Story {
    const story: Story = { id, foundedAt, words: new Map(), tellings: new Set() }
    stories.set(id, story)
    return story
  }

  function enter(story: Story, telling: Telling): void {
    telling.story = story
    story.tellings.add(telling)
    if (story.first && isEarlier(telling, story.first)) story.first = telling
    tellings.add(telling)
    byId.set(telling.id, telling)
    for (const word of telling.words.keys()) use(story, word, 1)
  }

  function use(story: Story, word: number, by: number): void {
    const uses = (story.words.get(word) ?? 0) + by
    if (uses > 0) story.words.set(word, uses)
    else story.words.delete(word)
    spread.change(word, story, by)
    lengths.delete(story)
  }

  function forgetBefore(at: Instant): void {
    newestAt = Math.max(newestAt, at)
    const oldestAt = newestAt - windowDays * DAY
    for (const telling of tellings) {
      if (telling.at >= oldestAt && tellings.size < capacity) return
      forget(telling)
    }
  }

  function forget(telling: Telling): void {
    const story = telling.story!
    tellings.delete(telling)
    byId.delete(telling.id)
    story.tellings.delete(telling)
    if (story.first === telling) story.first = undefined
    for (const word of telling.words.keys()) use(story, word, -1)
    if (story.tellings.size === 0) stories.delete(story.id)
  }

  /** Names the words that say most about this story. */
  function inWords({ story, likeness }: Nearness, item: Item, signed: Signature): Evidence {
    const words = wordsOfText(item).words
    const shared = new Map<string, number>()
    for (const [i, word] of signed.words.entries()) {
      const uses = story.words.get(word)
      if (uses) shared.set(words[i]!, wordLikeness(uses / story.tellings.size, weight(word)))
    }
    const most = [...shared].sort(([, a], [, b]) => b - a).slice(0, 3)
    const others = story.tellings.size === 1 ? '1 other' : `${story.tellings.size} others`
    return {
      like: earliest(story).id,
      likeness,
      reason: `speaks of ${inOneBreath(most.map(([word]) => word))}, like ${others}`,
    }
  }

  function restore(items: Iterable<KnownItem>): void {
    for (const { id, at, signature, group } of items) {
      forgetBefore(at)
      const story = stories.get(group) ?? found(group, at)
      if (id === group) story.foundedAt = at
      enter(story, tellingOf(id, at, signature))
    }
  }

  return {
    add: (item) => place(item).placement,
    addAll(items) {
      const inOrder = [...items].sort(byTime)
      const placed = new Map(inOrder.map((item) => [item, place(item)]))
      return items.map((item) => {
        const { telling, placement } = placed.get(item)!
        return tellings.has(telling) ? { ...placement, ...standing(telling) } : placement
      })
    },
    restore,
    group: (id) => {
      const story = stories.get(id)
      return story && story.tellings.size > 1 ? groupOf(story) : undefined
    },
    get size() {
      return tellings.size
    },
    get bytes() {
      return tellings.size * BYTES_A_TELLING
    },
  }
}

/** Measured: most of it is maps. */
const BYTES_A_TELLING = 1500

function tellingOf(id: number, at: Instant, { simhash, words, titleWords, unspaced }: Signature): Telling {
  const told = new Map<number, number>()
  for (const word of words.subarray(0, Math.max(titleWords, FEWEST_WORDS))) told.set(word, 1)
  return { id, at, high: Number(simhash >> 32n), low: Number(simhash & 0xffffffffn), words: told, unspaced }
}

/** The stories with the highest scores; of equals, those with the lowest id. */
function highest(scores: ReadonlyMap<Story, number>): Story[] {
  const best: [Story, number][] = []
  for (const [story, score] of scores) {
    if (best.length === MOST_COMPARED && score < best.at(-1)![1]) continue
    best.push([story, score])
    best.sort(([a, x], [b, y]) => y - x || a.id - b.id)
    best.length = Math.min(best.length, MOST_COMPARED)
  }
  return best.map(([story]) => story)
}

/** "The week in pictures: 3 May" is no telling of "The week in pictures: 10 May", though they share all but the date. */
function isSerial(telling: Telling, story: Story): boolean {
  const size = story.tellings.size
  let own = 0
  for (const word of telling.words.keys()) {
    const uses = story.words.get(word) ?? 0
    if (!isNumber(word) && uses < size) return false
    if (isNumber(word) && uses === 0) own++
  }
  let theirs = 0
  for (const [word, uses] of story.words) {
    if (telling.words.has(word)) continue
    if (isNumber(word)) theirs++
    else if (uses === size) return false
  }
  return own > 0 && theirs > 0
}

function isNumber(word: number): boolean {
  return (word & 3) === NUMBER || (word & 3) === SERIAL
}

function standing(telling: Telling): Pick<Placement, 'group' | 'primary' | 'distance' | 'size'> {
  const story = telling.story!
  const primary = earliest(story)
  return { group: story.id, primary: primary.id, distance: bitsApart(primary, telling), size: story.tellings.size }
}

/** Of a story, the earliest telling is the primary: no telling is a version of another. */
function groupOf(story: Story): Group {
  const primary = earliest(story)
  const members = [...story.tellings].map((one) => ({ id: one.id, at: one.at, distance: bitsApart(one, primary) }))
  return {
    id: story.id,
    primary: primary.id,
    distanceSum: members.reduce((sum, one) => sum + one.distance, 0),
    members,
  }
}

function earliest(story: Story): Telling {
  if (story.first) return story.first
  let first: Telling | undefined
  for (const telling of story.tellings) if (!first || isEarlier(telling, first)) first = telling
  story.first = first
  return first!
}

/** "a", "a and b", "a, b and c" */
function inOneBreath(words: string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

function foundation({ id, foundedAt }: Story): { id: number; at: Instant } {
  return { id, at: foundedAt }
}

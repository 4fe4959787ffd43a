/** What a story is: the tellings of it, and the words that they use. */
import type { Instant } from '../model/index.ts'
import { bitsApart, type Candidate, fingerprintOf, isEarlier } from './election.ts'
import type { Group, Placement } from './item.ts'
import type { Signature } from './signature.ts'
import { NUMBER, SERIAL } from './word-kinds.ts'

export interface Story {
  id: number
  foundedAt: Instant
  /** How many tellings use each word. */
  words: Map<number, number>
  tellings: Set<Telling>
  /** The earliest telling; looked for when it is asked for. */
  first?: Telling | undefined
}

/** An item, as far as it tells a story. */
export interface Telling extends Candidate {
  /** Each once, and packed: there are many tellings. */
  words: Uint32Array
  /** Overlapping pairs of characters say everything twice. */
  unspaced: boolean
  /** Undefined before it is placed, and after it has been forgotten. */
  story?: Story | undefined
}

/** Where a headline has fewer words than this, the first ones of the text help. */
const FEWEST_WORDS = 8

export function tellingOf(id: number, at: Instant, { simhash, words, titleWords, unspaced }: Signature): Telling {
  const told = Uint32Array.from(new Set(words.subarray(0, Math.max(titleWords, FEWEST_WORDS))))
  return { id, at, ...fingerprintOf(simhash), words: told, unspaced }
}

export function newStory(id: number, foundedAt: Instant): Story {
  return { id, foundedAt, words: new Map(), tellings: new Set() }
}

/** The primary of a story is its earliest telling: none is a version of another. */
export function earliest(story: Story): Telling {
  if (story.first) return story.first
  let first: Telling | undefined
  for (const telling of story.tellings) if (!first || isEarlier(telling, first)) first = telling
  story.first = first
  return first!
}

export function standing(telling: Telling): Pick<Placement, 'group' | 'primary' | 'distance' | 'size'> {
  const story = telling.story!
  const primary = earliest(story)
  return { group: story.id, primary: primary.id, distance: bitsApart(primary, telling), size: story.tellings.size }
}

export function groupOf(story: Story): Group {
  const primary = earliest(story)
  const members = [...story.tellings].map((one) => ({ id: one.id, at: one.at, distance: bitsApart(one, primary) }))
  const distanceSum = members.reduce((sum, one) => sum + one.distance, 0)
  return { id: story.id, primary: primary.id, distanceSum, members }
}

export function isOlder(a: Story, b: Story): boolean {
  return isEarlier({ id: a.id, at: a.foundedAt }, { id: b.id, at: b.foundedAt })
}

/** "The week in pictures: 3 May" does not tell of what "The week in pictures: 10 May" does, for all they share. */
export function isSerial(telling: Telling, story: Story): boolean {
  const size = story.tellings.size
  let own = 0
  for (const word of telling.words) {
    const uses = story.words.get(word) ?? 0
    if (!isNumber(word) && uses < size) return false
    if (isNumber(word) && uses === 0) own++
  }
  let theirs = 0
  for (const [word, uses] of story.words) {
    if (telling.words.includes(word)) continue
    if (isNumber(word)) theirs++
    else if (uses === size) return false
  }
  return own > 0 && theirs > 0
}

function isNumber(word: number): boolean {
  return (word & 3) === NUMBER || (word & 3) === SERIAL
}

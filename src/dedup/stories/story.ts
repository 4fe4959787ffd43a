/** A story: its tellings, and the words they use. */
import type { Instant, Millis } from '../../model/index.ts'
import { bitsApart, fingerprintOf, isEarlier, type PrimaryCandidate } from '../groups/primary.ts'
import type { IndexGroup, Placement } from '../item.ts'
import type { Signature } from '../sign/signature.ts'
import { FILLER, NUMBER, SERIAL } from '../sign/word-kinds.ts'
import type { Tellings } from './story-likeness.ts'

export interface Story {
  id: number
  /** Date and id of the earliest telling ever, and date of the latest: they distinguish similar stories. */
  firstAt: Instant
  firstId: number
  lastAt: Instant
  /** While it is held; see story-memory.ts. */
  number: number
  /** How many tellings use each word; absent if there are few. */
  words?: Map<number, number> | undefined
  /** Its tellings and their number; the array may contain some that were removed. */
  size: number
  tellings: Telling[]
  /** The earliest telling; computed on demand. */
  first?: Telling | undefined
}

/** An item as a member of a story: a report of the event. */
export interface Telling extends PrimaryCandidate {
  /** Without repetitions. A plain array: a typed one takes twice the memory for so few. */
  words: number[]
  /** The first content words of the text, packed: see text-words.ts. */
  text: string
  /** Overlapping pairs of characters count everything twice. */
  unspaced: boolean
  /** Undefined before it is placed, and after it was removed. */
  story?: Story | undefined
}

/** If a headline has fewer words than this, the first ones of the text are added. */
const FEWEST_WORDS = 8
/** Without a headline more words of the text are needed to reach its subject. */
const UNTITLED_WORDS = 12

export function tellingOf(id: number, at: Instant, signed: Signature): Telling {
  const { simhash, words, titleWords, unspaced, untitled } = signed
  const headline = words.subarray(0, Math.max(titleWords, untitled ? UNTITLED_WORDS : FEWEST_WORDS))
  const headlineWords = [...new Set(headline)].slice() // without spare capacity
  const { high, low } = fingerprintOf(simhash)
  return {
    id,
    at,
    high: high | 0,
    low: low | 0,
    words: headlineWords,
    text: packedText(words.subarray(titleWords), headlineWords),
    unspaced,
    story: undefined,
  } // signed integers, which V8 stores without boxing
}

const FEWEST_IN_TEXT = 6
const MOST_IN_TEXT = 16

/** One 16-bit character per word: an array would take four times the memory. Words of the headline are left out. */
function packedText(text: Uint32Array, headline: readonly number[]): string {
  const headlineWords = new Set(headline.map((word) => word & 0xffff))
  const saying = new Set<number>()
  for (const word of text) if ((word & 3) !== FILLER && !headlineWords.has(word & 0xffff)) saying.add(word & 0xffff)
  return String.fromCharCode(...[...saying].slice(0, MOST_IN_TEXT))
}

/** Whether the text has enough words to be compared. */
export function hasEnoughText({ text }: Telling): boolean {
  return text.length >= FEWEST_IN_TEXT
}

export function newStory(id: number): Story {
  const never = { firstAt: Number.POSITIVE_INFINITY, firstId: 0, lastAt: Number.NEGATIVE_INFINITY }
  return { id, ...never, number: 0, words: undefined, size: 0, tellings: [], first: undefined }
}

/** How many tellings of a story use each word. */
export function wordsIn(story: Story): Map<number, number> {
  if (story.words) return story.words
  const words = new Map<number, number>()
  for (const telling of story.tellings)
    if (telling.story === story) for (const word of telling.words) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

export function usesIn(story: Story, word: number): number {
  if (story.words) return story.words.get(word) ?? 0
  let uses = 0
  for (const telling of story.tellings) if (telling.story === story && telling.words.includes(word)) uses++
  return uses
}

/** Tellings that were not removed. */
export function tellingsOf(story: Story): Telling[] {
  return story.tellings.filter((telling) => telling.story === story)
}

/** The primary of a story is its earliest telling: tellings are not versions of one text. */
export function earliest(story: Story): Telling {
  if (story.first) return story.first
  let first: Telling | undefined // without building a list: there may be thousands, repeatedly
  for (const telling of story.tellings)
    if (telling.story === story && (!first || isEarlier(telling, first))) first = telling
  story.first = first
  return first!
}

export function standing(telling: Telling): Pick<Placement, 'group' | 'primary' | 'distance' | 'size'> {
  const story = telling.story!
  const primary = earliest(story)
  return { group: story.id, primary: primary.id, distance: bitsApart(primary, telling), size: story.size }
}

export function groupOfStory(story: Story): IndexGroup {
  const primary = earliest(story)
  const members = tellingsOf(story).map((one) => ({ id: one.id, at: one.at, distance: bitsApart(one, primary) }))
  const distanceSum = members.reduce((sum, one) => sum + one.distance, 0)
  return { id: story.id, primary: primary.id, distanceSum, members }
}

export function isOlder(a: Story, b: Story): boolean {
  return isEarlier({ id: a.firstId, at: a.firstAt }, { id: b.firstId, at: b.firstAt })
}

/** "The week in pictures: 3 May" and "The week in pictures: 10 May" are different events, whatever they share. */
export function isSerial(telling: Telling, { words, count }: Tellings): boolean {
  let own = 0
  for (const word of telling.words) {
    const uses = words.get(word) ?? 0
    if (!isNumber(word) && uses < count) return false
    if (isNumber(word) && uses === 0) own++
  }
  let theirs = 0
  for (const [word, uses] of words) {
    if (telling.words.includes(word)) continue
    if (isNumber(word)) theirs++
    else if (uses === count) return false
  }
  return own > 0 && theirs > 0
}

function isNumber(word: number): boolean {
  return (word & 3) === NUMBER || (word & 3) === SERIAL
}

/** Time from the first telling to the last, with these included. */
export function spanWith({ firstAt, lastAt }: Story, otherFirstAt: Instant, otherLastAt: Instant): Millis {
  return Math.max(lastAt, otherLastAt) - Math.min(firstAt, otherFirstAt)
}

/** Time between the end of one and the beginning of the other; zero if they overlap. */
export function gapBetween({ firstAt, lastAt }: Story, otherFirstAt: Instant, otherLastAt: Instant): Millis {
  return Math.max(0, otherFirstAt - lastAt, firstAt - otherLastAt)
}

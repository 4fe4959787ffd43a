/**
 * What a feed always says, and what an entry of it says itself. Of the last entries that a feed showed, the hashes of their
 * sentences and of the labels of their headlines are kept; what many of them share though their headlines have nothing
 * to do with each other, nor with it, is a habit: a call for a newsletter, a notice, "The post ... appeared first on ...", a
 * publisher's name. It is taken off before anything is signed, and so weighs nothing among copies and stories.
 *
 * The headlines are what tells a habit from news: a report that a feed shows five times, from morning to evening, has a
 * first sentence that recurs as well, but it is what all of its headlines are about.
 *
 * What many feeds say is known in the same way, from the last entries of all; and for longer than those are remembered.
 *
 * Which habits a feed has follows from the memory alone, which is replaced, entry by entry, by what it shows next. So it is
 * the same whoever asks, it changes with the feed, and it cannot grow.
 */
import type { PlainItem } from '../said.ts'
import { type HabitMemory, packMemory, type Seen, unpackMemory } from './memory.ts'
import { type Part, type Parts, partsOf } from './parts.ts'

/** An entry, as it goes into the memory. */
export interface Shown extends PlainItem {
  id: number
  at: number
  feedId: number
}

export interface Habits {
  /** What an entry says itself. */
  without(what: PlainItem): PlainItem
  /** To be kept: of a feed with it, less than 2 KB. */
  readonly memory: Uint8Array
}

interface Rules {
  /** Entries that are remembered. */
  kept: number
  /** Of those, how many have to say it; of a headline's label, which may be a story's as well, more. */
  leastShare: number
  leastLabelled: number
  /** Headlines that have nothing to do with each other, and the feeds that they are of. */
  witnesses: number
  feeds: number
  /** Habits that are remembered though the entries that showed them are not. */
  habits: number
}

/** 20 entries are what most feeds show at once. */
const OF_A_FEED: Rules = { kept: 20, leastShare: 0.2, leastLabelled: 0.5, witnesses: 3, feeds: 1, habits: 0 }
/** Who says it once a month is known by those who say it daily. */
const OF_ALL_FEEDS: Rules = { kept: 60, leastShare: 0, leastLabelled: 1, witnesses: 5, feeds: 3, habits: 256 }

const KEPT_PARTS = 12
const UNRELATED = 0.2 // of the words of the shorter headline
const NAMELESS_WITNESSES = 5 // entries without a headline, or of a column that has one for all, which go on differently
const LEAST_LEFT = 3 // content words of a headline

/** The habits of a feed once it has shown these as well, in whatever order they are named. */
export function habitsOf(memory: Uint8Array | undefined, shown: readonly Shown[]): Habits {
  return createHabits(unpackMemory(memory), shown, OF_A_FEED)
}

/** What many feeds say, once these have been shown as well. */
export function commonHabits(memory: Uint8Array | undefined, shown: readonly Shown[]): Habits {
  return createHabits(unpackMemory(memory), shown, OF_ALL_FEEDS)
}

function createHabits({ seen, habits }: HabitMemory, shown: readonly Shown[], rules: Rules): Habits {
  const cut = shown.toSorted((a, b) => a.at - b.at || a.id - b.id).map((one) => ({ ...one, parts: partsOf(one) }))
  for (const { id, feedId, parts } of cut) remember(id >>> 0, feedId >>> 0, parts)
  seen.splice(0, seen.length - rules.kept)
  let topics: Set<number> | undefined // only a part that many share is asked for by them
  const known = new Map<number, boolean>()
  let holders: Map<number, Seen[]> | undefined
  const lasting = new Set(habits)
  if (rules.habits > 0) for (const { parts } of cut) [...parts.title, ...parts.text].forEach(renew)

  function remember(id: number, feedId: number, { title, text, headline }: Parts): void {
    const before = seen.findIndex((one) => one.id === id)
    if (before >= 0) seen.splice(before, 1)
    const parts = [...title, ...text].flatMap(({ hash }) => hash ?? [])
    seen.push({ id, feedId, headline, parts: parts.slice(0, KEPT_PARTS) })
  }

  /** What was not said for longest is forgotten first. */
  function renew(part: Part): void {
    if (part.hash === undefined || !isHabit(part)) return
    lasting.delete(part.hash)
    lasting.add(part.hash)
  }

  function isHabit({ kind, hash, stems }: Part): boolean {
    if (!kind || hash === undefined) return false
    const answer = lasting.has(hash) || (known.get(hash) ?? recurs(kind, hash, stems))
    known.set(hash, answer)
    return answer
  }

  /** Looked up by part, for each of many entries asks for each of its parts. */
  function holdersOf(hash: number): readonly Seen[] {
    if (!holders) {
      holders = new Map()
      for (const one of seen)
        for (const part of new Set(one.parts)) holders.set(part, [...(holders.get(part) ?? []), one])
    }
    return holders.get(hash) ?? []
  }

  /** Each witness speaks of something else than the part does, and than the witnesses before. */
  function recurs(kind: 'label' | 'sentence', hash: number, stems: readonly number[]): boolean {
    const saying = holdersOf(hash)
    const share = kind === 'label' ? rules.leastLabelled : rules.leastShare
    if (saying.length < Math.max(rules.witnesses, share * seen.length)) return false
    if (new Set(saying.map(({ feedId }) => feedId)).size < rules.feeds) return false
    topics ??= topicsOf(seen)
    const common = topics
    const label = kind === 'label' ? stems : []
    const witnesses: (readonly number[])[] = kind === 'label' ? [] : [stems]
    let nameless = 0
    for (const { id, headline, parts } of saying) {
      const subject = headline.filter((stem) => !common.has(stem) && !label.includes(stem))
      if (subject.length < 2) nameless += parts.some((part) => isOnlyIn(id, part)) ? 1 : 0
      else if (witnesses.every((one) => shareOf(subject, one) < UNRELATED)) witnesses.push(subject)
    }
    const found = kind === 'label' ? witnesses.length : witnesses.length - 1
    return found >= rules.witnesses || nameless >= NAMELESS_WITNESSES
  }

  function isOnlyIn(id: number, part: number): boolean {
    return holdersOf(part).every((one) => one.id === id)
  }

  function without(what: PlainItem): PlainItem {
    const { title, text, rest } = partsOf(what)
    const own = text.filter((part) => !isHabit(part))
    const headline = withoutLabels(what.title, title)
    if (own.length === text.length && headline === what.title) return what
    return { title: headline, text: own.length === text.length ? what.text : joined(own) + rest }
  }

  /** A headline that would say next to nothing without them keeps them. */
  function withoutLabels(whole: string, parts: readonly Part[]): string {
    const own = parts.filter((part) => !isHabit(part))
    const says = new Set(own.flatMap(({ stems }) => stems)).size
    return own.length === parts.length || says < LEAST_LEFT ? whole : joined(own).replace(LOOSE_END, '')
  }

  return {
    without,
    /** Packed for who asks: who only shows entries does not. */
    get memory() {
      return packMemory({ seen, habits: rules.habits > 0 ? [...lasting].slice(-rules.habits) : [] })
    },
  }
}

const LOOSE_END = /\s*[-–—|·»:_｜：]\s*$/u

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('')
}

/** Words in half of all headlines, as in a feed about one team: they relate none of them to another. */
function topicsOf(seen: readonly Seen[]): Set<number> {
  const counts = new Map<number, number>()
  for (const { headline } of seen) for (const stem of headline) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const many = Math.max(4, seen.length / 2)
  return new Set([...counts].filter(([, count]) => count >= many).map(([stem]) => stem))
}

/** Words of both, of the shorter one's; of a part, of the headline's. */
function shareOf(headline: readonly number[], other: readonly number[]): number {
  const both = headline.filter((stem) => other.includes(stem)).length
  return both / Math.max(1, Math.min(headline.length, other.length))
}

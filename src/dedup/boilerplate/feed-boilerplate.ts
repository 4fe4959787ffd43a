/**
 * Learns a feed's boilerplate. Hashes of the sentences and headline labels of the feed's latest entries are remembered; what
 * many of them share although their headlines have nothing in common with each other or with it is boilerplate: a newsletter
 * call, a notice, "The post ... appeared first on ...", a publisher's name. It is removed before anything is signed, so it
 * does not count for copies and stories.
 *
 * The headlines distinguish boilerplate from news: a report that a feed shows five times a day has a recurring first
 * sentence as well, but that is what all of its headlines are about.
 *
 * Boilerplate common to many feeds is learned in the same way from the latest entries of all feeds, and remembered for
 * longer.
 *
 * The result depends on the memory alone, which newer entries replace one by one. So it is deterministic, follows changes of
 * the feed, and cannot grow.
 */
import type { PlainItem } from '../plain-item.ts'
import { type BoilerplateMemory, packMemory, type Seen, unpackMemory } from './memory.ts'
import { type Part, type Parts, splitIntoParts } from './parts.ts'

/** An entry to be remembered. */
export interface Shown extends PlainItem {
  id: number
  at: number
  feedId: number
}

export interface Boilerplate {
  /** The entry without boilerplate. */
  without(what: PlainItem): PlainItem
  /** To be stored; less than 2 KB for a feed. */
  readonly memory: Uint8Array
}

interface Rules {
  /** Number of entries remembered. */
  rememberedEntries: number
  /** Share of them that must contain it; higher for headline labels, which may belong to a story. */
  leastShare: number
  leastLabelled: number
  /** Number of unrelated headlines, and of the feeds they come from. */
  witnesses: number
  feeds: number
  /** Phrases that are remembered longer than the entries that contained them. */
  phrases: number
}

/** Most feeds show 20 entries at once. */
const OF_A_FEED: Rules = {
  rememberedEntries: 20,
  leastShare: 0.2,
  leastLabelled: 0.5,
  witnesses: 3,
  feeds: 1,
  phrases: 0,
}
/** What one feed says monthly is known from feeds that say it daily. */
const OF_ALL_FEEDS: Rules = {
  rememberedEntries: 60,
  leastShare: 0,
  leastLabelled: 1,
  witnesses: 5,
  feeds: 3,
  phrases: 256,
}

const MAX_PARTS = 12
const UNRELATED = 0.2 // of the words of the shorter headline
const NAMELESS_WITNESSES = 5 // entries without a headline, or of a column with a constant one, that continue differently
const LEAST_LEFT = 3 // content words of a headline

/** The boilerplate of a feed after these entries, whose order does not matter. */
export function boilerplateOfFeed(memory: Uint8Array | undefined, entries: readonly Shown[]): Boilerplate {
  return createBoilerplate(unpackMemory(memory), entries, OF_A_FEED)
}

/** The boilerplate of many feeds after these entries. */
export function commonBoilerplate(memory: Uint8Array | undefined, entries: readonly Shown[]): Boilerplate {
  return createBoilerplate(unpackMemory(memory), entries, OF_ALL_FEEDS)
}

function createBoilerplate({ seen, phrases }: BoilerplateMemory, entries: readonly Shown[], rules: Rules): Boilerplate {
  const cut = entries
    .toSorted((a, b) => a.at - b.at || a.id - b.id)
    .map((one) => ({ ...one, parts: splitIntoParts(one) }))
  for (const { id, feedId, parts } of cut) remember(id >>> 0, feedId >>> 0, parts)
  seen.splice(0, seen.length - rules.rememberedEntries)
  let topics: Set<number> | undefined // computed lazily: only needed for parts that many share
  const known = new Map<number, boolean>()
  let holders: Map<number, Seen[]> | undefined
  const lasting = new Set(phrases)
  if (rules.phrases > 0) for (const { parts } of cut) [...parts.title, ...parts.text].forEach(renew)

  function remember(id: number, feedId: number, { title, text, headline }: Parts): void {
    const before = seen.findIndex((one) => one.id === id)
    if (before >= 0) seen.splice(before, 1)
    const parts = [...title, ...text].flatMap(({ hash }) => hash ?? [])
    seen.push({ id, feedId, headline, parts: parts.slice(0, MAX_PARTS) })
  }

  /** The phrase unused for longest is forgotten first. */
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

  /** Indexed by part, because it is looked up for each part of many entries. */
  function holdersOf(hash: number): readonly Seen[] {
    if (!holders) {
      holders = new Map()
      for (const one of seen)
        for (const part of new Set(one.parts)) holders.set(part, [...(holders.get(part) ?? []), one])
    }
    return holders.get(hash) ?? []
  }

  /** Each witness's headline has nothing in common with the part, nor with the witnesses before. */
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
    const { title, text, rest } = splitIntoParts(what)
    const own = text.filter((part) => !isHabit(part))
    const headline = withoutLabels(what.title, title)
    if (own.length === text.length && headline === what.title) return what
    return { title: headline, text: own.length === text.length ? what.text : joined(own) + rest }
  }

  /** A headline that would be almost empty without its labels keeps them. */
  function withoutLabels(whole: string, parts: readonly Part[]): string {
    const own = parts.filter((part) => !isHabit(part))
    const says = new Set(own.flatMap(({ stems }) => stems)).size
    return own.length === parts.length || says < LEAST_LEFT ? whole : joined(own).replace(LOOSE_END, '')
  }

  return {
    without,
    /** Packed on demand: callers that only display entries do not need it. */
    get memory() {
      return packMemory({ seen, phrases: rules.phrases > 0 ? [...lasting].slice(-rules.phrases) : [] })
    },
  }
}

const LOOSE_END = /\s*[-–—|·»:_｜：]\s*$/u

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('')
}

/** Words in half of all headlines, as in a feed about one team: sharing them does not relate two headlines. */
function topicsOf(seen: readonly Seen[]): Set<number> {
  const counts = new Map<number, number>()
  for (const { headline } of seen) for (const stem of headline) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const many = Math.max(4, seen.length / 2)
  return new Set([...counts].filter(([, count]) => count >= many).map(([stem]) => stem))
}

/** Share of common words in the shorter headline; for a part, in the headline. */
function shareOf(headline: readonly number[], other: readonly number[]): number {
  const both = headline.filter((stem) => other.includes(stem)).length
  return both / Math.max(1, Math.min(headline.length, other.length))
}

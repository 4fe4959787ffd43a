/**
 * What becomes of thousands of new entries at once. They are told to the store in portions, between which others get their
 * turn; what makes the next poll conditional comes with the last one, so that a crash in between costs a second look and
 * no entry. And there is a limit to what one feed may fill the store with in a day, whoever brings it, in however small
 * helpings: the rest waits, and is looked for again, as if it had not been seen.
 */
import { DAY, type EntryDraft, type FeedId } from '../../model/index.ts'
import type {
  FeedChange,
  Ledger,
  News,
  NewsRecord,
  PollRecord,
  PollRecordDraft,
  Recorded,
  Roles,
} from '../../ports/index.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { CommittedWrites } from './committed-writes.ts'

/** Entries that are written in some milliseconds, in a store of millions in ten; a long one counts for several. */
const PORTION = 100
const CHARACTERS = 2000
/** Of one feed: two of the largest documents that are read, and more than any publisher says. */
export const MOST_A_DAY = 20_000
/** And so many pages are fetched for it: more than a newsroom writes, and an hour of its domain's turns at the usual pause. */
export const MOST_PAGES_A_DAY = 2000
/** Makes the next poll look at everything again. */
export const UNSEEN: FeedChange = { validators: {}, bodyHash: null, windowHash: null }

export function isMany({ fresh, changed }: News): boolean {
  let room = PORTION
  for (const entries of [fresh, changed])
    for (const entry of entries) {
      room -= weightOfEntry(entry)
      if (room < 0) return true
    }
  return false
}

/** Parts that are written at once, each with all that it can hold. */
export function portionsOf<One>(all: readonly One[], weightOf: (one: One) => number): One[][] {
  const portions: One[][] = []
  let room = 0
  for (const one of all) {
    const weight = weightOf(one)
    if (portions.length === 0 || weight > room) {
      portions.push([])
      room = PORTION
    }
    portions.at(-1)!.push(one)
    room -= weight
  }
  return portions
}

/** What it takes to write it, in entries. */
export function weightOf({ fresh, changed }: News): number {
  let weight = 0
  for (const entry of fresh) weight += weightOfEntry(entry)
  for (const entry of changed) weight += weightOfEntry(entry)
  return weight
}

function weightOfEntry({ title, summary = '', content = '' }: EntryDraft): number {
  return Math.max(1, (title.length + summary.length + content.length) / CHARACTERS)
}

/** What a poll has brought, by itself. */
export function newsOf(
  { poll, rekeyed, completed, fresh, changed, pages }: PollRecordDraft,
  feedId: FeedId,
): NewsRecord {
  return {
    feedId,
    at: poll.at,
    ...(rekeyed && { rekeyed }),
    ...(completed && { completed }),
    fresh,
    changed,
    ...(pages && { pages }),
  }
}

/** How news are written: each portion is a step of its own. */
export interface PortionWrites {
  ledger: Pick<Ledger, 'recordNews'>
  committed: Pick<CommittedWrites, 'polls'>
  retryTransient: RetryTransient
}

export async function recordInPortions(writes: PortionWrites, record: PollRecord): Promise<Recorded> {
  if (!isMany(record)) return recordWhole(writes, record)
  const { feedId, at, ...news } = newsOf(record, record.poll.feedId)
  const portions = portionsOfNews(news)
  const last = portions.pop()
  for (const portion of portions) await recordPortion(writes, { feedId, at, ...portion })
  return recordWhole(writes, { ...record, ...last })
}

/** The same without a poll. */
export async function recordNewsInPortions(writes: NewsWrites, { feedId, at, ...news }: NewsRecord): Promise<void> {
  const portions = isMany(news) ? portionsOfNews(news) : [news]
  for (const portion of portions) await recordPortion(writes, { feedId, at, ...portion })
}

type NewsWrites = Pick<PortionWrites, 'ledger' | 'retryTransient'>

async function recordWhole({ committed }: PortionWrites, record: PollRecord): Promise<Recorded> {
  const [answer = 'void'] = await committed.polls([record])
  return answer
}

async function recordPortion({ ledger, retryTransient }: NewsWrites, portion: NewsRecord): Promise<void> {
  await retryTransient('record entries', () => ledger.recordNews([portion]))
}

/** From the bottom of the document, where the oldest are, to the newest; what the last leaves out, others have brought. */
function portionsOfNews({ rekeyed = [], completed = [], fresh, changed, pages = [] }: News): Required<News>[] {
  const pageOf = new Map(pages.map((page) => [page.key, page]))
  const freshOnes = portionsOf(fresh.toReversed(), weightOfEntry).map((entries) => entries.reverse())
  const newest = freshOnes.pop() ?? []
  const parts = [
    ...freshOnes.map((entries) => ({ fresh: entries, changed: [] })),
    ...portionsOf(changed, weightOfEntry).map((entries) => ({ fresh: [], changed: entries })),
    { fresh: newest, changed: [] },
  ]
  return parts.map((part, i) => ({
    ...part,
    rekeyed: i === 0 ? rekeyed : [],
    completed: i === 0 ? completed : [],
    pages: [...part.fresh, ...part.changed].flatMap(({ key }) => pageOf.get(key) ?? []),
  }))
}

/**
 * The same where the first poll makes the feed: with it come the newest entries, and nothing that would make the next one
 * conditional, until the rest is there.
 */
export function firstPortion(record: PollRecordDraft): { first: PollRecordDraft; rest?: PollRecordDraft } {
  if (!isMany(record)) return { first: record }
  const { validators: _v, bodyHash: _b, windowHash: _w, ...feed } = record.feed ?? {}
  const [fresh = []] = portionsOf(record.fresh, weightOfEntry)
  const keys = new Set(fresh.map(({ key }) => key))
  const pages = record.pages?.filter(({ key }) => keys.has(key)) ?? []
  return { first: { ...record, fresh, feed, pages }, rest: { ...record, fresh: record.fresh.slice(fresh.length) } }
}

export async function recordRest(
  writes: NewsWrites & Pick<Roles, 'subscriptions'>,
  feedId: FeedId,
  rest: PollRecordDraft,
): Promise<void> {
  await recordNewsInPortions(writes, newsOf(rest, feedId))
  const { validators, bodyHash, windowHash } = rest.feed ?? {}
  const change = {
    ...(validators && { validators }),
    ...(bodyHash && { bodyHash }),
    ...(windowHash && { windowHash }),
  }
  await writes.retryTransient('change a feed', () => writes.subscriptions.changeFeed(feedId, change))
}

export interface DayBound {
  /**
   * What of it may be kept, and how many entries may not; of pages the first are fetched, and so many are not. Until it is
   * `written`, its entries and pages count as if they were.
   */
  within(news: NewsRecord): Promise<WithinDay>
  /** Likewise of several, in their order: the store is asked once for all. */
  withinAll(news: readonly NewsRecord[]): Promise<WithinDay[]>
  /** It was written, or never will be. */
  written(news: NewsRecord): void
}

export interface WithinDay {
  news: NewsRecord
  left: number
  pagesLeft: number
}

/** The record of a poll, with what may be kept of its news. */
export function withinDay(record: PollRecord, { news, left }: WithinDay): PollRecord {
  const { feedId: _id, at: _at, ...kept } = news
  const { poll, feed } = record
  if (left === 0 || poll.result.kind !== 'read') return { ...record, ...kept }
  const result = { ...poll.result, fresh: kept.fresh.length }
  return { ...record, ...kept, poll: { ...poll, result }, feed: { ...feed, ...UNSEEN } }
}

interface Brought {
  entries: number
  pages: number
}

const NOTHING: Brought = { entries: 0, pages: 0 }

/** Polls and hubs bring entries of one feed at the same time: what is on its way to the store is counted here. */
export function createDayBound(ledger: Ledger): DayBound {
  const onTheirWay = new Map<FeedId, Brought>()
  const waiting = (id: FeedId) => onTheirWay.get(id) ?? NOTHING

  function expect(id: FeedId, more: Brought): void {
    const entries = waiting(id).entries + more.entries
    const pages = waiting(id).pages + more.pages
    if (entries + pages > 0) onTheirWay.set(id, { entries, pages })
    else onTheirWay.delete(id)
  }

  /** What the store has of each feed's last day, or of some seconds more where outcomes of several moments are recorded together. */
  async function stored(all: readonly NewsRecord[]): Promise<(id: FeedId) => Brought> {
    const since = Math.min(...all.map(({ at }) => at)) - DAY
    const ids = [...new Set(all.map(({ feedId }) => feedId))]
    const withPages = [...new Set(all.filter(({ pages = [] }) => pages.length > 0).map(({ feedId }) => feedId))]
    const entries = await ledger.storedSince('entries', ids, since)
    const pages = withPages.length > 0 ? await ledger.storedSince('pages', withPages, since) : []
    return (id) => ({ entries: entries[ids.indexOf(id)] ?? 0, pages: pages[withPages.indexOf(id)] ?? 0 })
  }

  function bounded(news: NewsRecord, inStore: Brought, before: Brought): WithinDay {
    const { feedId, fresh, pages = [] } = news
    const now = waiting(feedId)
    const room = Math.max(0, MOST_A_DAY - inStore.entries - Math.max(before.entries, now.entries))
    const roomForPages = Math.max(0, MOST_PAGES_A_DAY - inStore.pages - Math.max(before.pages, now.pages))
    const kept = { ...news, fresh: fresh.slice(0, room), ...(news.pages && { pages: pages.slice(0, roomForPages) }) }
    const [left, pagesLeft] = [Math.max(0, fresh.length - room), Math.max(0, pages.length - roomForPages)]
    expect(feedId, { entries: fresh.length - left, pages: pages.length - pagesLeft })
    return { news: kept, left, pagesLeft }
  }

  async function withinAll(all: readonly NewsRecord[]): Promise<WithinDay[]> {
    const bringing = all.filter(({ fresh, pages = [] }) => fresh.length + pages.length > 0)
    if (bringing.length === 0) return all.map((news) => ({ news, left: 0, pagesLeft: 0 }))
    const before = new Map(bringing.map(({ feedId }) => [feedId, waiting(feedId)])) // may be written while the store answers
    const inStore = await stored(bringing)
    return all.map((news) =>
      bringing.includes(news)
        ? bounded(news, inStore(news.feedId), before.get(news.feedId) ?? NOTHING)
        : { news, left: 0, pagesLeft: 0 },
    )
  }

  return {
    within: async (news) => (await withinAll([news]))[0]!,
    withinAll,
    written({ feedId, fresh, pages = [] }) {
      expect(feedId, { entries: -fresh.length, pages: -pages.length })
    },
  }
}

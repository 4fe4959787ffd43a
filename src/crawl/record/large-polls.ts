/**
 * What becomes of thousands of new entries at once. They are told to the store in portions, between which others get their
 * turn; what makes the next poll conditional comes with the last one, so that a crash in between costs a second look and
 * no entry. And there is a limit to what one feed may fill the store with in a day, whoever brings it, in however small
 * helpings: the rest waits, and is looked for again, as if it had not been seen.
 */
import { DAY, type EntryDraft, type FeedId } from '../../model/index.ts'
import type { FeedChange, Ledger, PollRecord, Recorded, Roles } from '../../ports/index.ts'
import { letOthers } from '../in-pieces.ts'

/** Entries that are written in some milliseconds, in a store of millions in ten; a long one counts for several. */
const PORTION = 100
const CHARACTERS = 2000
/** Of one feed: two of the largest documents that are read, and more than any publisher says. */
export const MOST_A_DAY = 20_000
/** And so many pages are fetched for it: more than a newsroom writes, and an hour of its domain's turns at the usual pause. */
export const MOST_PAGES_A_DAY = 2000
/** Makes the next poll look at everything again. */
export const UNSEEN: FeedChange = { validators: {}, bodyHash: null, windowHash: null }

export function isMany(record: PollRecord): boolean {
  return weightOf(record) > PORTION
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
export function weightOf({ fresh, changed }: PollRecord): number {
  let weight = 0
  for (const entry of fresh) weight += weightOfEntry(entry)
  for (const entry of changed) weight += weightOfEntry(entry)
  return weight
}

function weightOfEntry({ title, summary = '', content = '' }: EntryDraft): number {
  return Math.max(1, (title.length + summary.length + content.length) / CHARACTERS)
}

/** False, as for any poll, if the store did not want it. */
export async function recordInPortions(ledger: Ledger, record: PollRecord): Promise<Recorded> {
  // From the bottom of the document, where the oldest are; what the last portion leaves out, others have brought.
  const fresh = isMany(record) ? portionsOf(record.fresh.toReversed(), weightOfEntry) : [record.fresh.toReversed()]
  const changed = isMany(record) ? portionsOf(record.changed, weightOfEntry) : []
  const last = fresh.pop()?.reverse() ?? []
  const parts = [
    ...fresh.map((entries) => ({ fresh: entries.reverse(), changed: [] })),
    ...changed.map((entries) => ({ fresh: [], changed: entries })),
  ]
  const pages = new Map(record.pages?.map((page) => [page.key, page]))
  const pagesOf = (entries: EntryDraft[]) => entries.flatMap(({ key }) => pages.get(key) ?? [])
  for (const part of parts) {
    const wanted = pagesOf([...part.fresh, ...part.changed])
    await ledger.recordPolls([{ ...record, ...part, pages: wanted, entriesOnly: true }])
    await letOthers()
  }
  const rest = parts.length > 0 ? { fresh: last, changed: [], pages: pagesOf(last) } : {}
  const [answer = 'void'] = await ledger.recordPolls([{ ...record, ...rest }])
  return answer
}

/**
 * The same where the first poll makes the feed: with it come the newest entries, and nothing that would make the next one
 * conditional, until the rest is there.
 */
export function firstPortion(record: PollRecord): { first: PollRecord; rest?: PollRecord } {
  if (!isMany(record)) return { first: record }
  const { validators: _v, bodyHash: _b, windowHash: _w, ...feed } = record.feed ?? {}
  const [fresh = []] = portionsOf(record.fresh, weightOfEntry)
  const keys = new Set(fresh.map(({ key }) => key))
  const pages = record.pages?.filter(({ key }) => keys.has(key)) ?? []
  return { first: { ...record, fresh, feed, pages }, rest: { ...record, fresh: record.fresh.slice(fresh.length) } }
}

export async function recordRest(
  { ledger, subscriptions }: Pick<Roles, 'ledger' | 'subscriptions'>,
  feedId: FeedId,
  rest: PollRecord,
): Promise<void> {
  await recordInPortions(ledger, { ...rest, poll: { ...rest.poll, feedId }, entriesOnly: true })
  const { validators, bodyHash, windowHash } = rest.feed ?? {}
  await subscriptions.changeFeed(feedId, {
    ...(validators && { validators }),
    ...(bodyHash && { bodyHash }),
    ...(windowHash && { windowHash }),
  })
}

export interface DayBound {
  /**
   * What of it may be kept, and how many entries may not; of pages the first are fetched, and so many are not. Until it is
   * `written`, its entries and pages count as if they were.
   */
  within(record: PollRecord): Promise<{ record: PollRecord; left: number; pagesLeft: number }>
  /** It was written, or never will be. */
  written(record: PollRecord): void
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

  return {
    async within(record) {
      const { poll, fresh, pages = [], feed = {} } = record
      if (fresh.length + pages.length === 0 || poll.result.kind !== 'read') return { record, left: 0, pagesLeft: 0 }
      const { feedId } = poll
      const before = waiting(feedId) // may be written while the store answers
      const [entries = 0] = await ledger.newEntries([feedId], poll.at - DAY)
      const [fetched = 0] = pages.length > 0 ? await ledger.newPages([feedId], poll.at - DAY) : []
      const now = waiting(feedId)
      const room = Math.max(0, MOST_A_DAY - entries - Math.max(before.entries, now.entries))
      const roomForPages = Math.max(0, MOST_PAGES_A_DAY - fetched - Math.max(before.pages, now.pages))
      const kept = Math.min(room, fresh.length)
      const wanted = pages.slice(0, roomForPages)
      expect(feedId, { entries: kept, pages: wanted.length })
      const pagesLeft = pages.length - wanted.length
      const within = pagesLeft > 0 ? { ...record, pages: wanted } : record
      if (kept === fresh.length) return { record: within, left: 0, pagesLeft }
      const result = { ...poll.result, fresh: kept }
      const cut = { poll: { ...poll, result }, fresh: fresh.slice(0, kept), feed: { ...feed, ...UNSEEN } }
      return { record: { ...within, ...cut }, left: fresh.length - kept, pagesLeft }
    },
    written({ poll, fresh, pages = [] }) {
      if (poll.result.kind === 'read') expect(poll.feedId, { entries: -fresh.length, pages: -pages.length })
    },
  }
}

/** Sample feeds, sources and polls for the store contract. */

import { address } from '../model/address.fixture.ts'
import type { EntryDraft, FeedId, Instant, Market, Poll, Schedule, SourceId } from '../model/index.ts'
import type { NewFeed, NewSource, PollRecord, Store } from './index.ts'

/** The date at which all samples start. */
export const START: Instant = 1_700_000_000_000

export const A_MARKET: Market = {
  since: START,
  price: 1,
  stretch: 1,
  goalStretch: 1,
  target: 0,
  counted: 0,
  expected: 0,
  extra: 0,
  debt: 0,
  settledAt: START,
  following: 0,
  others: 0,
  entries: 0,
  waitedMs: 0,
  delays: { entries: 0, waitedMs: 0, forecastMs: 0, promisedMs: 0 },
  week: { polls: [], planned: [], since: START },
  hour: { at: START, polls: 0 },
  day: { at: START, polls: 0 },
}

export function newFeed(name: string, feed: Partial<NewFeed['feed']> = {}, schedule: Partial<Schedule> = {}): NewFeed {
  return {
    feed: {
      url: address(`https://${name}.example/feed.xml`),
      root: `${name}.example`,
      title: name,
      validators: {},
      subscribers: 1,
      state: 'active',
      addedAt: START,
      ...feed,
    },
    schedule: newSchedule(schedule),
  }
}

export function newSchedule(schedule: Partial<Schedule> = {}): Schedule {
  return { strategy: 'fix', memory: new Uint8Array(0), dueAt: START, failures: 0, ...schedule }
}

export function newSource(name: string, source: Partial<NewSource> = {}): NewSource {
  return { url: address(`https://${name}.example/`), root: `${name}.example`, addedAt: START, dueAt: START, ...source }
}

export function draft(key: string, more: Partial<EntryDraft> = {}): EntryDraft {
  return { key, title: `title of ${key}`, ...more }
}

/** A successful poll; due again an hour later. */
export function record(feedId: FeedId, at: Instant, more: Partial<PollRecord> = {}): PollRecord {
  const fresh = more.fresh ?? []
  const changed = more.changed ?? []
  const poll: Poll = {
    feedId,
    at,
    tookMs: 120,
    bytes: 4096,
    conditional: true,
    result: { kind: 'read', fresh: fresh.length, changed: changed.length, window: 10, gap: false },
  }
  return {
    poll,
    schedule: newSchedule({ dueAt: at + 3_600_000, polledAt: at, succeededAt: at }),
    fresh,
    changed,
    ...more,
  }
}

/** An unchanged poll. */
export function unchangedRecord(feedId: FeedId, at: Instant, poll: Partial<Poll> = {}): PollRecord {
  const result = { kind: 'not-modified', by: 'server' } as const
  return record(feedId, at, { poll: { feedId, at, tookMs: 80, bytes: 0, conditional: true, result, ...poll } })
}

/** A failed poll. */
export function failedRecord(feedId: FeedId, at: Instant): PollRecord {
  const failure = { kind: 'http', status: 503, retryAfterMs: 60_000 } as const
  return record(feedId, at, {
    poll: {
      feedId,
      at,
      tookMs: 9,
      bytes: 0,
      conditional: false,
      unconditionalFor: 'audit',
      waitUntil: at + 60_000,
      result: { kind: 'failed', failure },
    },
    schedule: newSchedule({ dueAt: at + 7_200_000, failures: 1, polledAt: at, trouble: failure }),
  })
}

export async function addFeed(store: Store, ...wishes: Parameters<typeof newFeed>): Promise<FeedId> {
  const [answer] = await store.addFeeds([newFeed(...wishes)])
  return answer!.id
}

export async function addSource(store: Store, ...wishes: Parameters<typeof newSource>): Promise<SourceId> {
  const [answer] = await store.addSources([newSource(...wishes)])
  return answer!.id
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Appends an item that no store can write. */
export const POISON = null as never

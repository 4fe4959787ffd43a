/** What a crash leaves between ledger and library, and what the walk makes of it. */
import { expect, test } from 'vitest'
import { DAY, type EntryDraft, type FeedId, HOUR, type Instant } from '../../model/index.ts'
import type { Library, Store } from '../../ports/index.ts'
import { addFeed, record as pollRecord } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createMemoryLibrary } from '../memory/library.ts'
import { withLibrary } from './index.ts'
import { mendLibrary } from './mend.ts'

const AT = Date.UTC(2026, 2, 14, 12) as Instant
const LATER = (AT + 3 * DAY) as Instant
const LONG = 'The wheel is of oak and last turned in the summer of 1974. '.repeat(9)

test('a text whose record was never written is taken out, and the others stay', async () => {
  const { ledger, library, store, feedId } = await stage()
  await store.recordPolls([record(feedId, 'kept')])
  await crashed(ledger, library)
    .recordPolls([record(feedId, 'lost', AT + 1)])
    .catch(() => {})
  expect(await mendLibrary(ledger, library, { from: AT, now: LATER, hours: 99 })).toMatchObject({
    looked: 2,
    dropped: 1,
  })
  expect((await store.entries({ limit: 9 })).map(({ content }) => content)).toEqual([`${LONG} kept`])
  expect(await mendLibrary(ledger, library, { from: AT, now: LATER, hours: 99 })).toMatchObject({
    looked: 1,
    dropped: 0,
  })
})

test('the record that is written after the crash has its text, and shows its entry once', async () => {
  const { ledger, library, store, feedId } = await stage()
  await crashed(ledger, library)
    .recordPolls([record(feedId, 'news')])
    .catch(() => {})
  expect(await store.entries({ limit: 9 })).toEqual([])
  await store.recordPolls([record(feedId, 'news', AT + HOUR)])
  await mendLibrary(ledger, library, { from: AT, now: LATER, hours: 99 })
  expect((await store.entries({ limit: 9 })).map(({ content }) => content)).toEqual([`${LONG} news`])
})

test('the text of an entry that got another key stays', async () => {
  const { ledger, library, store, feedId } = await stage()
  await store.recordPolls([record(feedId, 'old')])
  await store.recordNews([
    { feedId, at: (AT + 1) as Instant, rekeyed: [{ from: 'old', to: 'new' }], fresh: [], changed: [] },
  ])
  expect(await mendLibrary(ledger, library, { from: AT, now: LATER, hours: 99 })).toMatchObject({ dropped: 0 })
  expect((await store.entries({ limit: 9 }))[0]?.content).toBe(`${LONG} old`)
})

test('what is younger than a day is left alone, and an interrupted walk goes on where it was', async () => {
  const { ledger, library, feedId } = await stage()
  const dying = crashed(ledger, library)
  for (const i of [0, 1, 2]) await dying.recordPolls([record(feedId, `lost ${i}`, AT + i * HOUR)]).catch(() => {})
  const young = await mendLibrary(ledger, library, { from: AT, now: (AT + DAY) as Instant, hours: 99 })
  expect(young).toEqual({ nextHour: AT, looked: 0, dropped: 0, isDone: true })
  const first = await mendLibrary(ledger, library, { from: AT, now: LATER, hours: 2 })
  expect(first).toEqual({ nextHour: AT + 2 * HOUR, looked: 2, dropped: 2, isDone: false })
  expect(await mendLibrary(ledger, library, { from: first.nextHour, now: LATER, hours: 99 })).toMatchObject({
    dropped: 1,
  })
})

test('short texts stay in the ledger, long ones leave nothing but their name there', async () => {
  const { ledger, store, feedId } = await stage()
  await store.recordPolls([{ ...record(feedId, 'a'), fresh: [draft('a'), { key: 'b', title: 'b', content: 'short' }] }])
  const kept = await ledger.entries({ limit: 9 })
  expect(kept.map(({ content }) => content?.length ?? 0).every((length) => length < 80)).toBe(true)
  expect(kept.some(({ content }) => content === 'short')).toBe(true)
})

test('where the library has lost a text, the entry stands there without it', async () => {
  const { library, store, feedId } = await stage()
  await store.recordPolls([record(feedId, 'a')])
  for await (const text of library.keptIn(AT)) await library.drop([text])
  expect(await store.entries({ limit: 9 })).toMatchObject([{ key: 'a', title: 'a' }])
  expect((await store.entries({ limit: 9 }))[0]).not.toHaveProperty('content')
})

async function stage(): Promise<{ ledger: Store; library: Library; store: Store; feedId: FeedId }> {
  const [ledger, library] = [createMemoryStore(), createMemoryLibrary()]
  const store = withLibrary(ledger, library, { now: () => LATER })
  return { ledger, library, store, feedId: await addFeed(store, 'a') }
}

/** The process dies when the texts are kept and the ledger has not been told. */
function crashed(ledger: Store, library: Library): Store {
  return withLibrary({ ...ledger, recordPolls: () => Promise.reject(new Error('killed')) }, library, {
    now: () => LATER,
  })
}

function draft(key: string): EntryDraft {
  return { key, title: key, content: `${LONG} ${key}` }
}

function record(feedId: FeedId, key: string, at: number = AT) {
  return pollRecord(feedId, at as Instant, { fresh: [draft(key)] })
}

/** Garbage collection of content that a crash left behind. */
import { expect, test } from 'vitest'
import { DAY, type EntryDraft, type FeedId, HOUR, type Instant } from '../../model/index.ts'
import type { ContentStore, Store } from '../../ports/index.ts'
import { addFeed, record as pollRecord } from '../../ports/store-samples.contract.ts'
import { createMemoryContentStore } from '../memory/content-store.ts'
import { createMemoryStore } from '../memory/index.ts'
import { collectGarbage } from './collect-garbage.ts'
import { withContentStore } from './index.ts'

const AT = Date.UTC(2026, 2, 14, 12) as Instant
const LATER = (AT + 3 * DAY) as Instant
const LONG = 'The wheel is of oak and last turned in the summer of 1974. '.repeat(9)

test('deletes a text whose record was never written, and keeps the others', async () => {
  const { mainStore, contentStore, store, feedId } = await stage()
  await store.recordPolls([record(feedId, 'kept')])
  await crashed(mainStore, contentStore)
    .recordPolls([record(feedId, 'lost', AT + 1)])
    .catch(() => {})
  expect(await collectGarbage(mainStore, contentStore, { from: AT, now: LATER, hours: 99 })).toMatchObject({
    checked: 2,
    dropped: 1,
  })
  expect((await store.entries({ limit: 9 })).map(({ content }) => content)).toEqual([`${LONG} kept`])
  expect(await collectGarbage(mainStore, contentStore, { from: AT, now: LATER, hours: 99 })).toMatchObject({
    checked: 1,
    dropped: 0,
  })
})

test('keeps the text of a record that is written after the crash', async () => {
  const { mainStore, contentStore, store, feedId } = await stage()
  await crashed(mainStore, contentStore)
    .recordPolls([record(feedId, 'news')])
    .catch(() => {})
  expect(await store.entries({ limit: 9 })).toEqual([])
  await store.recordPolls([record(feedId, 'news', AT + HOUR)])
  await collectGarbage(mainStore, contentStore, { from: AT, now: LATER, hours: 99 })
  expect((await store.entries({ limit: 9 })).map(({ content }) => content)).toEqual([`${LONG} news`])
})

test('keeps the text of an entry that got another key', async () => {
  const { mainStore, contentStore, store, feedId } = await stage()
  await store.recordPolls([record(feedId, 'old')])
  await store.recordEntries([
    { feedId, at: (AT + 1) as Instant, keyChanges: [{ from: 'old', to: 'new' }], fresh: [], changed: [] },
  ])
  expect(await collectGarbage(mainStore, contentStore, { from: AT, now: LATER, hours: 99 })).toMatchObject({
    dropped: 0,
  })
  expect((await store.entries({ limit: 9 }))[0]?.content).toBe(`${LONG} old`)
})

test('leaves content of the last day alone, and resumes an interrupted run', async () => {
  const { mainStore, contentStore, feedId } = await stage()
  const dying = crashed(mainStore, contentStore)
  for (const i of [0, 1, 2]) await dying.recordPolls([record(feedId, `lost ${i}`, AT + i * HOUR)]).catch(() => {})
  const young = await collectGarbage(mainStore, contentStore, { from: AT, now: (AT + DAY) as Instant, hours: 99 })
  expect(young).toEqual({ nextHour: AT, checked: 0, dropped: 0, isDone: true })
  const first = await collectGarbage(mainStore, contentStore, { from: AT, now: LATER, hours: 2 })
  expect(first).toEqual({ nextHour: AT + 2 * HOUR, checked: 2, dropped: 2, isDone: false })
  expect(await collectGarbage(mainStore, contentStore, { from: first.nextHour, now: LATER, hours: 99 })).toMatchObject({
    dropped: 1,
  })
})

test('keeps short texts in the store, and only references to long ones', async () => {
  const { mainStore, store, feedId } = await stage()
  await store.recordPolls([{ ...record(feedId, 'a'), fresh: [draft('a'), { key: 'b', title: 'b', content: 'short' }] }])
  const entries = await mainStore.entries({ limit: 9 })
  expect(entries.map(({ content }) => content?.length ?? 0).every((length) => length < 80)).toBe(true)
  expect(entries.some(({ content }) => content === 'short')).toBe(true)
})

test('returns an entry without its text if the content store has lost it', async () => {
  const { contentStore, store, feedId } = await stage()
  await store.recordPolls([record(feedId, 'a')])
  for await (const text of contentStore.textsOfHour(AT)) await contentStore.dropTexts([text])
  expect(await store.entries({ limit: 9 })).toMatchObject([{ key: 'a', title: 'a' }])
  expect((await store.entries({ limit: 9 }))[0]).not.toHaveProperty('content')
})

async function stage(): Promise<{ mainStore: Store; contentStore: ContentStore; store: Store; feedId: FeedId }> {
  const [mainStore, contentStore] = [createMemoryStore(), createMemoryContentStore()]
  const store = withContentStore(mainStore, contentStore, { now: () => LATER })
  return { mainStore, contentStore, store, feedId: await addFeed(store, 'a') }
}

/** The process dies after the texts are written and before the record is. */
function crashed(mainStore: Store, contentStore: ContentStore): Store {
  return withContentStore({ ...mainStore, recordPolls: () => Promise.reject(new Error('killed')) }, contentStore, {
    now: () => LATER,
  })
}

function draft(key: string): EntryDraft {
  return { key, title: key, content: `${LONG} ${key}` }
}

function record(feedId: FeedId, key: string, at: number = AT) {
  return pollRecord(feedId, at as Instant, { fresh: [draft(key)] })
}

/** Content records follow the store, and keep what it deletes by age. */
import { expect, test } from 'vitest'
import { DAY, type EntryId, type FeedId, type Instant } from '../../model/index.ts'
import type { ContentStore, GroupedEntry, Store } from '../../ports/index.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryContentStore } from '../memory/content-store.ts'
import { createMemoryStore } from '../memory/index.ts'
import { collectGarbage } from './collect-garbage.ts'
import { withContentStore } from './index.ts'

const LATER = (START + 30 * DAY) as Instant

test('keeps records and texts of entries that the store deletes by age', async () => {
  const { store, contentStore, feedId } = await stage()
  const content = 'The ferry goes at six, as it has since the bridge was closed. '.repeat(9)
  await store.recordPolls([record(feedId, START, { fresh: [draft('a', { content }), draft('b')] })])
  await indexAll(store)
  const [before] = await contentStore.listEntries({ feedId, until: LATER, limit: 1 })
  expect(await store.forget('entries', LATER, 9)).toBe(2)
  await indexAll(store)
  expect(await store.entries({ limit: 9 })).toEqual([])
  const records = await contentStore.listEntries({ feedId, until: LATER, limit: 9 })
  expect(records.map(({ key }) => key).sort()).toEqual(['a', 'b'])
  expect(records[0]).toEqual(before)
  expect(await collectGarbage(store, contentStore, { from: START, now: LATER, hours: 9999 })).toMatchObject({
    dropped: 0,
  })
})

test('deletes the records and texts of a removed feed', async () => {
  const { store, contentStore, feedId } = await stage()
  const other = await addFeed(store, 'other')
  const content = 'The ferry goes at six, as it has since the bridge was closed. '.repeat(9)
  await store.recordPolls([
    record(feedId, START, { fresh: [draft('a', { content })] }),
    record(other, START, { fresh: [draft('b', { content })] }),
  ])
  await indexAll(store)
  await store.removeFeed(feedId)
  while ((await store.sweepRemoved(9)) > 0);
  await indexAll(store)
  expect((await contentStore.listEntries({ until: LATER, limit: 9 })).map(({ key }) => key)).toEqual(['b'])
  expect((await store.entries({ limit: 9 })).map((entry) => entry.content)).toEqual([content])
  let texts = 0
  for await (const { address } of contentStore.textsOfHour(START))
    if ((await contentStore.getTexts([address]))[0]) texts++
  expect(texts).toBe(1)
})

test('updates an entry record, also if the change was read before a crash and again after it', async () => {
  const { store, contentStore, feedId } = await stage()
  await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
  await store.unindexed(9) // and crashes before it calls `indexed`
  await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'Now' })] })])
  await indexAll(store)
  expect(await contentStore.listEntries({ feedId, until: LATER, limit: 9 })).toMatchObject([{ title: 'Now' }])
})

test('finds copies by their primary, and makes an entry that leaves a group its own primary', async () => {
  const { store, contentStore, feedId } = await stage()
  await store.recordPolls([record(feedId, START, { fresh: ['a', 'b', 'c'].map((key) => draft(key)) })])
  const ids = (await store.entries({ limit: 9 })).map(({ id }) => id).sort((a, b) => a - b)
  const [a, b, c] = ids as [EntryId, EntryId, EntryId]
  const { positions } = await store.ungrouped(9)
  await store.recordGroups([placed(a), placed(b, [a]), placed(c, [a])], positions, START)
  expect((await store.ungrouped(9)).positions).toEqual([])
  const [group] = await store.groupsOfEntries([a], 'copy')
  const primaryId = group!.primaryId
  expect((await contentStore.listCopies(primaryId)).map(({ id }) => id).sort()).toEqual([a, b, c])
  const leaving = ids.find((id) => id !== primaryId)!
  await store.recordGroups([placed(leaving)], [], (START + 1) as Instant)
  expect((await contentStore.listCopies(primaryId)).map(({ id }) => id)).not.toContain(leaving)
  expect(await contentStore.listCopies(leaving)).toMatchObject([{ id: leaving, distance: 0 }])
})

test('keeps signatures in the content store, and fills the similarity index from there', async () => {
  const { mainStore, store, contentStore, feedId } = await stage()
  await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
  const [{ id } = { id: 0 as EntryId }] = await store.entries({ limit: 1 })
  await store.recordGroups([placed(id)], [], START)
  const lengths = async (of: Store) => {
    const all: number[] = []
    for await (const { signature } of of.signatures({ since: 0 as Instant })) all.push(signature.length)
    return all
  }
  expect([await lengths(mainStore), await lengths(store)]).toEqual([[0], [3]])
  expect(await contentStore.findSimilar({ simhash: 6n, bits: 1, since: LATER, until: LATER })).toMatchObject([
    { id, distance: 1 },
  ])
})

test('keeps polls that the store deletes, also several of one moment', async () => {
  const { store, contentStore, feedId } = await stage()
  const feeds = [feedId, await addFeed(store, 'b'), await addFeed(store, 'c')]
  for (let i = 0; i < 300; i++)
    await store.recordPolls(feeds.map((id) => record(id, (START + Math.floor(i / 3) * 3 + (i % 3)) as Instant)))
  const before = (START + 250) as Instant
  expect(await store.forget('polls', before, 10_000)).toBe(750)
  for (const id of feeds) {
    const filed = await contentStore.listPolls({ feedId: id, until: LATER, limit: 9999 })
    expect(filed.map(({ at }) => at - START)).toEqual(Array.from({ length: 250 }, (_, i) => 249 - i))
  }
  expect(await store.polls({ feedId, limit: 9999 })).toHaveLength(50)
})

test('writes each poll once, a bounded number per call, however small the chunks are', async () => {
  const { store, contentStore, feedId } = await stage()
  const POLLS = 4000
  const feeds = [feedId, await addFeed(store, 'b')]
  for (let i = 0; i < POLLS / 2; i++)
    await store.recordPolls(feeds.map((id) => record(id, (START + i) as Instant, { fresh: [draft(`${i}`)] })))
  const rows: number[] = []
  const { putPolls } = contentStore
  contentStore.putPolls = async (polls) => {
    rows.push(polls.length)
    await putPolls(polls)
  }
  let filedInCall = 0
  for (let n = 0, dropped = 1; dropped > 0; n++) {
    const before = rows.reduce((sum, one) => sum + one, 0)
    dropped = await store.forget('polls', (START + DAY + n) as Instant, 10) // time goes on between chunks
    filedInCall = Math.max(filedInCall, rows.reduce((sum, one) => sum + one, 0) - before)
  }
  expect(rows.reduce((sum, one) => sum + one, 0)).toBe(POLLS)
  expect(filedInCall).toBeLessThanOrEqual(1000)
  expect(await store.polls({ feedId, limit: 9999 })).toEqual([])
  expect(await contentStore.listPolls({ feedId, until: LATER, limit: 9999 })).toHaveLength(POLLS / 2)
})

test('writes polls again after a failure, and deletes none before that', async () => {
  const { store, contentStore, feedId } = await stage()
  for (let i = 0; i < 1500; i++)
    await store.recordPolls([record(feedId, (START + i) as Instant, { fresh: [draft(`${i}`)] })])
  const { putPolls } = contentStore
  let calls = 0
  contentStore.putPolls = async (polls) => {
    if (++calls === 2) throw new Error('the content store is unavailable')
    await putPolls(polls)
  }
  const forget = () => store.forget('polls', (START + DAY) as Instant, 5000)
  await expect(forget()).rejects.toThrow('unavailable')
  expect(await store.polls({ feedId, limit: 9999 })).toHaveLength(1500)
  while ((await forget()) > 0);
  expect(await contentStore.listPolls({ feedId, until: LATER, limit: 9999 })).toHaveLength(1500)
})

async function stage(): Promise<{ mainStore: Store; contentStore: ContentStore; store: Store; feedId: FeedId }> {
  const [mainStore, contentStore] = [createMemoryStore(), createMemoryContentStore()]
  let now = LATER
  const store = withContentStore(mainStore, contentStore, { now: () => now++ as Instant })
  return { mainStore, contentStore, store, feedId: await addFeed(store, 'a') }
}

async function indexAll(store: Store): Promise<void> {
  for (;;) {
    const { positions } = await store.unindexed(99)
    if (positions.length === 0) return
    await store.markIndexed(positions)
  }
}

function placed(id: EntryId, withIds: EntryId[] = []): GroupedEntry {
  const join = { with: withIds, likeness: 1, reason: 'it is the same' }
  const joins = withIds.length > 0 ? { copy: join } : {}
  return { id, at: START, comparedBy: 'entry', signature: new Uint8Array([1, 2, 3]), simhash: 7n, joins }
}

/** The stacks follow the ledger, and remember what it forgets. */
import { expect, test } from 'vitest'
import { DAY, type EntryId, type FeedId, type Instant } from '../../model/index.ts'
import type { Library, PlacedEntry, Store } from '../../ports/index.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createMemoryLibrary } from '../memory/library.ts'
import { withLibrary } from './index.ts'
import { mendLibrary } from './mend.ts'

const LATER = (START + 30 * DAY) as Instant

test('what the store forgets is in the stacks still, with all that it said', async () => {
  const { store, library, feedId } = await stage()
  const content = 'The ferry goes at six, as it has since the bridge was closed. '.repeat(9)
  await store.recordPolls([record(feedId, START, { fresh: [draft('a', { content }), draft('b')] })])
  await indexAll(store)
  const [before] = await library.list({ feedId, until: LATER, limit: 1 })
  expect(await store.forgetEntries(LATER, 9)).toBe(2)
  await indexAll(store)
  expect(await store.entries({ limit: 9 })).toEqual([])
  const cards = await library.list({ feedId, until: LATER, limit: 9 })
  expect(cards.map(({ key }) => key).sort()).toEqual(['a', 'b'])
  expect(cards[0]).toEqual(before)
  expect(await mendLibrary(store, library, { from: START, now: LATER, hours: 9999 })).toMatchObject({ dropped: 0 })
})

test('what belongs to a feed that is removed leaves the stacks, and its texts go', async () => {
  const { store, library, feedId } = await stage()
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
  expect((await library.list({ until: LATER, limit: 9 })).map(({ key }) => key)).toEqual(['b'])
  expect((await store.entries({ limit: 9 })).map((entry) => entry.content)).toEqual([content])
  let texts = 0
  for await (const { name } of library.keptIn(START)) if ((await library.textsOf([name]))[0]) texts++
  expect(texts).toBe(1)
})

test('a card says what its entry says now, also if the index was told before a crash and again after it', async () => {
  const { store, library, feedId } = await stage()
  await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
  await store.unindexed(9) // and dies before it says `indexed`
  await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'Now' })] })])
  await indexAll(store)
  expect(await library.list({ feedId, until: LATER, limit: 9 })).toMatchObject([{ title: 'Now' }])
})

test('copies are found by their primary, and one that leaves is its own', async () => {
  const { store, library, feedId } = await stage()
  await store.recordPolls([record(feedId, START, { fresh: ['a', 'b', 'c'].map((key) => draft(key)) })])
  const ids = (await store.entries({ limit: 9 })).map(({ id }) => id).sort((a, b) => a - b)
  const [a, b, c] = ids as [EntryId, EntryId, EntryId]
  const { marks } = await store.unplaced(9)
  await store.place([placed(a), placed(b, [a]), placed(c, [a])], marks, START)
  expect((await store.unplaced(9)).marks).toEqual([])
  const [group] = await store.groupsOfEntries([a], 'copy')
  const primaryId = group!.primaryId
  expect((await library.copiesOf(primaryId)).map(({ id }) => id).sort()).toEqual([a, b, c])
  const leaving = ids.find((id) => id !== primaryId)!
  await store.place([placed(leaving)], [], (START + 1) as Instant)
  expect((await library.copiesOf(primaryId)).map(({ id }) => id)).not.toContain(leaving)
  expect(await library.copiesOf(leaving)).toMatchObject([{ id: leaving, distance: 0 }])
})

test('signatures are in the library, and the index is filled from there', async () => {
  const { ledger, store, library, feedId } = await stage()
  await store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
  const [{ id } = { id: 0 as EntryId }] = await store.entries({ limit: 1 })
  await store.place([placed(id)], [], START)
  const lengths = async (of: Store) => {
    const all: number[] = []
    for await (const { signature } of of.signatures({ since: 0 as Instant })) all.push(signature.length)
    return all
  }
  expect([await lengths(ledger), await lengths(store)]).toEqual([[0], [3]])
  expect(await library.near({ simhash: 6n, bits: 1, since: LATER, until: LATER })).toMatchObject([{ id, distance: 1 }])
})

test('the log that the store forgets is in the stacks, also lines of one moment', async () => {
  const { store, library, feedId } = await stage()
  const feeds = [feedId, await addFeed(store, 'b'), await addFeed(store, 'c')]
  for (let i = 0; i < 300; i++)
    await store.recordPolls(feeds.map((id) => record(id, (START + Math.floor(i / 3) * 3 + (i % 3)) as Instant)))
  const before = (START + 250) as Instant
  expect(await store.forgetPolls(before, 10_000)).toBe(750)
  for (const id of feeds) {
    const filed = await library.filedPolls({ feedId: id, until: LATER, limit: 9999 })
    expect(filed.map(({ at }) => at - START)).toEqual(Array.from({ length: 250 }, (_, i) => 249 - i))
  }
  expect(await store.polls({ feedId, limit: 9999 })).toHaveLength(50)
})

test('the log is filed once, a bounded number of polls in a call, however small the chunks are', async () => {
  const { store, library, feedId } = await stage()
  const POLLS = 4000
  const feeds = [feedId, await addFeed(store, 'b')]
  for (let i = 0; i < POLLS / 2; i++)
    await store.recordPolls(feeds.map((id) => record(id, (START + i) as Instant, { fresh: [draft(`${i}`)] })))
  const rows: number[] = []
  const { filePolls } = library
  library.filePolls = async (polls) => {
    rows.push(polls.length)
    await filePolls(polls)
  }
  let filedInCall = 0
  for (let n = 0, dropped = 1; dropped > 0; n++) {
    const before = rows.reduce((sum, one) => sum + one, 0)
    dropped = await store.forgetPolls((START + DAY + n) as Instant, 10) // time goes on between chunks
    filedInCall = Math.max(filedInCall, rows.reduce((sum, one) => sum + one, 0) - before)
  }
  expect(rows.reduce((sum, one) => sum + one, 0)).toBe(POLLS)
  expect(filedInCall).toBeLessThanOrEqual(1000)
  expect(await store.polls({ feedId, limit: 9999 })).toEqual([])
  expect(await library.filedPolls({ feedId, until: LATER, limit: 9999 })).toHaveLength(POLLS / 2)
})

test('polls whose filing failed are filed again, and not forgotten before', async () => {
  const { store, library, feedId } = await stage()
  for (let i = 0; i < 1500; i++)
    await store.recordPolls([record(feedId, (START + i) as Instant, { fresh: [draft(`${i}`)] })])
  const { filePolls } = library
  let calls = 0
  library.filePolls = async (polls) => {
    if (++calls === 2) throw new Error('the library is away')
    await filePolls(polls)
  }
  const forget = () => store.forgetPolls((START + DAY) as Instant, 5000)
  await expect(forget()).rejects.toThrow('away')
  expect(await store.polls({ feedId, limit: 9999 })).toHaveLength(1500)
  while ((await forget()) > 0);
  expect(await library.filedPolls({ feedId, until: LATER, limit: 9999 })).toHaveLength(1500)
})

async function stage(): Promise<{ ledger: Store; library: Library; store: Store; feedId: FeedId }> {
  const [ledger, library] = [createMemoryStore(), createMemoryLibrary()]
  let now = LATER
  const store = withLibrary(ledger, library, { now: () => now++ as Instant })
  return { ledger, library, store, feedId: await addFeed(store, 'a') }
}

async function indexAll(store: Store): Promise<void> {
  for (;;) {
    const { marks } = await store.unindexed(99)
    if (marks.length === 0) return
    await store.indexed(marks)
  }
}

function placed(id: EntryId, withIds: EntryId[] = []): PlacedEntry {
  const join = { with: withIds, likeness: 1, reason: 'it is the same' }
  const joins = withIds.length > 0 ? { copy: join } : {}
  return { id, at: START, comparedBy: 'entry', signature: new Uint8Array([1, 2, 3]), simhash: 7n, joins }
}

/** Store migration into, out of and between content stores. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { DAY, type EntryId, type Instant } from '../../model/index.ts'
import { type ContentOwner, type ContentStore, EXPORT_COLUMNS, type RowKind } from '../../ports/index.ts'
import { migrationContract, type OpenedMigration } from '../../ports/store-migration.contract.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryContentStore } from '../memory/content-store.ts'
import { openSqliteStore } from '../sqlite/index.ts'
import { withContentStore } from './index.ts'
import { migrateContentRecords } from './migrate-content-records.ts'
import { createHydratedMigration } from './store-migration.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const ALL = { now: () => START, minLength: 1 }

function openStore(): OpenedMigration {
  const { store, migration } = openSqliteStore({ file: join(folder, `${++files}.db`), mode: 'write', now: () => START })
  return { store, migration }
}

async function openWithoutContentStore(): Promise<OpenedMigration> {
  const { store, migration } = openStore()
  return { store, migration: createHydratedMigration(migration, {}) }
}

async function openWithContentStore(
  contentStore: ContentStore = createMemoryContentStore(),
): Promise<OpenedMigration & { inner: OpenedMigration['migration'] }> {
  const { store, migration } = openStore()
  return {
    store: withContentStore(store, contentStore, ALL),
    migration: createHydratedMigration(migration, { contentStore, minLength: 1 }),
    inner: migration,
  }
}

const PATTERNS = { without: ['page_patterns'] as const, packedAnew: true }
migrationContract(
  'a file into a file with a content store',
  { from: openWithoutContentStore, to: () => openWithContentStore() },
  PATTERNS,
)
migrationContract(
  'a file with a content store into a file without',
  { from: () => openWithContentStore(), to: openWithoutContentStore },
  PATTERNS,
)
migrationContract(
  'one content store into another',
  { from: () => openWithContentStore(), to: () => openWithContentStore() },
  PATTERNS,
)

const LONG = 'Geese at the weir. '.repeat(40)

async function migrate(
  from: OpenedMigration,
  to: OpenedMigration,
  kinds: readonly RowKind[] = ['feeds', 'schedules', 'entries'],
) {
  await to.migration.begin(from.migration.name)
  for (const kind of kinds)
    await to.migration.writeRows(kind, (await from.migration.readRows(kind, undefined, 99)).rows, null)
}

const contentsIn = async (migration: OpenedMigration['migration']) =>
  (await migration.readRows('entries', undefined, 99)).rows.map((row) =>
    String(row[EXPORT_COLUMNS.entries.indexOf('content')]),
  )

it('holds only references in a store with a content store, and only texts in a store without', async () => {
  const [from, contentStore, last] = [await openWithoutContentStore(), createMemoryContentStore(), openStore()]
  const feedId = await addFeed(from.store, 'f')
  await from.store.recordPolls([record(feedId, START, { fresh: [draft('a', { content: LONG })] })])
  const to = await openWithContentStore(contentStore)
  await migrate(from, to)
  expect(await contentsIn(to.inner)).toEqual([expect.stringMatching(/^\u0001library f\d+\/.{43}$/)])
  expect(await contentsIn(to.migration)).toEqual([LONG])
  await migrate(to, { ...last, migration: createHydratedMigration(last.migration, {}) })
  expect(await contentsIn(last.migration)).toEqual([LONG])
  for (const { store } of [from, to, last]) await store.close()
})

it('assigns a text to its entry by key, also if the key is the URL', async () => {
  const [from, contentStore] = [await openWithoutContentStore(), createMemoryContentStore()]
  const feedId = await addFeed(from.store, 'f')
  const url = 'https://a.example/1'
  const fresh = [draft('a', { content: LONG }), draft(url, { url, content: `${LONG} again` })]
  await from.store.recordPolls([record(feedId, START, { fresh })])
  const to = await openWithContentStore(contentStore)
  await migrate(from, to)
  const owners: ContentOwner[] = []
  for await (const { owner } of contentStore.textsOfHour(START)) owners.push(owner)
  expect(owners).toEqual(['a', url].map((key) => ({ kind: 'entry', feedId, key })))
  for (const { store } of [from, to]) await store.close()
})

it('resumes after a crash between writing a text and writing its reference', async () => {
  const [from, contentStore] = [await openWithoutContentStore(), createMemoryContentStore()]
  const feedId = await addFeed(from.store, 'f')
  await from.store.recordPolls([record(feedId, START, { fresh: [draft('a', { content: LONG }), draft('b')] })])
  const to = await openWithContentStore(contentStore)
  const dying = { ...to.inner, writeRows: () => Promise.reject(new Error('killed')) }
  await migrate(from, to, ['feeds', 'schedules'])
  const { rows } = await from.migration.readRows('entries', undefined, 9)
  const half = createHydratedMigration(dying, { contentStore, minLength: 1 })
  await expect(half.writeRows('entries', rows, null)).rejects.toThrow('killed')
  expect((await contentStore.health()).summary).toContain('1 texts')
  await migrate(from, to, ['entries'])
  expect(await contentsIn(to.migration)).toEqual(await contentsIn(from.migration))
  expect((await contentStore.health()).summary).toContain('1 texts')
  for (const { store } of [from, to]) await store.close()
})

it('names the content store that is missing or not empty, and counts missing texts', async () => {
  const [contentStore, from] = [createMemoryContentStore(), await openWithContentStore()]
  const feedId = await addFeed(from.store, 'f')
  await from.store.recordPolls([record(feedId, START, { fresh: [draft('a', { content: LONG })] })])
  const forgetful = createHydratedMigration(from.inner, {})
  await expect(forgetful.readRows('entries', undefined, 9)).rejects.toMatchObject({
    kind: 'no-access',
    hint: expect.stringContaining('--from-content-store'),
  })
  const poor = createHydratedMigration(from.inner, { contentStore })
  expect(await contentsIn(poor)).toEqual(['null'])
  expect(poor.missingTexts).toBe(1)
  await contentStore.putEntries([{ id: 1 as EntryId, feedId, key: 'k', title: 't', seenAt: START } as never], START)
  const full = await openWithContentStore(contentStore)
  await expect(full.migration.begin('somewhere')).rejects.toMatchObject({
    kind: 'in-use',
    hint: expect.stringContaining('--to-content-store'),
  })
  for (const { store } of [from, full]) await store.close()
})

it('migrates the records that only a content store holds, and may be repeated', async () => {
  const [one, other] = [createMemoryContentStore(), createMemoryContentStore()]
  const from = await openWithContentStore(one)
  const feedId = await addFeed(from.store, 'f')
  const many = Array.from({ length: 450 }, (_, i) =>
    draft(`e${i}`, { content: `${LONG} ${i}`, publishedAt: START - i }),
  )
  await from.store.recordPolls([record(feedId, START, { fresh: many })])
  for (let marks = (await from.store.unindexed(500)).positions; marks.length > 0; ) {
    await from.store.markIndexed(marks)
    marks = (await from.store.unindexed(500)).positions
  }
  await one.putSignatures([{ id: 7 as EntryId, at: START, simhash: 99n, signature: Uint8Array.of(1) }], START)
  await one.putCopies([{ primaryId: 7 as EntryId, id: 8 as EntryId, at: START, distance: 3 }], START)
  await from.store.forget('entries', (START + DAY) as Instant, 999)
  await from.store.forget('polls', (START + DAY) as Instant, 999)
  const ending = AbortSignal.abort()
  const feedIds = async function* () {}
  const options = { feedIds: feedIds(), now: () => START }
  expect(await migrateContentRecords(one, other, { ...options, signal: ending })).toMatchObject({ isDone: false })
  for (let i = 0; i < 2; i++)
    expect(await migrateContentRecords(one, other, { ...options, signal: new AbortController().signal })).toEqual({
      entries: 450,
      polls: 1,
      isDone: true,
    })
  const query = { until: (START + DAY) as Instant, limit: 999 }
  const records = await other.listEntries(query)
  expect(records).toEqual(await one.listEntries(query))
  const names = records.map(({ content }) => content!.slice('\u0001library '.length) as never)
  expect(await other.getTexts(names)).toEqual(await one.getTexts(names))
  expect((await other.getTexts(names)).every(Boolean)).toBe(true)
  expect(await other.getSignatures([7 as EntryId])).toEqual(await one.getSignatures([7 as EntryId]))
  expect(await other.listCopies(7 as EntryId)).toEqual([{ id: 8, at: START, distance: 3 }])
  expect(await other.listPolls({ feedId, ...query })).toHaveLength(1)
  await from.store.close()
})

/** What is carried into a library, out of it, or from one into another is the same afterwards, and stands where it belongs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { DAY, type EntryId, type Instant } from '../../model/index.ts'
import { CARGO, type CargoKind, type Library, type TextOwner } from '../../ports/index.ts'
import { type Ferried, ferryContract } from '../../ports/store-migration.contract.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryLibrary } from '../memory/library.ts'
import { openSqliteStore } from '../sqlite/index.ts'
import { carryStacks } from './carry-stacks.ts'
import { wholeFerry } from './ferry.ts'
import { withLibrary } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const ALL = { now: () => START, shortest: 1 }

function opened(): Ferried {
  const { store, ferry } = openSqliteStore({ file: join(folder, `${++files}.db`), mode: 'write', now: () => START })
  return { store, ferry }
}

async function alone(): Promise<Ferried> {
  const { store, ferry } = opened()
  return { store, ferry: wholeFerry(ferry, {}) }
}

async function beside(library: Library = createMemoryLibrary()): Promise<Ferried & { inner: Ferried['ferry'] }> {
  const { store, ferry } = opened()
  return { store: withLibrary(store, library, ALL), ferry: wholeFerry(ferry, { library, shortest: 1 }), inner: ferry }
}

const PATTERNS = { without: ['page_patterns'] as const, packedAnew: true }
ferryContract('a file into one with a library', { from: alone, to: () => beside() }, PATTERNS)
ferryContract('a file with a library into one without', { from: () => beside(), to: alone }, PATTERNS)
ferryContract('one library into another', { from: () => beside(), to: () => beside() }, PATTERNS)

const LONG = 'Geese at the weir. '.repeat(40)

async function carried(from: Ferried, to: Ferried, kinds: readonly CargoKind[] = ['feeds', 'schedules', 'entries']) {
  await to.ferry.begin(from.ferry.name)
  for (const kind of kinds) await to.ferry.load(kind, (await from.ferry.unload(kind, undefined, 99)).rows, null)
}

const contentsIn = async (ferry: Ferried['ferry']) =>
  (await ferry.unload('entries', undefined, 99)).rows.map((row) => String(row[CARGO.entries.indexOf('content')]))

it('only names stand in a store that has a library, and only texts in one that has none', async () => {
  const [from, library, last] = [await alone(), createMemoryLibrary(), opened()]
  const feedId = await addFeed(from.store, 'f')
  await from.store.recordPolls([record(feedId, START, { fresh: [draft('a', { content: LONG })] })])
  const to = await beside(library)
  await carried(from, to)
  expect(await contentsIn(to.inner)).toEqual([expect.stringMatching(/^\u0001library f\d+\/.{43}$/)])
  expect(await contentsIn(to.ferry)).toEqual([LONG])
  await carried(to, { ...last, ferry: wholeFerry(last.ferry, {}) })
  expect(await contentsIn(last.ferry)).toEqual([LONG])
  for (const { store } of [from, to, last]) await store.close()
})

it('a text belongs to its entry by the key that this has, also where that is its address', async () => {
  const [from, library] = [await alone(), createMemoryLibrary()]
  const feedId = await addFeed(from.store, 'f')
  const url = 'https://a.example/1'
  const fresh = [draft('a', { content: LONG }), draft(url, { url, content: `${LONG} again` })]
  await from.store.recordPolls([record(feedId, START, { fresh })])
  const to = await beside(library)
  await carried(from, to)
  const owners: TextOwner[] = []
  for await (const { owner } of library.keptIn(START)) owners.push(owner)
  expect(owners).toEqual(['a', url].map((key) => ({ kind: 'entry', feedId, key })))
  for (const { store } of [from, to]) await store.close()
})

it('goes on if it died when the library had a text, and the store not yet its name', async () => {
  const [from, library] = [await alone(), createMemoryLibrary()]
  const feedId = await addFeed(from.store, 'f')
  await from.store.recordPolls([record(feedId, START, { fresh: [draft('a', { content: LONG }), draft('b')] })])
  const to = await beside(library)
  const dying = { ...to.inner, load: () => Promise.reject(new Error('killed')) }
  await carried(from, to, ['feeds', 'schedules'])
  const { rows } = await from.ferry.unload('entries', undefined, 9)
  const half = wholeFerry(dying, { library, shortest: 1 })
  await expect(half.load('entries', rows, null)).rejects.toThrow('killed')
  expect((await library.health()).summary).toContain('1 texts')
  await carried(from, to, ['entries'])
  expect(await contentsIn(to.ferry)).toEqual(await contentsIn(from.ferry))
  expect((await library.health()).summary).toContain('1 texts')
  for (const { store } of [from, to]) await store.close()
})

it('says whose library is missing, and which one is full, and counts what one has lost', async () => {
  const [library, from] = [createMemoryLibrary(), await beside()]
  const feedId = await addFeed(from.store, 'f')
  await from.store.recordPolls([record(feedId, START, { fresh: [draft('a', { content: LONG })] })])
  const forgetful = wholeFerry(from.inner, {})
  await expect(forgetful.unload('entries', undefined, 9)).rejects.toMatchObject({
    trouble: 'no-access',
    hint: expect.stringContaining('--from-library'),
  })
  const poor = wholeFerry(from.inner, { library })
  expect(await contentsIn(poor)).toEqual(['null'])
  expect(poor.lost).toBe(1)
  await library.file([{ id: 1 as EntryId, feedId, key: 'k', title: 't', seenAt: START } as never], START)
  const full = await beside(library)
  await expect(full.ferry.begin('somewhere')).rejects.toMatchObject({
    trouble: 'in-use',
    hint: expect.stringContaining('--to-library'),
  })
  for (const { store } of [from, full]) await store.close()
})

it('what only a library remembers goes into the other one, however often', async () => {
  const [one, other] = [createMemoryLibrary(), createMemoryLibrary()]
  const from = await beside(one)
  const feedId = await addFeed(from.store, 'f')
  const many = Array.from({ length: 450 }, (_, i) =>
    draft(`e${i}`, { content: `${LONG} ${i}`, publishedAt: START - i }),
  )
  await from.store.recordPolls([record(feedId, START, { fresh: many })])
  for (let marks = (await from.store.unindexed(500)).marks; marks.length > 0; ) {
    await from.store.indexed(marks)
    marks = (await from.store.unindexed(500)).marks
  }
  await one.sign([{ id: 7 as EntryId, at: START, simhash: 99n, signature: Uint8Array.of(1) }], START)
  await one.fileCopies([{ primaryId: 7 as EntryId, id: 8 as EntryId, at: START, distance: 3 }], START)
  await from.store.forgetEntries((START + DAY) as Instant, 999)
  await from.store.forgetPolls((START + DAY) as Instant, 999)
  const ending = AbortSignal.abort()
  const feedIds = async function* () {}
  const options = { feedIds: feedIds(), now: () => START }
  expect(await carryStacks(one, other, { ...options, signal: ending })).toMatchObject({ isDone: false })
  for (let i = 0; i < 2; i++)
    expect(await carryStacks(one, other, { ...options, signal: new AbortController().signal })).toEqual({
      cards: 450,
      polls: 1,
      isDone: true,
    })
  const query = { until: (START + DAY) as Instant, limit: 999 }
  const cards = await other.list(query)
  expect(cards).toEqual(await one.list(query))
  const names = cards.map(({ content }) => content!.slice('\u0001library '.length) as never)
  expect(await other.textsOf(names)).toEqual(await one.textsOf(names))
  expect((await other.textsOf(names)).every(Boolean)).toBe(true)
  expect(await other.signaturesOf([7 as EntryId])).toEqual(await one.signaturesOf([7 as EntryId]))
  expect(await other.copiesOf(7 as EntryId)).toEqual([{ id: 8, at: START, distance: 3 }])
  expect(await other.filedPolls({ feedId, ...query })).toHaveLength(1)
  await from.store.close()
})

/** User input must never be parsed as FTS5 syntax. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type EntryId, type FeedId, MINUTE } from '../../model/index.ts'
import type { Search, SearchOrder, SearchTerm } from '../../ports/index.ts'
import { parsedQuery } from '../../ports/search-query.fixture.ts'
import { createMemorySearch } from '../../search/memory-search.ts'
import { openSqliteStore } from './index.ts'
import { migrate, readMigrations } from './migrate.ts'
import { searchQueries } from './search.ts'
import { createSession } from './session.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const { store, search } = openSqliteStore({ file: join(folder, 'store.db'), mode: 'write', now: () => 0 })
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const of = { feedId: 1 as FeedId, at: 0, names: [], language: 'en', category: 'uncategorized' }

it('accepts any text as a term', async () => {
  await search.put([{ id: 1 as EntryId, ...of, title: 'a and b', text: 'not near' }])
  const signs = ['*', '-', '(', ')', '{', '}', ':', '^', '+', ',', "'", '\\', ' ', 'AND', 'NOT', 'NEAR', 'a', '"']
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(typed, fc.boolean(), async (text, prefix) => {
      const plain = text.replace(/[\p{Cc}\p{Cs}\p{Co}]/gu, ' ')
      const query = { all: [[{ kind: 'words', text: plain, prefix } as const]], none: [] }
      expect((await search.find(query, 9)).length).toBeLessThan(2)
    }),
    { numRuns: 2000 },
  )
})

it('finds any indexed word', async () => {
  const word = fc.stringMatching(/^[a-zäöüßéøłşçñ0-9а-яα-ω]{1,12}$/)
  await fc.assert(
    fc.asyncProperty(word, async (title) => {
      await search.put([{ id: 7 as EntryId, ...of, title, text: '' }])
      expect((await search.find(parsedQuery(title), 9)).map((hit) => hit.id)).toContain(7)
      expect((await search.find(parsedQuery(title.toUpperCase()), 9)).map((hit) => hit.id)).toContain(7)
    }),
    { numRuns: 300 },
  )
})

/** Most bytes of a row of the index. */
const PAGE = 4_050

it('merges in small steps, and keeps the number of segments small', async () => {
  const db = new Database(':memory:')
  migrate(db, ':memory:', readMigrations())
  const own = searchQueries(createSession(db, ':memory:'))
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
  const costOf = async (work: () => Promise<unknown>) => {
    const before = changes.get()!
    await work()
    return changes.get()! - before
  }
  const text = (seed: number) =>
    Array.from({ length: 60 }, (_, i) => `w${(seed * 7919 + i * i * 31) % 20_011}`).join(' ')
  const costs = { put: [] as number[], tidy: [] as number[] }
  for (let from = 0; from < 8000; from += 40) {
    const documents = Array.from({ length: 40 }, (_, i) => {
      return { id: (from + i + 1) as EntryId, ...of, title: '', text: text(from + i) }
    })
    costs.put.push(await costOf(() => own.put(documents)))
    for (let more = true; more; ) {
      const tidied = costOf(async () => {
        more = await own.tidy()
      })
      costs.tidy.push(await tidied)
    }
  }
  const parts = db.prepare<[], number>('SELECT count(DISTINCT segid) FROM entry_words_idx').pluck().get()
  const bytes = db.prepare<[], number>('SELECT sum(length(block)) FROM entry_words_data').pluck().get()!
  expect(parts).toBeLessThan(20)
  expect(bytes).toBeGreaterThan(2_000_000)
  expect(Math.max(...costs.put) * PAGE).toBeLessThan(1_200_000)
  expect(Math.max(...costs.tidy) * PAGE).toBeLessThan(2_000_000) // the last piece of a merge, which drops the lists of all its pages, too
  expect(costs.tidy.toSorted((a, b) => b - a)[8]! * PAGE).toBeLessThan(1_000_000)
  expect((await own.find(parsedQuery('w1'), 99)).length).toBeGreaterThan(0)
  db.close()
})

describe('with many entries', () => {
  const MANY = 20_500 // more than a word may have holders to be weighed by it

  async function filled() {
    const file = join(folder, 'large.db')
    const large = openSqliteStore({ file, mode: 'write', now: () => 0 })
    const document = (i: number) => {
      const title = i === 7 ? 'the tide' : 'the goose'
      const text = i % 9000 === 5 ? 'tide and moon' : 'tide'
      return { id: (i + 1) as EntryId, ...of, at: i * MINUTE, title, text, feedId: (1 + (i % 4)) as FeedId }
    }
    for (let i = 0; i < MANY; i += 500) await large.search.put(Array.from({ length: 500 }, (_, j) => document(i + j)))
    while (await large.search.tidy());
    return { large, reader: openSqliteStore({ file, mode: 'read', now: () => 0 }) }
  }

  it('ranks common words by titles and dates', async () => {
    const { large, reader } = await filled()
    const idsOf = async (query: string, limit: number, order: SearchOrder = {}) => {
      const [hits, own] = [
        await large.search.find(parsedQuery(query), limit, order),
        await reader.search.find(parsedQuery(query), limit, order),
      ]
      expect(hits).toEqual(own)
      return hits.map(({ id }) => Number(id))
    }
    expect(await idsOf('tide', 2)).toEqual([MANY, MANY - 1])
    expect(await idsOf('ti* until:1970-01-01T12:00Z', 1)).toEqual([8])
    expect(await idsOf('tide moon', 9)).toEqual([18_006, 9006, 6])
    expect(await idsOf('tide OR moon', 2)).toEqual([18_006, MANY])
    expect(await idsOf('tide feed:2', 2, { order: 'date' })).toEqual([MANY - 2, MANY - 6])
    expect((await idsOf('tide', 99_999, { order: 'date' })).length).toBe(MANY)
    await large.store.close()
    await reader.store.close()
  })

  it('finds all of many entries of one minute, in order of arrival', async () => {
    const { store, search } = openSqliteStore({ file: join(folder, 'minute.db'), mode: 'write', now: () => 0 })
    const ids = Array.from({ length: 9000 }, (_, i) => (i + 1) as EntryId)
    await search.put(ids.map((id) => ({ id, ...of, at: 5 * MINUTE, title: 'tide', text: '' })))
    await search.put(ids.slice(8990).map((id) => ({ id, ...of, at: 5 * MINUTE, title: 'ebb', text: '' })))
    expect(await search.find(parsedQuery('tide'), 99_999, { order: 'date' })).toHaveLength(8990)
    expect((await search.find(parsedQuery('tide'), 1, { order: 'date' }))[0]?.id).toBe(8990)
    expect(await search.find(parsedQuery('ebb'), 99)).toHaveLength(10)
    await store.close()
  })
})

it('finds prefixes of long words, which never count as common', async () => {
  const db = new Database(':memory:')
  migrate(db, ':memory:', readMigrations())
  const own = searchQueries(createSession(db, ':memory:'))
  const documents = Array.from({ length: 2_500 }, (_, i) => {
    return { id: (i + 1) as EntryId, ...of, title: '', text: 'goose weatherforecasts' }
  })
  await own.put(documents)
  expect(db.prepare('SELECT word FROM search_prefixes WHERE holders > 0').pluck().all()).toEqual(['goose'])
  for (const typed of ['we*', 'wea*', 'goo*']) expect(await own.find(parsedQuery(typed), 3_000)).toHaveLength(2_500)
  db.close()
})

it('finds prefixes that were first indexed in a transaction that was rolled back', async () => {
  const zebra = { id: 70 as EntryId, ...of, title: 'zebra', text: '' }
  await expect(search.put([zebra, null as never])).rejects.toThrow()
  expect(await search.find(parsedQuery('ze*'), 9)).toEqual([])
  await search.put([zebra])
  expect(await search.find(parsedQuery('ze*'), 9)).toHaveLength(1)
})

/** Words that begin alike, of which some become common: so many entries hold them that they are learned. */
describe('compared with the memory index', () => {
  const COMMON = ['star', 'state', 'the', 'tide', 'st', 'мои']
  const WORDS = [
    ...COMMON,
    'stone',
    'stones',
    'states',
    'stated',
    'starr',
    'stay',
    'мосты',
    'the\u0301',
    'thé',
    'tidal',
    't',
    'straße',
    'мост',
    'москва',
    'мы',
    '天',
    '気',
  ]
  const word = fc.constantFrom(...WORDS)
  const some = (most: number) => fc.array(word, { maxLength: most }).map((words) => words.join(' '))
  const written = fc.record({ title: some(3), text: some(6), names: fc.array(some(2), { maxLength: 2 }) })
  const MANY = 2300 // more than is learned from, and then some

  const words = fc
    .record({
      kind: fc.constantFrom('words' as const, 'words' as const, 'author' as const),
      words: fc.array(word, { minLength: 1, maxLength: 2 }),
      letters: fc.integer({ min: 1, max: 6 }),
      prefix: fc.boolean(),
      inflected: fc.boolean(),
    })
    .map(({ kind, words, letters, prefix, inflected }) => {
      const last = words.at(-1)!.normalize('NFC')
      const text = [...words.slice(0, -1), prefix ? last.slice(0, letters) : last].join(' ')
      const isWord = kind === 'words' && words.length === 1
      return {
        kind,
        text,
        prefix,
        ...(inflected && isWord && { inflected: true as const }),
        ...(inflected && prefix && { isOpen: true as const }),
      }
    })
  const term: fc.Arbitrary<SearchTerm> = fc.oneof(
    { arbitrary: words, weight: 5 },
    { arbitrary: fc.constantFrom(1, 2, 3).map((id) => ({ kind: 'feeds', ids: [id as FeedId] }) as const), weight: 1 },
    { arbitrary: fc.constantFrom('en', 'de', 'ru').map((code) => ({ kind: 'language', code }) as const), weight: 1 },
  )
  const query = fc.record(
    {
      all: fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      none: fc.array(term, { maxLength: 2 }),
      since: fc.integer({ min: 0, max: MANY }).map((minute) => minute * MINUTE),
      until: fc.integer({ min: 0, max: MANY }).map((minute) => minute * MINUTE),
    },
    { requiredKeys: ['all', 'none'] },
  )

  it('finds the same entries in the same order, page by page', async () => {
    const db = new Database(':memory:')
    migrate(db, ':memory:', readMigrations())
    const [own, memory] = [searchQueries(createSession(db, ':memory:')), createMemorySearch()]
    const drawn = fc.sample(written, { numRuns: MANY, seed: 7 })
    const documents = drawn.map((one, i) => {
      const filters = {
        feedId: (1 + (i % 3)) as FeedId,
        language: ['de', 'en', 'en', 'en', 'ru'][i % 5]!,
        category: 'uncategorized',
      }
      return { id: (i + 1) as EntryId, at: i * MINUTE, ...filters, ...one }
    })
    const again = searchQueries(createSession(db, ':memory:')) // a later session knows the learned words
    for (const [first, then] of [
      [own, again],
      [memory, memory],
    ] as const) {
      await first.put(documents)
      await then.put(documents.slice(0, 50).map((one) => ({ ...one, title: 'the stone', text: 'stay a state' })))
      await then.drop(documents.slice(100, 150).map(({ id }) => id))
    }
    const common = db.prepare('SELECT word FROM search_prefixes WHERE holders > 0').pluck().all()
    expect(common).toEqual(expect.arrayContaining(COMMON))
    await fc.assert(
      fc.asyncProperty(query, async (typed) => {
        const ids = async (search: Search, order: SearchOrder, limit = MANY) =>
          (await search.find(typed, limit, order)).map(({ id }) => id)
        const expected = await ids(memory, { order: 'date' })
        expect(await ids(own, { order: 'date' })).toEqual(expected)
        const ranked = (await ids(own, {})).sort((a, b) => b - a)
        const isTyped = typed.all.some((clause) => clause.some((term) => term.kind === 'words' && term.isOpen))
        // Of a query that is being typed, the newest hundreds of hits are ranked.
        if (isTyped && expected.length > 300) expect(expected).toEqual(expect.arrayContaining(ranked))
        else expect(ranked).toEqual(expected)
        const [first] = expected
        if (first === undefined) return
        expect(await ids(own, { order: 'date', after: first }, 3)).toEqual(expected.slice(1, 4))
      }),
      { numRuns: 150 },
    )
    db.close()
  })
})

/** Runs the search contract against PostgreSQL. User input must never be parsed as tsquery syntax. */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { type EntryId, type FeedId, MINUTE } from '../../model/index.ts'
import { searchContract } from '../../ports/search.contract.ts'
import { parsedQuery } from '../../ports/search-query.fixture.ts'
import { openPostgresStore, type PostgresStore } from './index.ts'
import { searchMethods } from './search.ts'
import { openSession, type PostgresSession } from './session.ts'

const { server, reason } = await postgresForTests()

const of = { feedId: 1 as FeedId, at: 0, names: [], language: 'en', category: 'uncategorized' }

if (server) {
  const opened: PostgresStore[] = []
  const open = async () => {
    const one = await openPostgresStore({ address: await server.freshStore(), mode: 'write', connections: 2 })
    opened.push(one)
    return one.search
  }
  afterAll(async () => {
    for (const { store } of opened) await store.close()
    await server.close()
  })

  searchContract(`postgres ${server.version}`, open)

  const sessions: PostgresSession[] = []
  afterAll(async () => {
    for (const session of sessions) await session.close()
  })
  /** Entries beyond the two newest are searched through the index. */
  searchContract(`postgres ${server.version}, with many entries`, async () => {
    const session = await openSession({ address: await server.freshStore(), connections: 2 })
    sessions.push(session)
    return searchMethods(session, undefined, 2)
  })

  it('finds frequent, rare, old and non-adjacent words by either plan', async () => {
    const session = await openSession({ address: await server.freshStore(), connections: 2 })
    sessions.push(session)
    const document = (i: number) => {
      const text = `${i % 2 ? 'even tide' : 'tide even'}${i === 3 ? ' pearl' : ''}${i < 40 ? ' ebb' : ''}`
      return { id: (i + 1) as EntryId, ...of, feedId: (1 + (i % 5)) as FeedId, at: i * MINUTE, title: '', text }
    }
    const all = Array.from({ length: 400 }, (_, i) => document(i))
    const [far, near] = [searchMethods(session, undefined, 20), searchMethods(session)]
    await far.put(all)
    await session.rows('ANALYZE entry_search')
    const typed = [
      'tide',
      'pearl',
      'ebb',
      '"even tide"',
      '"tide pearl"',
      'ti* feed:2',
      'ebb -pearl',
      'ebb until:1970-01-01T00:20Z',
    ]
    for (const text of typed)
      for (const order of ['relevance', 'date'] as const) {
        const [one, other] = [far, near].map((search) => idsOf(search.find(parsedQuery(text), 25, { order })))
        expect([text, order, await one]).toEqual([text, order, await other])
        const last = (await one!).at(-1) as EntryId
        const [second, same] = [far, near].map((search) =>
          idsOf(search.find(parsedQuery(text), 25, { order, after: last })),
        )
        if (order === 'date') expect([text, await second]).toEqual([text, await same])
      }
  })

  it('accepts any text as a term', async () => {
    const search = await open()
    await search.put([{ id: 1 as EntryId, ...of, title: 'a and b', text: 'not near' }])
    const signs = ['*', '-', '(', ')', '|', '&', ':', '!', '<->', '%', "'", '\\', ' ', 'AND', '_', 'NEAR', 'a', '"']
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((parts) => parts.join('')),
    )
    const kind = fc.constantFrom('words' as const, 'author' as const)
    await fc.assert(
      fc.asyncProperty(typed, fc.boolean(), kind, async (text, prefix, kind) => {
        const term = { kind, text: text.replace(/[\p{Cc}\p{Cs}\p{Co}]/gu, ' '), prefix }
        expect((await search.find({ all: [[term]], none: [] }, 9)).length).toBeLessThan(2)
        const category = { kind: 'category', name: text } as const
        expect(await search.find({ all: [[category]], none: [term] }, 9)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('finds phrases beyond the last position of a tsvector, also in a script without spaces', async () => {
    const search = await open()
    const long = 'the tide and the moon and the sea. '.repeat(6000)
    await search.put([
      { id: 1 as EntryId, ...of, title: 'long', text: `${long} the last word of the tale` },
      { id: 2 as EntryId, ...of, title: '長い', text: `${'海の話の'.repeat(5000)}終わりの言葉` },
      { id: 3 as EntryId, ...of, title: 'every word once', text: words(300_000) },
    ])
    expect(await idsOf(search.find(parsedQuery('"the last word of the tale"'), 9))).toEqual([1])
    expect(await idsOf(search.find(parsedQuery('"the last moon"'), 9))).toEqual([])
    expect(await idsOf(search.find(parsedQuery('終わりの言葉'), 9))).toEqual([2])
    expect(await idsOf(search.find(parsedQuery('w17'), 9))).toEqual([3])
  })

  it('ranks the newest of many hits page by page, and times out a search that takes too long', async () => {
    const address = await server.freshStore()
    const session = await openSession({ address, connections: 2 })
    const search = searchMethods(session)
    const document = (i: number) => ({ id: (i + 1) as EntryId, ...of, at: i * MINUTE, title: 'tide', text: '' })
    for (let i = 0; i < 6000; i += 1000) await search.put(Array.from({ length: 1000 }, (_, j) => document(i + j)))
    expect(await idsOf(search.find(parsedQuery('tide'), 2))).toEqual([6000, 5999])
    expect(await idsOf(search.find(parsedQuery('tide'), 2, { after: 5999 as EntryId }))).toEqual([5998, 5997])
    expect(await search.find(parsedQuery('tide'), 9999, { order: 'date' })).toHaveLength(6000)
    expect(await idsOf(search.find(parsedQuery('ti* until:1970-01-01T12:00Z'), 1))).toEqual([721])
    const hasty = searchMethods(session, 1)
    await expect(hasty.find(parsedQuery('ti* tid* tide*'), 9999)).rejects.toThrow('it took longer than 0.001 s')
    await session.close()
  })
} else {
  describe.skip(`the postgres index (${reason})`, () => it('keeps every promise', () => {}))
}

function words(count: number): string {
  return Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
}

async function idsOf(hits: Promise<{ id: EntryId }[]>): Promise<number[]> {
  return (await hits).map(({ id }) => Number(id))
}

/** The village, crawled into a store with a real Cassandra beside it: from the option to what is shown. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CassandraNode, startCassandra, whyNoCassandra } from '../../tools/cassandra-node.ts'
import { defaultConfig, openCrawl, openForReading } from '../app/index.ts'
import { createSteppedClock, openSqliteStore } from '../drivers/index.ts'
import { createVillage } from '../lab/index.ts'
import { runWords } from './program.fixture.ts'

const why = whyNoCassandra()

describe.skipIf(why !== undefined)(`a library on a real Cassandra${why ? `, which cannot be had: ${why}` : ''}`, () => {
  let node: CassandraNode | undefined
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'freshet-library-'))
    node = await startCassandra()
  }, 300_000)
  afterAll(async () => {
    await node?.stop('kill')
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  it('holds what the village says, and the store only names it', async () => {
    const library = `cassandra://${node!.contact}/village`
    const file = join(folder, 'village.db')
    const village = createVillage({ clock: createSteppedClock(Date.UTC(2026, 0, 5, 12)), sites: [GAZETTE] })
    const crawl = await openCrawl({ ...defaultConfig(), store: file, library, hostGap: 0 }, { net: village.net() })
    try {
      await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
      await crawl.crawler.runOnce(new AbortController().signal)
      expect(await crawl.library!.health()).toMatchObject({ isWell: true })
    } finally {
      await crawl.close()
    }

    const environment = { FRESHET_STORE: file, FRESHET_LIBRARY: library }
    const looking = await openForReading({ ...defaultConfig(), store: file, library })
    const told = await looking.catalogue.entries({ limit: 100 })
    await looking.close()
    expect(told.filter(({ content = '' }) => content.length > 200 && content.includes('<')).length).toBeGreaterThan(3)
    const shown = await runWords(['export', 'entries'], { environment })
    expect(shown.out).toHaveLength(told.length)
    expect(shown.out.join('')).not.toContain('library f')

    const { store } = openSqliteStore({ file, mode: 'read', now: Date.now })
    const kept = await store.entries({ limit: 100 })
    await store.close()
    expect(kept.map(({ content }) => content?.length ?? 0).every((length) => length < 200)).toBe(true)

    const mended = await runWords(['mend', '--since', '1d'], { environment })
    expect(mended.out.join('\n')).toMatch(/the library: Cassandra, 1 of 1 machines answer\nlooked at/)
    const forgotten = await runWords(['entries'], { environment: { FRESHET_STORE: file } })
    expect(forgotten.code).not.toBe(0)
    expect(forgotten.notes).toContain('is in a library')
    expect(forgotten.notes).toContain('--library')
  }, 120_000)
})

describe('without Cassandra', () => {
  it('says what is wrong with the address of a library', async () => {
    const wrong = await runWords(['entries', '--library', 'postgres://x/y'], { environment: {} })
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.notes).toMatch(/cassandra:\/\/host:9042\/keyspace/)
  })

  it('mends nothing where there is no library', async () => {
    expect((await runWords(['mend'], { environment: {} })).notes).toMatch(/there is no library/)
  })
})

const GAZETTE = { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed', content: 'full' as const }] }

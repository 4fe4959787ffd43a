/** Crawls the village into a store with a real Cassandra content store, from the option to the output. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cassandraForTests, onCassandra, whyNoTestCassandra } from '../../test/cassandra-server.ts'
import { type MaybePostgres, postgresForTests } from '../../test/postgres-server.ts'
import { defaultConfig, openCrawl, openForReading } from '../app/index.ts'
import { createSteppedClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { openPostgres, openSqliteStore } from '../stores/index.ts'
import { runCommandLine } from './program.fixture.ts'

describe.skipIf(whyNoTestCassandra !== undefined)(onCassandra, () => {
  let contact = ''
  let folder = ''
  let database: MaybePostgres | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'freshet-content-'))
    contact = await cassandraForTests()
    database = await postgresForTests()
  }, 300_000)
  afterAll(async () => {
    await database?.server?.close()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  it.each(['a file', 'a database'])('stores texts in the content store, and their addresses in %s', async (kind) => {
    const isFile = kind === 'a file'
    if (!isFile && !database?.server) return // the suites of PostgreSQL say why there is none
    const address = isFile ? join(folder, 'village.db') : await database!.server!.freshStore()
    const contentStore = `cassandra://${contact}/village_${isFile ? 'file' : 'database'}_${process.pid}`
    const config = { ...defaultConfig(), store: address, contentStore, hostGap: 0 }
    const village = createVillage({ clock: createSteppedClock(Date.UTC(2026, 0, 5, 12)), sites: [GAZETTE] })
    const crawl = await openCrawl(config, { net: village.net() })
    try {
      await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
      await crawl.crawler.runOnce(new AbortController().signal)
      expect(await crawl.contentStore!.health()).toMatchObject({ isHealthy: true })
    } finally {
      await crawl.close()
    }

    const environment = { FRESHET_STORE: address, FRESHET_CONTENT_STORE: contentStore }
    const looking = await openForReading(config)
    const entries = await looking.catalogue.entries({ limit: 100 })
    await looking.close()
    expect(entries.filter(({ content = '' }) => content.length > 200 && content.includes('<')).length).toBeGreaterThan(
      3,
    )
    const forgotten = await runCommandLine(['entries'], { environment: { FRESHET_STORE: address } })
    expect(forgotten.code).not.toBe(0)
    expect(forgotten.notes).toContain('are in a content store')
    expect(forgotten.notes).toContain('--content-store')
    const shown = await runCommandLine(['export', 'entries'], { environment })
    expect(shown.out).toHaveLength(entries.length)
    expect(shown.out.join('')).not.toContain('library f')

    const moved = join(folder, `moved-${isFile}.db`)
    expect(await runCommandLine(['migrate', '--from', address, '--to', moved], { environment: {} })).toMatchObject({
      code: 0,
    })
    const elsewhere = await openForReading({ ...config, store: moved })
    expect(await elsewhere.catalogue.entries({ limit: 100 })).toEqual(entries)
    await elsewhere.close()

    const [plain, other] = [join(folder, `plain-${isFile}.db`), `${contentStore}_other`]
    const migrated = (...words: string[]) => runCommandLine(['migrate', ...words], { environment: {} })
    const unnamed = await migrated('--from', address, '--to', plain, '--to-content-store', other)
    expect([unnamed.code === 0, unnamed.notes]).toEqual([false, expect.stringContaining('--from-content-store')])
    await rm(plain)
    expect(await migrated('--from', address, '--from-content-store', contentStore, '--to', plain)).toMatchObject({
      code: 0,
    })
    const without = await openForReading({ ...config, store: plain, contentStore: '' })
    expect(await without.catalogue.entries({ limit: 100 })).toEqual(entries)
    await without.close()
    const again = join(folder, `again-${isFile}.db`)
    expect(await migrated('--from', plain, '--to', again, '--to-content-store', other)).toMatchObject({ code: 0 })
    const third = join(folder, `third-${isFile}.db`)
    const words = [
      '--from',
      again,
      '--from-content-store',
      other,
      '--to',
      third,
      '--to-content-store',
      `${contentStore}_third`,
    ]
    expect((await migrated(...words)).out.join('\n')).toContain('of the content store')
    const last = await openForReading({ ...config, store: third, contentStore: `${contentStore}_third` })
    expect(await last.catalogue.entries({ limit: 100 })).toEqual(entries)
    await last.close()

    const { store } = isFile
      ? openSqliteStore({ file: address, mode: 'read', now: Date.now })
      : await openPostgres({ address, mode: 'read' })
    const stored = await store.entries({ limit: 100 })
    await store.close()
    expect(stored.map(({ content }) => content?.length ?? 0).every((length) => length < 200)).toBe(true)

    const writing = await openCrawl(config, { net: village.net() })
    await writing.store.forget('polls', Date.now() + 1, 999)
    while ((await writing.store.unindexed(99)).positions.length > 0)
      await writing.store.markIndexed((await writing.store.unindexed(99)).positions)
    await writing.store.forget('entries', Date.now() + 1, 999)
    await writing.close()
    expect((await runCommandLine(['entries'], { environment })).out.join('\n')).not.toContain(entries[0]!.title)
    const listed = await runCommandLine(['content', '--feed', String(entries[0]!.feedId), '--limit', '99'], {
      environment,
    })
    expect(listed.out).toHaveLength(entries.length)
    const all = await runCommandLine(['content', '--since', '2026-01-01', '--until', '2026-01-06', '--json'], {
      environment,
    })
    expect(JSON.parse(all.out[0]!)).toEqual(entries[0])
    const log = await runCommandLine(['content', '--polls', String(entries[0]!.feedId)], { environment })
    expect(log.out.join('\n')).toMatch(/\d new, \d+ bytes/)

    const status = await runCommandLine(['status'], { environment })
    expect(status.out.join('\n')).toContain('content store: Cassandra, 1 of 1 hosts answer')
    const mended = await runCommandLine(['content', 'gc', '--since', '1d'], { environment })
    expect(mended.out.join('\n')).toMatch(/content store: Cassandra, 1 of 1 hosts answer\nchecked/)
  })

  it('finds near duplicates, and the copies of a primary', async () => {
    const [address, contentStore] = [join(folder, 'copies.db'), `cassandra://${contact}/copies_${process.pid}`]
    const config = { ...defaultConfig(), store: address, contentStore, hostGap: 0 }
    const village = createVillage({ clock: createSteppedClock(Date.now()), sites: [WIRE, MIRROR] })
    const crawl = await openCrawl(config, { net: village.net() })
    const feeds = ['wire', 'mirror'].map((name) => ({ url: village.site(name).feeds[0]!.url, kind: 'feed' as const }))
    await crawl.crawler.subscribe(feeds)
    await crawl.crawler.runOnce(new AbortController().signal)
    const all = await crawl.store.entries({ limit: 999 })
    const groups = await crawl.store.groupsOfEntries(
      all.map(({ id }) => id),
      'copy',
    )
    const { primaryId, id: groupId } = groups.find((group) => group !== undefined)!
    const members = await crawl.store.members(groupId, 99)
    await crawl.close()
    const copy = members.find(({ entryId }) => entryId !== primaryId)!
    const titleOf = (id: number) => all.find((entry) => entry.id === id)!.title

    const environment = { FRESHET_CONTENT_STORE: contentStore }
    const listed = await runCommandLine(['content', '--copies', `e${primaryId}`], { environment })
    expect(listed).toMatchObject({ code: 0, out: { length: members.length } })
    expect(listed.out.join('\n')).toContain(titleOf(copy.entryId))
    expect(listed.out.join('\n')).toContain(`(${copy.distance} of 64 bits differ)`)
    const ofCopy = await runCommandLine(['content', '--copies', String(copy.entryId)], { environment })
    expect(ofCopy.out).toEqual(['the content store has no matching records'])

    const near = await runCommandLine(['content', '--near', `e${primaryId}`, '--bits', '3', '--json'], { environment })
    const found = near.out.map(
      (line) => JSON.parse(line) as { entry: { id: number; content?: string }; distance: number },
    )
    const close = members.filter(({ entryId, distance }) => entryId !== primaryId && distance <= 3)
    expect(found.map(({ entry }) => entry.id)).toEqual(expect.arrayContaining(close.map(({ entryId }) => entryId)))
    expect(found.map(({ entry }) => entry.id)).not.toContain(primaryId)
    for (const { entry, distance } of found) expect([entry.content?.includes('<'), distance <= 3]).toEqual([true, true])
    const long = await runCommandLine(['content', '--near', `e${primaryId}`, '--until', '2026-01-01'], { environment })
    expect(long.out).toEqual(['the content store has no matching records'])

    const unknown = await runCommandLine(['content', '--near', 'e99999999'], { environment })
    expect(unknown).toMatchObject({ code: 2, out: [] })
    expect(unknown.notes).toMatch(/has no fingerprint of e99999999/)
    for (const [words, entries] of WRONG) {
      const refused = await runCommandLine(['content', ...words], { environment })
      expect(refused).toMatchObject({ code: 2, out: [] })
      expect(refused.notes).toContain(entries)
    }
  })
})

describe('without Cassandra', () => {
  it('rejects an invalid address of a content store', async () => {
    const wrong = await runCommandLine(['entries', '--content-store', 'postgres://x/y'], { environment: {} })
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.notes).toMatch(/cassandra:\/\/host:9042\/keyspace/)
  })

  it('never shows the password of a content store', async () => {
    const shown = await runCommandLine(['config', '--json'], {
      environment: { FRESHET_CONTENT_STORE: 'cassandra://ada:quiet@10.0.0.5/freshet' },
    })
    expect(shown.out.join('\n')).toContain('cassandra://10.0.0.5/freshet')
    expect(shown.out.join('\n')).not.toContain('quiet')
  })

  it('needs a content store for garbage collection', async () => {
    expect((await runCommandLine(['content', 'gc'], { environment: {} })).notes).toMatch(
      /no content store is configured/,
    )
  })
})

const GAZETTE = { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed', content: 'full' as const }] }
const WIRE = { ...GAZETTE, name: 'wire', title: 'The Wire' }
const MIRROR = { ...GAZETTE, name: 'mirror', title: 'The Mirror', copies: { of: 'wire', share: 1 } }
const WRONG: [words: string[], told: string][] = [
  [['--near', 'e1', '--bits', '4'], '--bits cannot be 4'],
  [['--near', 'everything'], '--near cannot be "everything"'],
  [['--copies', '-1'], '--copies cannot be "-1"'],
]

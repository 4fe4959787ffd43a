/** A library that is away for a while, and comes back: what is said of it meanwhile, and that nothing of the crawl is lost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cassandraForTests, onCassandra, whyNoTestCassandra } from '../../test/cassandra-server.ts'
import { type Relay, startRelay } from '../../test/relay.ts'
import { createSteppedClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { type Config, createLog, defaultConfig, openCrawl, openQueries, startServer } from './index.ts'

const AWAY = /does not answer, \d of 1 machines seem to run/
const WELL = 'Cassandra, 1 of 1 machines answer'

describe.skipIf(whyNoTestCassandra !== undefined)(onCassandra, () => {
  let folder = ''
  let relay: Relay | undefined
  let toPort = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'freshet-away-'))
    toPort = Number((await cassandraForTests()).split(':')[1])
  }, 300_000)
  afterAll(async () => {
    await relay?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('is told by /healthz and the status while it is away, and the crawl goes on when it is back', async () => {
    relay = await startRelay(toPort)
    const { port } = relay
    const library = `cassandra://127.0.0.1:${port}/away_${process.pid}`
    const config: Config = {
      ...defaultConfig(),
      store: join(folder, 'test.db'),
      contentStore: library,
      port: 0,
      hostGap: 0,
    }
    const village = createVillage({ clock: createSteppedClock(Date.now()), sites: [GAZETTE] })
    const crawl = await openCrawl(config, { net: village.net() })
    const server = await startServer(config, crawl, SILENT)
    const health = () => asked(new URL('/healthz', server.url))
    const status = async () => (await asked(new URL('/api/v1/status', server.url))).body.library
    const ending = new AbortController()
    const running = crawl.crawler.run(ending.signal)
    try {
      expect(await health()).toMatchObject({ status: 200, body: { ok: true, library: WELL } })

      await relay.close()
      await until(async () => AWAY.test(String((await health()).body.library)))
      expect(await status()).toMatchObject({ summary: expect.stringMatching(AWAY), isWell: false })
      await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
      await until(async () => (await health()).status === 503)
      const refused = (await health()).body
      expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('could not write to Cassandra') })
      expect(refused.hint).toContain('nothing is lost by waiting')
      // Who only looks is told as much as can be told without it.
      const queries = await openQueries(config)
      expect((await queries.status(5)).library).toMatchObject({
        summary: expect.stringContaining('could not open Cassandra'),
        isWell: false,
      })
      await queries.close()

      relay = await startRelay(toPort, port)
      await until(async () => (await health()).status === 200)
      expect(await health()).toMatchObject({ body: { ok: true, library: WELL } })
      expect(await status()).toEqual({ summary: WELL, isWell: true })
      await until(async () => (await crawl.store.entries({ limit: 99 })).length > 0)
      const entries = await crawl.store.entries({ limit: 99 })
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
      expect(entries.every(({ content = '' }) => content.length > 100)).toBe(true)
    } finally {
      ending.abort()
      await running
      await server.close()
      await crawl.close()
    }
  }, 120_000)

  it('is refused to who would write while it is away', async () => {
    const library = 'cassandra://127.0.0.1:1/nothing'
    await expect(
      openCrawl({ ...defaultConfig(), store: join(folder, 'other.db'), contentStore: library }),
    ).rejects.toMatchObject({
      trouble: 'no-access',
      message: expect.stringContaining('could not open Cassandra at 127.0.0.1:1'),
    })
  })
})

async function asked(url: URL): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(url)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** As long as the test may take. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100)
}

const GAZETTE = { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed', content: 'full' as const }] }
const SILENT = createLog({ level: 'silent', format: 'text', now: Date.now, write() {} })

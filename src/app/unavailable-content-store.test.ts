/** An outage of the content store: how it is reported, and that the crawl loses no data. */
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

const AWAY = /does not answer; \d of 1 hosts seem to be up/
const WELL = 'Cassandra, 1 of 1 hosts answer'

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

  it('is reported by /healthz and the status, and the crawl continues when it is back', async () => {
    relay = await startRelay(toPort)
    const { port } = relay
    const contentStore = `cassandra://127.0.0.1:${port}/away_${process.pid}`
    const config: Config = {
      ...defaultConfig(),
      store: join(folder, 'test.db'),
      contentStore,
      port: 0,
      hostGap: 0,
    }
    const village = createVillage({ clock: createSteppedClock(Date.now()), sites: [GAZETTE] })
    const crawl = await openCrawl(config, { net: village.net() })
    const server = await startServer(config, crawl, SILENT)
    const health = () => request(new URL('/healthz', server.url))
    const status = async () => (await request(new URL('/api/v1/status', server.url))).body.contentStore
    const ending = new AbortController()
    const running = crawl.crawler.run(ending.signal)
    try {
      expect(await health()).toMatchObject({ status: 200, body: { ok: true, contentStore: WELL } })

      await relay.close()
      await until(async () => AWAY.test(String((await health()).body.contentStore)))
      expect(await status()).toMatchObject({ summary: expect.stringMatching(AWAY), isHealthy: false })
      await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
      await until(async () => (await health()).status === 503)
      const refused = (await health()).body
      expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('could not write to Cassandra') })
      expect(refused.hint).toContain('No data is lost')
      // Reading commands show everything that does not need the content store.
      const queries = await openQueries(config)
      expect((await queries.status(5)).contentStore).toMatchObject({
        summary: expect.stringContaining('could not open Cassandra'),
        isHealthy: false,
      })
      await queries.close()

      relay = await startRelay(toPort, port)
      await until(async () => (await health()).status === 200)
      expect(await health()).toMatchObject({ body: { ok: true, contentStore: WELL } })
      expect(await status()).toEqual({ summary: WELL, isHealthy: true })
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

  it('fails commands that write', async () => {
    const contentStore = 'cassandra://127.0.0.1:1/nothing'
    await expect(
      openCrawl({ ...defaultConfig(), store: join(folder, 'other.db'), contentStore }),
    ).rejects.toMatchObject({
      kind: 'no-access',
      message: expect.stringContaining('could not open Cassandra at 127.0.0.1:1'),
    })
  })
})

async function request(url: URL): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(url)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** The timeout of the test. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100)
}

const GAZETTE = { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed', content: 'full' as const }] }
const SILENT = createLog({ level: 'silent', format: 'text', now: Date.now, write() {} })

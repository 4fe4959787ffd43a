/** Webhooks to a receiver on a real socket, from a crawl with a SQLite file. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client/index.ts'
import { createSteppedClock, systemClock } from '../clocks/index.ts'
import { createVillage } from '../lab/index.ts'
import { type EntryId, MINUTE, type SavedSearchId, SECOND } from '../model/index.ts'
import { type Leadership, type Net, type NetPost, rolesOf } from '../ports/index.ts'
import { draft, newFeed, record } from '../ports/store-samples.contract.ts'
import { createMemorySearch } from '../search/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { createLog, defaultConfig, openCrawl, startServer } from './index.ts'
import { startServerTasks } from './start-server-tasks.ts'

const START = Date.UTC(2026, 0, 5)
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes !!!').toString('base64')}`

it('sends new results of a saved search as signed requests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'freshet-webhooks-'))
  const village = createVillage({
    clock: systemClock(),
    sites: [{ name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed' }] }],
  })
  const delivered = Promise.withResolvers<{ headers: Record<string, unknown>; body: string }>()
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(204).end()
    delivered.resolve({ headers: request.headers, body })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const config = { ...defaultConfig(), store: join(folder, 'test.db'), port: 0, allowNetworks: ['127.0.0.0/8'] }
  const crawl = await openCrawl(config, { net: village.net() })
  const log = createLog({ level: 'silent', format: 'text', write() {}, now: Date.now })
  const server = await startServer(config, crawl, log)
  const ended = new AbortController()
  try {
    const client = createClient(server)
    const search = await client.addSearch({ body: { name: 'All of it', query: 'feed:1' } })
    await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
    const { port } = receiver.address() as AddressInfo
    const { webhook } = await client.addWebhook({
      body: { name: 'bot', url: `http://127.0.0.1:${port}/in`, search: search.id },
    })
    const running = crawl.crawler.run(ended.signal)
    const { headers, body } = await delivered.promise
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
    expect(JSON.parse(body)).toMatchObject({
      type: 'entries.found',
      data: { webhook: { id: webhook.id }, search: 'All of it' },
    })
    const settled = async () => (await client.listWebhooks()).webhooks[0]
    while ((await settled())?.last === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await settled()).toMatchObject({ state: 'active', failures: 0, last: { status: 204 } })
    ended.abort()
    await running
  } finally {
    ended.abort()
    await server.close()
    await crawl.close(0)
    receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
})

describe('two processes that serve one store', () => {
  async function town() {
    const clock = createSteppedClock(START)
    const store = createMemoryStore()
    const search = createMemorySearch()
    const delivered: string[] = []
    let gate: Promise<void> | undefined
    const userId = await store.firstUser()
    const searchId = await store.addSharedItem('search', { userId, name: 'Floods', query: 'flood', addedAt: START })
    const about = {
      userId,
      searchId: searchId as SavedSearchId,
      secret: SECRET,
      addedAt: START,
      dueAt: START,
      state: 'active' as const,
    }
    await store.addSharedItem('webhook', { ...about, name: 'bot', url: 'https://in.example/', cursor: 0 as EntryId })
    const [{ id: feedId } = { id: 0 as never }] = await store.addFeeds([newFeed('tides')])
    const netOf = (name: string) =>
      ({
        async post(request: NetPost) {
          await gate
          if (request.signal?.aborted) return { ok: false, failure: { kind: 'timeout' } }
          const { data } = JSON.parse('document' in request ? request.document.text : '{}')
          delivered.push(...data.entries.map(({ title }: { title: string }) => `${name}: ${title}`))
          const nothing = { redirects: [], headers: {}, body: new Uint8Array(), wireBytes: 0 }
          return { ok: true, status: 204, url: request.url as never, ...nothing }
        },
      }) as unknown as Net
    const mistakes: unknown[] = []
    const log = createLog({ level: 'silent', format: 'text', write() {}, now: clock.now })
    const start = (name: string, leadership: Leadership = store) =>
      startServerTasks(
        {
          ...rolesOf(store),
          leadership,
          name,
          search,
          clock,
          net: netOf(name),
          sendEntry: async () => ({ at: 0 }),
          crawler: { onEvent: () => () => {}, requestArticle: async () => undefined },
          pushContact: 'mailto:ada@example.org',
          onInternalError: (error) => mistakes.push(error),
        },
        log,
      ).stop
    let polls = 0
    async function arrive(title: string) {
      await store.recordPolls([record(feedId, START + ++polls, { fresh: [draft(title, { title })] })])
      const { positions, changes } = await store.unindexed(100)
      await search.put(
        changes.flatMap(({ id, entry }) =>
          entry ? [{ id, feedId, at: entry.seenAt, title, text: '', names: [], language: 'en', category: 'none' }] : [],
        ),
      )
      await store.markIndexed(positions)
    }
    return {
      clock,
      store,
      start,
      arrive,
      delivered,
      mistakes,
      hold() {
        const released = Promise.withResolvers<void>()
        gate = released.promise
        return released.resolve
      },
    }
  }

  it('send through one leader, and fail over when it stops', async () => {
    const { clock, start, arrive, delivered, mistakes } = await town()
    const endAda = start('ada')
    await clock.advance(SECOND)
    const endBob = start('bob')
    await arrive('flood one')
    await clock.advance(MINUTE)
    await arrive('flood two')
    await clock.advance(MINUTE)
    expect(delivered).toEqual(['ada: flood one', 'ada: flood two'])
    const over = endAda()
    await clock.advance(5 * SECOND)
    await over
    await arrive('flood three')
    await clock.advance(MINUTE)
    expect(delivered.slice(2)).toEqual(['bob: flood three'])
    const bobs = endBob()
    await clock.advance(SECOND)
    await bobs
    expect(mistakes).toEqual([])
  })

  it('stop sending when they lose the store, before another one starts', async () => {
    const { clock, store, start, arrive, delivered, hold } = await town()
    let isCut = false
    const cut: Leadership = {
      lead: (...words) => (isCut ? Promise.reject(new Error('no way there')) : store.lead(...words)),
      resign: (...words) => (isCut ? Promise.reject(new Error('no way there')) : store.resign(...words)),
    }
    const endAda = start('ada', cut)
    await clock.advance(SECOND)
    const endBob = start('bob')
    const letGo = hold() // ada's request is under way when she is cut off
    await arrive('flood one')
    await clock.advance(16 * SECOND)
    isCut = true
    await clock.advance(20 * SECOND)
    letGo()
    await clock.advance(MINUTE)
    expect(delivered).toEqual(['bob: flood one'])
    const over = Promise.all([endAda(), endBob()])
    await clock.advance(5 * SECOND)
    await over
  })
})

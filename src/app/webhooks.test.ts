/** A receiver on a real socket, told by the program as it is put together, on its SQLite file. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../client/index.ts'
import { systemClock } from '../drivers/index.ts'
import { createVillage } from '../lab/index.ts'
import { createLog, defaultConfig, openCrawl, startServer } from './index.ts'

it('tells a receiver of what a saved search finds, from the poll to the signed request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'freshet-webhooks-'))
  const village = createVillage({
    clock: systemClock(),
    sites: [{ name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed' }] }],
  })
  const told = Promise.withResolvers<{ headers: Record<string, unknown>; body: string }>()
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(204).end()
    told.resolve({ headers: request.headers, body })
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
    const { headers, body } = await told.promise
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

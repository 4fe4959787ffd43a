/** Callbacks of WebSub hubs. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import type { PushReceiver } from '../crawl/index.ts'

const TOKEN = 'abcdefghijklmnopqrstuvwxyz012345'

function appWith(receiver: Partial<PushReceiver>, maxPushBytes = 1000) {
  const pushReceiver: PushReceiver = {
    confirm: async () => ({ status: 404 }),
    receive: async () => ({ status: 410 }),
    ...receiver,
  }
  const { crawler } = createServerFixture()
  return createServerFixture({ crawler: { ...crawler, pushReceiver }, maxPushBytes }).app
}
async function all(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = []
  for await (const chunk of chunks) found.push(chunk)
  return found
}
const ask = (app: ReturnType<typeof appWith>, path: string, init: RequestInit = {}) =>
  app.request(path, { ...init, headers: { host: 'reader.example', ...init.headers } })

test('answers a hub under any host name, in plain text', async () => {
  const queries: unknown[] = []
  const app = appWith({
    confirm: async (token, query) => {
      queries.push([token, query])
      return { status: 200, body: '<script>c</script>' }
    },
  })
  const answer = await ask(app, `/websub/${TOKEN}?hub.mode=subscribe&hub.topic=a%20b`)
  expect([answer.status, await answer.text()]).toEqual([200, '<script>c</script>'])
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(queries).toEqual([[TOKEN, { 'hub.mode': 'subscribe', 'hub.topic': 'a b' }]])
})

test('passes on pushes with their headers, whatever their content type', async () => {
  const received: unknown[] = []
  const app = appWith({
    receive: async (token, { headers, chunks }) => {
      received.push([token, headers['x-hub-signature'], Buffer.concat(await all(chunks())).toString()])
      return { status: 202 }
    },
  })
  const headers = { 'content-type': 'application/rss+xml', 'x-hub-signature': 'sha1=0' }
  expect((await ask(app, `/websub/${TOKEN}`, { method: 'POST', headers, body: '<rss/>' })).status).toBe(202)
  expect(received).toEqual([[TOKEN, 'sha1=0', '<rss/>']])
})

test('does not read unexpected bodies, and rejects bodies that are too large', async () => {
  let pulled = 0
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(500))
      },
    })
  const init = () => ({ method: 'POST', body: endless(), duplex: 'half' }) as RequestInit
  expect((await ask(appWith({}), `/websub/${TOKEN}`, init())).status).toBe(410)
  expect(pulled).toBeLessThanOrEqual(1)
  const greedy = appWith({
    receive: async (_, { chunks }) => {
      await all(chunks())
      return { status: 202 }
    },
  })
  expect((await ask(greedy, `/websub/${TOKEN}`, init())).status).toBe(413)
  expect(pulled).toBeLessThan(9)
})

test('accepts bodies up to the exact limit, with or without content-length', async () => {
  const app = appWith({
    receive: async (_, { chunks }) => {
      await all(chunks())
      return { status: 202 }
    },
  })
  const bring = (bytes: number, headers: Record<string, string> = {}) =>
    ask(app, `/websub/${TOKEN}`, { method: 'POST', headers, body: 'x'.repeat(bytes) })
  expect([(await bring(1000)).status, (await bring(1001)).status]).toEqual([202, 413])
  expect((await bring(10, { 'content-length': '1001' })).status).toBe(413)
  const { crawler } = createServerFixture()
  const pushReceiver: PushReceiver = {
    confirm: async () => ({ status: 404 }),
    receive: async (_, { chunks }) => {
      await all(chunks())
      return { status: 202 }
    },
  }
  const usual = createServerFixture({ crawler: { ...crawler, pushReceiver } }).app
  const declare = async (bytes: number) =>
    (await ask(usual, `/websub/${TOKEN}`, { method: 'POST', headers: { 'content-length': `${bytes}` }, body: 'x' }))
      .status
  expect([await declare(10_000_000), await declare(10_000_001)]).toEqual([202, 413])
})

test('answers before the body has arrived if it is not needed, and closes the connection', async () => {
  const { crawler } = createServerFixture()
  const pushReceiver: PushReceiver = { confirm: async () => ({ status: 404 }), receive: async () => ({ status: 202 }) }
  const { url, close } = await createServerFixture({ crawler: { ...crawler, pushReceiver } }).listen(0)
  const { hostname, port } = new URL(url)
  const head = `POST /websub/${TOKEN} HTTP/1.1\r\nhost: reader.example\r\ncontent-length: 9000000\r\n\r\nthe first bytes`
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connect(Number(port), hostname)
      socket.write(head)
      let response = ''
      for await (const piece of socket) response += piece
      return response
    }),
  )
  await close()
  for (const response of answers) expect(response).toMatch(/^HTTP\/1\.1 202 .*\r\nconnection: close\r\n/is)
})

test('answers 503 with Retry-After', async () => {
  const app = appWith({ receive: async () => ({ status: 503 }) })
  const answer = await ask(app, `/websub/${TOKEN}`, { method: 'POST', body: 'x' })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
})

test.each([
  ['GET', `/websub/${TOKEN}`, 404],
  ['POST', `/websub/${TOKEN}`, 410],
  ['GET', '/websub/short', 421],
  ['GET', '/websub/', 421],
  ['PUT', `/websub/${TOKEN}`, 421],
  ['GET', `/websub/${TOKEN}/more`, 421],
  ['POST', '/api/v1/feeds', 421],
  ['GET', '/websub/../api/v1/status', 421],
])('%s %s is %i without a valid token', async (method, path, status) => {
  expect((await ask(appWith({}), path, { method })).status).toBe(status)
})

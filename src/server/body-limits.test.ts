/** Limits of request bodies, before and after authentication. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'
import { hashPassword } from '../credentials/index.ts'
import { MINUTE, SECOND } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'
/** Hashed once, because hashing is slow. */
const HASH = hashPassword(PASSWORD)
const JSON_TYPE = { 'content-type': 'application/json' }
const CHUNK = 64 * 1024
const MB = 1024 * 1024

async function createScene() {
  const fixture = createServerFixture()
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const tokens: string[] = []
  for (const name of ['ada', 'bob', 'cyd']) {
    const scope = name === 'ada' ? 'admin' : 'write'
    const id = (await fixture.store.addUser({ name, scope, addedAt: 0, password: await HASH }))!
    tokens.push((await accounts.addToken(id, { name: 't', scope: 'write' })).secret)
  }
  return { ...fixture, tokens }
}

/** A body of this size that ends or never does; `taken` returns how much was read. */
function flood(bytes: number, { ends = true, fill = 32 } = {}) {
  let remaining = bytes
  const readBytes = () => bytes - remaining
  const stream = new ReadableStream(
    {
      pull(controller) {
        const size = Math.min(CHUNK, remaining)
        remaining -= size
        if (size > 0) controller.enqueue(new Uint8Array(size).fill(fill))
        else if (ends) controller.close()
        else return new Promise(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, readBytes }
}

interface Sent {
  method?: string
  body: ReadableStream
  headers?: Record<string, string>
}

async function sent(
  app: ReturnType<typeof createServerFixture>['app'],
  path: string,
  request: Sent,
): Promise<Response> {
  const { method = 'POST', body, headers = JSON_TYPE } = request
  return app.request(`http://localhost${path}`, { method, headers, body, duplex: 'half' } as RequestInit)
}

describe('a body without a token', () => {
  const operations = Object.values(OPERATIONS).filter(({ method }) => method !== 'get')
  const closed = operations.filter((operation) => operation['x-scope'] !== 'none')
  const readers = [
    ['POST', '/v1/import'],
    ['PUT', '/v1/entries'],
    ['POST', '/v1/feeds'],
    ['POST', '/reader/api/0/edit-tag'],
    ['POST', '/reader/api/0/subscription/edit'],
    ['POST', '/api/greader.php/reader/api/0/stream/items/contents'],
  ] as const

  test.each([
    ...closed.map(({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '9')] as const),
    ...readers,
  ])('is not read: %s %s', async (method, path) => {
    const { app } = await createScene()
    const { stream, readBytes } = flood(64 * MB)
    expect((await sent(app, path, { method, body: stream })).status).toBe(401)
    expect(readBytes()).toBe(0)
  })

  test.each([
    ...operations
      .filter((one) => one['x-scope'] === 'none')
      .map((one) => [one.method.toUpperCase(), one.path] as const),
    ['POST', '/accounts/ClientLogin'] as const,
    ['POST', '/fever/?api'] as const,
  ])('is limited to 8 KB if it carries the password: %s %s', async (method, path) => {
    const { app } = await createScene()
    const { stream, readBytes } = flood(64 * MB)
    expect((await sent(app, path, { method, body: stream })).status).toBe(413)
    expect(readBytes()).toBeLessThanOrEqual(CHUNK)
  })

  test('is limited to ten seconds', async () => {
    const { app, clock } = await createScene()
    const { stream } = flood(10, { ends: false })
    const answer = sent(app, '/api/v1/session', { body: stream })
    await settled()
    clock.advance(11 * SECOND)
    expect((await answer).status).toBe(408)
  })
})

describe('bodies in progress', () => {
  const opml = (token: string) => ({ 'x-auth-token': token })

  test('are limited to 16 MB per user, 32 MB in total, and two minutes', async () => {
    const { app, clock, tokens } = await createScene()
    const upload = (token: string, bytes = 7 * MB) => {
      const { stream, readBytes } = flood(bytes, { ends: false })
      const answer = sent(app, '/v1/import', { body: stream, headers: opml(token) })
      return { answer: answer.then(({ status }) => status), readBytes }
    }
    const [ada = '', bob = '', cyd = ''] = tokens
    const stuck = [upload(ada), upload(ada)]
    await untilRead(stuck, 7 * MB)
    expect(await upload(ada).answer).toBe(503)
    const others = [upload(bob), upload(bob)]
    await untilRead(others, 7 * MB)
    expect(await upload(cyd).answer).toBe(503)
    clock.advance(2 * MINUTE + SECOND)
    expect(await Promise.all([...stuck, ...others].map(({ answer }) => answer))).toEqual([408, 408, 408, 408])
    const { stream } = flood(7 * MB)
    expect((await sent(app, '/v1/import', { body: stream, headers: opml(ada) })).status).toBe(400)
  })
})

async function untilRead(all: { readBytes(): number }[], bytes: number): Promise<void> {
  while (all.some(({ readBytes }) => readBytes() < bytes)) await settled()
  await settled()
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

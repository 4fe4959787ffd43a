import { describe, expect, test } from 'vitest'
import type { FeedCredentials } from '../model/index.ts'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, type RawScript, serveRaw } from './raw-server.fixture.ts'
import { isRedirect, redirectTarget } from './redirect.ts'

const ANN: FeedCredentials = { user: 'ann', password: 's3cret' }
const basic = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`

describe('redirect target', () => {
  test.each([
    ['http://a.example/x', 'y', 'http://a.example/y'],
    ['http://a.example/x/', '../y?z', 'http://a.example/y?z'],
    ['http://a.example/x', '//b.example', 'http://b.example/'],
    ['http://a.example/x', 'HTTPS://B.example:443/#part', 'https://b.example/'],
    ['http://a.example/x', '/caf\xc3\xa9', 'http://a.example/caf%C3%A9'],
    ['http://a.example/x', '/caf\xe9', 'http://a.example/caf%C3%A9'],
    ['http://a.example/x', 'http://bob:guess@b.example/y', 'http://b.example/y'],
  ])('%s, %s -> %s', (from, location, to) => {
    expect(redirectTarget(new URL(from), location).href).toBe(to)
  })

  test('is missing for other responses, or without a location', () => {
    for (const status of [200, 300, 304, 305, 404]) expect(isRedirect(status, '/y')).toBe(false)
    for (const status of [301, 302, 303, 307, 308]) expect(isRedirect(status, '/y')).toBe(true)
    expect(isRedirect(301, undefined)).toBe(false)
    expect(isRedirect(301, '')).toBe(false)
  })

  test('throws if it is not a valid address', () => {
    expect(() => redirectTarget(new URL('http://a.example/'), 'http://[')).toThrow(/no valid target/)
  })
})

describe('credentials', () => {
  test('are sent as Basic authorization in UTF-8, and not in the path', async () => {
    await using server = await serveRaw(() => answer(200))
    await visit(`http://localhost:${server.port}/feed`)
    await visit(`http://localhost:${server.port}/feed`, { credentials: { user: 'änn', password: '100%' } })
    expect(server.requests[0]!.path).toBe('/feed')
    expect(server.requests[0]!.headers.host).toBe(`localhost:${server.port}`)
    expect(server.requests[0]!.headers.authorization).toBe(basic)
    expect(server.requests[1]!.headers.authorization).toBe(`Basic ${Buffer.from('änn:100%').toString('base64')}`)
  })

  test('are not sent to another host after a redirect', async () => {
    await using other = await serveRaw(() => answer(200))
    await using server = await serveRaw(({ path }) =>
      path === '/start' ? answer(302, { location: '/here' }) : answer(302, { location: `${other.origin}/there` }),
    )
    const got = await visit(`http://localhost:${server.port}/start`)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([basic, basic])
    expect(other.requests[0]!.headers.authorization).toBeUndefined()
    expect(got).toMatchObject({ ok: true, url: `${other.origin}/there` })
  })

  test('never appear in a failure', async () => {
    const scripts: RawScript[] = [
      ({ socket }) => void socket.end(),
      () => 'nonsense\r\n',
      () => answer(302, { location: 'ftp://x.example/' }),
      () => answer(302, { location: '' }).subarray(0, 10),
      ({ path }) => answer(302, { location: path }),
    ]
    for (const script of scripts) {
      await using server = await serveRaw(script)
      const got = await visit(`http://localhost:${server.port}/`, { timeouts: { firstByteMs: 50 } })
      expect(got.ok).toBe(false)
      expect(JSON.stringify(got)).not.toMatch(/ann|s3cret/)
    }
    for (const url of ['http://nowhere.invalid/', 'http://ann:s3cret@10.0.0.1/', 'http://ann:s3cret@a:b/'])
      expect(JSON.stringify(await visit(url))).not.toMatch(/ann|s3cret/)
  })
})

async function visit(
  url: string,
  { timeouts = {}, ...request }: { timeouts?: HttpNetOptions['timeouts']; credentials?: FeedCredentials } = {},
) {
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'], timeouts })
  const got = await net.get({ url, credentials: ANN, ...request })
  await net.close()
  return got
}

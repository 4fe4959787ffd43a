import { describe, expect, test } from 'vitest'
import { createHttpNet, type HttpNetOptions } from './http-net.ts'
import { answer, type RawScript, serveRaw } from './raw-server.fixture.ts'
import { headersAfterRedirect, isRedirect, redirectTarget } from './redirect.ts'

const basic = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`

describe('redirect target', () => {
  test.each([
    ['http://a.example/x', 'y', 'http://a.example/y'],
    ['http://a.example/x/', '../y?z', 'http://a.example/y?z'],
    ['http://a.example/x', '//b.example', 'http://b.example/'],
    ['http://a.example/x', 'HTTPS://B.example:443/#part', 'https://b.example/'],
    ['http://a.example/x', '/caf\xc3\xa9', 'http://a.example/caf%C3%A9'],
    ['http://a.example/x', '/caf\xe9', 'http://a.example/caf%C3%A9'],
    ['http://ann:s3cret@a.example/x', '/y', 'http://ann:s3cret@a.example/y'],
    ['http://ann:s3cret@a.example/x', 'https://a.example/y', 'https://ann:s3cret@a.example/y'],
    ['https://ann:s3cret@a.example/x', 'http://a.example/y', 'http://a.example/y'],
    ['http://ann:s3cret@a.example/x', 'http://a.example:8080/y', 'http://a.example:8080/y'],
    ['http://ann:s3cret@a.example/x', 'http://b.a.example/y', 'http://b.a.example/y'],
    ['http://a.example/x', 'http://bob:guess@b.example/y', 'http://b.example/y'],
  ])('%s, %s -> %s', (from, location, to) => {
    expect(redirectTarget(new URL(from), location).href).toBe(to)
  })

  test('is none for other answers, or without a location', () => {
    for (const status of [200, 300, 304, 305, 404]) expect(isRedirect(status, '/y')).toBe(false)
    for (const status of [301, 302, 303, 307, 308]) expect(isRedirect(status, '/y')).toBe(true)
    expect(isRedirect(301, undefined)).toBe(false)
    expect(isRedirect(301, '')).toBe(false)
  })

  test('is trouble where it cannot be an address', () => {
    expect(() => redirectTarget(new URL('http://a.example/'), 'http://[')).toThrow(/no address/)
  })

  test('validators go along, a password only to the same origin', () => {
    const headers = { authorization: 'secret', 'if-none-match': '"a"' }
    const from = new URL('http://a.example/')
    expect(headersAfterRedirect(headers, from, new URL('http://a.example/y'))).toEqual(headers)
    expect(headersAfterRedirect(headers, from, new URL('http://b.example/y'))).toEqual({ 'if-none-match': '"a"' })
  })
})

describe('credentials', () => {
  test('in an address become Basic authorization, and are not in the path', async () => {
    await using server = await serveRaw(() => answer(200))
    await visit(`http://ann:s3cret@localhost:${server.port}/feed`)
    await visit(`http://%C3%A4nn:100%@localhost:${server.port}/feed`)
    expect(server.requests[0]!.path).toBe('/feed')
    expect(server.requests[0]!.headers.host).toBe(`localhost:${server.port}`)
    expect(server.requests[0]!.headers.authorization).toBe(basic)
    expect(server.requests[1]!.headers.authorization).toBe(`Basic ${Buffer.from('änn:100%').toString('base64')}`)
  })

  test('stay with their host when it redirects to another', async () => {
    await using other = await serveRaw(() => answer(200))
    await using server = await serveRaw(({ path }) =>
      path === '/start' ? answer(302, { location: '/here' }) : answer(302, { location: `${other.origin}/there` }),
    )
    const got = await visit(`http://ann:s3cret@localhost:${server.port}/start`)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([basic, basic])
    expect(other.requests[0]!.headers.authorization).toBeUndefined()
    expect(got).toMatchObject({ ok: true, url: `${other.origin}/there` })
  })

  test('never show in a failure', async () => {
    const scripts: RawScript[] = [
      ({ socket }) => void socket.end(),
      () => 'nonsense\r\n',
      () => answer(302, { location: 'ftp://x.example/' }),
      () => answer(302, { location: '' }).subarray(0, 10),
      ({ path }) => answer(302, { location: path }),
    ]
    for (const script of scripts) {
      await using server = await serveRaw(script)
      const got = await visit(`http://ann:s3cret@localhost:${server.port}/`, { firstByteMs: 50 })
      expect(got.ok).toBe(false)
      expect(JSON.stringify(got)).not.toMatch(/ann|s3cret/)
    }
    for (const url of ['http://ann:s3cret@nowhere.invalid/', 'http://ann:s3cret@10.0.0.1/', 'http://ann:s3cret@a:b/'])
      expect(JSON.stringify(await visit(url))).not.toMatch(/ann|s3cret/)
  })
})

async function visit(url: string, timeouts: HttpNetOptions['timeouts'] = {}) {
  const net = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'], timeouts })
  const got = await net.get({ url })
  await net.close()
  return got
}

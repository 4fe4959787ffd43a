/** The contract of every Net, real or simulated. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Net, NetAnswer } from './net.ts'

/** What a site serves: raw body and headers, or what the server does instead of responding. */
export type SitePage =
  | { status: number; headers?: Record<string, string | string[]>; body?: string | Uint8Array }
  | 'hangs'
  | 'breaks off'

export type ServedSite = (path: string, headers: Record<string, string>, posted: string) => SitePage

export interface NetOnTrial {
  net: Net
  /** The origin of the site, without a trailing slash. */
  origin: string
  close(): Promise<void>
}

export function netContract(name: string, open: (site: ServedSite) => Promise<NetOnTrial>): void {
  describe(`net: ${name}`, () => {
    const opened: NetOnTrial[] = []

    async function visit(site: ServedSite): Promise<NetOnTrial> {
      const trial = await open(site)
      opened.push(trial)
      return trial
    }

    afterEach(async () => {
      for (const { net, close } of opened.splice(0)) {
        await net.close()
        await close()
      }
    })

    test('returns the unchanged body and its address', async () => {
      const body = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)
      const { net, origin } = await visit(() => ({ status: 200, body }))
      const answer = answered(await net.get({ url: `${origin}/a?b=c#d` }))
      expect(answer.status).toBe(200)
      expect(answer.url).toBe(`${origin}/a?b=c`)
      expect(answer.redirects).toEqual([])
      expect(Buffer.from(answer.body).equals(body)).toBe(true)
      expect(answer.wireBytes).toBe(1000)
    })

    test.each([204, 304, 400, 401, 404, 410, 418, 429, 500, 503])('returns status %i as an answer', async (status) => {
      const { net, origin } = await visit(() => ({ status, headers: { 'retry-after': '120' } }))
      const answer = answered(await net.get({ url: `${origin}/` }))
      expect(answer.status).toBe(status)
      expect(answer.headers['retry-after']).toBe('120')
      expect(answer.body).toHaveLength(0)
    })

    test('returns header names in lower case and joins repeated headers', async () => {
      const { net, origin } = await visit(() => ({ status: 200, headers: { ETag: 'W/"a b"', Link: ['<a>', '<b>'] } }))
      const { headers } = answered(await net.get({ url: `${origin}/` }))
      expect(headers.etag).toBe('W/"a b"')
      expect(headers.link).toBe('<a>, <b>')
    })

    test('sends the given headers unchanged', async () => {
      const seen: Record<string, string>[] = []
      const { net, origin } = await visit((_path, headers) => {
        seen.push(headers)
        return { status: 304 }
      })
      await net.get({
        url: `${origin}/`,
        headers: { 'if-none-match': 'W/"a b"', 'if-modified-since': 'yesterday-ish' },
      })
      expect(seen[0]).toMatchObject({ 'if-none-match': 'W/"a b"', 'if-modified-since': 'yesterday-ish' })
    })

    test('sends credentials to their own origin only, including redirects within it', async () => {
      const seen: (string | undefined)[] = []
      const { net, origin } = await visit((path, headers) => {
        seen.push(headers.authorization)
        return path === '/old' ? { status: 302, headers: { location: '/new' } } : { status: 200 }
      })
      const answer = await net.get({ url: `${origin}/old`, credentials: { user: 'änn', password: '100%:@' } })
      const basic = `Basic ${Buffer.from('änn:100%:@').toString('base64')}`
      expect(seen).toEqual([basic, basic])
      expect(JSON.stringify(answer)).not.toMatch(/änn|100%/)
    })

    test('sends secret headers to their own origin only, and another user agent to all', async () => {
      const seen: unknown[] = []
      const { net, origin } = await visit((path, headers) => {
        seen.push([path, headers['x-key'], headers.cookie, headers['user-agent']])
        return path === '/old' ? { status: 302, headers: { location: '/new' } } : { status: 200 }
      })
      const secretHeaders = { 'x-key': 'k1', cookie: 'a=1; b=2' }
      const answer = await net.get({ url: `${origin}/old`, secretHeaders, userAgent: 'Reader/2' })
      expect(seen).toEqual(['/old', '/new'].map((path) => [path, 'k1', 'a=1; b=2', 'Reader/2']))
      expect(JSON.stringify(answer)).not.toMatch(/k1|a=1/)
    })

    test('never sends or reports credentials contained in an address', async () => {
      const seen: (string | undefined)[] = []
      const { net, origin } = await visit((path, headers) => {
        seen.push(headers.authorization)
        const location = `${origin.replace('://', '://bob:guess@')}/new`
        return path === '/old' ? { status: 302, headers: { location } } : { status: 200 }
      })
      const answer = answered(await net.get({ url: `${origin.replace('://', '://ann:s3cret@')}/old` }))
      expect(seen).toEqual([undefined, undefined])
      expect([answer.url, answer.redirects]).toEqual([`${origin}/new`, [{ status: 302, to: `${origin}/new` }]])
    })

    test.each([301, 302, 303, 307, 308])('follows %i and reports the redirect', async (status) => {
      const { net, origin } = await visit((path) =>
        path === '/old' ? { status, headers: { location: 'new?x' } } : { status: 200, body: path },
      )
      const answer = answered(await net.get({ url: `${origin}/old` }))
      expect(answer.redirects).toEqual([{ status, to: `${origin}/new?x` }])
      expect(answer.url).toBe(`${origin}/new?x`)
      expect(Buffer.from(answer.body).toString()).toBe('/new?x')
    })

    test('returns a redirect without a target as the answer', async () => {
      const { net, origin } = await visit(() => ({ status: 302, body: 'moved, somewhere' }))
      const answer = answered(await net.get({ url: `${origin}/` }))
      expect(answer.status).toBe(302)
      expect(answer.redirects).toEqual([])
    })

    test('reports Retry-After of redirects', async () => {
      const headers = { location: '/new', 'retry-after': '120' }
      const { net, origin } = await visit((path) => (path === '/old' ? { status: 302, headers } : { status: 200 }))
      const { redirects } = answered(await net.get({ url: `${origin}/old` }))
      expect(redirects).toEqual([{ status: 302, to: `${origin}/new`, retryAfter: '120' }])
    })

    test.each([307, 308])('posts a form again to the target of %i', async (status) => {
      const seen: unknown[] = []
      const { net, origin } = await visit((path, headers, posted) => {
        seen.push([path, headers['content-type'], posted])
        return path === '/old' ? { status, headers: { location: '/new' } } : { status: 202, body: 'taken' }
      })
      const answer = answered(await net.post({ url: `${origin}/old`, form: { a: 'b c', d: 'http://é/?&' } }))
      expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([202, 'taken'])
      const form = ['application/x-www-form-urlencoded', 'a=b+c&d=http%3A%2F%2F%C3%A9%2F%3F%26']
      expect(seen).toEqual([
        ['/old', ...form],
        ['/new', ...form],
      ])
    })

    test.each([301, 302, 303])('returns %i as the answer to a form', async (status) => {
      const { net, origin } = await visit(() => ({ status, headers: { location: '/new' } }))
      expect(answered(await net.post({ url: `${origin}/old`, form: {} })).status).toBe(status)
    })

    test('fails on redirect loops and too many redirects', async () => {
      const { net, origin } = await visit((path) =>
        path.startsWith('/round')
          ? { status: 301, headers: { location: path === '/round' ? '/round-again' : '/round' } }
          : { status: 302, headers: { location: `${path}x` } },
      )
      expect(await failureKind(net.get({ url: `${origin}/round` }))).toBe('redirects')
      expect(await failureKind(net.get({ url: `${origin}/on` }))).toBe('redirects')
    })

    test('checks each redirect, and does not follow forbidden ones', async () => {
      const seen: string[] = []
      const { net, origin } = await visit((path) => {
        seen.push(path)
        return path === '/c' ? { status: 200 } : { status: 302, headers: { location: path === '/a' ? '/b' : '/c' } }
      })
      const requested: string[] = []
      const checkRedirect = async (to: string) => {
        requested.push(to)
        return to.endsWith('/c') ? ({ kind: 'forbidden-by-robots' } as const) : undefined
      }
      expect(await failureKind(net.get({ url: `${origin}/a`, checkRedirect }))).toBe('forbidden-by-robots')
      expect(requested).toEqual([`${origin}/b`, `${origin}/c`])
      expect(seen).toEqual(['/a', '/b'])
    })

    test('returns a redirect that must not be followed as the answer, with its target', async () => {
      const seen: string[] = []
      const { net, origin } = await visit((path) => {
        seen.push(path)
        return { status: 302, headers: { location: path === '/a' ? '/b' : '/c#d' }, body: 'moved' }
      })
      const checkRedirect = async (to: string) => (to.endsWith('/c') ? ({ kind: 'internal' } as const) : undefined)
      const shouldFollow = (to: string) => to === `${origin}/b`
      const answer = answered(await net.get({ url: `${origin}/a`, shouldFollow, checkRedirect }))
      expect(answer).toMatchObject({ status: 302, url: `${origin}/b`, leadsTo: `${origin}/c` })
      expect(answer.redirects).toEqual([{ status: 302, to: `${origin}/b` }])
      expect(answer.body).toHaveLength(0)
      expect(seen).toEqual(['/a', '/b'])
    })

    test('reports the address that failed after redirects', async () => {
      const { net, origin } = await visit((path) =>
        path === '/a' ? { status: 302, headers: { location: '/b' } } : 'breaks off',
      )
      expect(await net.get({ url: `${origin}/a` })).toMatchObject({ ok: false, url: `${origin}/b` })
      expect(await net.get({ url: `${origin}/b` })).not.toHaveProperty('url')
    })

    test('does not read a body that is not needed', async () => {
      const { net, origin } = await visit(() => ({
        status: 200,
        headers: { 'content-type': 'audio/mpeg' },
        body: 'x'.repeat(99_999),
      }))
      const shouldSkipBody = (headers: Record<string, string>) => headers['content-type'] === 'audio/mpeg'
      const answer = answered(await net.get({ url: `${origin}/`, shouldSkipBody, maxBytes: 10 }))
      expect(answer).toMatchObject({ status: 200, wireBytes: 0 })
      expect(answer.body).toHaveLength(0)
    })

    test('fails on a body larger than the limit of the caller', async () => {
      const { net, origin } = await visit(() => ({ status: 200, body: 'x'.repeat(1001) }))
      expect(await failureKind(net.get({ url: `${origin}/`, maxBytes: 1000 }))).toBe('too-large')
      expect(answered(await net.get({ url: `${origin}/`, maxBytes: 1001 })).body).toHaveLength(1001)
    })

    test('stops reading a body once it has enough bytes', async () => {
      const { net, origin } = await visit(() => ({ status: 200, body: 'x'.repeat(12_000_000) }))
      const answer = answered(await net.get({ url: `${origin}/`, enoughBytes: 1000 }))
      expect(answer.body.length).toBeGreaterThanOrEqual(1000)
      expect(answer.body.length).toBeLessThan(1_000_000)
    })

    test('fails on a truncated body', async () => {
      const { net, origin } = await visit(() => 'breaks off')
      expect(await failureKind(net.get({ url: `${origin}/` }))).toBe('broken-body')
    })

    test('fails on an unknown host', async () => {
      const { net } = await visit(() => ({ status: 200 }))
      expect(await failureKind(net.get({ url: 'http://nowhere.invalid/' }))).toBe('unreachable')
    })

    test.each(['', 'no address', 'http://', 'http://[::', 'ftp://nowhere.invalid/', 'file:///etc/hosts', 'data:,x'])(
      'answers with a failure to "%s"',
      async (url) => {
        const { net } = await visit(() => ({ status: 200 }))
        expect(await failureKind(net.get({ url }))).toMatch(/^(unreachable|forbidden-address)$/)
      },
    )

    test('aborts before and during a request', async () => {
      const requested = Promise.withResolvers<void>()
      const { net, origin } = await visit(() => {
        requested.resolve()
        return 'hangs'
      })
      expect(await failureKind(net.get({ url: `${origin}/`, signal: AbortSignal.abort() }))).toBe('unreachable')
      const patience = new AbortController()
      const answer = net.get({ url: `${origin}/`, signal: patience.signal })
      await requested.promise
      patience.abort()
      expect(await failureKind(answer)).toBe('unreachable')
    })
  })
}

function answered(answer: NetAnswer): NetAnswer & { ok: true } {
  if (!answer.ok) throw new Error(`an answer was expected, not ${JSON.stringify(answer.failure)}`)
  return answer
}

async function failureKind(answer: Promise<NetAnswer>): Promise<string> {
  const got = await answer
  return got.ok ? `no failure, but ${got.status}` : got.failure.kind
}

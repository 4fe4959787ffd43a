/** Sites that request pauses, move, disappear and return: their status codes must be respected correctly. */
import { httpDate } from '../reply.ts'
import { alwaysReply, feed, type HostileSite, reply, replyInTurn, type Script, type Visit } from './site.ts'

const HOUR_S = 3600
const FIRST_BACKOFF = 10 // minutes, with the jitter of the test

export const CONDUCT_SITES: HostileSite[] = [
  ...[429, 503].flatMap((status) => [
    asking(`${status}-seconds`, status, () => String(2 * HOUR_S), 120),
    asking(`${status}-date`, status, ({ at }) => httpDate(at + 2 * HOUR_S * 1000), 120),
    asking(`${status}-rfc850`, status, ({ at }) => rfc850(at + 3 * HOUR_S * 1000), 180),
    asking(`${status}-week`, status, () => String(7 * 24 * HOUR_S), 7 * 24 * 60),
    asking(`${status}-past`, status, ({ at }) => httpDate(at - HOUR_S * 1000), FIRST_BACKOFF),
    asking(`${status}-negative`, status, () => '-5', FIRST_BACKOFF),
    asking(`${status}-nonsense`, status, () => 'soon', FIRST_BACKOFF),
    asking(`${status}-zero`, status, () => '0', FIRST_BACKOFF),
    asking(`${status}-absurd`, status, () => '9'.repeat(30), 7 * 24 * 60),
    asking(`${status}-silent`, status, () => undefined, FIRST_BACKOFF),
  ]),
  {
    name: 'challenge',
    behavior: 'answers 403 with a page that wants a browser, after a good feed',
    expect: 'is polled ever less often, under our own name, and nothing is lost',
    script: replyInTurn(
      () => reply(200, feed(3)),
      () =>
        reply(403, '<html><title>Just a moment...</title><script>x()</script></html>', { 'cf-mitigated': 'challenge' }),
    ),
    polls: ['read 3', 'http 403', 'http 403', 'http 403'],
    after: { entries: 3, state: 'active', requests: 4 },
  },
  {
    name: 'flapping',
    behavior: 'is there every other time, and 404 in between',
    expect: 'is never given up, and loses nothing',
    script: ({ index, headers }) => {
      if (index % 2 === 1) return reply(404, 'not found', { 'content-type': 'text/html' })
      return headers['if-none-match'] === '"good"' ? reply(304) : reply(200, feed(3), { etag: '"good"' })
    },
    polls: ['read 3', 'http 404', 'unchanged by server', 'http 404', 'unchanged by server', 'http 404'],
    after: { entries: 3, etag: '"good"', state: 'active' },
  },
  {
    name: 'gone',
    behavior: 'says three times that it is gone for good',
    expect: 'is believed the third time; its entries stay',
    script: replyInTurn(
      () => reply(200, feed(3)),
      () => reply(410),
    ),
    polls: ['read 3', 'http 410', 'http 410', 'http 410'],
    after: { entries: 3, state: 'gone' },
  },
  {
    name: 'gone-by-mistake',
    behavior: 'says once that it is gone for good, and is there again',
    expect: 'is asked again, and is alive',
    script: replyInTurn(
      () => reply(200, feed(3)),
      () => reply(410),
      () => reply(200, feed(4)),
    ),
    polls: ['read 3', 'http 410', 'read 1'],
    after: { entries: 4, state: 'active' },
  },
  moving('moved-301', 301, '/new'),
  moving('moved-308', 308, '/new'),
  moving('elsewhere-302', 302, '/feed'),
  moving('elsewhere-303', 303, '/feed'),
  moving('elsewhere-307', 307, '/feed'),
  {
    name: 'moved-to-page',
    behavior: 'has moved for good, to a page',
    expect: 'is never believed',
    script: replyInTurn(
      () => reply(200, feed(3)),
      ({ path }) =>
        path === '/feed' ? reply(301, '', { location: '/' }) : reply(200, '<html><body>Hello</body></html>'),
    ),
    polls: ['read 3', ...Array.from({ length: 8 }, () => 'not-a-feed')],
    after: { entries: 3, path: '/feed' },
  },
  ...(
    [
      ['unquoted', 'abc'],
      ['weak-with-spaces', 'W/"a b,c"'],
      ['lower-weak', 'w/"x"'],
      ['single-quotes', "'x'"],
      ['half-quoted', '"x'],
      ['backslashes', '"a\\"b\\\\"'],
      ['latin', '"\xe4\xff"'],
      ['star', '*'],
      ['gzip-suffix', '"abc-gzip"'],
      ['long', `"${'e'.repeat(4000)}"`],
    ] as const
  ).map(([name, etag]) =>
    validating(`etag-${name}`, `has the ETag ${etag.slice(0, 20)}`, { etag }, 'if-none-match', etag),
  ),
  ...(
    [
      ['odd-zone', 'Tue, 01 Jan 2030 00:00:00 +0200'],
      ['future', 'Fri, 31 Dec 9999 23:59:59 GMT'],
      ['no-date', 'yesterday, I think'],
      ['number', '1893456000'],
    ] as const
  ).map(([name, date]) =>
    validating(`modified-${name}`, `was last modified "${date}"`, { 'last-modified': date }, 'if-modified-since', date),
  ),
  {
    name: 'empty-etag',
    behavior: 'has an ETag that is empty',
    expect: 'sends nothing back',
    script: alwaysReply(() => reply(200, feed(3), { etag: '' })),
    polls: ['read 3', 'unchanged by hash'],
    after: { etag: undefined },
  },
  {
    name: 'max-age-for-ever',
    behavior: 'says that its answer stays true for a century',
    expect: 'is asked again within a day',
    script: () => reply(200, feed(3), { 'cache-control': 'max-age=3153600000' }),
    polls: ['read 3'],
    after: { waitMinutes: 24 * 60 },
  },
  {
    name: 'never-cache',
    behavior: 'says that its answer is old as soon as it is sent',
    expect: 'is not asked more often for that',
    script: () => reply(200, feed(3), { 'cache-control': 'no-store, max-age=0', expires: '0', pragma: 'no-cache' }),
    polls: ['read 3'],
    after: { waitMinutes: 60 },
  },
  {
    name: 'bad-clock',
    behavior: 'lives in 1970, and its answer expires an hour later',
    expect: 'is taken by its own clock: an hour',
    script: () => reply(200, feed(3), { date: httpDate(0), expires: httpDate(HOUR_S * 1000) }),
    polls: ['read 3'],
    after: { waitMinutes: 60 },
  },
]

/** Valid once; then it requests a pause. */
function asking(
  name: string,
  status: number,
  retryAfter: (visit: Visit) => string | undefined,
  waitMinutes: number,
): HostileSite {
  return {
    name: `asks-${name}`,
    behavior: `answers ${status}, "Retry-After" as ${name.slice(4)}`,
    expect:
      waitMinutes === FIRST_BACKOFF ? 'is left alone for as long as we think right' : 'is left alone for that long',
    script: replyInTurn(
      () => reply(200, feed(3)),
      (visit) => reply(status, '', { 'retry-after': retryAfter(visit) }),
    ),
    polls: ['read 3', `http ${status}`],
    after: { entries: 3, waitMinutes },
  }
}

/** A redirect that lasts until a permanent one is accepted. */
function moving(name: string, status: number, path: string): HostileSite {
  const script: Script = (visit) =>
    visit.path === '/feed' ? reply(status, '', { location: '/new' }) : reply(200, feed(3))
  return {
    name,
    behavior: `redirects with ${status}, for days`,
    expect: path === '/new' ? 'is believed in the end' : 'is followed and never believed',
    script,
    polls: ['read 3', ...Array.from({ length: 25 }, () => 'unchanged by hash')],
    after: { entries: 3, path },
  }
}

/** Expects its validators back byte for byte, and reports an error otherwise. */
function validating(
  name: string,
  behavior: string,
  headers: Record<string, string>,
  conditionalHeader: string,
  value: string,
): HostileSite {
  return {
    name,
    behavior,
    expect: 'hears it again byte for byte',
    script: (visit) => {
      if (visit.index === 0) return reply(200, feed(3), headers)
      return visit.headers[conditionalHeader] === value ? reply(304) : reply(500)
    },
    polls: ['read 3', 'unchanged by server'],
  }
}

function rfc850(at: number): string {
  const [, day, month, year, time] = httpDate(at).split(/[ ,]+/)
  const weekday = new Date(at).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  return `${weekday}, ${day}-${month}-${year!.slice(2)} ${time} GMT`
}

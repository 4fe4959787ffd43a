import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { type AuditedExchange, createWireAudit } from './index.ts'

const START = 1000 * DAY
const REQUEST = {
  'user-agent': 'Freshet/0.1.0 (+https://us.example/about)',
  'accept-encoding': 'gzip, deflate, br, zstd',
}
const FEED = 'https://news.example/feed'

/** Exchanges are an hour apart, unless they say otherwise. */
function auditExchanges(exchanges: Partial<AuditedExchange>[], { polled = [FEED] }: { polled?: string[] } = {}) {
  const audit = createWireAudit({
    gapMs: 2 * SECOND,
    isExempt: () => false,
    isUserAdded: (url) => polled.includes(url),
    mayVisit: (address) => !address.startsWith('10.'),
  })
  for (const [i, { request, ...exchange }] of exchanges.entries())
    audit.add({
      url: FEED,
      at: START + i * HOUR,
      request: { ...REQUEST, ...request },
      status: 200,
      headers: {},
      body: Buffer.from('feed'),
      kind: 'feed',
      ...exchange,
    })
  return (rule: number) => audit.judgements().find((judgement) => judgement.rule === rule)
}

const page = (path: string, changes: Partial<AuditedExchange> = {}): Partial<AuditedExchange> => ({
  url: `https://news.example${path}`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  kind: 'other',
  ...changes,
})
const robots = (text: string, changes: Partial<AuditedExchange> = {}) =>
  page('/robots.txt', { body: Buffer.from(text), headers: { 'content-type': 'text/plain' }, ...changes })

describe('requests', () => {
  it('rules 22, 31 and 33: accept compression, identify us, and carry nothing else', () => {
    const subscribed = { 'user-agent': 'Freshet/0.1.0 (+https://us.example/about; 12 subscribers)' }
    const good = auditExchanges([{}, { request: { ...REQUEST, ...subscribed } }])
    for (const rule of [22, 31, 33]) expect(good(rule)).toEqual({ rule, passed: 2, checked: 2 })
    const bad = auditExchanges([
      {},
      {
        request: { ...REQUEST, 'user-agent': 'Mozilla/5.0 (X11; Linux)', cookie: 'a=1', 'accept-encoding': 'identity' },
      },
    ])
    for (const rule of [22, 31, 33]) expect(bad(rule)).toEqual({ rule, passed: 1, checked: 2 })
  })

  it('rule 52: go to public addresses only', () => {
    expect(auditExchanges([{ address: '192.0.2.1' }, { address: '10.0.0.1' }, {}])(52)).toEqual({
      rule: 52,
      passed: 1,
      checked: 2,
    })
  })
})

describe('validators', () => {
  const answered = (etag: string, changes: Partial<AuditedExchange> = {}) => ({ headers: { etag }, ...changes })
  const sent = (etag: string) => ({ ...REQUEST, 'if-none-match': etag })

  it('rules 2 and 23: are sent back byte for byte', () => {
    const judgements = auditExchanges([
      answered('W/"a-gzip"'),
      { request: sent('W/"a-gzip"'), status: 304, body: new Uint8Array() },
    ])
    for (const rule of [2, 23]) expect(judgements(rule)).toEqual({ rule, passed: 1, checked: 1 })
    expect(auditExchanges([answered('"a-gzip"'), { request: sent('"a"'), status: 304 }])(2)).toMatchObject({
      passed: 0,
      checked: 1,
    })
  })

  it('rule 3: dates are never invented', () => {
    const date = 'Mon, 01 Jan 2024 00:00:00 GMT'
    const dated = { request: { ...REQUEST, 'if-modified-since': date } }
    expect(auditExchanges([{ headers: { 'last-modified': date } }, dated])(3)).toMatchObject({ passed: 1, checked: 1 })
    expect(auditExchanges([answered('"a"'), dated])(3)).toMatchObject({ passed: 0, checked: 1 })
  })

  it('rules 4, 5 and 37: are the latest, also of the same document and of a 304', () => {
    const repeated = [answered('"a"'), answered('"b"')]
    for (const rule of [4, 37]) {
      expect(auditExchanges([...repeated, { request: sent('"b"') }])(rule)).toMatchObject({ passed: 1, checked: 1 })
      expect(auditExchanges([...repeated, { request: sent('"a"') }])(rule)).toMatchObject({ passed: 0, checked: 1 })
    }
    const quiet = [answered('"a"'), answered('"b"', { status: 304, request: sent('"a"') })]
    expect(auditExchanges([...quiet, { request: sent('"b"') }])(5)).toMatchObject({ passed: 1, checked: 1 })
    expect(auditExchanges([...quiet, { request: sent('"a"') }])(5)).toMatchObject({ passed: 0, checked: 1 })
  })

  it('rule 6: are dropped when a response has none; a page in its place changes nothing', () => {
    const dropped = [answered('"a"'), { body: Buffer.from('other') }]
    expect(auditExchanges([...dropped, { request: REQUEST }])(6)).toMatchObject({ passed: 1 })
    expect(auditExchanges([...dropped, { request: sent('"a"') }])(6)).toMatchObject({ passed: 0 })
    expect(auditExchanges([answered('"a"'), { kind: 'other' }, { request: sent('"a"') }])(2)).toMatchObject({
      passed: 1,
      checked: 1,
    })
  })
})

describe('requests of any kind', () => {
  it('rule 35: keep the gap of their domain; a redirect within it is the same visit', () => {
    const at = (ms: number) => ({ at: START + ms })
    const good = [page('/a', at(0)), robots('', at(3 * SECOND)), page('/b', { ...at(3 * SECOND), via: FEED })]
    expect(auditExchanges(good)(35)).toMatchObject({ passed: 1, checked: 1 })
    expect(auditExchanges([page('/a', at(0)), page('/b', at(SECOND))])(35)).toMatchObject({
      passed: 0,
      checked: 1,
      worst: { ms: SECOND },
    })
  })

  it('rules 15 and 16: respect Retry-After', () => {
    for (const [status, rule] of [
      [429, 15],
      [503, 16],
    ] as const) {
      const refused = { status, headers: { 'retry-after': '7200' } }
      expect(auditExchanges([refused, page('/a', { at: START + HOUR })])(rule)).toMatchObject({
        passed: 0,
        checked: 1,
        worst: { ms: HOUR },
      })
      expect(auditExchanges([refused, page('/a', { at: START + 2 * HOUR })])(rule)).toMatchObject({
        passed: 1,
        checked: 1,
      })
    }
  })

  it('rule 34: a missing page is not requested again for a day, unless a user added it', () => {
    const missed = page('/rss', { status: 404 })
    expect(auditExchanges([missed, page('/rss')])(34)).toMatchObject({ passed: 0, checked: 1 })
    expect(auditExchanges([missed, page('/rss', { at: START + DAY })])(34)).toMatchObject({ passed: 1, checked: 1 })
    expect(auditExchanges([missed, page('/rss')], { polled: ['https://news.example/rss'] })(34)).toBeUndefined()
  })

  it('rules 39, 40 and 41: respect robots.txt and fetch it once a day', () => {
    const rules = robots('User-agent: *\nDisallow: /private')
    expect(auditExchanges([rules, page('/private/a'), page('/open')])(39)).toEqual({ rule: 39, passed: 1, checked: 2 })
    expect(
      auditExchanges([rules, page('/private/a')], { polled: ['https://news.example/private/a'] })(39),
    ).toBeUndefined()
    expect(auditExchanges([robots('', { status: 503 }), page('/a', { at: START + MINUTE })])(40)).toMatchObject({
      passed: 0,
      checked: 1,
    })
    expect(auditExchanges([robots('', { status: 404 }), page('/a')])(40)).toMatchObject({ passed: 1, checked: 1 })
    expect(auditExchanges([rules, rules])(41)).toMatchObject({ passed: 0, checked: 1 })
    expect(auditExchanges([rules, { ...rules, at: START + DAY }])(41)).toMatchObject({ passed: 1, checked: 1 })
  })

  it('rule 43: keep the Crawl-delay', () => {
    const rules = robots('User-agent: *\nCrawl-delay: 30')
    const pages = [10 * MINUTE, 10 * MINUTE + 30 * SECOND, 11 * MINUTE].map((ms) => page('/a', { at: START + ms }))
    expect(auditExchanges([rules, ...pages])(43)).toMatchObject({ passed: 3, checked: 3 })
    expect(auditExchanges([rules, ...pages, page('/b', { at: START + 11 * MINUTE + SECOND })])(43)).toMatchObject({
      passed: 3,
      checked: 4,
    })
  })

  it('rule 44: store nothing that forbids it', () => {
    const hidden = page('/a', { headers: { 'content-type': 'text/html', 'x-robots-tag': 'noarchive' } })
    expect(auditExchanges([page('/b'), hidden])(44)).toEqual({ rule: 44, passed: 1, checked: 2 })
  })
})

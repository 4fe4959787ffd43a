import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, type Failure, HOUR, MINUTE, SECOND } from '../model/index.ts'
import { isAllowed, MAX_CRAWL_DELAY_MS, parseRobots, type RobotsResponse, robotsAfter } from './index.ts'

const allows = (text: string | Uint8Array, path: string) => isAllowed(parseRobots(text), path)
const forAll = (...rules: string[]) => ['User-agent: *', ...rules].join('\n')

describe('rule 39: which rule decides', () => {
  it.each([
    ['everything is allowed without rules', '', '/a', true],
    ['the longest match wins', forAll('Disallow: /a', 'Allow: /a/b'), '/a/b/c', true],
    ['the longest match wins in any order', forAll('Allow: /a/b', 'Disallow: /a'), '/a/c', false],
    ['Allow wins ties', forAll('Disallow: /page', 'Allow: /page'), '/page', true],
    ['Allow wins ties of patterns that differ', forAll('Disallow: /a*', 'Allow: /ab'), '/ab', true],
    [
      'a longer pattern with a star beats a shorter one',
      forAll('Allow: /page', 'Disallow: /*.html'),
      '/page.html',
      false,
    ],
    ['a shorter one with a star does not', forAll('Allow: /p*/page', 'Disallow: /p'), '/path/page', true],
    ['paths are case-sensitive', forAll('Disallow: /A'), '/a', true],
    ['an empty Disallow forbids nothing', forAll('Disallow:'), '/a', true],
    ['an empty Allow has no effect', forAll('Disallow: /', 'Allow:'), '/a', false],
    ['a star matches anything', forAll('Disallow: /a/*/c'), '/a/b/b/c', false],
    ['a star matches the empty string, too', forAll('Disallow: /a*c'), '/ac', false],
    ['a single star forbids everything', forAll('Disallow: *'), '/a', false],
    ['$ matches the end', forAll('Disallow: /*.gif$'), '/a.gif', false],
    ['$ matches nothing after the end', forAll('Disallow: /*.gif$'), '/a.gif?size=1', true],
    ['/$ matches only the front page', forAll('Disallow: /', 'Allow: /$'), '/', true],
    ['the end may occur twice', forAll('Disallow: /*aba$'), '/xababa', false],
    ['the text before the end must not overlap it', forAll('Disallow: /ab*ba$'), '/aba', true],
    ['$ in the middle is a literal dollar', forAll('Disallow: /a$b'), '/a$b/c', false],
    ['%24 is a literal dollar', forAll('Disallow: /a%24'), '/a$', false],
    ['%2A is a literal asterisk', forAll('Disallow: /a-%2A.html'), '/a-*.html', false],
    ['%2A is not a wildcard', forAll('Disallow: /a-%2A.html'), '/a-b.html', true],
    ['a query is part of the path', forAll('Disallow: /*?sort='), '/list?sort=up', false],
    ['a path without a slash matches nothing', forAll('Disallow: private'), '/private', true],
    ['robots.txt itself is always allowed', forAll('Disallow: /'), '/robots.txt', true],
  ])('%s', (_, text, path, expected) => {
    expect(allows(text, path)).toBe(expected)
  })

  it.each([
    ['/~anna', '/%7Eanna'],
    ['/%7eanna', '/~anna'],
    ['/%62%61%7A', '/baz'],
    ['/a%2fb', '/a%2Fb'],
    ['/ツ', '/%E3%83%84'],
    ['/%e3%83%84', '/ツ'],
    ['/a b', '/a%20b'],
    ['/100%', '/100%25'],
    ['/a?u=https://b.example', '/a?u=https%3A%2F%2Fb.example'],
  ])('treats %s and %s as equal, in the rule and in the path', (first, second) => {
    expect(allows(forAll(`Disallow: ${first}`), second)).toBe(false)
    expect(allows(forAll(`Disallow: ${second}`), first)).toBe(false)
  })
  it('treats an encoded slash in a path as another character', () => {
    expect(allows(forAll('Disallow: /a/b'), '/a%2Fb')).toBe(true)
  })

  it.each([
    ['short', 1],
    ['long', 12],
  ])('agrees with a brute force matcher on %s patterns', (_, times) => {
    const unit = fc.constantFrom('a'.repeat(times), `${'a'.repeat(times - 1)}b`, '*', '/')
    const text = fc.string({ unit, maxLength: 8 })
    fc.assert(
      fc.property(text, fc.boolean(), text, (pattern, anchored, path) => {
        const rule = `/${pattern}${anchored ? '$' : ''}`
        const literal = path.replaceAll('*', '')
        expect(allows(forAll(`Disallow: ${rule}`), `/${literal}`)).toBe(!slowlyMatches(rule, `/${literal}`))
      }),
      { numRuns: 2000 },
    )
  })
})

/** Tries everything that a star may match. */
function slowlyMatches(pattern: string, path: string): boolean {
  if (pattern === '') return true
  if (pattern === '$') return path === ''
  if (pattern[0] === '*')
    return Array.from({ length: path.length + 1 }, (_, i) => path.slice(i)).some((suffix) =>
      slowlyMatches(pattern.slice(1), suffix),
    )
  return pattern[0] === path[0] && slowlyMatches(pattern.slice(1), path.slice(1))
}

describe('rule 39: which group applies', () => {
  it.each([
    ['all crawlers', 'User-agent: *\nDisallow: /', false],
    ['us', 'User-agent: freshet\nDisallow: /', false],
    ['us, case-insensitively', 'USER-AGENT: FreshET\nDISALLOW: /', false],
    ['us, with a version', 'User-agent: Freshet/2.0 (a crawler)\nDisallow: /', false],
    ['another crawler', 'User-agent: otherbot\nDisallow: /', true],
    ['a crawler whose name begins like ours', 'User-agent: freshet-news\nDisallow: /', true],
    ['us, instead of all crawlers', 'User-agent: *\nDisallow: /\n\nUser-agent: freshet\nDisallow: /b', true],
    ['us, before all crawlers', 'User-agent: freshet\nDisallow: /b\n\nUser-agent: *\nDisallow: /', true],
    ['us, with everything allowed', 'User-agent: *\nDisallow: /\n\nUser-agent: freshet\nDisallow:', true],
    ['several at once', 'User-agent: otherbot\nUser-agent: freshet\nDisallow: /', false],
    ['several, with empty lines between', 'User-agent: otherbot\n\nUser-agent: freshet\n\nDisallow: /', false],
    ['several, with a Sitemap between', 'User-agent: freshet\nSitemap: /s.xml\nUser-agent: b\nDisallow: /', false],
    ['none yet', 'Disallow: /\nUser-agent: *\nDisallow: /b', true],
    ['another after our delay', 'User-agent: freshet\nCrawl-delay: 1\nUser-agent: b\nDisallow: /', true],
  ])('to %s', (_, text, expected) => {
    expect(allows(text, '/a')).toBe(expected)
  })
  it('merges the groups of one name', () => {
    const text = 'User-agent: freshet\nDisallow: /a\n\nUser-agent: b\nDisallow: /\n\nUser-agent: freshet\nDisallow: /c'
    expect(['/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([false, true, false])
  })
})

describe('rule 41: file formats', () => {
  const secret = 'User-agent: *\nDisallow: /secret\n'
  const bytes = (text: string) => new TextEncoder().encode(text)

  it.each([
    ['a byte order mark, in bytes', bytes(`\uFEFF${secret}`)],
    ['a byte order mark, in a string', `\uFEFF${secret}`],
    ['carriage returns', secret.replaceAll('\n', '\r\n')],
    ['carriage returns only', secret.replaceAll('\n', '\r')],
    ['comments', '# hello\nUser-agent: * # all\nDisallow: /secret # really'],
    ['spaces and tabs', ' \tUser-agent\t:\t* \n  Disallow :/secret\t'],
    ['invalid lines', `<html>\nnonsense\n: /\n::::\n${secret}Disallow /a`],
    ['invalid UTF-8', new Uint8Array([0xff, 0xfe, 0x00, 0x0a, ...bytes(secret)])],
    ['an unterminated last line', secret.trimEnd()],
  ])('reads a file with %s', (_, text) => {
    expect([allows(text, '/secret/a'), allows(text, '/a')]).toEqual([false, true])
  })

  it('reads 500 KiB, without an incomplete last line', () => {
    const filler = '# filler\n'
    const head = `${secret}${filler.repeat(Math.floor((500 * 1024 - secret.length) / filler.length) - 2)}`
    const text = `${head}${'#'.repeat(500 * 1024 - head.length - 'Disallow: /a'.length - 1)}\nDisallow: /abc\n${filler.repeat(9999)}`
    for (const file of [text, bytes(text)])
      expect(['/secret', '/a', '/abc'].map((path) => allows(file, path))).toEqual([false, true, true])
  })

  it('is linear on hostile patterns', () => {
    const stars = Array.from({ length: 100 }, (_, i) => `Disallow: /${'*a'.repeat(1_900 + i)}b`)
    expect(allows(forAll(...stars, `Disallow: ${'*'.repeat(4_000)}$b`), `/${'a'.repeat(4_000)}`)).toBe(true)
    const likely = Array.from({ length: 250 }, (_, i) => `Disallow: /*b${'a'.repeat(1_000 + i)}`)
    expect(allows(forAll(...likely), `/${'a'.repeat(4_000)}`)).toBe(true)
    const beyond = forAll(`Disallow: /${'a'.repeat(500_000)}`, `Disallow: /${'ツ'.repeat(500_000)}`)
    expect(parseRobots(beyond)).toEqual({ rules: [] })
    const manyRules = forAll(...Array.from({ length: 40_000 }, (_, i) => `Allow:/${i}`))
    expect(parseRobots(manyRules).rules).toHaveLength(10_000)
    const wide = forAll(...Array.from({ length: 4_000 }, (_, i) => `Allow:/${i}${'ツ'.repeat(100)}`))
    expect(JSON.stringify(parseRobots(wide)).length).toBeLessThan(600_000)
  })
  it('disallows a path too long to compare, where anything is disallowed', () => {
    for (const path of [`/${'a'.repeat(5_000)}`, `/${'ツ'.repeat(1_000)}`])
      expect([allows('', path), allows(forAll('Disallow: /b'), path)]).toEqual([true, false])
  })

  it('keeps only the rules that apply to us, and survives JSON', () => {
    const robots = parseRobots('User-agent: b\nDisallow: /b\nUser-agent: *\nAllow: /a/b\nDisallow: /a\nCrawl-delay: 5')
    expect(robots).toEqual({ rules: ['+/a/b', '-/a'], crawlDelayMs: 5 * SECOND })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (rule, path) => {
        const parsed = parseRobots(forAll(`Disallow: /${rule}`, `Allow: ${rule}`))
        const stored = JSON.parse(JSON.stringify(parsed))
        expect(stored).toEqual(parsed)
        expect(isAllowed(stored, `/${path}`)).toBe(isAllowed(parsed, `/${path}`))
      }),
    )
  })
})

describe('rule 43: Crawl-delay', () => {
  it.each([
    ['5', 5 * SECOND],
    ['0.5', 500],
    ['.25', 250],
    ['3600', MAX_CRAWL_DELAY_MS],
    ['0', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1e9', undefined],
  ])('of %s', (value, expected) => {
    expect(parseRobots(forAll(`Crawl-delay: ${value}`)).crawlDelayMs).toBe(expected)
  })
  it('is taken from our group; of several, the longest', () => {
    const text = 'User-agent: *\nCrawl-delay: 30\nUser-agent: freshet\nCrawl-delay: 4\nCrawl-delay: 3'
    expect(parseRobots(text).crawlDelayMs).toBe(4 * SECOND)
  })
})

describe('rule 40: responses', () => {
  const now = 1000 * DAY
  const answer = (status: number, headers: Record<string, string> = {}, redirects = 0): RobotsResponse => ({
    ok: true,
    status,
    headers,
    body: new TextEncoder().encode('User-agent: *\nDisallow: /a'),
    redirects: Array.from({ length: redirects }),
  })
  const none = (failure: Failure): RobotsResponse => ({ ok: false, failure })
  const [someRules, everything, nothing] = [
    [false, true],
    [true, true],
    [false, false],
  ]

  it.each([
    ['200 is read', answer(200), someRules],
    ['206 is read', answer(206), someRules],
    ['five redirects are followed', answer(200, {}, 5), someRules],
    ['six redirects are too many', answer(200, {}, 6), everything],
    ['a redirect loop', none({ kind: 'redirects' }), everything],
    ['a redirect to nowhere', answer(301), everything],
    ['404 allows everything', answer(404), everything],
    ['403 allows everything', answer(403), everything],
    ['410 as a failure allows everything', none({ kind: 'http', status: 410 }), everything],
    ['429 forbids everything for now', answer(429), nothing],
    ['500 forbids everything for now', answer(500), nothing],
    ['503 as a failure forbids everything for now', none({ kind: 'http', status: 503 }), nothing],
    ['a timeout forbids everything for now', none({ kind: 'timeout' }), nothing],
    ['a failed connection forbids everything for now', none({ kind: 'unreachable' }), nothing],
  ])('%s', (_, got, expected) => {
    const { robots } = robotsAfter(got, now)
    expect(['/a', '/b'].map((path) => isAllowed(robots, path))).toEqual(expected)
    expect(isAllowed(robots, '/robots.txt')).toBe(true)
  })

  it.each([
    ['for a day by default', answer(200), DAY],
    ['for a day after 404', answer(404), DAY],
    ['for max-age', answer(200, { 'cache-control': 'max-age=7200' }), 2 * HOUR],
    ['for a day if max-age is longer', answer(200, { 'cache-control': 'max-age=31536000' }), DAY],
    ['for five minutes if max-age is shorter', answer(200, { 'cache-control': 'max-age=1' }), 5 * MINUTE],
    ['for an hour after 500', answer(500), HOUR],
    ['for an hour after a timeout', none({ kind: 'timeout' }), HOUR],
    ['for Retry-After', answer(503, { 'retry-after': '7200' }), 2 * HOUR],
    ['for a day if Retry-After is longer', none({ kind: 'http', status: 503, retryAfterMs: 7 * DAY }), DAY],
  ])('rule 41: is cached %s', (_, got, expected) => {
    expect(robotsAfter(got, now).until - now).toBe(expected)
  })

  it('is treated as missing after a month without a response', () => {
    const timeout = none({ kind: 'timeout' })
    const first = robotsAfter(timeout, now)
    const later = robotsAfter(timeout, now + 29 * DAY, first)
    const last = robotsAfter(timeout, now + 30 * DAY, later)
    expect([first, later, last].map(({ robots }) => isAllowed(robots, '/a'))).toEqual([false, false, true])
    const back = robotsAfter(answer(200), now + 31 * DAY, last)
    expect(back).toEqual({
      found: 'read',
      robots: { rules: ['-/a'] },
      fetchedAt: now + 31 * DAY,
      until: now + 32 * DAY,
    })
    expect(isAllowed(robotsAfter(timeout, now + 32 * DAY, back).robots, '/b')).toBe(false)
  })
})

describe('memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const heapUsed = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }

  it('keeps nothing of a file except our rules', () => {
    const comment = `# ${'nothing that matters '.repeat(23_000)}`
    const before = heapUsed()
    const records = Array.from({ length: 50 }, (_, n) =>
      parseRobots(Buffer.from(`User-agent: *\nDisallow: /a-place-of-its-own/${n}\n${comment}`)),
    )
    expect(heapUsed() - before).toBeLessThan((records.length * comment.length) / 4)
    expect(records).toHaveLength(50)
  })
})

it('keeps up to fifty addresses of sitemaps, which belong to no group', () => {
  const named = [
    'Sitemap: https://a.example/1.xml',
    'User-agent: *',
    'SITEMAP: http://b.example/2.xml # news',
    'Disallow: /x',
  ]
  expect(
    parseRobots([...named, 'Sitemap: /3.xml', `Sitemap: https://a.example/${'x'.repeat(500)}`].join('\n')),
  ).toEqual({
    rules: ['-/x'],
    sitemaps: ['https://a.example/1.xml', 'http://b.example/2.xml'],
  })
  const many = Array.from({ length: 60 }, (_, n) => `Sitemap: https://a.example/${n}.xml`)
  expect(parseRobots(many.join('\n')).sitemaps).toHaveLength(50)
})

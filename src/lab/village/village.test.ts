import { describe, expect, test } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { createCopyIndex } from '../../dedup/index.ts'
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../model/index.ts'
import { LIVELY_SITES } from './default-sites.ts'
import type { SiteSpec, ValidatorBehavior } from './spec.ts'
import { createVillage, type Village } from './village.ts'

const START = Date.UTC(2030, 2, 6, 15, 30) // a Wednesday

function villageOf(...sites: SiteSpec[]) {
  const clock = createSteppedClock(START)
  return { clock, village: createVillage({ clock, ...(sites.length > 0 && { sites }) }) }
}

function request(village: Village, url: string, at: Instant, headers: Record<string, string> = {}) {
  const reply = village.answer({ method: 'GET', url, headers }, at)
  if (!reply) throw new Error(`nobody answers at ${url}`)
  return { ...reply, text: Buffer.from(reply.body).toString() }
}

describe('time', () => {
  test('the same seed and time give the same bytes, regardless of earlier requests', () => {
    const [a, b] = [villageOf().village, villageOf().village]
    for (let day = 7; day > 0; day--) for (const site of b.sites) b.answer(get(site.home), START - day * DAY)
    for (const site of a.sites) {
      for (const { url } of [...site.feeds, { url: site.home }]) {
        expect(b.answer(get(url), START)).toEqual(a.answer(get(url), START))
      }
    }
  })

  test('another seed gives another village', () => {
    const clock = createSteppedClock(START)
    const [first, second] = [1, 2].map((seed) =>
      createVillage({ clock, seed })
        .site('gazette')
        .published(START - DAY, START),
    )
    expect(first!.map((post) => post.title)).not.toEqual(second!.map((post) => post.title))
  })

  test('the posts of a time do not depend on the query', () => {
    for (const site of villageOf().village.sites) {
      const whole = site.published(START - 10 * DAY, START)
      const hours = Array.from({ length: 240 }, (_, i) => START - (240 - i) * HOUR)
      expect(hours.flatMap((at) => site.published(at, at + HOUR))).toEqual(whole)
      expect(whole.every((post, i) => i === 0 || whole[i - 1]!.at <= post.at)).toBe(true)
    }
  })

  test('sites keep their rhythm: offices close, clocks strike, dead blogs are silent', () => {
    const { village } = villageOf()
    const week = (name: string) => village.site(name).published(START - 7 * DAY, START)
    const hours = villageOf({ name: 'office', rhythm: { kind: 'office-hours', perDay: 20 } })
      .village.site('office')
      .published(START - 7 * DAY, START)
      .map(({ at }) => new Date(at))
    expect(hours.length).toBeGreaterThan(50)
    expect(hours.every((at) => at.getUTCHours() >= 7 && at.getUTCHours() < 19 && at.getUTCDay() % 6 !== 0)).toBe(true)
    expect(week('weathercock').map(({ at }) => at % HOUR)).toEqual(Array(168).fill(0))
    expect(week('burrow').map(({ at }) => new Date(at).toISOString().slice(11, 19))).toEqual(['06:00:00'])
    expect(week('attic')).toEqual([])
    expect(request(village, 'http://attic.localhost/feed.xml', START).text.match(/<item>/g)).toHaveLength(20)
  })

  test('the lively sites publish every few seconds', () => {
    const clock = createSteppedClock(START)
    const { sites } = createVillage({ clock, sites: LIVELY_SITES })
    const posts = sites.flatMap((site) => site.published(START, START + 10 * MINUTE))
    expect(posts.length).toBeGreaterThan((10 * MINUTE) / (10 * SECOND))
  })
})

describe('pages', () => {
  test('its stories differ: a morning consists of many', () => {
    const { village } = villageOf(...LIVELY_SITES)
    const index = createCopyIndex({ level: 'story' })
    const papers = ['mill', 'gazette', 'wire', 'anzeiger', 'clocher', 'pump'].map((name) => village.site(name))
    const posts = papers.flatMap((paper) => paper.published(START - HOUR, START)).sort((a, b) => a.at - b.at)
    const sizes = posts.map(
      ({ title, at, paragraphs }, i) => index.add({ id: i + 1, at, title, text: paragraphs.join(' ') }).size,
    )
    expect(posts.length).toBeGreaterThan(400)
    expect(Math.max(...sizes)).toBeLessThan(20)
  })

  test('every entry of a feed has a page, but not before it is published', () => {
    const { village } = villageOf()
    const posts = village.site('bugle').published(START - 2 * DAY, START)
    expect(posts.some((post) => post.copyOf)).toBe(true)
    for (const post of posts) {
      const url = `http://bugle.localhost${post.path}`
      expect(request(village, url, START).text).toContain(
        post.paragraphs.at(-1)!.slice(0, 20).replaceAll('"', '&quot;'),
      )
      expect(request(village, url, post.at - 1).status).toBe(404)
    }
  })

  test('newspapers copy stories of the agency, later and slightly edited', () => {
    const { village } = villageOf()
    const stories = new Map(
      village
        .site('wire')
        .published(START - 3 * DAY, START)
        .map((post) => [post.id, post]),
    )
    const copies = village
      .site('gazette')
      .published(START - 2 * DAY, START)
      .filter((post) => post.copyOf)
    expect(copies.length).toBeGreaterThan(3)
    for (const copy of copies) {
      const original = stories.get(copy.copyOf!)!
      expect(copy.at).toBeGreaterThan(original.at)
      expect(copy.title).toContain(original.title)
      expect(copy.paragraphs).not.toEqual(original.paragraphs)
    }
  })

  test('a home page announces its feeds in its own way', () => {
    const { village } = villageOf()
    const home = (name: string) => request(village, `http://${name}.localhost/`, START).text
    expect(home('gazette').match(/<link rel="alternate"/g)).toHaveLength(3)
    expect(home('bugle')).not.toContain('rss.xml')
    expect(home('pump')).toContain('<a href="/latest.rdf">')
    expect(home('burrow')).toContain('href="http://depot.localhost/burrow.rss"')
    expect(request(village, 'http://depot.localhost/burrow.rss', START).text).toContain('<enclosure')
    expect(request(village, 'http://depot.localhost/', START).status).toBe(404)
    expect(village.answer(get('http://nowhere.localhost/'), START)).toBeUndefined()
  })

  test('links keep the port of the request', () => {
    const { village } = villageOf()
    expect(request(village, 'http://burrow.localhost:8080/', START).text).toContain(
      'http://depot.localhost:8080/burrow.rss',
    )
    expect(request(village, 'http://miller.localhost:8080/index.xml', START).text).toContain(
      'http://miller.localhost:8080/20',
    )
  })

  test('robots.txt is that of the site', () => {
    const { village } = villageOf(
      { name: 'open' },
      { name: 'shut', robots: 'User-agent: *\nDisallow: /' },
      { name: 'ill', robots: 503 },
    )
    expect(request(village, 'http://open.localhost/robots.txt', START).text).toContain('User-agent: *')
    expect(request(village, 'http://shut.localhost/robots.txt', START).text).toBe('User-agent: *\nDisallow: /')
    expect(request(village, 'http://ill.localhost/robots.txt', START).status).toBe(503)
  })
})

describe('conditional requests', () => {
  const feed = (validators: ValidatorBehavior) =>
    villageOf({ name: 'site', rhythm: { kind: 'clockwork', everyMs: DAY }, feeds: [{ path: '/feed', validators }] })
      .village
  const url = 'http://site.localhost/feed'

  test.each(['both', 'strong', 'weak', 'date', 'apache'] as const)('%s: 304 until something is published', (habit) => {
    const village = feed(habit)
    const first = request(village, url, START)
    const conditions = conditionsOf(first.headers)
    expect(Object.keys(conditions).length).toBeGreaterThan(0)
    const again = request(village, url, START + HOUR, conditions)
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers.etag).toBe(first.headers.etag)
    expect(request(village, url, START + DAY, conditions).status).toBe(200)
  })

  test('a weak or foreign ETag is compared as RFC 9110 says', () => {
    const village = feed('strong')
    const { etag } = request(village, url, START).headers
    expect(request(village, url, START, { 'if-none-match': `"other", W/${etag}` }).status).toBe(304)
    expect(request(village, url, START, { 'if-none-match': '"other"' }).status).toBe(200)
  })

  test('If-None-Match decides alone where both conditions are sent', () => {
    const village = feed('both')
    const { 'last-modified': date } = request(village, url, START).headers
    expect(request(village, url, START, { 'if-none-match': '"other"', 'if-modified-since': date! }).status).toBe(200)
  })

  test('a lying server answers 304 despite news, a restless one never does', () => {
    const liar = feed('lying')
    expect(request(liar, url, START + DAY, conditionsOf(request(liar, url, START).headers)).status).toBe(304)
    const restless = feed('restless')
    expect(request(restless, url, START + 1, conditionsOf(request(restless, url, START).headers)).status).toBe(200)
    expect(conditionsOf(request(feed('none'), url, START).headers)).toEqual({})
  })

  test('a corrected title is a change', async () => {
    const { clock, village } = villageOf({
      name: 'site',
      rhythm: { kind: 'at', instants: [] },
      feeds: [{ path: '/feed' }],
    })
    const site = village.site('site')
    const post = site.publish({ title: 'Goose lost' })
    const before = request(village, url, START)
    await clock.advance(HOUR)
    site.revise(post, 'Goose found')
    const after = request(village, url, clock.now(), conditionsOf(before.headers))
    expect([after.status, after.text.includes('Goose found')]).toEqual([200, true])
    expect(request(village, url, START).text).toBe(before.text)
  })
})

describe('changes by tests', () => {
  test('a post published now is in the feed and has a page, and was not there before', async () => {
    const { clock, village } = villageOf({ name: 'site', rhythm: { kind: 'at', instants: [] } })
    await clock.advance(MINUTE)
    const post = village.site('site').publish({ title: 'Turnip & goose' })
    const [feed] = village.site('site').feeds
    expect(request(village, feed!.url, clock.now()).text).toContain('<title>Turnip &amp; goose</title>')
    expect(request(village, feed!.url, START).text).not.toContain('Turnip')
    expect(request(village, `http://site.localhost${post.path}`, clock.now()).status).toBe(200)
  })

  test('a dead blog can publish again', () => {
    const { village } = villageOf({ name: 'attic', silentSince: START - 1000 * DAY })
    village.site('attic').publish({ title: 'Still here' })
    const { text } = request(village, 'http://attic.localhost/feed.xml', START)
    expect(text).toContain('<title>Still here</title>')
    expect(text.match(/<item>/g)).toHaveLength(20)
  })

  test('a fault starts, states its end, and ends', () => {
    const { village } = villageOf({ name: 'site' })
    const site = village.site('site')
    const status = (path: string, at: Instant) => request(village, `http://site.localhost${path}`, at)
    site.addFault({ kind: 'status', status: 429, retryAfter: { seconds: 90 } }, { untilAt: START + 90 * SECOND })
    expect(status('/', START)).toMatchObject({ status: 429, headers: { 'retry-after': '90' } })
    expect(status('/', START + 90 * SECOND).status).toBe(200)
    site.addFault({ kind: 'status', status: 503, retryAfter: { at: START + HOUR } }, { path: '/feed.xml' })
    expect(status('/feed.xml', START).headers['retry-after']).toBe('Wed, 06 Mar 2030 16:30:00 GMT')
    site.heal()
    expect([status('/', START).status, status('/feed.xml', START).status]).toEqual([200, 200])
  })

  test('a rush hour ends at the stated time', () => {
    const { village } = villageOf()
    const at = Date.UTC(2030, 2, 6, 15, 5)
    const refused = request(village, 'http://market.localhost/feed.xml', at)
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } })
    expect(request(village, 'http://market.localhost/feed.xml', at + 900 * SECOND).status).toBe(200)
  })

  test('a moved feed redirects from its old address to its new one', async () => {
    const { village } = villageOf({ name: 'site' })
    village.site('site').move('/feed.xml', '/new/feed.xml', 308)
    const answer = await village.net().get({ url: 'http://site.localhost/feed.xml' })
    expect(answer).toMatchObject({ ok: true, status: 200, url: 'http://site.localhost/new/feed.xml' })
    expect(request(village, 'http://site.localhost/', START).text).toContain('href="/new/feed.xml"')
  })

  test('an inconsistent village is rejected', () => {
    expect(() => villageOf({ name: 'a' }, { name: 'a' })).toThrow('two sites named a')
    expect(() => villageOf({ name: 'a', copies: { of: 'b', share: 1 } })).toThrow('a copies b')
    expect(() => villageOf({ name: 'a' }).village.site('b')).toThrow('no site named b')
  })
})

function get(url: string) {
  return { method: 'GET', url, headers: {} }
}

function conditionsOf({ etag, 'last-modified': date }: Record<string, string>): Record<string, string> {
  return { ...(etag && { 'if-none-match': etag }), ...(date && { 'if-modified-since': date }) }
}

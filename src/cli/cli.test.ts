import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog, defaultConfig, openCrawl, startServer } from '../app/index.ts'
import { createSteppedClock } from '../clocks/index.ts'
import { createVillage, type Village } from '../lab/index.ts'
import { address } from '../model/address.fixture.ts'
import { type FeedId, HOUR, type HubSubscription, MINUTE, NO_PUSH_QUALITY, type Poll } from '../model/index.ts'
import { draft, newFeed, record } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import type { Io } from './io.ts'
import { runCommandLine } from './program.fixture.ts'

const START = Date.UTC(2026, 0, 5, 12)
let folder: string
let village: Village
let closeVillage: () => Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-cli-'))
  village = createVillage({
    clock: createSteppedClock(START),
    sites: [
      {
        name: 'gazette',
        title: 'The Gazette',
        feeds: [{ path: '/feed' }, { path: '/comments/feed', about: 'comments' }],
      },
      { name: 'miller', title: 'Notes from the Mill', feeds: [{ path: '/atom.xml', format: 'atom' }] },
      { name: 'hermit', title: 'No Feed Here', feeds: [] },
    ],
  })
  closeVillage = (await village.listen()).close
})
afterEach(async () => {
  await closeVillage()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command line on the store in the folder. */
const freshet = (...words: string[]) => freshetWith({}, ...words)

function freshetWith(more: Partial<Io>, ...words: string[]) {
  const environment = {
    FRESHET_STORE: join(folder, 'test.db'),
    FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    FRESHET_HOST_GAP: '0',
  }
  return runCommandLine(words, { environment, ...more })
}

/** Changes the store while no crawl is running. */
async function inStore(work: (store: ReturnType<typeof openSqliteStore>['store']) => Promise<unknown>): Promise<void> {
  const { store } = openSqliteStore({ file: join(folder, 'test.db'), mode: 'write', now: Date.now })
  await work(store)
  await store.close()
}

const rows = (lines: string[]) => lines.map((line) => JSON.parse(line))
const home = (name: string) => village.site(name).home

describe('freshet status', () => {
  it('shows internal errors of the running crawl', async () => {
    const config = { ...defaultConfig(), store: join(folder, 'test.db'), port: 0 }
    const crawl = await openCrawl(config, { net: village.net() })
    const server = await startServer(
      config,
      crawl,
      createLog({ level: 'error', format: 'text', now: () => 0, write() {} }),
    )
    await crawl.crawler.subscribe([{ url: village.site('gazette').feeds[0]!.url, kind: 'feed' }])
    await crawl.store.changeFeed(1 as FeedId, {}, { strategy: 'no-such-strategy' })
    await crawl.crawler.runOnce(new AbortController().signal)
    const { out } = await freshet('status')
    expect(out.join('\n')).toMatch(/failing\n.*an internal error occurred: unknown strategy/)
    expect(out.join('\n')).toMatch(/internal errors since the start\n.*unknown strategy "no-such-strategy"/)
    await server.close()
    await crawl.close()
    expect((await freshet('status')).out.join('\n')).not.toMatch(/internal errors/)
  })
})

describe('the command line', () => {
  it('adds sites, finds their feeds, and shows their entries', async () => {
    const title = 'A zeppelin lands on the green'
    village.site('gazette').publish({ title })
    const added = await freshet('add', home('gazette'), home('miller'))
    expect(added).toMatchObject({ code: 0 })
    expect(added.out.join('\n')).toMatch(/added: feed \d, The Gazette, .*\/feed\n {2}the site also has .*comments/)

    const feeds = await freshet('feeds')
    expect(feeds.out[0]).toMatch(/^feed +title +entries +state +last success +next poll +address$/)
    expect(feeds.out.join('\n')).toMatch(/The Gazette +\d+ +ok/)

    const entries = rows((await freshet('entries', '--json', '--limit', '5')).out)
    expect(entries).toHaveLength(5)
    expect(entries[0]).toMatchObject({
      feedTitle: 'The Gazette',
      title,
      publishedAt: new Date(START).toISOString(),
    })
    const found = { titleMarks: [{ from: 2, to: 10 }], text: expect.stringMatching(/waxdiviner/), textMarks: [] }
    expect(rows((await freshet('entries', 'zeppelin', '--json')).out)).toEqual([{ ...entries[0], found }])
    expect((await freshet('entries', 'zeppelin', 'OR')).notes).toMatch(/OR must stand between two terms/)
    expect((await freshet('entries', 'dirigible')).notes).toMatch(/^no matching entries/)

    expect((await freshet('show', 'Gazette')).out.join('\n')).toMatch(/^feed +\d+ {2}The Gazette\naddress/)
    expect((await freshet('show', `e${entries[0].id}`)).out[0]).toBe(`entry         e${entries[0].id}  ${title}`)
    expect((await freshet('status')).out.join('\n')).toMatch(/2 feeds active, 0 paused, 0 gone/)
  })

  it('finds feeds by names and categories that a user or freshet.toml has set', async () => {
    const toml = join(folder, 'freshet.toml')
    const list = (category: string) => `[[sources]]
      url = "${home('gazette')}"
      name = "gaz"
      category = "${category}"
      [[sources]]
      url = "${village.site('miller').feeds[0]!.url}"
      feed = true
      name = "mill"
      title-prefix = "Notes: "`
    await writeFile(toml, list('politics'))
    const run = () => freshet('run', '--once', '--log', 'silent', '--config', toml)
    expect(await run()).toMatchObject({ code: 0, notes: '' })
    const shownFeed = async (word: string) => JSON.parse((await freshet('show', word, '--json')).out.join('\n')).feed
    expect(await shownFeed('gaz')).toMatchObject({
      title: 'The Gazette',
      name: 'gaz',
      category: 'politics',
      foundBy: 'link',
    })
    expect(await shownFeed('mill')).toMatchObject({ title: 'Notes from the Mill', titlePrefix: 'Notes: ' })
    expect((await shownFeed('mill')).entries).toBeGreaterThan(5)
    expect((await shownFeed('mill')).builtAt).toMatch(/^2026-01/)
    expect(rows((await freshet('feeds', '--category', 'politics', '--json')).out)).toMatchObject([{ name: 'gaz' }])

    await writeFile(toml, list('sports'))
    await run()
    expect((await shownFeed('gaz')).category).toBe('sports')
    expect(await freshet('edit', 'gaz', '--name', 'mill')).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/is already called mill/),
    })
    expect(await freshet('edit', 'gaz', '--name', '7up')).toMatchObject({ code: 2 })
    await freshet('edit', 'gaz', '--name', '', '--category', '')
    expect(await shownFeed('Gazette')).not.toHaveProperty('name')
    await writeFile(toml, '[[sources]]\nname = "x"')
    expect(await run()).toMatchObject({ code: 2, notes: expect.stringMatching(/has no url/) })
  })

  it('counts runs, failures by text and discovery methods, and exports the hourly series', async () => {
    await freshet('run', '--once', home('gazette'), home('miller'), '--log', 'silent')
    expect(await freshet('status', '--since', '2026-01-01')).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/needs --stats/),
    })
    const { out } = await freshet('status', '--stats', '--since', '2026-01-01')
    expect(out.join('\n')).toMatch(/^1 run, .* in all\nfeeds found by link 2$/m)
    const series = rows((await freshet('export', 'hours', '--since', '2026-01-05')).out)
    const ofPolls = series.filter(({ polls }) => polls > 0)
    expect(ofPolls).toHaveLength(1)
    expect(ofPolls[0]).toMatchObject({ polls: 2, failed: 0 })
    const csv = (await freshet('export', 'hours', '--since', '2026-01-05', '--csv')).out
    expect(csv[0]).toBe('at,entries,copies,polls,failed,bytes')
    expect(csv).toHaveLength(series.length + 1)
    expect(await freshet('export', 'polls', '--csv')).toMatchObject({ code: 2 })
  })

  it('plots M, T and ToE of feeds whose strategy has them', async () => {
    await freshet('run', '--once', home('gazette'), '--strategy', 'adva-rss', '--log', 'silent')
    const { out } = await freshet('show', '1')
    const at = out.findIndex((line) => line.startsWith('rounds: M, T and ToE after each poll, from the log'))
    expect(out.slice(at + 1, at + 4)).toEqual([
      expect.stringMatching(/^ {2}M {4}█+ {2}1.6 now, 1.6 to 1.6$/),
      expect.stringMatching(/^ {2}T {4}█+ {2}1 now, 1 to 1$/),
      expect.stringMatching(/^ {2}ToE {2}█+ {2}[2-5] now/),
    ])
    const { rounds } = JSON.parse((await freshet('show', '1', '--json')).out.join('\n'))
    expect(rounds).toMatchObject({ strategy: 'adva-rss', isExact: true, points: [{ M: 1.6, T: 1, found: true }] })
    await freshet('edit', '1', '--strategy', 'fixed:1h')
    expect((await freshet('show', '1')).out.join('\n')).not.toMatch(/^rounds/m)
    expect(JSON.parse((await freshet('show', '1', '--json')).out.join('\n'))).not.toHaveProperty('rounds')
  })

  it('exports the hourly series of a feed, a category and a folder', async () => {
    await freshet('run', '--once', home('gazette'), home('miller'), '--log', 'silent')
    await freshet('edit', '1', '--category', 'science', '--folder', 'Papers')
    const total = (lines: string[]) => rows(lines).reduce((sum, { entries }) => sum + entries, 0)
    const feed = (await freshet('export', 'hours', '--feed', '1')).out
    expect(total(feed)).toBe(rows((await freshet('export', 'entries', '--feed', '1')).out).length)
    expect(Object.keys(rows(feed)[0]!)).toEqual(['at', 'entries', 'copies'])
    const times = rows(feed).map(({ at }) => Date.parse(at))
    expect(times).toEqual(times.map((_, i) => times[0]! + i * 3_600_000))
    expect((await freshet('export', 'hours', '--category', 'science')).out).toEqual(feed)
    expect((await freshet('export', 'hours', '--folder', 'Papers')).out).toEqual(feed)
    const csv = (await freshet('export', 'hours', '--feed', '1', '--csv')).out
    expect(csv[0]).toBe('at,entries,copies')
    expect(csv).toHaveLength(feed.length + 1)
    for (const [flags, wrong] of [
      [['hours', '--feed', '99'], /there is no feed 99/],
      [['hours', '--category', 'poetry'], /no feed is in the category "poetry"/],
      [['hours', '--folder', 'Sand'], /no feed is in the folder "Sand"/],
      [['polls', '--category', 'science'], /--category works with hours, not with polls/],
      [['hours', '--unique'], /--unique works with entries/],
    ] as const)
      expect(await freshet('export', ...flags)).toMatchObject({ code: 2, notes: expect.stringMatching(wrong) })
  })

  it('reports why addresses failed, adds the others, and exits with 1', async () => {
    const { code, out } = await freshet('add', home('hermit'), home('miller'), 'http://127.0.0.1:9/', '--json')
    expect(code).toBe(1)
    expect(rows(out).map(({ kind }) => kind)).toEqual(['not-found', 'feed', 'not-found'])
    expect(rows(out)[0].words).toMatch(/no feed was found/)
    expect(rows(out)[2].words).toMatch(/could not be reached/)
    expect((await freshet('status')).out.join('\n')).not.toMatch(/looking for/)
    const added = await freshet('add', home('hermit'), '--keep')
    expect(added.out[0]).toMatch(/no feed for .* looked at again in/)
    expect((await freshet('status')).out.join('\n')).toMatch(/looking for the feed of\n {2}http:\/\/hermit/)
  })

  it('prints the link for the first account if other machines can reach it, except with --listen-without-login', async () => {
    const words = ['run', '--host', '0.0.0.0', '--port', '0', '--for', '1s']
    const fresh = await freshet(...words)
    expect(fresh).toMatchObject({ code: 0 })
    expect(fresh.out.join('\n')).toMatch(/there is no account yet.*\/setup#freshet_\S+ .*freshet user add NAME/)
    const known = await freshet(...words, '--listen-without-login')
    expect(known).toMatchObject({ code: 0, notes: '' })
    expect(known.out.join('\n')).not.toMatch(/setup/)
  })

  it('pauses, resumes and removes feeds by number, address or title', async () => {
    await freshet('add', home('gazette'))
    expect((await freshet('pause', '1')).out).toEqual(['paused: feed 1, The Gazette'])
    expect(rows((await freshet('feeds', '--paused', '--json')).out)).toHaveLength(1)
    expect((await freshet('resume', village.site('gazette').feeds[0]!.url)).code).toBe(0)
    expect((await freshet('remove', 'gazette')).out).toEqual(['removed: feed 1, The Gazette'])
    expect((await freshet('feeds', '--json')).out).toEqual([])
  })

  it('changes title, folder and strategy of a feed', async () => {
    await freshet('add', home('gazette'))
    expect(await freshet('edit', '1', '--title', 'G', '--folder', 'News', '--strategy', 'fixed:1h')).toMatchObject({
      code: 0,
    })
    const [feed] = rows((await freshet('feeds', '--json')).out)
    expect(feed).toMatchObject({ title: 'G', folder: 'News', schedule: { strategy: 'fixed:1h' } })
    await freshet('edit', '1', '--folder', '', '--subscribers', '12')
    expect(rows((await freshet('feeds', '--json')).out)[0].subscribers).toBe(12)
    expect((await freshet('edit', '1', '--subscribers', 'many')).notes).toMatch(/--subscribers cannot be "many"/)
    expect(rows((await freshet('feeds', '--json')).out)[0].folder).toBeUndefined()
    expect((await freshet('edit', '1', '--strategy', 'hope')).notes).toMatch(/unknown strategy "hope"\nhint: available/)
    expect((await freshet('edit', '1')).notes).toMatch(/nothing to change/)
    const long = 'x'.repeat(1_001)
    expect((await freshet('edit', '1', '--title-prefix', long)).notes).toMatch(/--title-prefix is .* 1,001 characters/)
    expect(await freshet('add', home('miller'), '--folder', long)).toMatchObject({ code: 2 })
  })

  it('changes several feeds at once, but not to one title, name or address', async () => {
    await freshet('add', home('gazette'), home('miller'))
    expect((await freshet('edit', '1', '2', '--folder', 'News')).out).toHaveLength(2)
    expect(rows((await freshet('feeds', '--folder', 'News', '--json')).out)).toHaveLength(2)
    expect(await freshet('edit', '1', '2', '--title', 'G')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('several feeds cannot have the same title'),
    })
  })

  it('suggests sites that several feeds link to', async () => {
    const summary = '<a href="https://blog.example/1">see</a>'
    await inStore(async (store) => {
      for (const name of ['a', 'b']) {
        const [added] = await store.addFeeds([newFeed(name)])
        await store.recordPolls([
          record(added!.id, START, { fresh: [draft(name, { title: `From ${name}`, summary })] }),
        ])
        await store.follow(await store.firstUser(), [{ feedId: added!.id }], START, 9)
      }
    })
    expect((await freshet('suggestions')).out.join('\n')).toMatch(/https:\/\/blog\.example\/ +2 feeds +From/)
    const [found] = rows((await freshet('suggestions', '--json')).out)
    expect(found).toMatchObject({ linked: [{ host: 'blog.example', feeds: 2 }], first: [] })
  })

  it('finds a feed by its full address even if others start with it', async () => {
    const named = (url: string) => newFeed('a', { url: address(url) })
    await inStore((store) => store.addFeeds(Array.from({ length: 12 }, (_, i) => named(`https://a.example/feed/${i}`))))
    await inStore((store) => store.addFeeds([named('https://a.example/feed')]))
    expect((await freshet('pause', 'https://a.example/feed')).out).toEqual(['paused: feed 13, a'])
  })

  it('rejects export filters that do not apply', async () => {
    await freshet('add', home('gazette'))
    expect(await freshet('export', 'opml', '--feed', '1')).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/--feed works with entries, articles, polls, hours, not with opml/),
    })
    expect((await freshet('export', 'polls', '--unique')).code).toBe(2)
  })

  it('rejects the address of another feed, and names that feed', async () => {
    await freshet('add', home('gazette'))
    const before = rows((await freshet('feeds', '--json')).out)[0]
    await freshet('add', home('miller'))
    const other = rows((await freshet('feeds', '--json')).out)[1]
    const refused = await freshet('edit', '1', '--url', other.url, '--title', 'Other')
    expect(refused.code).toBe(2)
    expect(refused.notes).toContain(`feed 2, ${other.title}, already has the address ${other.url}`)
    expect(refused.notes).toMatch(/hint: remove one of the two/)
    expect(rows((await freshet('feeds', '--json')).out)[0]).toEqual(before)
  })

  it('sets goals for feeds and folders, lists them, and explains the next poll', async () => {
    await freshet('add', home('gazette'))
    await freshet('edit', '1', '--folder', 'News')
    expect((await freshet('goal')).notes).toMatch(/no goals/)
    expect((await freshet('goal', '--folder', 'News', '--within', '10m')).out).toEqual(['News: within 10m'])
    expect((await freshet('goal', '1', '--not-sooner', '1h', '--not-later', '2d')).out).toEqual([
      'The Gazette: not sooner than every 1h, not later than every 2d',
    ])
    const listed = (await freshet('goal')).out.join('\n')
    expect(listed).toMatch(/folder News +within 10m +1 /)
    expect(listed).toMatch(/feed 1, The Gazette +not sooner than every 1h/)
    expect(listed).toMatch(/polls a day in all/)
    await freshet('goal', '1', '--none')
    expect((await freshet('goal')).out.join('\n')).not.toMatch(/feed 1/)
    expect((await freshet('show', '1')).out.join('\n')).toMatch(/\nreason +\S/)
  })

  it.each([
    [['goal', '--within', '10m'], /needs a feed or a folder/],
    [['goal', '1', '--folder', 'News', '--none'], /for a feed or for a folder/],
    [['goal', '--folder', 'News'], /no goal is given/],
    [['goal', '--folder', 'News', '--within', 'soon'], /"soon" is not a duration/],
    [['goal', '--folder', 'News', '--not-sooner', '2h', '--not-later', '1h'], /longer than --not-later/],
    [['goal', '77', '--within', '1h'], /there is no feed 77/],
  ])('rejects %j', async (words, message) => {
    await freshet('add', home('gazette'))
    const { code, notes } = await freshet(...words)
    expect(code).toBe(2)
    expect(notes).toMatch(message)
  })

  it('adds all feeds of a site with --all', async () => {
    expect((await freshet('add', home('gazette'), '--all')).out.join('\n')).toMatch(
      /added: feed 1.*\n {2}and http.*comments/,
    )
    expect(rows((await freshet('feeds', '--json')).out)).toHaveLength(2)
  })

  it('lists the other feeds of a known site, and adds them with --all', async () => {
    await freshet('add', home('gazette'))
    const again = (await freshet('add', home('gazette'))).out.join('\n')
    expect(again).toMatch(/^already there: feed 1.*\n {2}the site also has http.*comments/)
    await freshet('add', home('gazette'), '--all')
    expect(rows((await freshet('feeds', '--json')).out)).toHaveLength(2)
  })

  it('audits the poll log', async () => {
    await freshet('add', home('gazette'), home('miller'))
    const { code, out } = await freshet('audit', '--json')
    expect(code).toBe(0)
    expect(rows(out)[0]).toMatchObject({ feeds: 2, polls: 2, broken: [] })
    expect((await freshet('audit', 'gazette')).out.join('\n')).toMatch(
      /1 poll of 1 feed in the log\n[\s\S]*no rule was broken/,
    )
  })

  it('distinguishes manual polls from early polls, sums savings, and names the feed', async () => {
    await freshet('add', home('gazette'), home('miller'))
    const unchanged = { kind: 'not-modified', by: 'server' } as const
    await inStore(async (store) => {
      const log = (feedId: number, atMs: number, more: Partial<Poll> = {}) =>
        store.recordPolls([
          {
            poll: {
              feedId: feedId as FeedId,
              at: Date.now() + atMs,
              tookMs: 9,
              bytes: 0,
              conditional: true,
              result: unchanged,
              ...more,
            },
            schedule: { strategy: 'fixed:1h', memory: new Uint8Array(), dueAt: Date.now(), failures: 0 },
            fresh: [],
            changed: [],
          },
        ])
      await log(1, HOUR)
      await log(1, HOUR + 1.5 * MINUTE, { occasion: 'manual' })
      await log(2, HOUR)
    })
    const good = await freshet('audit')
    expect(good.out).toEqual([
      '5 polls of 2 feeds in the log',
      expect.stringMatching(/^ +rule 1 +3 of 3 {2}polls were conditional where possible$/),
      expect.stringMatching(/^ +rule 2 +3 of 3 {2}unchanged responses were 304, which saved about \d+ kB$/),
      expect.stringMatching(/^ +rule 8 +1 of 1 {2}manual polls kept the gap; the shortest gap was 1m30s, /),
      expect.stringMatching(/^ +rule 9 +2 of 2 {2}feeds were added with one GET request$/),
      expect.stringMatching(
        /^ +rule 12 +2 of 2 {2}polls kept the minimum interval; the shortest gap was 1h, the .* allowed is 2m$/,
      ),
      expect.stringMatching(/^ +rule 20 +\d of \d {2}polls kept the pause of their domain/),
      expect.stringMatching(/^ +2 of 5 {2}answered polls found something; 3 found nothing$/),
      expect.stringMatching(/^no cases for rules 11, 13, 14, 15, /),
      'no rule was broken',
    ])
    const strict = await freshet('audit', '--min-interval', '2h')
    expect(strict.code).toBe(1)
    expect(strict.out.slice(-5)).toEqual([
      '2 feeds or domains that broke a rule, worst first:',
      expect.stringMatching(/^\d {2}(The Gazette|Notes from the Mill)$/),
      expect.stringMatching(/^ +rule 12 +0 of 1 {2}polls kept the minimum interval; .* allowed is 2h$/),
      expect.stringMatching(/^\d {2}(The Gazette|Notes from the Mill)$/),
      expect.stringMatching(/^ +rule 12 +0 of 1 {2}polls kept the minimum interval/),
    ])
  })

  it('audits discovery with the archive of a run, and lists the rules that it cannot check', async () => {
    const archive = ['--archive', join(folder, 'warc')]
    await freshet('run', '--once', home('gazette'), home('hermit'), '--port', '0', '--log', 'silent', ...archive)
    const [audit] = rows((await freshet('audit', '--json', ...archive)).out)
    expect(audit.archive.requests).toBeGreaterThan(4)
    const rule = (number: number) => audit.archive.judgements.find((one: { rule: number }) => one.rule === number)
    for (const number of [22, 31, 33, 35, 52]) expect(rule(number).passed).toBe(rule(number).checked)
    expect(rule(31).checked).toBe(audit.archive.requests)
    expect(audit.broken).toEqual([])

    const listed = (await freshet('audit', '--unverified')).out.join('\n')
    expect(listed).toMatch(/^ +rule 31 {2}the poll log has no headers .* --archive FOLDER$/m)
    expect(listed).toMatch(/^ +rule 47 {2}requests of hubs are not stored/m)
    expect(await freshet('audit', '--archive', join(folder, 'nowhere'))).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/nowhere cannot be read[\s\S]*freshet run --archive/),
    })
  })

  it('shows the hub of a feed and its state', async () => {
    await freshet('add', home('gazette'))
    const push: HubSubscription = {
      token: 'token',
      feedId: 1 as FeedId,
      hub: address('https://hub.example/'),
      topic: address('https://x.example/'),
      secret: 'secret',
      state: 'waiting',
      dueAt: 0,
      failures: 0,
      pushes: 0,
    }
    const showWith = async (more: Partial<HubSubscription>) => {
      await inStore(async (store) => {
        const revision = (await store.hubSubscriptionByToken(push.token))?.revision
        await store.recordHubSubscriptions([{ ...push, ...more, ...(revision !== undefined && { revision }) }])
      })
      return (await freshet('show', '1')).out.find((line) => line.startsWith('push'))
    }
    expect((await freshet('show', '1')).out.join()).not.toMatch(/^push/m)
    expect(await showWith({})).toMatch(/requested, not confirmed yet \(https:\/\/hub\.example\/\); polled as usual/)
    expect(await showWith({ trouble: { kind: 'hub-refused', detail: 'no' } })).toMatch(/the hub refused .*: no \(https/)
    const active = { state: 'active' as const, leaseUntil: Date.now() + HOUR }
    expect(await showWith(active)).toMatch(/subscribed at https:\/\/hub\.example\/ \(none yet\)/)
    const proven = { ...active, pushes: 4, pushedAt: Date.now(), provenAt: Date.now() - 9 }
    expect(await showWith(proven)).toMatch(
      /\(4 so far, the last .*\), polled rarely as a safety net; the lease ends in/,
    )
    expect(await showWith({ ...proven, missedAt: Date.now() })).toMatch(/was not pushed; polled as usual/)
    const json = (await freshet('show', '1', '--json')).out.join()
    expect(JSON.parse(json).feed.push).toMatchObject({ hub: 'https://hub.example/', state: 'broken', pushes: 4 })
    expect(json).not.toMatch(/token|secret/)
  })

  it('shows how hubs perform', async () => {
    await freshet('add', home('gazette'))
    expect((await freshet('status', '--hubs')).out.join()).toMatch(/no WebSub subscriptions/)
    const now = Date.now()
    const push: HubSubscription = {
      token: 'token',
      feedId: 1 as FeedId,
      hub: address('https://hub.example/'),
      topic: address('https://x.example/'),
      secret: 'secret',
      state: 'active',
      dueAt: now,
      leaseUntil: now + HOUR,
      failures: 0,
      pushes: 9,
      provenAt: now,
      quality: {
        ...NO_PUSH_QUALITY,
        fresh: 7,
        delays: [1, 1, 4, 1, 0, 0, 0, 0, 0],
        missed: 2,
        missedPolls: 1,
        renewals: 3,
      },
    }
    await inStore((store) => store.recordHubSubscriptions([push]))
    const { out } = await freshet('status', '--hubs')
    expect(out.at(-1)).toMatch(/^ *1 +1 +9 +7 +1m +2 in 1 polls +3 +0 +0 +https:\/\/hub\.example\/$/)
    const [{ hubs }] = rows((await freshet('status', '--hubs', '--json')).out)
    expect(hubs).toMatchObject([{ feeds: { trusted: 1 }, delay: { count: 7, medianMs: MINUTE } }])
    expect(JSON.stringify(hubs)).not.toMatch(/token|secret/)
  })

  it('polls a feed on request, but not twice within a minute', async () => {
    const opml = join(folder, 'one.opml')
    await writeFile(
      opml,
      `<opml version="2.0"><body><outline text="Mill" xmlUrl="${village.site('miller').feeds[0]!.url}"/></body></opml>`,
    )
    await freshet('import', opml)
    const polled = await freshet('poll', '1', '--json')
    expect(polled.code).toBe(0)
    expect(rows(polled.out)[0]).toMatchObject({ kind: 'polled', poll: { result: { kind: 'read' } } })
    const again = await freshet('poll', '1')
    expect(again).toMatchObject({ code: 1 })
    expect(again.out[0]).toMatch(/polled a moment ago; it is due in/)
  })

  it('does what is due with --once, and exits', async () => {
    await freshet('import', await listOf(village.site('gazette').feeds[0]!.url, village.site('miller').feeds[0]!.url))
    const { code, out } = await freshet('run', '--once', '--json')
    expect(code).toBe(0)
    expect(rows(out).filter(({ event }) => event === 'polled')).toHaveLength(2)
    expect(rows((await freshet('feeds', '--json')).out).every(({ schedule }) => schedule.succeededAt)).toBe(true)
    expect(rows((await freshet('run', '--once', '--json')).out).filter(({ event }) => event === 'polled')).toHaveLength(
      0,
    )
  })

  it('fetches article pages, shows their text, and lets users change the setting', async () => {
    const today = createVillage({
      clock: createSteppedClock(Date.now()), // pages of long ago are not fetched
      sites: [
        { name: 'gazette', rhythm: { kind: 'office-hours', perDay: 24, weekends: true }, feeds: [{ path: '/feed' }] },
      ],
    })
    const { close } = await today.listen()
    await freshet('import', await listOf(today.site('gazette').feeds[0]!.url))
    await freshet('poll', '1')
    expect((await freshet('read', 'e1')).out.join(' ')).toMatch(
      /\(The page has not been fetched yet. This is the text in the feed/,
    )
    const fetched = (await freshet('read', 'e1', '--fetch')).out.join(' ')
    expect(fetched).not.toContain('has not been fetched')
    expect((await freshet('read', 'e1', '--from', 'feed')).out.join(' ')).toContain('(this is the text in the feed)')
    expect(await freshet('read', 'e1', '--from', 'afar')).toMatchObject({ code: 2 })
    expect((await freshet('status')).out.join('\n')).toMatch(/1 articles? read, 19 waiting/)
    await freshet('run', '--once')
    await close()
    const status = await freshet('status')
    expect(status.out.join('\n')).toMatch(/20 articles read, 0 waiting, 0 refused, 0 failed; 20 original pages stored/)
    expect(status.out[0]).toMatch(/search index [\d.]+ kB/)
    const [{ counts, diskUsage }] = rows((await freshet('status', '--json')).out)
    expect(counts.articles).toMatchObject({ read: 20, pages: 20 })
    expect(diskUsage.pages).toBeGreaterThan(1000)

    const shown = (await freshet('show', 'e1')).out.join('\n')
    expect(shown).toMatch(/^page +http:.*, \d+ words, fetched/m)
    expect(shown).toMatch(/^dated +\S+Z \(from the feed, trust \d\d %\)$/m)
    expect(shown).toMatch(/^language +en$/m)
    const [entry] = rows((await freshet('show', 'e1', '--json')).out)
    expect(entry.article).toMatchObject({
      state: 'read',
      url: entry.url,
      words: entry.article.text.split(/\s+/).length,
    })
    expect(shown.endsWith(`\n\n${entry.article.text}`)).toBe(true)

    expect(await freshet('edit', '1', '--articles', 'sometimes')).toMatchObject({ code: 2 })
    expect(await freshet('edit', '1', '--articles', 'never')).toMatchObject({ code: 0 })
    expect(rows((await freshet('feeds', '--json')).out)[0]).toMatchObject({ articles: 'never' })
    await freshet('edit', '1', '--articles', '')
    expect(rows((await freshet('feeds', '--json')).out)[0]).not.toHaveProperty('articles')
  })

  it('imports its own exports', async () => {
    await freshet('add', home('gazette'), home('miller'), '--folder', 'Village')
    const file = join(folder, 'out.opml')
    expect(await freshet('export', 'opml', '-o', file)).toMatchObject({ code: 0 })
    const copy = join(folder, 'copy.db')
    expect((await freshet('import', file, '--store', copy)).out[0]).toMatch(/^2 addresses added/)
    expect((await freshet('import', file, '--store', copy)).out[0]).toMatch(/^0 addresses added, 2 known already/)
    const before = rows((await freshet('export', 'feeds')).out)
    const after = rows((await freshet('export', 'feeds', '--store', copy)).out)
    const fieldsOf = ({ url, title, folder: where }: { url: string; title: string; folder?: string }) => ({
      url,
      title,
      where,
    })
    expect(after.map(fieldsOf).toSorted((a, b) => a.url.localeCompare(b.url))).toEqual(
      before.map(fieldsOf).toSorted((a, b) => a.url.localeCompare(b.url)),
    )
    expect(before[0].folder).toBe('Village')
    expect(rows((await freshet('export', 'entries')).out)).toHaveLength(40)
    expect(rows((await freshet('export', 'polls', '--feed', '1')).out)).toHaveLength(1)
  })

  it('reads a list from standard input', async () => {
    const stdin = async function* () {
      yield Buffer.from(`# mine\n${home('miller')}\n`)
    }
    expect(await freshetWith({ stdin }, 'add', '-')).toMatchObject({
      code: 0,
      out: [expect.stringContaining('added: feed 1')],
    })
  })

  it('discovers feeds with their evidence, and adds nothing', async () => {
    const { code, out, notes } = await freshet('discover', home('gazette'))
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(
      /^ +\d+ {2}http.*\/feed\n +The Gazette; rss, \d+ entries\n +\+100 on the same site.*\n +-\d+ {2}http.*comments/,
    )
    expect(notes).toMatch(/3 requests:\n.*a page/)
    const nothing = await freshet('discover', home('hermit'), '--json')
    expect(nothing).toMatchObject({ code: 1 })
    expect(rows(nothing.out)[0]).toMatchObject({ feeds: [], failure: expect.stringMatching(/no feed was found/) })
    expect((await freshet('feeds')).code).toBe(3)
  })

  it('prints a feed from an address, a file or a pipe', async () => {
    const { url } = village.site('miller').feeds[0]!
    expect((await freshet('parse', url)).out.join('\n')).toMatch(
      /^title +Notes from the Mill\n[\s\S]*format +atom, utf-8/,
    )
    const document = Buffer.from(
      '<rss><channel><title>T</title><item><title>A goose</title><pubDate>5 Jan 2026 12:00 GMT</pubDate></item>',
    )
    const stdin = async function* () {
      yield document
    }
    const piped = await freshetWith({ stdin }, 'parse', '-', '--json')
    expect(rows(piped.out)[0]).toMatchObject({
      kind: 'feed',
      entries: [{ title: 'A goose', publishedAt: '2026-01-05T12:00:00.000Z' }],
    })
    const file = join(folder, 'page.html')
    await writeFile(file, '<html><body>no feed</body></html>')
    expect(await freshet('parse', file)).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/page\.html is not a feed: /),
    })
  })

  async function listOf(...urls: string[]): Promise<string> {
    const file = join(folder, 'list.ndjson')
    await writeFile(file, urls.map((url) => JSON.stringify({ url })).join('\n'))
    return file
  }
})

describe('an article', () => {
  const PAGE = `<html lang="en"><title>Bridge reopens - Gazette</title><meta name="author" content="Ada Byron">
    <meta property="article:section" content="Local"><article><h1>Bridge reopens</h1>
    <p>${'The bridge was mended, and <a href="/ferry">the ferry</a> rests. '.repeat(10)}</p></article>`
  const piped = {
    stdin: async function* () {
      yield Buffer.from(PAGE)
    },
  }

  it('is extracted with the origin of each fact', async () => {
    const { out, code } = await freshetWith(piped, 'extract', '-', '--url', 'https://gazette.example/1')
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(/^title +\S+ +Bridge reopens$/m)
    expect(out.join('\n')).toMatch(/^authors +meta +Ada Byron$/m)
    expect(out.join('\n')).toMatch(/^reads as +text +en$/m)
    expect(out.join('\n')).toMatch(/^category +page +local$/m)
    expect(out.at(-1)).toMatch(/^\nThe bridge was mended/)
  })

  it('is extracted as JSON, HTML or Markdown', async () => {
    const [json, html, markdown] = await Promise.all(
      ['--json', '--html', '--markdown'].map(
        async (form) => (await freshetWith(piped, 'extract', '-', '--url', 'https://gazette.example/1', form)).out[0]!,
      ),
    )
    expect(JSON.parse(json!)).toMatchObject({
      title: { value: 'Bridge reopens' },
      detected: { language: { value: 'en', from: 'text' }, category: { value: 'local', from: 'entry' } },
    })
    expect(html).toMatch(/^<p>The bridge was mended, and <a href="https:\/\/gazette.example\/ferry" rel="noopener/)
    expect(markdown).toMatch(/^The bridge was mended, and \[the ferry\]\(https:\/\/gazette.example\/ferry\) rests/)
  })

  it('is shown from its address, or with the text in the feed', async () => {
    await freshet('add', home('miller'))
    const [entry] = rows((await freshet('entries', '--json', '--limit', '1')).out)
    const page = await freshet('read', entry.url, '--width', '60')
    expect(page.out.join(' ').startsWith(entry.title)).toBe(true)
    expect(page.out.join(' ')).toMatch(/ · \d{4}-\d\d-\d\d \d\d:\d\d · (?:.* · )?\d+ words/)
    for (const line of page.out) if (!line.includes('http')) expect(line.length).toBeLessThanOrEqual(60)
    const shown = await freshet('read', `e${entry.id}`, '--width', '0')
    expect(shown.out[0]).toBe(entry.title)
    expect(JSON.parse((await freshet('read', `e${entry.id}`, '--json')).out[0]!)).toMatchObject({ url: entry.url })
  })

  it.each([
    ['a picture', ['extract', '-'], Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 2, /is not a page/],
    ['an empty page', ['extract', '-'], Buffer.from(''), 1, /no article was found/],
    ['two forms at once', ['extract', '-', '--json', '--html'], Buffer.from(PAGE), 2, /cannot be combined/],
    ['an address that is none', ['extract', '-', '--url', 'x y'], Buffer.from(PAGE), 2, /neither a file nor/],
    ['a file that is not there', ['read', 'no page'], Buffer.from(''), 2, /neither a file nor an address/],
  ])('%s is rejected with a message', async (_, words, bytes, code, message) => {
    const given = {
      stdin: async function* () {
        yield bytes
      },
    }
    const answer = await freshetWith(given, ...words)
    expect(answer.notes).toMatch(message)
    expect(answer.code).toBe(code)
  })

  it('is reported as missing if there is none', async () => {
    await freshet('add', home('miller'))
    expect((await freshet('read', 'e99999')).notes).toMatch(/no entry e99999\nhint: freshet entries/)
    expect((await freshet('read', `${home('miller')}nowhere`)).notes).toMatch(/404/)
  })
})

describe('invalid input', () => {
  it.each([
    ['an unknown command', ['pol', '1'], 2, /unknown command 'pol'[\s\S]*Did you mean/],
    ['an unknown flag', ['feeds', '--frobnicate'], 2, /unknown option/],
    ['an address that is none', ['add', 'not an address'], 2, /"not an address" is not a web address[\s\S]*hint: /],
    ['a file that is not there', ['add', 'missing.opml'], 2, /missing\.opml does not exist[\s\S]*hint: /],
    ['a setting out of range', ['run', '--port', '99999'], 2, /--port cannot be "99999"[\s\S]*whole number/],
    ['a strange time', ['run', '--for', 'ever'], 2, /--for cannot be "ever"[\s\S]*hint: /],
    ['a strange limit', ['entries', '--limit', '-1'], 2, /--limit/],
    ['a store that is not there yet', ['feeds'], 3, /test\.db[\s\S]*hint: .*freshet add/],
    ['something else to export', ['export', 'recipes'], 2, /cannot export "recipes"[\s\S]*opml, feeds/],
    ['a config file that is not there', ['config', '--config', 'nowhere.toml'], 2, /nowhere\.toml does not exist/],
  ])('%s is rejected with a message and a hint', async (_, words, code, message) => {
    const answer = await freshet(...words)
    expect(answer.notes).toMatch(message)
    expect(answer.code).toBe(code)
    expect(answer.notes).not.toMatch(/\n\s+at /)
  })

  it('distinguishes unknown feeds from ambiguous titles', async () => {
    await freshet('add', home('gazette'), home('miller'))
    expect((await freshet('show', '99')).notes).toMatch(/no feed 99\nhint: freshet feeds/)
    expect((await freshet('show', 'localhost')).notes).toMatch(/matches several feeds/)
    expect((await freshet('show', 'e99999')).notes).toMatch(/no entry e99999/)
  })

  it('has help with an example for every command', async () => {
    const commands = [
      'run',
      'add',
      'feeds',
      'entries',
      'show',
      'status',
      'poll',
      'pause',
      'resume',
      'remove',
      'edit',
      'import',
      'export',
      'discover',
      'parse',
      'extract',
      'read',
      'audit',
      'lab',
      'config',
      'demo',
    ]
    const all = (await freshet('--help')).out.join('\n')
    for (const command of commands) {
      expect(all).toMatch(new RegExp(`^ {2}${command} `, 'm'))
      expect((await freshet(command, '--help')).out.join('\n')).toMatch(
        new RegExp(`Examples:\\n  \\$ .*freshet ${command}`),
      )
    }
    expect(await freshet('--version')).toMatchObject({ code: 0, out: [expect.stringMatching(/^\d+\.\d+\.\d+$/)] })
  })
})

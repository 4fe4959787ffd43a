/**
 * Who sees what: every operation that reads, and every protocol of feed readers, for every kind of caller, of a public feed, one with a login, and one
 * with a secret in its address. An operation without a row here fails.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  ACTORS,
  type Actor,
  createPrivacyHarness,
  FEEDS,
  type FeedWord,
  type PrivacyHarness,
  SECRETS,
} from '../../test/privacy-harness.ts'
import { OPERATIONS } from '../api/index.ts'

/**
 * - list:      of what the caller may see; admins see all with scope=all
 * - dashboard: the same, and admins see all
 * - one:       one thing by its id, which answers 404 to callers who cannot see it
 * - personal:  of what the caller follows alone; not for a corpus token
 * - admin:     for admins alone
 * - figures:   shows no feed to anybody
 * - anyone:    the same, and asks nobody who they are
 */
type Kind = 'list' | 'dashboard' | 'one' | 'personal' | 'admin' | 'figures' | 'anyone'

interface Row {
  kind: Kind
  /** Once for each feed, where it names one. */
  path: (box: PrivacyHarness, word: FeedWord) => string
  /** What is there also says so by this, where it does not by the feed's word. */
  sign?: string
}

const api = (path: string) => () => `/api/v1/${path}`
const ofFeed = (path: (id: number) => string) => (box: PrivacyHarness, word: FeedWord) =>
  `/api/v1/${path(box.feeds[word])}`
const ofEntry = (path: (id: number) => string) => (box: PrivacyHarness, word: FeedWord) =>
  `/api/v1/${path(box.entries[word])}`

const ROWS: Record<string, Row> = {
  getStatus: { kind: 'dashboard', path: api('status') },
  getDiskUsage: { kind: 'figures', path: api('status/room') },
  listHosts: { kind: 'admin', path: api('hosts') },
  getStatistics: { kind: 'dashboard', path: api('statistics') },
  listFeeds: { kind: 'list', path: api('feeds') },
  getFeed: { kind: 'one', path: ofFeed((id) => `feeds/${id}`) },
  getRounds: { kind: 'one', path: ofFeed((id) => `feeds/${id}/rounds`), sign: '"strategy"' },
  listEntries: { kind: 'list', path: api('entries') },
  getEntry: { kind: 'one', path: ofEntry((id) => `entries/${id}`) },
  getArticle: { kind: 'one', path: ofEntry((id) => `entries/${id}/article`), sign: 'was not fetched' },
  getCopies: { kind: 'one', path: ofEntry((id) => `entries/${id}/copies`) },
  getGroupsOfEntry: { kind: 'one', path: ofEntry((id) => `entries/${id}/groups`), sign: '"moves"' },
  listGroups: { kind: 'list', path: api('groups'), sign: '"size"' },
  getGroup: { kind: 'list', path: (box) => `/api/v1/groups/${box.groupId}` },
  listSubscriptions: { kind: 'personal', path: api('subscriptions') },
  listWaitingSubscriptions: { kind: 'personal', path: api('subscriptions/waiting') },
  getReadState: { kind: 'figures', path: api('reading') },
  listSearches: { kind: 'figures', path: api('searches') },
  listFeedsOut: { kind: 'figures', path: api('feeds-out') },
  getSecretFeed: { kind: 'anyone', path: (box) => `/feeds/out/${box.feedsOut.other[0]}.rss` },
  listWebhooks: { kind: 'figures', path: api('webhooks') },
  listSources: { kind: 'dashboard', path: api('sources') },
  getSource: { kind: 'one', path: (box, word) => `/api/v1/sources/${box.sources[word]}` },
  listFolders: { kind: 'admin', path: api('folders') },
  getGoals: { kind: 'dashboard', path: api('goals') },
  getBudget: { kind: 'figures', path: api('budget') },
  listPolls: { kind: 'one', path: (box, word) => `/api/v1/polls?feed=${box.feeds[word]}`, sign: '"tookMs"' },
  getSession: { kind: 'anyone', path: api('session') },
  listUsers: { kind: 'admin', path: api('people') },
  listTokens: { kind: 'admin', path: (box) => `/api/v1/people/${box.people.follower}/tokens` },
  getFeedOut: { kind: 'list', path: () => '/feeds/all.atom' },
  openStream: { kind: 'list', path: api('stream?after=0') },
  exportFeeds: { kind: 'list', path: api('export/feeds') },
  exportEntries: { kind: 'list', path: api('export/entries') },
  exportArticles: { kind: 'figures', path: api('export/articles') },
  exportPolls: { kind: 'list', path: ofFeed((id) => `export/polls?feed=${id}`), sign: '"tookMs"' },
  exportHours: { kind: 'list', path: ofFeed((id) => `export/hours?feed=${id}`), sign: '"entries"' },
  getPicture: { kind: 'one', path: ofEntry((id) => `entries/${id}/picture`), sign: 'PNG' },
  getIcon: { kind: 'one', path: ofFeed((id) => `feeds/${id}/icon`), sign: 'PNG' },
  listHubs: { kind: 'admin', path: api('hubs') },
  listKnownHosts: { kind: 'admin', path: api('hosts/known') },
  getSite: { kind: 'one', path: (_, word) => `/api/v1/sites/${word}.example`, sign: '"feeds"' },
  getDelays: { kind: 'figures', path: api('statistics/delays') },
  getBacktest: { kind: 'admin', path: api('lab/backtest') },
  listSettings: { kind: 'admin', path: api('settings') },
  listFetchers: { kind: 'figures', path: api('terminals') },
  // Beside the operations, and other ways to ask for the same.
  feedsOpml: { kind: 'list', path: () => '/feeds.opml' },
  subscriptionsOpml: { kind: 'personal', path: () => '/subscriptions.opml' },
  search: { kind: 'list', path: api('entries?q=news&unique=none') },
  searchByFeed: { kind: 'list', path: (box, word) => `/api/v1/entries?q=feed:${box.feeds[word]}` },
  storiesOnce: { kind: 'list', path: api('entries?unique=none&sort=date') },
  feedByAddress: {
    kind: 'list',
    path: (_, word) => `/api/v1/feeds?address=https://${word}.example/feed`,
    sign: '"id"',
  },
}

/** Not in these lists: feeds are asked for by an address that not all of them have. */
const SKIPPED: Partial<Record<string, FeedWord[]>> = { feedByAddress: ['secretmark'] }

const READS = Object.entries(OPERATIONS).filter(([, { method }]) => method === 'get')

test('every operation that reads has a row', () => {
  expect(READS.map(([name]) => name).filter((name) => !(name in ROWS))).toEqual([])
})

/** Who sees which feed. */
function sees(actor: Actor, word: FeedWord, { kind }: Row, isShared: boolean): boolean {
  const isPublic = word === 'openmark'
  if (kind === 'figures' || kind === 'anyone') return false
  switch (actor) {
    case 'nobody':
      return false
    case 'follower':
      return kind !== 'admin'
    case 'corpus':
      return isPublic && kind !== 'personal' && kind !== 'admin'
    case 'admin':
      return kind === 'dashboard' || kind === 'one' || (isShared && isPublic && kind === 'list')
    default:
      return isShared && isPublic && kind !== 'personal' && kind !== 'admin'
  }
}

/** Sources say what somebody gave; only who gave it, and admins, see it. */
const GIVEN = ['getSource', 'listSources']
/** By the id of a group, admins ask for it. */
const BY_ID = ['getGroup']

for (const isShared of [false, true]) {
  describe(isShared ? 'with --shared-reading' : 'by default', () => {
    let box: PrivacyHarness
    beforeAll(async () => {
      box = await createPrivacyHarness({ sharedReading: isShared })
    })

    for (const [name, row] of Object.entries(ROWS)) {
      for (const actor of ACTORS) {
        test(`${name} for ${actor}`, async () => {
          for (const word of FEEDS) {
            if (SKIPPED[name]?.includes(word)) continue
            const { status, text } = await box.ask(actor, row.path(box, word))
            const where = `${name} for ${actor} of ${word}: ${status} ${text.slice(0, 300)}`
            const isGiven = GIVEN.includes(name) && actor !== 'follower' && actor !== 'admin'
            const isAsked = BY_ID.includes(name) && actor === 'admin'
            const isSeen = (sees(actor, word, row, isShared) && !isGiven) || isAsked
            // A group needs two members, and who sees one feed sees none.
            const isGroup = (name === 'listGroups' || name === 'getGroup') && actor !== 'follower' && !isAsked
            expect(text.includes(row.sign ?? word), where).toBe(isSeen && !isGroup && !isFigures(row))
            if (actor !== 'follower') for (const secret of SECRETS) expect(text, where).not.toContain(secret)
            expect(text, where).not.toContain('passw0rd')
            if (row.kind !== 'anyone' && actor === 'nobody') expect(status, where).toBe(401)
            if (row.kind === 'admin' && actor !== 'nobody') expect(status < 400, where).toBe(actor === 'admin')
            if (row.kind === 'personal' && actor === 'corpus') expect(status, where).toBe(403)
          }
        })
      }
    }

    test('scope=all is for admins, and shows no secret', async () => {
      for (const path of ['feeds', 'entries', 'groups', 'export/feeds', 'export/entries', 'stream?after=0']) {
        const asked = `/api/v1/${path}${path.includes('?') ? '&' : '?'}scope=all`
        const all = await box.ask('admin', asked)
        for (const word of path === 'groups' ? FEEDS.slice(0, 1) : FEEDS) expect(all.text, asked).toContain(word)
        for (const secret of SECRETS) expect(all.text, asked).not.toContain(secret)
        for (const actor of ['reader', 'other', 'corpus'] as const)
          for (const word of FEEDS.slice(1)) expect((await box.ask(actor, asked)).text, asked).not.toContain(word)
      }
      expect((await box.ask('admin', '/api/v1/feeds?scope=all')).text).toContain('"hasLogin":true')
      expect((await box.ask('follower', '/api/v1/feeds')).text).toContain('"hasLogin":true')
      expect((await box.ask('admin', '/feeds.opml?scope=all')).text).toContain('secretmark')
    })

    test('a search can be for what one follows', async () => {
      for (const path of ['entries?q=news&mine=true&unique=none', 'entries?q=news+is:mine&unique=none']) {
        const { text } = await box.ask('follower', `/api/v1/${path}`)
        for (const word of FEEDS) expect(text, path).toContain(word)
        for (const actor of ['reader', 'admin', 'corpus'] as const)
          for (const word of FEEDS) expect((await box.ask(actor, `/api/v1/${path}`)).text, path).not.toContain(word)
      }
      const { text } = await box.ask('follower', '/api/v1/entries?q=news+-is:mine&unique=none')
      expect(JSON.parse(text).entries).toEqual([])
      const unread = await box.ask('follower', '/api/v1/entries?q=news&unread=true&unique=none')
      expect(JSON.parse(unread.text).entries).toHaveLength(3)
    })

    test('groups are counted by the members in sight', async () => {
      const [whole] = JSON.parse((await box.ask('follower', '/api/v1/groups')).text).groups
      expect(whole).toMatchObject({ size: 3 })
      await box.store.follow(box.people.other, [{ feedId: box.feeds.openmark }, { feedId: box.feeds.secretmark }], 0, 9)
      const [part] = JSON.parse((await box.ask('other', '/api/v1/groups')).text).groups
      expect(part).toMatchObject({ size: 2 })
      const { text } = await box.ask('other', `/api/v1/entries/${box.entries.secretmark}/copies`)
      expect(text).toContain('openmark')
      expect(text).not.toContain('loginmark')
      const { members } = JSON.parse((await box.ask('other', `/api/v1/groups/${box.groupId}`)).text)
      expect(members).toHaveLength(2)
      await box.store.unfollow(
        box.people.other,
        FEEDS.map((word) => ({ feedId: box.feeds[word] })),
      )
    })

    test('a feed that somebody hands out has what they may see', async () => {
      for (const key of box.feedsOut.follower) {
        const { text } = await box.ask('nobody', `/feeds/out/${key}.rss`)
        for (const word of FEEDS) expect(text, key).toContain(word)
      }
      for (const [i, key] of box.feedsOut.other.entries()) {
        const { text } = await box.ask('nobody', `/feeds/out/${key}.rss`)
        expect(text.includes('openmark'), key).toBe(isShared && i > 0)
        for (const word of FEEDS.slice(1)) expect(text, key).not.toContain(word)
      }
    })

    test('titles and folders are told to nobody else', async () => {
      const own = { title: 'My divorce lawyer', folder: 'Secret/Divorce' }
      const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(own) }
      expect((await box.ask('follower', `/api/v1/feeds/${box.feeds.openmark}`, init)).status).toBe(200)
      const places = ['/api/v1/feeds', '/api/v1/export/feeds', '/feeds.opml', '/api/v1/entries', '/api/v1/statistics']
      for (const path of places) {
        expect((await box.ask('follower', path)).text, path).toContain('divorce lawyer')
        for (const actor of ACTORS)
          if (actor !== 'follower')
            expect((await box.ask(actor, `${path}?${actor === 'admin' ? 'scope=all' : ''}`)).text, path).not.toMatch(
              /divorce/i,
            )
      }
      expect((await box.ask('follower', '/api/v1/feeds?folder=Secret/Divorce')).text).toContain('openmark')
      expect((await box.ask('reader', '/api/v1/feeds?text=divorce')).text).not.toContain('openmark')
      const back = { ...init, body: JSON.stringify({ title: '', folder: 'Mine' }) }
      await box.ask('follower', `/api/v1/feeds/${box.feeds.openmark}`, back)
    })
  })
}

function isFigures({ kind }: Row): boolean {
  return kind === 'figures' || kind === 'anyone'
}

describe('feed readers', () => {
  let box: PrivacyHarness
  beforeAll(async () => {
    box = await createPrivacyHarness({ sharedReading: true })
    // What was starred without being seen, as by an earlier version, stays out of sight.
    await box.store.star(box.people.other, Object.values(box.entries), true, 0)
  })

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const READERS: [name: string, asked: (actor: Actor) => [path: string, init: RequestInit]][] = [
    ...['entries', 'entries?starred=true', 'feeds', 'feeds/counters', 'entries?search=news', 'export'].map(
      (path): (typeof READERS)[number] => [
        `Miniflux ${path}`,
        (actor) => [`/v1/${path}`, { headers: { 'x-auth-token': box.tokens[actor] ?? '' } }],
      ],
    ),
    ...['items', 'feeds', 'groups', `items&with_ids=1,2,3`].map((path): (typeof READERS)[number] => [
      `Fever ${path}`,
      (actor) => [`/fever/?api&${path}`, { method: 'POST', headers: form, body: `api_key=${box.feverKeys[actor]}` }],
    ]),
    ...[
      'stream/contents/user/-/state/com.google/reading-list',
      'stream/contents/user/-/state/com.google/starred',
      'subscription/list',
      'stream/contents/feed/1',
    ].map((path): (typeof READERS)[number] => [
      `Google Reader ${path}`,
      (actor) => [
        `/api/greader.php/reader/api/0/${path}?output=json`,
        { headers: { authorization: `GoogleLogin auth=${box.tokens[actor]}` } },
      ],
    ]),
  ]

  for (const index of Array.from({ length: 14 }, (_, i) => i)) {
    test(`show what a user follows: ${index}`, async () => {
      const [name, asked] = READERS[index]!
      for (const actor of ['nobody', 'reader', 'other', 'admin', 'corpus'] as const) {
        const [path, { headers, ...init }] = asked(actor)
        const response = await box.app.request(`http://localhost${path}`, { ...init, headers: headers as never })
        const text = await response.text()
        for (const word of FEEDS.slice(1)) expect(text, `${name} for ${actor}`).not.toContain(word)
        if (actor !== 'other') expect(text, `${name} for ${actor}`).not.toContain('openmark')
      }
    })
  }

  test('show a follower all of it', async () => {
    const [, asked] = READERS[0]!
    const [path, init] = asked('follower')
    const text = await (await box.app.request(`http://localhost${path}`, init)).text()
    for (const word of FEEDS) expect(text).toContain(word)
  })

  test('star only what a user may see', async () => {
    const ids = Object.values(box.entries).map((id) => ['id', String(id)] as [string, string])
    const body = new URLSearchParams([
      ...ids,
      ['mark', 'item'],
      ['as', 'saved'],
      ['api_key', box.feverKeys.admin ?? ''],
    ])
    for (const [, id] of ids) {
      body.set('id', id)
      await box.app.request('http://localhost/fever/?api', { method: 'POST', headers: form, body: body.toString() })
    }
    expect(await box.store.marksOf(box.people.admin, [box.entries.openmark, box.entries.secretmark])).toEqual([
      { starred: true },
      { starred: false },
    ])
  })
})

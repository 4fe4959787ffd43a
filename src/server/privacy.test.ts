/**
 * Visibility in every operation that reads and every protocol of feed readers, for every kind of caller, and for a public feed, one with a
 * login, and one with a secret in its address. Operations without a row here fail.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  ACTORS,
  type Actor,
  createPrivacyHarness,
  FEED_MARKERS,
  type FeedMarker,
  type PrivacyHarness,
  SECRETS,
} from '../../test/privacy-harness.ts'
import { OPERATIONS } from '../api/index.ts'

/**
 * - list:      visible feeds; admins see all feeds with scope=all
 * - dashboard: visible feeds; admins see all feeds
 * - one:       one object by its id; 404 for callers who cannot see it
 * - reading:   visible feeds; not for corpus tokens
 * - personal:  the caller's subscriptions; not for corpus tokens
 * - admin:     for admins only
 * - figures:   contains no feeds
 * - session:   contains no feeds, and is only for browser sessions
 * - anyone:    contains no feeds, and requires no login
 */
type Kind = 'list' | 'reading' | 'dashboard' | 'one' | 'personal' | 'admin' | 'figures' | 'session' | 'anyone'

interface Row {
  kind: Kind
  /** Corpus tokens are refused. */
  isUserData?: boolean
  /** Called for each feed. */
  path: (harness: PrivacyHarness, word: FeedMarker) => string
  /** Text that shows that the feed is visible, if it is not the feed's word. */
  sign?: string
}

const api = (path: string) => () => `/api/v1/${path}`
const ofFeed = (path: (id: number) => string) => (harness: PrivacyHarness, word: FeedMarker) =>
  `/api/v1/${path(harness.feeds[word])}`
const ofEntry = (path: (id: number) => string) => (harness: PrivacyHarness, word: FeedMarker) =>
  `/api/v1/${path(harness.entries[word])}`

const ROWS: Record<string, Row> = {
  getStatus: { kind: 'dashboard', path: api('status') },
  getDiskUsage: { kind: 'figures', path: api('status/disk-usage') },
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
  getGroup: { kind: 'list', path: (harness) => `/api/v1/groups/${harness.groupId}` },
  listSubscriptions: { kind: 'personal', path: api('subscriptions') },
  listPendingSubscriptions: { kind: 'personal', path: api('subscriptions/pending') },
  getSuggestions: { kind: 'figures', isUserData: true, path: api('suggestions') },
  getReadState: { kind: 'figures', isUserData: true, path: api('reading') },
  listPlayback: { kind: 'personal', path: api('playback?entries=true') },
  getChapters: { kind: 'one', path: ofEntry((id) => `entries/${id}/chapters`), sign: '"from"' },
  getRecording: {
    kind: 'one',
    path: (harness, word) => `/api/v1/entries/${harness.entries[word]}/recording?url=https://${word}.example/talk.mp3`,
    sign: 'neither audio nor video',
  },
  getForYou: { kind: 'personal', path: api('for-you'), sign: '"score"' },
  listInteractions: { kind: 'personal', path: api('for-you/interactions') },
  getLearned: { kind: 'personal', path: api('for-you/learned') },
  compareOwnRanking: { kind: 'figures', isUserData: true, path: api('for-you/comparison') },
  listRules: { kind: 'figures', isUserData: true, path: api('rules') },
  previewDigest: { kind: 'reading', path: api('notifications/digest/preview') },
  getNotifications: { kind: 'figures', isUserData: true, path: api('notifications') },
  listLabels: { kind: 'figures', isUserData: true, path: api('labels') },
  listSearches: { kind: 'figures', isUserData: true, path: api('searches') },
  listFeedsOut: { kind: 'figures', isUserData: true, path: api('feeds-out') },
  getSecretFeed: { kind: 'anyone', path: (harness) => `/feeds/out/${harness.feedsOut.other[0]}.rss` },
  listWebhooks: { kind: 'figures', isUserData: true, path: api('webhooks') },
  listDestinations: { kind: 'figures', isUserData: true, path: api('destinations') },
  listSends: { kind: 'personal', path: api('sends') },
  listSources: { kind: 'dashboard', path: api('sources') },
  getSource: { kind: 'one', path: (harness, word) => `/api/v1/sources/${harness.sources[word]}` },
  listFolders: { kind: 'admin', path: api('folders') },
  getGoals: { kind: 'dashboard', path: api('goals') },
  getBudget: { kind: 'figures', path: api('budget') },
  listPolls: { kind: 'one', path: (harness, word) => `/api/v1/polls?feed=${harness.feeds[word]}`, sign: '"tookMs"' },
  getSession: { kind: 'anyone', path: api('session') },
  listSessions: { kind: 'session', path: api('sessions') },
  getSignInWays: { kind: 'anyone', path: api('sign-in') },
  getAccount: { kind: 'session', path: api('account') },
  listUsers: { kind: 'admin', path: api('users') },
  listTokens: { kind: 'admin', path: (harness) => `/api/v1/users/${harness.users.follower}/tokens` },
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
  listFetchers: { kind: 'figures', path: api('fetchers') },
  // Paths without an operation, and other parameters.
  feedsOpml: { kind: 'list', path: () => '/feeds.opml' },
  subscriptionsWithDetails: { kind: 'personal', path: api('subscriptions?details=true') },
  subscriptionsOpml: { kind: 'personal', path: () => '/subscriptions.opml' },
  search: { kind: 'list', path: api('entries?q=news&unique=none') },
  searchTyping: { kind: 'list', path: api('entries?q=new&typing=true&unique=none') },
  searchByFeed: { kind: 'list', path: (harness, word) => `/api/v1/entries?q=feed:${harness.feeds[word]}` },
  storiesOnce: { kind: 'list', path: api('entries?unique=none&sort=date') },
  feedByAddress: {
    kind: 'list',
    path: (_, word) => `/api/v1/feeds?address=https://${word}.example/feed`,
    sign: '"id"',
  },
}

/** Feeds without the requested address. */
const SKIPPED: Partial<Record<string, FeedMarker[]>> = { feedByAddress: ['secretmark'] }

const READS = Object.entries(OPERATIONS).filter(([, { method }]) => method === 'get')

test('covers every operation that reads', () => {
  expect(READS.map(([name]) => name).filter((name) => !(name in ROWS))).toEqual([])
})

/** Whether the caller may see the feed. */
function sees(actor: Actor, word: FeedMarker, { kind }: Row, isShared: boolean): boolean {
  const isPublic = word === 'openmark'
  if (kind === 'figures' || kind === 'session' || kind === 'anyone') return false
  switch (actor) {
    case 'nobody':
      return false
    case 'follower':
      return kind !== 'admin'
    case 'corpus':
      return isPublic && kind !== 'personal' && kind !== 'reading' && kind !== 'admin'
    case 'admin':
      return kind === 'dashboard' || kind === 'one' || (isShared && isPublic && (kind === 'list' || kind === 'reading'))
    default:
      return isShared && isPublic && kind !== 'personal' && kind !== 'admin'
  }
}

/** Sources are visible only to the user who added them, and to admins. */
const GIVEN = ['getSource', 'listSources']
/** Admins see groups by their id. */
const BY_ID = ['getGroup']

for (const isShared of [false, true]) {
  describe(isShared ? 'with --shared-reading' : 'by default', () => {
    let harness: PrivacyHarness
    beforeAll(async () => {
      harness = await createPrivacyHarness({ sharedReading: isShared })
    })

    for (const [name, row] of Object.entries(ROWS)) {
      for (const actor of ACTORS) {
        test(`${name} for ${actor}`, async () => {
          for (const word of FEED_MARKERS) {
            if (SKIPPED[name]?.includes(word)) continue
            const { status, text } = await harness.ask(actor, row.path(harness, word))
            const where = `${name} for ${actor} of ${word}: ${status} ${text.slice(0, 300)}`
            const isGiven = GIVEN.includes(name) && actor !== 'follower' && actor !== 'admin'
            const isAsked = BY_ID.includes(name) && actor === 'admin'
            const isSeen = (sees(actor, word, row, isShared) && !isGiven) || isAsked
            // A group needs two visible members.
            const isGroup = (name === 'listGroups' || name === 'getGroup') && actor !== 'follower' && !isAsked
            const isFolded = name === 'previewDigest' && word !== 'openmark' // a story is there once
            expect(text.includes(row.sign ?? word), where).toBe(isSeen && !isGroup && !isFolded && !isFigures(row))
            if (actor !== 'follower') for (const secret of SECRETS) expect(text, where).not.toContain(secret)
            expect(text, where).not.toContain('passw0rd')
            if (row.kind !== 'anyone' && actor === 'nobody') expect(status, where).toBe(401)
            if (row.kind === 'admin' && actor !== 'nobody') expect(status < 400, where).toBe(actor === 'admin')
            if (row.isUserData && actor === 'corpus') expect(status, where).toBe(403)
            if (row.kind === 'session' && actor !== 'nobody') expect(status, where).toBe(403)
            if ((row.kind === 'personal' || row.kind === 'reading') && actor === 'corpus')
              expect(status, where).toBe(403)
          }
        })
      }
    }

    test('scope=all is for admins, and shows no secret', async () => {
      for (const path of ['feeds', 'entries', 'groups', 'export/feeds', 'export/entries', 'stream?after=0']) {
        const requestFor = `/api/v1/${path}${path.includes('?') ? '&' : '?'}scope=all`
        const all = await harness.ask('admin', requestFor)
        for (const word of path === 'groups' ? FEED_MARKERS.slice(0, 1) : FEED_MARKERS)
          expect(all.text, requestFor).toContain(word)
        for (const secret of SECRETS) expect(all.text, requestFor).not.toContain(secret)
        for (const actor of ['reader', 'other', 'corpus'] as const)
          for (const word of FEED_MARKERS.slice(1))
            expect((await harness.ask(actor, requestFor)).text, requestFor).not.toContain(word)
      }
      expect((await harness.ask('admin', '/api/v1/feeds?scope=all')).text).toContain('"hasLogin":true')
      expect((await harness.ask('follower', '/api/v1/feeds')).text).toContain('"hasLogin":true')
      expect((await harness.ask('admin', '/feeds.opml?scope=all')).text).toContain('secretmark')
    })

    test('a search can be limited to subscriptions', async () => {
      for (const path of ['entries?q=news&mine=true&unique=none', 'entries?q=news+is:mine&unique=none']) {
        const { text } = await harness.ask('follower', `/api/v1/${path}`)
        for (const word of FEED_MARKERS) expect(text, path).toContain(word)
        for (const actor of ['reader', 'admin', 'corpus'] as const)
          for (const word of FEED_MARKERS)
            expect((await harness.ask(actor, `/api/v1/${path}`)).text, path).not.toContain(word)
      }
      const { text } = await harness.ask('follower', '/api/v1/entries?q=news+-is:mine&unique=none')
      expect(JSON.parse(text).entries).toEqual([])
      const unread = await harness.ask('follower', '/api/v1/entries?q=news&unread=true&unique=none')
      expect(JSON.parse(unread.text).entries).toHaveLength(3)
    })

    test('groups are counted by their visible members', async () => {
      const [whole] = JSON.parse((await harness.ask('follower', '/api/v1/groups')).text).groups
      expect(whole).toMatchObject({ size: 3 })
      await harness.store.follow(
        harness.users.other,
        [{ feedId: harness.feeds.openmark }, { feedId: harness.feeds.secretmark }],
        0,
        9,
      )
      const [part] = JSON.parse((await harness.ask('other', '/api/v1/groups')).text).groups
      expect(part).toMatchObject({ size: 2 })
      const { text } = await harness.ask('other', `/api/v1/entries/${harness.entries.secretmark}/copies`)
      expect(text).toContain('openmark')
      expect(text).not.toContain('loginmark')
      const { members } = JSON.parse((await harness.ask('other', `/api/v1/groups/${harness.groupId}`)).text)
      expect(members).toHaveLength(2)
      await harness.store.unfollow(
        harness.users.other,
        FEED_MARKERS.map((word) => ({ feedId: harness.feeds[word] })),
      )
    })

    test('an outgoing feed contains what its user may see', async () => {
      for (const key of harness.feedsOut.follower) {
        const { text } = await harness.ask('nobody', `/feeds/out/${key}.rss`)
        for (const word of FEED_MARKERS) expect(text, key).toContain(word)
      }
      for (const [i, key] of harness.feedsOut.other.entries()) {
        const { text } = await harness.ask('nobody', `/feeds/out/${key}.rss`)
        expect(text.includes('openmark'), key).toBe(isShared && i > 0)
        for (const word of FEED_MARKERS.slice(1)) expect(text, key).not.toContain(word)
      }
    })

    test('titles and folders are not visible to other users', async () => {
      const ownSettings = { title: 'My divorce lawyer', folder: 'Secret/Divorce' }
      const init = {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ownSettings),
      }
      expect((await harness.ask('follower', `/api/v1/feeds/${harness.feeds.openmark}`, init)).status).toBe(200)
      const places = ['/api/v1/feeds', '/api/v1/export/feeds', '/feeds.opml', '/api/v1/entries', '/api/v1/statistics']
      for (const path of places) {
        expect((await harness.ask('follower', path)).text, path).toContain('divorce lawyer')
        for (const actor of ACTORS)
          if (actor !== 'follower')
            expect(
              (await harness.ask(actor, `${path}?${actor === 'admin' ? 'scope=all' : ''}`)).text,
              path,
            ).not.toMatch(/divorce/i)
      }
      expect((await harness.ask('follower', '/api/v1/feeds?folder=Secret/Divorce')).text).toContain('openmark')
      expect((await harness.ask('reader', '/api/v1/feeds?text=divorce')).text).not.toContain('openmark')
      const back = { ...init, body: JSON.stringify({ title: '', folder: 'Mine' }) }
      await harness.ask('follower', `/api/v1/feeds/${harness.feeds.openmark}`, back)
    })
  })
}

function isFigures({ kind }: Row): boolean {
  return kind === 'figures' || kind === 'anyone'
}

describe('feed readers', () => {
  let harness: PrivacyHarness
  beforeAll(async () => {
    harness = await createPrivacyHarness({ sharedReading: true })
    // Entries that an earlier version allowed to star without being visible stay hidden.
    await harness.store.starEntries(harness.users.other, Object.values(harness.entries), true, 0)
  })

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const READERS: [name: string, asked: (actor: Actor) => [path: string, init: RequestInit]][] = [
    ...[
      'entries',
      'entries?starred=true',
      'entries?order=title',
      'entries?after_entry_id=0&order=id',
      'entries/ids',
      'feeds',
      'feeds/counters',
      'entries?search=news',
      'entries?search=news&starred=true',
      'categories?counts=true',
      'export',
    ].map((path): (typeof READERS)[number] => [
      `Miniflux ${path}`,
      (actor) => [`/v1/${path}`, { headers: { 'x-auth-token': harness.tokens[actor] ?? '' } }],
    ]),
    ...['items', 'feeds', 'groups', `items&with_ids=1,2,3`].map((path): (typeof READERS)[number] => [
      `Fever ${path}`,
      (actor) => [
        `/fever/?api&${path}`,
        { method: 'POST', headers: form, body: `api_key=${harness.feverKeys[actor]}` },
      ],
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
        { headers: { authorization: `GoogleLogin auth=${harness.tokens[actor]}` } },
      ],
    ]),
  ]

  for (const index of Array.from({ length: 19 }, (_, i) => i)) {
    test(`show what a user follows: ${index}`, async () => {
      const [name, requestFor] = READERS[index]!
      for (const actor of ['nobody', 'reader', 'other', 'admin', 'corpus'] as const) {
        const [path, { headers, ...init }] = requestFor(actor)
        const response = await harness.app.request(`http://localhost${path}`, { ...init, headers: headers as never })
        const text = await response.text()
        for (const word of FEED_MARKERS.slice(1)) expect(text, `${name} for ${actor}`).not.toContain(word)
        if (actor !== 'other') expect(text, `${name} for ${actor}`).not.toContain('openmark')
      }
    })
  }

  test('show a follower all subscribed feeds', async () => {
    const [, requestFor] = READERS[0]!
    const [path, init] = requestFor('follower')
    const text = await (await harness.app.request(`http://localhost${path}`, init)).text()
    for (const word of FEED_MARKERS) expect(text).toContain(word)
  })

  test('star only what a user may see', async () => {
    const ids = Object.values(harness.entries).map((id) => ['id', String(id)] as [string, string])
    const body = new URLSearchParams([
      ...ids,
      ['mark', 'item'],
      ['as', 'saved'],
      ['api_key', harness.feverKeys.admin ?? ''],
    ])
    for (const [, id] of ids) {
      body.set('id', id)
      await harness.app.request('http://localhost/fever/?api', { method: 'POST', headers: form, body: body.toString() })
    }
    expect(
      await harness.store.entryStates(harness.users.admin, [harness.entries.openmark, harness.entries.secretmark]),
    ).toEqual([{ starred: true }, { starred: false }])
  })
})

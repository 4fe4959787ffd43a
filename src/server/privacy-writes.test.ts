/**
 * Authorization of every operation that writes, for every kind of caller. Shared settings of a feed are changed by admins or by its only
 * follower; a login stays with the user who entered it and with its address. Operations without a row here fail.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { ACTORS, type Actor, createPrivacyHarness, type PrivacyHarness } from '../../test/privacy-harness.ts'
import { OPERATIONS } from '../api/index.ts'

/**
 * - shared:   settings of a feed, for admins and its only follower
 * - seen:     actions on a feed or an entry, for every user who sees it and may write
 * - own:      the caller's own data
 * - admin:    for admins only
 * - session:  logging in and out
 */
type Kind = 'shared' | 'seen' | 'own' | 'admin' | 'session'

const KINDS: Record<string, Kind> = {
  addFeeds: 'own',
  editFeed: 'shared',
  previewExtraction: 'shared',
  removeFeed: 'shared',
  pollFeed: 'seen',
  fetchArticle: 'seen',
  regroupEntries: 'admin',
  addSubscriptions: 'own',
  importOpml: 'own',
  importReaderData: 'own',
  editSubscription: 'own',
  editSubscriptions: 'own',
  removeSubscriptions: 'own',
  removeSubscription: 'own',
  removePendingSubscription: 'own',
  setPlayback: 'seen',
  renameFolder: 'own',
  markEntries: 'own',
  markAllRead: 'own',
  undoMarks: 'own',
  reportInteractions: 'own',
  changeLearned: 'own',
  forgetLearned: 'own',
  labelEntries: 'own',
  renameLabel: 'own',
  removeLabel: 'own',
  addRule: 'own',
  replaceRules: 'own',
  editRule: 'own',
  removeRule: 'own',
  previewRule: 'own',
  applyRule: 'own',
  createPushKey: 'own',
  addPushDevice: 'own',
  removePushDevice: 'own',
  testNotifications: 'own',
  setSearchNotification: 'own',
  setDigest: 'own',
  removeDigest: 'own',
  setEmail: 'own',
  removeEmail: 'own',
  addSearch: 'own',
  editSearch: 'own',
  removeSearch: 'own',
  addFeedOut: 'own',
  editFeedOut: 'own',
  moveFeedOut: 'own',
  removeFeedOut: 'own',
  addWebhook: 'own',
  editWebhook: 'own',
  changeWebhookSecret: 'own',
  removeWebhook: 'own',
  addDestination: 'own',
  editDestination: 'own',
  removeDestination: 'own',
  testDestination: 'own',
  sendEntry: 'own',
  removeSend: 'own',
  removeSource: 'own',
  setFolderGoals: 'admin',
  setBudget: 'admin',
  logIn: 'session',
  logInProgram: 'session',
  logOut: 'session',
  changePassword: 'session',
  endSession: 'own',
  endOtherSessions: 'own',
  startOidc: 'session',
  finishOidc: 'session',
  endOidcSession: 'session',
  unlinkIdentity: 'own',
  startSecondFactor: 'own',
  confirmSecondFactor: 'own',
  removeSecondFactor: 'own',
  removeSecondFactorOf: 'admin',
  startPasskey: 'own',
  addPasskey: 'own',
  renamePasskey: 'own',
  removePasskey: 'own',
  startPasskeySignIn: 'session',
  signInWithPasskey: 'session',
  setUp: 'session',
  addUser: 'admin',
  editUser: 'admin',
  removeUser: 'admin',
  addToken: 'own',
  revokeToken: 'own',
  previewFeeds: 'own',
  startBacktest: 'admin',
  stopBacktest: 'admin',
  switchStrategy: 'admin',
}

const WRITES = Object.entries(OPERATIONS).filter(([, { method }]) => method !== 'get')
const BODIES: Record<string, object> = {
  setFolderGoals: { goalMs: 3_600_000 },
  setBudget: { pollsPerDay: 100 },
  addUser: { name: 'eve', password: 'a password of eve' },
  editUser: { scope: 'admin' },
  startBacktest: {},
  switchStrategy: { strategy: 'fix' },
}

let harness: PrivacyHarness
beforeEach(async () => {
  harness = await createPrivacyHarness()
})

const write = (actor: Actor, method: string, path: string, body?: object) =>
  harness.ask(actor, `/api/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

test('covers every operation that writes', () => {
  expect(WRITES.map(([name]) => name).filter((name) => !(name in KINDS))).toEqual([])
})

test('admin operations are rejected for all other callers', async () => {
  for (const [name, { method, path }] of WRITES) {
    if (KINDS[name] !== 'admin') continue
    const at = path.replace('/api/v1/', '').replace('{id}', String(harness.users.reader)).replace('{folder}', 'Mine')
    for (const actor of ACTORS) {
      if (actor === 'admin') continue
      const { status } = await write(actor, method.toUpperCase(), at, BODIES[name])
      expect(status, `${name} for ${actor}`).toBe(actor === 'nobody' ? 401 : 403)
    }
  }
})

describe('what followers of a feed share', () => {
  const CHANGES = [
    { state: 'paused' },
    { strategy: 'tide' },
    { subscribers: 1000 },
    { url: 'https://evil.example/feed' },
    { credentials: { user: 'eve', password: 'eve' } },
    { wants: { goalMs: 60_000 } },
    { articles: 'always' },
    { name: 'mine' },
    { category: 'science' },
    { titlePrefix: 'x' },
    { fetching: { userAgent: 'Reader/2' } },
    { fetching: { bridge: 'https://evil.example/?url={url}', acceptsInvalidCertificate: true } },
    { fetching: { headers: { 'x-key': 'k' }, cookies: 'a=1', proxy: 'http://evil.example:8080' } },
    { fetching: null },
  ]
  const STATUS: Record<Actor, number> = { nobody: 401, reader: 403, corpus: 403, other: 404, follower: 200, admin: 200 }

  test.each(CHANGES)('is changed by admins and by the only follower: %o', async (change) => {
    const path = `feeds/${harness.feeds.openmark}`
    for (const actor of ACTORS) {
      const { status, text } = await write(actor, 'PATCH', path, change)
      expect(status, `${actor}: ${text}`).toBe(STATUS[actor])
    }
    await harness.store.follow(harness.users.other, [{ feedId: harness.feeds.openmark }], 0, 9)
    for (const actor of ['other', 'follower'] as const) {
      const { status, text } = await write(actor, 'PATCH', path, change)
      expect(status, text).toBe(403)
      expect(text).toContain('other users follow feed')
    }
    expect((await write('admin', 'PATCH', path, change)).status).toBe(200)
  })

  test('extraction rules are previewed by users with permission to change the feed', async () => {
    const path = `feeds/${harness.feeds.openmark}/extraction-preview`
    const status = { ...STATUS, follower: 409, admin: 409 } // no page is stored
    for (const actor of ACTORS)
      expect((await write(actor, 'POST', path, { content: 'p' })).status, actor).toBe(status[actor])
    await harness.store.follow(harness.users.other, [{ feedId: harness.feeds.openmark }], 0, 9)
    for (const actor of ['other', 'follower'] as const)
      expect((await write(actor, 'POST', path, { content: 'p' })).status).toBe(403)
  })

  test('settings for fetching are shown without secrets, to users with permission to change them', async () => {
    const path = `feeds/${harness.feeds.openmark}`
    const fetching = {
      headers: { 'x-key': 'plainvalue' },
      cookies: 'plainvalue=1',
      proxy: 'http://proxy.example:3128',
      proxyLogin: 'ann:plainvalue',
      bridge: 'https://bridge.example/?token=plainvalue&url={url}',
      byAdmin: true as const,
    }
    await harness.store.changeFeed(harness.feeds.openmark, { fetching })
    for (const actor of ['follower', 'admin'] as const) {
      const { text } = await harness.ask(actor, `/api/v1/${path}`)
      expect(JSON.parse(text).fetching).toEqual({
        headers: ['x-key'],
        hasCookies: true,
        proxy: 'http://proxy.example:3128',
        hasProxyLogin: true,
        bridge: 'https://bridge.example/?token=***&url={url}',
      })
    }
    expect((await harness.ask('other', `/api/v1/${path}`)).status).toBe(404) // it is private now
    await harness.store.follow(harness.users.other, [{ feedId: harness.feeds.openmark }], 0, 9)
    for (const actor of ['other', 'follower'] as const)
      expect(JSON.parse((await harness.ask(actor, `/api/v1/${path}`)).text)).not.toHaveProperty('fetching')
    for (const actor of ACTORS)
      for (const at of [
        path,
        'feeds',
        'export/feeds',
        `polls?feed=${harness.feeds.openmark}`,
        'subscriptions?details=true',
      ])
        expect((await harness.ask(actor, `/api/v1/${at}`)).text, `${actor}: ${at}`).not.toContain('plainvalue')
  })

  test('is removed by admins and by the only follower', async () => {
    const path = `feeds/${harness.feeds.secretmark}`
    for (const actor of ['nobody', 'reader', 'corpus', 'other'] as const)
      expect((await write(actor, 'DELETE', path)).status, actor).toBe(STATUS[actor])
    await harness.store.follow(harness.users.other, [{ feedId: harness.feeds.secretmark }], 0, 9)
    for (const actor of ['other', 'follower'] as const) expect((await write(actor, 'DELETE', path)).status).toBe(403)
    await harness.store.unfollow(harness.users.other, [{ feedId: harness.feeds.secretmark }])
    expect((await write('follower', 'DELETE', path)).status).toBe(204)
    expect((await write('admin', 'DELETE', `feeds/${harness.feeds.loginmark}`)).status).toBe(204)
  })

  test('cannot be changed by users if freshet.toml lists the feed', async () => {
    await harness.store.changeFeed(harness.feeds.openmark, { listed: true })
    const path = `feeds/${harness.feeds.openmark}`
    const { status, text } = await write('follower', 'PATCH', path, { state: 'paused' })
    expect([status, text]).toEqual([403, expect.stringContaining('freshet.toml')])
    expect((await write('follower', 'DELETE', path)).status).toBe(403)
    expect((await write('other', 'PATCH', path, { state: 'paused' })).text).toContain('you do not follow')
    expect((await harness.ask('reader', '/api/v1/entries')).text).toContain('openmark')
    expect((await write('admin', 'PATCH', path, { state: 'paused' })).status).toBe(200)
  })

  test('can be polled by users who see the feed', async () => {
    const path = `feeds/${harness.feeds.loginmark}/poll`
    const polled = { nobody: 401, reader: 403, corpus: 403, other: 404, follower: 202, admin: 202 }
    for (const actor of ACTORS) expect((await write(actor, 'POST', path)).status, actor).toBe(polled[actor])
  })
})

describe('a login', () => {
  const edits = () => {
    const sentEdits: object[] = []
    harness.crawler.edit = async (_, edit) => sentEdits.push(edit) > 0
    return sentEdits
  }

  test('is removed when another user changes the address of the feed', async () => {
    const sentEdits = edits()
    const url = 'https://loginmark.example/other'
    const path = `feeds/${harness.feeds.loginmark}`
    expect((await write('admin', 'PATCH', path, { url })).status).toBe(200)
    expect((await write('follower', 'PATCH', path, { url })).status).toBe(200)
    expect((await write('admin', 'PATCH', path, { url, credentials: { user: 'a', password: 'b' } })).status).toBe(200)
    expect((await write('admin', 'PATCH', path, { url: 'https://loginmark.example/feed' })).status).toBe(200)
    expect(sentEdits).toEqual([
      { url, credentials: null },
      { url },
      { url, credentials: { user: 'a', password: 'b' } },
      { url: 'https://loginmark.example/feed' },
    ])
  })

  test('and secret headers and cookies are removed together, and stay for the same follower', async () => {
    const sentEdits = edits()
    const url = 'https://openmark.example/other'
    const path = `feeds/${harness.feeds.openmark}`
    const fetching = { headers: { 'x-key': 'k' }, cookies: 'a=1', userAgent: 'Reader/2' }
    await harness.store.changeFeed(harness.feeds.openmark, { fetching })
    await write('admin', 'PATCH', path, { url })
    await write('admin', 'PATCH', path, { url, fetching: { ignoresValidators: true } })
    await write('follower', 'PATCH', path, { url })
    await write('follower', 'PATCH', path, { url, fetching: { ignoresValidators: true } })
    await write('follower', 'PATCH', path, { url: 'https://evil.example/', fetching: { ignoresValidators: true } })
    expect(sentEdits).toEqual([
      { url, credentials: null, fetching: { userAgent: 'Reader/2' } },
      { url, credentials: null, fetching: { userAgent: 'Reader/2', ignoresValidators: true, byAdmin: true } },
      { url },
      { url, fetching: { ...fetching, ignoresValidators: true } },
      { url: 'https://evil.example/', fetching: { userAgent: 'Reader/2', ignoresValidators: true } },
    ])
  })

  test('is not accessible by the id of its feed', async () => {
    for (const actor of ['other', 'admin'] as const) {
      const ids = Object.values(harness.feeds)
      expect(JSON.parse((await write(actor, 'POST', 'subscriptions', { feeds: ids })).text).feeds).toEqual([])
      const starred = await write(actor, 'POST', 'reading/state', {
        entries: Object.values(harness.entries),
        as: 'starred',
      })
      expect(JSON.parse(starred.text).changed).toEqual([])
      const out = { name: 'x', of: { kind: 'feed', feed: harness.feeds.loginmark }, text: 'full' }
      expect((await write(actor, 'POST', 'feeds-out', out)).status).toBe(400)
    }
  })

  test('of another feed is not revealed by an address conflict', async () => {
    const [stored] = await harness.store.feedsById([harness.feeds.secretmark])
    harness.crawler.edit = async () => ({ by: stored!.feed })
    await harness.store.follow(harness.users.other, [{ feedId: harness.feeds.openmark }], 0, 9)
    await harness.store.unfollow(harness.users.follower, [{ feedId: harness.feeds.openmark }])
    const conflict = await write('other', 'PATCH', `feeds/${harness.feeds.openmark}`, { url: 'https://x.example/' })
    expect(conflict.status).toBe(409)
    expect(conflict.text).not.toContain('secretmark')
    const adminView = await write('admin', 'PATCH', `feeds/${harness.feeds.openmark}`, { url: 'https://x.example/' })
    expect(adminView.text).not.toContain('s3cretvalue')
  })
})

test('removing a source only ends the own subscription, except for admins', async () => {
  const { openmark, loginmark } = harness.sources
  await harness.store.follow(harness.users.other, [{ sourceId: openmark }], 0, 9)
  expect((await write('other', 'DELETE', `sources/${loginmark}`)).status).toBe(404)
  expect((await write('other', 'DELETE', `sources/${openmark}`)).status).toBe(204)
  expect(await harness.store.sourcesById([openmark])).toMatchObject([{ id: openmark }])
  expect(await harness.store.followerCounts([{ sourceId: openmark }])).toEqual([1])
  expect((await write('follower', 'DELETE', `sources/${openmark}`)).status).toBe(204)
  expect(await harness.store.sourcesById([openmark])).toEqual([undefined])
  expect((await write('admin', 'DELETE', `sources/${loginmark}`)).status).toBe(204)
  expect(await harness.store.sourcesById([loginmark])).toEqual([undefined])
})

test('a corpus token is created by admins, and can only read the crawl', async () => {
  const newToken = { name: 'data', scope: 'admin', for: 'corpus' }
  expect((await write('follower', 'POST', `users/${harness.users.follower}/tokens`, newToken)).status).toBe(403)
  const sentEdits = await write('admin', 'POST', `users/${harness.users.follower}/tokens`, newToken)
  expect(JSON.parse(sentEdits.text).token).toMatchObject({ scope: 'read', for: 'corpus' })
  for (const path of ['subscriptions', 'reading', 'searches', 'webhooks', 'entries?mine=true'])
    expect((await harness.ask('corpus', `/api/v1/${path}`)).status, path).toBeGreaterThanOrEqual(400)
  const { text } = await harness.ask('corpus', '/api/v1/entries')
  expect(text).not.toMatch(/"read"|"starred"/)
})

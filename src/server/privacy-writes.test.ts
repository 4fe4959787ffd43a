/**
 * Who changes what: every operation that writes, for every kind of caller. What the followers of a feed share is changed by admins, or by the only one
 * who follows it; a login stays with who gave it and with its address. An operation without a row here fails.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { ACTORS, type Actor, createPrivacyHarness, type PrivacyHarness } from '../../test/privacy-harness.ts'
import { OPERATIONS } from '../api/index.ts'

/**
 * - shared:   of a feed: for admins and its only follower
 * - seen:     of a feed, for every writer who sees it
 * - own:      of what the caller has
 * - admin:    for admins alone
 * - session:  logging in and out
 */
type Kind = 'shared' | 'seen' | 'own' | 'admin' | 'session'

const KINDS: Record<string, Kind> = {
  addFeeds: 'own',
  editFeed: 'shared',
  removeFeed: 'shared',
  pollFeed: 'seen',
  regroupEntries: 'admin',
  addSubscriptions: 'own',
  importOpml: 'own',
  editSubscription: 'own',
  removeSubscription: 'own',
  removeWaitingSubscription: 'own',
  renameFolder: 'own',
  markEntries: 'own',
  markAllRead: 'own',
  undoMarks: 'own',
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
  removeSource: 'own',
  setFolderGoals: 'admin',
  setBudget: 'admin',
  logIn: 'session',
  logInProgram: 'session',
  logOut: 'session',
  changePassword: 'session',
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
  editUser: { allows: 'admin' },
  startBacktest: {},
  switchStrategy: { strategy: 'fix' },
}

let box: PrivacyHarness
beforeEach(async () => {
  box = await createPrivacyHarness()
})

const write = (actor: Actor, method: string, path: string, body?: object) =>
  box.ask(actor, `/api/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

test('every operation that writes has a row', () => {
  expect(WRITES.map(([name]) => name).filter((name) => !(name in KINDS))).toEqual([])
})

test('what is for admins is refused to all others', async () => {
  for (const [name, { method, path }] of WRITES) {
    if (KINDS[name] !== 'admin') continue
    const at = path.replace('/api/v1/', '').replace('{id}', String(box.people.reader)).replace('{folder}', 'Mine')
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
  ]
  const STATUS: Record<Actor, number> = { nobody: 401, reader: 403, corpus: 403, other: 404, follower: 200, admin: 200 }

  test.each(CHANGES)('is changed by admins and by the only follower: %o', async (change) => {
    const path = `feeds/${box.feeds.openmark}`
    for (const actor of ACTORS) {
      const { status, text } = await write(actor, 'PATCH', path, change)
      expect(status, `${actor}: ${text}`).toBe(STATUS[actor])
    }
    await box.store.follow(box.people.other, [{ feedId: box.feeds.openmark }], 0, 9)
    for (const actor of ['other', 'follower'] as const) {
      const { status, text } = await write(actor, 'PATCH', path, change)
      expect(status, text).toBe(403)
      expect(text).toContain('others follow feed')
    }
    expect((await write('admin', 'PATCH', path, change)).status).toBe(200)
  })

  test('is removed by admins and by the only follower', async () => {
    const path = `feeds/${box.feeds.secretmark}`
    for (const actor of ['nobody', 'reader', 'corpus', 'other'] as const)
      expect((await write(actor, 'DELETE', path)).status, actor).toBe(STATUS[actor])
    await box.store.follow(box.people.other, [{ feedId: box.feeds.secretmark }], 0, 9)
    for (const actor of ['other', 'follower'] as const) expect((await write(actor, 'DELETE', path)).status).toBe(403)
    await box.store.unfollow(box.people.other, [{ feedId: box.feeds.secretmark }])
    expect((await write('follower', 'DELETE', path)).status).toBe(204)
    expect((await write('admin', 'DELETE', `feeds/${box.feeds.loginmark}`)).status).toBe(204)
  })

  test('is the operator’s where freshet.toml lists it', async () => {
    await box.store.changeFeed(box.feeds.openmark, { listed: true })
    const path = `feeds/${box.feeds.openmark}`
    const { status, text } = await write('follower', 'PATCH', path, { state: 'paused' })
    expect([status, text]).toEqual([403, expect.stringContaining('freshet.toml')])
    expect((await write('follower', 'DELETE', path)).status).toBe(403)
    expect((await write('other', 'PATCH', path, { state: 'paused' })).text).toContain('you do not follow')
    expect((await box.ask('reader', '/api/v1/entries')).text).toContain('openmark')
    expect((await write('admin', 'PATCH', path, { state: 'paused' })).status).toBe(200)
  })

  test('is polled by who sees it', async () => {
    const path = `feeds/${box.feeds.loginmark}/poll`
    const polled = { nobody: 401, reader: 403, corpus: 403, other: 404, follower: 202, admin: 202 }
    for (const actor of ACTORS) expect((await write(actor, 'POST', path)).status, actor).toBe(polled[actor])
  })
})

describe('a login', () => {
  const edits = () => {
    const made: object[] = []
    box.crawler.edit = async (_, edit) => made.push(edit) > 0
    return made
  }

  test('does not go along when somebody else gives the feed another address', async () => {
    const made = edits()
    const url = 'https://loginmark.example/other'
    const path = `feeds/${box.feeds.loginmark}`
    expect((await write('admin', 'PATCH', path, { url })).status).toBe(200)
    expect((await write('follower', 'PATCH', path, { url })).status).toBe(200)
    expect((await write('admin', 'PATCH', path, { url, credentials: { user: 'a', password: 'b' } })).status).toBe(200)
    expect((await write('admin', 'PATCH', path, { url: 'https://loginmark.example/feed' })).status).toBe(200)
    expect(made).toEqual([
      { url, credentials: null },
      { url },
      { url, credentials: { user: 'a', password: 'b' } },
      { url: 'https://loginmark.example/feed' },
    ])
  })

  test('is not reached by the id of its feed', async () => {
    for (const actor of ['other', 'admin'] as const) {
      const ids = Object.values(box.feeds)
      expect(JSON.parse((await write(actor, 'POST', 'subscriptions', { feeds: ids })).text).feeds).toEqual([])
      const starred = await write(actor, 'POST', 'reading/marks', {
        entries: Object.values(box.entries),
        as: 'starred',
      })
      expect(JSON.parse(starred.text).changed).toEqual([])
      const out = { name: 'x', of: { kind: 'feed', feed: box.feeds.loginmark }, text: 'full' }
      expect((await write(actor, 'POST', 'feeds-out', out)).status).toBe(400)
    }
  })

  test('of another feed is not told of where an address is taken', async () => {
    const [held] = await box.store.feedsById([box.feeds.secretmark])
    box.crawler.edit = async () => ({ by: held!.feed })
    await box.store.follow(box.people.other, [{ feedId: box.feeds.openmark }], 0, 9)
    await box.store.unfollow(box.people.follower, [{ feedId: box.feeds.openmark }])
    const taken = await write('other', 'PATCH', `feeds/${box.feeds.openmark}`, { url: 'https://x.example/' })
    expect(taken.status).toBe(409)
    expect(taken.text).not.toContain('secretmark')
    const seen = await write('admin', 'PATCH', `feeds/${box.feeds.openmark}`, { url: 'https://x.example/' })
    expect(seen.text).not.toContain('s3cretvalue')
  })
})

test('who removes a source only stops waiting for it, unless they are an admin', async () => {
  const { openmark, loginmark } = box.sources
  await box.store.follow(box.people.other, [{ sourceId: openmark }], 0, 9)
  expect((await write('other', 'DELETE', `sources/${loginmark}`)).status).toBe(404)
  expect((await write('other', 'DELETE', `sources/${openmark}`)).status).toBe(204)
  expect(await box.store.sourcesById([openmark])).toMatchObject([{ id: openmark }])
  expect(await box.store.readersOf([{ sourceId: openmark }])).toEqual([1])
  expect((await write('follower', 'DELETE', `sources/${openmark}`)).status).toBe(204)
  expect(await box.store.sourcesById([openmark])).toEqual([undefined])
  expect((await write('admin', 'DELETE', `sources/${loginmark}`)).status).toBe(204)
  expect(await box.store.sourcesById([loginmark])).toEqual([undefined])
})

test('a corpus token is granted by admins, and does nothing but read the crawl', async () => {
  const wanted = { name: 'data', allows: 'admin', for: 'corpus' }
  expect((await write('follower', 'POST', `people/${box.people.follower}/tokens`, wanted)).status).toBe(403)
  const made = await write('admin', 'POST', `people/${box.people.follower}/tokens`, wanted)
  expect(JSON.parse(made.text).token).toMatchObject({ allows: 'read', for: 'corpus' })
  for (const path of ['subscriptions', 'reading', 'searches', 'webhooks', 'entries?mine=true'])
    expect((await box.ask('corpus', `/api/v1/${path}`)).status, path).toBeGreaterThanOrEqual(400)
  const { text } = await box.ask('corpus', '/api/v1/entries')
  expect(text).not.toMatch(/"read"|"starred"/)
})

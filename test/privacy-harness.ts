/**
 * A server with several users and three feeds that one of them follows: a public feed, one with a login, and one with a secret address.
 * Every title, address and entry of a feed contains a word of its own, so a response discloses a feed exactly if it contains that word.
 */
import { createHash } from 'node:crypto'
import { queueSend } from '../src/destinations/index.ts'
import { address } from '../src/model/address.fixture.ts'
import type { EntryId, FeedId, GroupId, SavedSearchId, SourceId, UserId } from '../src/model/index.ts'
import { both, placed } from '../src/ports/group-samples.contract.ts'
import type { Net } from '../src/ports/index.ts'
import type { ServerParts } from '../src/server/index.ts'
import { createAccounts } from '../src/server/index.ts'
import { createServerFixture, NOW } from './server-fixture.ts'

export const FEED_MARKERS = ['openmark', 'loginmark', 'secretmark'] as const
export type FeedMarker = (typeof FEED_MARKERS)[number]
export const ACTORS = ['nobody', 'reader', 'other', 'follower', 'admin', 'corpus'] as const
export type Actor = (typeof ACTORS)[number]

/** Text that only followers may see. */
export const SECRETS = ['s3cretvalue', 'passw0rd']
const ADDRESSES: Record<FeedMarker, string> = {
  openmark: 'https://openmark.example/feed',
  loginmark: 'https://loginmark.example/feed',
  secretmark: 'https://secretmark.example/feed?auth=s3cretvalue',
}
const PASSWORD = 'correct horse battery'
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3)

const picturesOnly: Net = {
  get: async ({ url }) => ({
    ok: true,
    status: 200,
    url: address(url),
    redirects: [],
    headers: { 'content-type': 'image/png' },
    body: PNG,
    wireBytes: 0,
  }),
  post: () => Promise.reject(new Error('nothing is posted')),
  close: async () => {},
}

export async function createPrivacyHarness(changes: Partial<ServerParts> = {}) {
  const fixture = createServerFixture({ net: picturesOnly, proxyMedia: true, ...changes })
  const { store } = fixture
  const accounts = createAccounts({ users: store, clock: fixture.clock })
  const admin = (await accounts.add('admin', PASSWORD)).id
  const users: Record<Exclude<Actor, 'nobody' | 'corpus'>, UserId> = {
    admin,
    follower: (await accounts.add('follower', PASSWORD, 'write')).id,
    other: (await accounts.add('other', PASSWORD, 'write')).id,
    reader: (await accounts.add('reader', PASSWORD, 'read')).id,
  }
  const tokens: Partial<Record<Actor, string>> = {}
  const feverKeys: Partial<Record<Actor, string>> = {}
  for (const [name, id] of Object.entries(users) as [keyof typeof users, UserId][]) {
    tokens[name] = (await accounts.addToken(id, { name: 'test', scope: 'admin' })).secret
    const { secret } = await accounts.addToken(id, { name: 'fever', scope: 'write', for: 'fever' })
    feverKeys[name] = createHash('md5').update(`${name}:${secret}`).digest('hex')
  }
  tokens.corpus = (await accounts.addToken(users.other, { name: 'corpus', scope: 'read', for: 'corpus' })).secret

  const feeds = {} as Record<FeedMarker, FeedId>
  const sources = {} as Record<FeedMarker, SourceId>
  for (const [i, word] of FEED_MARKERS.entries()) {
    const agoMs = (i + 1) * 3_600_000
    const picture = { url: address(`https://${word}.example/picture.png`), kind: 'image' as const }
    const talk = { url: address(`https://${word}.example/talk.mp3`), kind: 'audio' as const }
    const entry = { key: word, title: `${word} news`, url: `https://${word}.example/1`, agoMs, media: [picture, talk] }
    feeds[word] = await fixture.addFeed({ url: ADDRESSES[word], title: `The ${word}`, entries: [entry] })
    await store.unfollow(admin, [{ feedId: feeds[word] }])
    const [source] = await store.addSources([
      { url: address(`https://${word}.example/`), root: `${word}.example`, addedAt: NOW, dueAt: NOW },
    ])
    sources[word] = source!.id
  }
  await store.changeFeed(feeds.loginmark, { credentials: { user: 'follower', password: 'passw0rd' } })
  const followed = FEED_MARKERS.map((word) => ({ feedId: feeds[word], folder: 'Mine' }))
  await store.follow(users.follower, followed, NOW, 30)
  const waiting = FEED_MARKERS.map((word) => ({ sourceId: sources[word] }))
  await store.follow(users.follower, waiting, NOW, 30)
  await store.changePollSettings({ folder: 'Mine', goals: { goalMs: 3_600_000 } })
  for (const word of FEED_MARKERS) await store.changeFeed(feeds[word], { wants: { goalMs: 3_600_000 } })
  await fixture.index()

  const entries = {} as Record<FeedMarker, EntryId>
  for (const { id, key } of await store.entries({ limit: 99 })) entries[key as FeedMarker] = id
  const positions = FEED_MARKERS.map((word) => ({ key: String(entries[word]), value: { positionSeconds: 7 } }))
  await store.putUserValues(users.follower, 'playback', positions, NOW)
  for (const word of FEED_MARKERS)
    await queueSend(store, { userId: users.follower, destinationId: 'links', entryId: entries[word], now: NOW })
  const [first, second, third] = FEED_MARKERS.map((word) => entries[word]) as [EntryId, EntryId, EntryId]
  await store.recordGroups([placed(first), placed(second, both(first)), placed(third, both(first))], [], NOW)
  const [group] = await store.groupsOfEntries([first], 'story')

  /** Outgoing feeds of all entries, a category and a search. */
  const feedsOut = {} as Record<'follower' | 'other', string[]>
  for (const who of ['follower', 'other'] as const) {
    const userId = users[who]
    const search = { userId, name: 'All', query: 'news', addedAt: NOW }
    const searchId = (await store.addSharedItem('search', search)) as SavedSearchId
    const kinds = [
      { kind: 'all' },
      { kind: 'category', category: 'uncategorized' },
      { kind: 'search', searchId },
    ] as const
    feedsOut[who] = []
    for (const [i, of] of kinds.entries()) {
      const key = `key-of-${who}-${i}`
      await store.addSharedItem('feedOut', { userId, name: 'Out', of, text: 'full', key, addedAt: NOW })
      feedsOut[who].push(key)
    }
  }

  const headersOf = (actor: Actor): Record<string, string> =>
    actor === 'nobody' ? {} : { authorization: `Bearer ${tokens[actor]}` }
  const ask = async (actor: Actor, path: string, init: RequestInit = {}) => {
    const headers = { ...headersOf(actor), ...(init.headers as Record<string, string>) }
    const response = await fixture.app.request(`http://localhost${path}`, { ...init, headers })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    return { status: response.status, text: isStream ? await beginningOf(response) : await response.text() }
  }
  const opened = JSON.stringify({ opened: Object.values(entries) })
  const headers = { 'content-type': 'application/json' }
  await ask('follower', '/api/v1/for-you/interactions', { method: 'POST', headers, body: opened })
  return {
    ...fixture,
    accounts,
    users,
    tokens,
    feverKeys,
    feeds,
    sources,
    entries,
    groupId: group!.id as GroupId,
    feedsOut,
    ask,
  }
}

export type PrivacyHarness = Awaited<ReturnType<typeof createPrivacyHarness>>

/** The first chunks of a stream. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body!.getReader()
  let text = ''
  for (let i = 0; i < 2; i++) {
    const next = await Promise.race([reader.read(), new Promise<void>((resolve) => setTimeout(resolve, 100))])
    if (!next || next.done) break
    text += new TextDecoder().decode(next.value)
  }
  await reader.cancel()
  return text
}

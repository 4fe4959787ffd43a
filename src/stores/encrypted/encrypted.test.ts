/** An encrypting store satisfies the store contract, and the store below it never holds a secret in plain text. */
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { FeedOutId, SavedSearchId, SourceId, UserId } from '../../model/index.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { newFeed } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createSecretCipher, isEncrypted } from './cipher.ts'
import { encryptExisting } from './encrypt-existing.ts'
import { withEncryption } from './index.ts'

const START = Date.UTC(2026, 0, 5)
const cipher = createSecretCipher(new Uint8Array(32).fill(7))
const otherCipher = createSecretCipher(new Uint8Array(32).fill(8))
const LOGIN = { user: 'ada', password: 's3cretw0rd' }

storeContract('memory, encrypted', async () => withEncryption(createMemoryStore(), cipher))

describe('createSecretCipher', () => {
  it('decrypts only for the same purpose and with the same key', () => {
    const ciphertext = cipher.encrypt('feed-login', 'pässword')
    expect(ciphertext).not.toContain('word')
    expect(cipher.decrypt('feed-login', ciphertext)).toBe('pässword')
    expect(cipher.decrypt('webhook-secret', ciphertext)).toBeUndefined()
    expect(otherCipher.decrypt('feed-login', ciphertext)).toBeUndefined()
  })

  it('rejects values that are modified, truncated or not ciphertexts', () => {
    const ciphertext = cipher.encrypt('feed-login', 'secret')
    const last = ciphertext.at(-1) === 'A' ? 'B' : 'A'
    for (const broken of [
      `${ciphertext.slice(0, -6)}${last}${ciphertext.slice(-5)}`,
      ciphertext.slice(0, 25),
      'sealed:1:',
      'plain',
    ])
      expect(cipher.decrypt('feed-login', broken)).toBeUndefined()
  })

  it('uses a new ciphertext each time, except for secrets that are looked up', () => {
    expect(cipher.encrypt('feed-login', 'x')).not.toBe(cipher.encrypt('feed-login', 'x'))
    expect(cipher.encrypt('feed-out-key', 'x')).toBe(cipher.encrypt('feed-out-key', 'x'))
  })
})

/** Writes one secret of each kind through `store`. */
async function secretsIn(store: ReturnType<typeof createMemoryStore>) {
  const { feed, schedule } = newFeed('private')
  const [{ id } = { id: 0 as never }] = await store.addFeeds([{ feed: { ...feed, credentials: LOGIN }, schedule }])
  const source = { url: address('https://site.example/'), root: 'site.example', addedAt: START, dueAt: START }
  await store.addSources([{ ...source, credentials: LOGIN }])
  const userId = (await store.addUser({ name: 'ada', scope: 'write', addedAt: START, password: 'x' })) as UserId
  const common = { userId, name: 'mine', addedAt: START }
  await store.addSharedItem('feedOut', { ...common, of: { kind: 'all' }, text: 'full', key: 'feed-out-key-in-plain' })
  const searchId = (await store.addSharedItem('search', { ...common, query: 'tide' })) as SavedSearchId
  const webhook = {
    ...common,
    url: 'https://a.example/',
    searchId,
    state: 'active' as const,
    dueAt: START,
    cursor: 0 as never,
  }
  await store.addSharedItem('webhook', { ...webhook, secret: 'webhook-secret-in-plain' })
  const hub = { hub: feed.url, topic: feed.url, state: 'active', dueAt: START, failures: 0, pushes: 0 } as const
  await store.recordHubSubscriptions([{ ...hub, token: 'token', feedId: id, secret: 'push-secret-in-plain' }])
  await store.putUserValues(userId, 'pushDevice', [{ key: 'd', value: { auth: 'device-secret-in-plain' } }], START)
  const secrets = JSON.stringify({ token: 'destination-token-in-plain' })
  await store.putUserValues(userId, 'destination', [{ key: 'd', value: { name: 'd', secrets } }], START)
  return { feedId: id, userId }
}

/** All secrets as `store` returns them. */
async function secretsOf(store: ReturnType<typeof createMemoryStore>, userId: UserId): Promise<string[]> {
  const feeds = await store.feeds({ order: 'id', limit: 9 })
  const sources = await store.sourcesById([1 as SourceId])
  return [
    ...feeds.map(({ feed }) => feed.credentials?.password ?? ''),
    ...sources.map((source) => source?.credentials?.password ?? ''),
    ...(await store.sharedItems('feedOut', userId)).map(({ key }) => key),
    ...(await store.sharedItems('webhook', userId)).map(({ secret }) => secret),
    ...(await store.hubSubscriptionsOf(feeds.map(({ feed }) => feed.id))).map((push) => push?.secret ?? ''),
    ...(await store.userValues(userId, 'destination', { limit: 9 })).map(({ value }) =>
      String((value as { secrets: unknown }).secrets),
    ),
    ...(await store.userValues(userId, 'pushDevice', { limit: 9 })).map(({ value }) => {
      const { auth, sealed } = value as { auth?: string; sealed?: string }
      return auth ?? sealed ?? ''
    }),
  ]
}

const PLAIN = [
  LOGIN.password,
  LOGIN.password,
  'feed-out-key-in-plain',
  'webhook-secret-in-plain',
  'push-secret-in-plain',
  '{"token":"destination-token-in-plain"}',
  'device-secret-in-plain',
]

const SETTINGS = {
  userAgent: 'Reader/2',
  headers: { 'x-key': 'k' },
  cookies: 'a=1',
  proxy: 'http://proxy.example',
  proxyLogin: 'ann:s',
}

describe('withEncryption', () => {
  it('stores secrets encrypted and returns them in plain text', async () => {
    const inner = createMemoryStore()
    const outer = withEncryption(inner, cipher)
    const { userId } = await secretsIn(outer)
    expect((await secretsOf(inner, userId)).map(isEncrypted)).toEqual(PLAIN.map(() => true))
    expect(JSON.stringify(await inner.feeds({ order: 'id', limit: 9 }))).not.toContain('ada')
    expect(await secretsOf(outer, userId)).toEqual(PLAIN)
    const push = { secret: 'push-secret-in-plain' }
    expect(await outer.hubSubscriptionByToken('token')).toMatchObject(push)
    expect(await outer.dueHubSubscriptions(START * 2, 9)).toMatchObject([push])
    for await (const { value } of outer.everyUserValue('destination'))
      expect(value).toEqual({ name: 'd', secrets: PLAIN.at(-2) })
    for await (const subscription of outer.everyHubSubscription()) expect(subscription).toMatchObject(push)
    expect((await outer.leaseDue(START * 2, 9, START * 3)).feeds[0]?.feed.credentials).toEqual(LOGIN)
    expect(await outer.feedOutByKey('feed-out-key-in-plain', START)).toMatchObject({ key: 'feed-out-key-in-plain' })
  })

  it('encrypts a password that looks like a ciphertext and never decrypts it as one', async () => {
    const inner = createMemoryStore()
    const outer = withEncryption(inner, cipher)
    const { feedId } = await secretsIn(outer)
    const [victim] = await inner.feedsById([feedId])
    const stolen = { user: '', password: victim!.feed.credentials!.password }
    const broken = { user: 'eve', password: 'sealed:1:nonsense' }
    const added = ['stolen', 'broken'].map((name) => newFeed(name))
    const credentials = [stolen, broken]
    const ids = (
      await outer.addFeeds(
        added.map(({ feed, schedule }, i) => ({ feed: { ...feed, credentials: credentials[i]! }, schedule })),
      )
    ).map(({ id }) => id)
    expect((await outer.feedsById(ids)).map((stored) => stored?.feed.credentials)).toEqual(credentials)
    await outer.changeFeed(ids[0]!, { credentials: broken })
    expect((await outer.leaseDue(START * 2, 9, START * 3)).feeds.map(({ feed }) => feed.credentials)).toContainEqual(
      broken,
    )
  })

  it('encrypts each secret of fetch settings, and nothing else', async () => {
    const inner = createMemoryStore()
    const outer = withEncryption(inner, cipher)
    const { feedId } = await secretsIn(outer)
    await outer.changeFeed(feedId, { fetching: SETTINGS })
    const [stored] = await inner.feedsById([feedId])
    const { headers, cookies, proxyLogin, ...plain } = stored!.feed.fetching!
    expect([headers!['x-key'], cookies, proxyLogin].map((secret) => isEncrypted(secret!))).toEqual([true, true, true])
    expect(plain).toEqual({ userAgent: 'Reader/2', proxy: 'http://proxy.example' })
    expect((await outer.feedsById([feedId]))[0]!.feed).toMatchObject({ fetching: SETTINGS, credentials: LOGIN })
    expect((await withEncryption(inner, undefined).feedsById([feedId]))[0]!.feed.fetching).toMatchObject({ cookies })
  })

  it('rejects a stored ciphertext as the key of an outgoing feed', async () => {
    const inner = createMemoryStore()
    const outer = withEncryption(inner, cipher)
    const { userId } = await secretsIn(outer)
    const [stolen] = await inner.sharedItems('feedOut', userId)
    expect(await outer.feedOutByKey(stolen!.key, START)).toBeUndefined()
  })

  it('returns ciphertexts unchanged without a key', async () => {
    const inner = createMemoryStore()
    await secretsIn(withEncryption(inner, cipher))
    const [stored] = await withEncryption(inner, undefined).feeds({ order: 'id', limit: 1 })
    expect(isEncrypted(stored!.feed.credentials!.password)).toBe(true)
  })
})

describe('encryptExisting', () => {
  it('encrypts plain text secrets once and keeps them readable', async () => {
    const inner = createMemoryStore()
    const { userId } = await secretsIn(inner)
    expect(await encryptExisting(inner, cipher)).toEqual({ encrypted: PLAIN.length, dropped: 0 })
    expect((await secretsOf(inner, userId)).every(isEncrypted)).toBe(true)
    expect(await secretsOf(withEncryption(inner, cipher), userId)).toEqual(PLAIN)
    expect(await encryptExisting(inner, cipher)).toEqual({ encrypted: 0, dropped: 0 })
  })

  it('encrypts settings that are in plain text, also in part, and drops those of another key', async () => {
    const inner = createMemoryStore()
    const { feedId } = await secretsIn(inner)
    const half = { ...SETTINGS, cookies: cipher.encrypt('fetch-setting', SETTINGS.cookies) }
    await inner.changeFeed(feedId, { fetching: half })
    await encryptExisting(inner, cipher)
    expect((await withEncryption(inner, cipher).feedsById([feedId]))[0]!.feed.fetching).toEqual(SETTINGS)
    await expect(encryptExisting(inner, otherCipher)).rejects.toThrow('encrypted with another key')
    await encryptExisting(inner, otherCipher, true)
    const remaining = { userAgent: 'Reader/2', proxy: 'http://proxy.example' }
    expect((await inner.feedsById([feedId]))[0]!.feed.fetching).toEqual(remaining)
  })

  it('rejects secrets of another key, and drops them only on request', async () => {
    const inner = createMemoryStore()
    const { userId, feedId } = await secretsIn(withEncryption(inner, otherCipher))
    await expect(encryptExisting(inner, cipher)).rejects.toThrow('encrypted with another key')
    expect(await encryptExisting(inner, cipher, true)).toEqual({ encrypted: 0, dropped: PLAIN.length })
    const outer = withEncryption(inner, cipher)
    expect((await outer.feedsById([feedId]))[0]!.feed.credentials).toBeUndefined()
    expect(await outer.sharedItems('feedOut', userId)).toMatchObject([
      { id: 1 as FeedOutId, key: expect.not.stringContaining('plain') },
    ])
    expect(await outer.sharedItems('webhook', userId)).toMatchObject([{ state: 'paused' }])
    expect((await outer.userValues(userId, 'destination', { limit: 9 }))[0]!.value).toEqual({ name: 'd', secrets: '' })
  })
})

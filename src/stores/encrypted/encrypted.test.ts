/** A store with encryption keeps the promises of every store, and the one below it never has a secret in plain text. */
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { FeedOutId, PersonId, SavedSearchId, SourceId } from '../../model/index.ts'
import { storeContract } from '../../ports/store.contract.ts'
import { newFeed } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createSecretCipher, isSealed } from './cipher.ts'
import { encryptExisting } from './encrypt-existing.ts'
import { withEncryption } from './index.ts'

const START = Date.UTC(2026, 0, 5)
const cipher = createSecretCipher(new Uint8Array(32).fill(7))
const otherCipher = createSecretCipher(new Uint8Array(32).fill(8))
const LOGIN = { user: 'ada', password: 's3cretw0rd' }

storeContract('memory, encrypted', async () => withEncryption(createMemoryStore(), cipher))

describe('a cipher', () => {
  it('opens what it sealed, for the same purpose alone', () => {
    const sealed = cipher.seal('feed-login', 'pässword')
    expect(sealed).not.toContain('word')
    expect(cipher.open('feed-login', sealed)).toBe('pässword')
    expect(cipher.open('webhook-secret', sealed)).toBeUndefined()
    expect(otherCipher.open('feed-login', sealed)).toBeUndefined()
  })

  it('refuses what was changed, cut, or is no ciphertext', () => {
    const sealed = cipher.seal('feed-login', 'secret')
    const last = sealed.at(-1) === 'A' ? 'B' : 'A'
    for (const broken of [
      `${sealed.slice(0, -6)}${last}${sealed.slice(-5)}`,
      sealed.slice(0, 25),
      'sealed:1:',
      'plain',
    ])
      expect(cipher.open('feed-login', broken)).toBeUndefined()
  })

  it('gives the same secret another ciphertext each time, unless it is looked up', () => {
    expect(cipher.seal('feed-login', 'x')).not.toBe(cipher.seal('feed-login', 'x'))
    expect(cipher.seal('feed-out-key', 'x')).toBe(cipher.seal('feed-out-key', 'x'))
  })
})

/** A store with one secret of each kind, written through `store`. */
async function secretsIn(store: ReturnType<typeof createMemoryStore>) {
  const { feed, schedule } = newFeed('private')
  const [{ id } = { id: 0 as never }] = await store.addFeeds([{ feed: { ...feed, credentials: LOGIN }, schedule }])
  const source = { url: address('https://site.example/'), root: 'site.example', addedAt: START, dueAt: START }
  await store.addSources([{ ...source, credentials: LOGIN }])
  const personId = (await store.addPerson({ name: 'ada', allows: 'write', addedAt: START, password: 'x' })) as PersonId
  const own = { personId, name: 'mine', addedAt: START }
  await store.addFeedOut({ ...own, of: { kind: 'river' }, text: 'full', key: 'feed-out-key-in-plain' })
  const searchId = (await store.addSavedSearch({ ...own, query: 'tide' })) as SavedSearchId
  const webhook = {
    ...own,
    url: 'https://a.example/',
    searchId,
    state: 'active' as const,
    dueAt: START,
    cursor: 0 as never,
  }
  await store.addWebhook({ ...webhook, secret: 'webhook-secret-in-plain' })
  const hub = { hub: feed.url, topic: feed.url, state: 'active', dueAt: START, failures: 0, pushes: 0 } as const
  await store.recordPushes([{ ...hub, token: 'token', feedId: id, secret: 'push-secret-in-plain' }])
  return { feedId: id, personId }
}

/** All secrets as this store tells them. */
async function secretsOf(store: ReturnType<typeof createMemoryStore>, personId: PersonId): Promise<string[]> {
  const feeds = await store.feeds({ order: 'id', limit: 9 })
  const sources = await store.sourcesById([1 as SourceId])
  return [
    ...feeds.map(({ feed }) => feed.credentials?.password ?? ''),
    ...sources.map((source) => source?.credentials?.password ?? ''),
    ...(await store.feedsOut(personId)).map(({ key }) => key),
    ...(await store.webhooks(personId)).map(({ secret }) => secret),
    ...(await store.pushesOf(feeds.map(({ feed }) => feed.id))).map((push) => push?.secret ?? ''),
  ]
}

const PLAIN = [
  LOGIN.password,
  LOGIN.password,
  'feed-out-key-in-plain',
  'webhook-secret-in-plain',
  'push-secret-in-plain',
]

describe('an encrypted store', () => {
  it('has no secret in plain text below, and all of them above', async () => {
    const below = createMemoryStore()
    const above = withEncryption(below, cipher)
    const { personId } = await secretsIn(above)
    expect((await secretsOf(below, personId)).map(isSealed)).toEqual([true, true, true, true, true])
    expect(JSON.stringify(await below.feeds({ order: 'id', limit: 9 }))).not.toContain('ada')
    expect(await secretsOf(above, personId)).toEqual(PLAIN)
    const push = { secret: 'push-secret-in-plain' }
    expect(await above.pushByToken('token')).toMatchObject(push)
    expect(await above.duePushes(START * 2, 9)).toMatchObject([push])
    for await (const one of above.everyPush()) expect(one).toMatchObject(push)
    expect((await above.takeDue(START * 2, 9, START * 3)).feeds[0]?.feed.credentials).toEqual(LOGIN)
    expect(await above.feedOutWith('feed-out-key-in-plain', START)).toMatchObject({ key: 'feed-out-key-in-plain' })
  })

  it('encrypts a password that looks like a ciphertext, and never opens it as one', async () => {
    const below = createMemoryStore()
    const above = withEncryption(below, cipher)
    const { feedId } = await secretsIn(above)
    const [victim] = await below.feedsById([feedId])
    const stolen = { user: '', password: victim!.feed.credentials!.password }
    const broken = { user: 'eve', password: 'sealed:1:nonsense' }
    const added = ['stolen', 'broken'].map((name) => newFeed(name))
    const sent = [stolen, broken]
    const ids = (
      await above.addFeeds(
        added.map(({ feed, schedule }, i) => ({ feed: { ...feed, credentials: sent[i]! }, schedule })),
      )
    ).map(({ id }) => id)
    expect((await above.feedsById(ids)).map((held) => held?.feed.credentials)).toEqual(sent)
    await above.changeFeed(ids[0]!, { credentials: broken })
    expect((await above.takeDue(START * 2, 9, START * 3)).feeds.map(({ feed }) => feed.credentials)).toContainEqual(
      broken,
    )
  })

  it('does not take what lies in the store for a key', async () => {
    const below = createMemoryStore()
    const above = withEncryption(below, cipher)
    const { personId } = await secretsIn(above)
    const [stolen] = await below.feedsOut(personId)
    expect(await above.feedOutWith(stolen!.key, START)).toBeUndefined()
  })

  it('leaves what is sealed as it is without a key', async () => {
    const below = createMemoryStore()
    await secretsIn(withEncryption(below, cipher))
    const [held] = await withEncryption(below, undefined).feeds({ order: 'id', limit: 1 })
    expect(isSealed(held!.feed.credentials!.password)).toBe(true)
  })
})

describe('secrets that were stored in plain text', () => {
  it('are encrypted once, and read as before', async () => {
    const below = createMemoryStore()
    const { personId } = await secretsIn(below)
    expect(await encryptExisting(below, cipher)).toEqual({ encrypted: 5, forgotten: 0 })
    expect((await secretsOf(below, personId)).every(isSealed)).toBe(true)
    expect(await secretsOf(withEncryption(below, cipher), personId)).toEqual(PLAIN)
    expect(await encryptExisting(below, cipher)).toEqual({ encrypted: 0, forgotten: 0 })
  })

  it('of another key are refused, and dropped only on request', async () => {
    const below = createMemoryStore()
    const { personId, feedId } = await secretsIn(withEncryption(below, otherCipher))
    await expect(encryptExisting(below, cipher)).rejects.toThrow('encrypted with another key')
    expect(await encryptExisting(below, cipher, true)).toEqual({ encrypted: 0, forgotten: 5 })
    const above = withEncryption(below, cipher)
    expect((await above.feedsById([feedId]))[0]!.feed.credentials).toBeUndefined()
    expect(await above.feedsOut(personId)).toMatchObject([
      { id: 1 as FeedOutId, key: expect.not.stringContaining('plain') },
    ])
    expect(await above.webhooks(personId)).toMatchObject([{ state: 'paused' }])
  })
})

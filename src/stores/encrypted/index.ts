/**
 * A store whose secrets are encrypted at rest: logins of feeds and sources, secrets of webhooks and of subscriptions at hubs, and keys
 * of feeds out. They are sealed on their way in and opened on their way out, so neither the store below nor anybody above knows of it.
 *
 * Without a key what is sealed stays sealed: a command that may read the store but not the key sees that a feed has a login, and
 * not which.
 */
import { randomBytes } from 'node:crypto'
import type { Credentials, FeedOut, Push, Source, Webhook } from '../../model/index.ts'
import { type FeedChange, type NewFeed, type Store, StoreError, type Taken } from '../../ports/index.ts'
import { isSealed, type SecretCipher } from './cipher.ts'

export function withEncryption(store: Store, cipher: SecretCipher | undefined): Store {
  const logins = loginSeals(cipher)
  const { sealFeed, openFeed, openSource } = logins
  const openTaken = ({ feeds, sources }: Taken): Taken => ({
    feeds: feeds.map(openFeed),
    sources: sources.map(openSource),
  })
  const openKnown =
    <Thing>(open: (one: Thing) => Thing) =>
    (one: Thing | undefined) =>
      one === undefined ? one : open(one)

  return {
    ...store,
    ...encryptedHandouts(store, cipher),
    ...encryptedPushes(store, cipher),

    addFeeds: async (feeds) => store.addFeeds(feeds.map(sealFeed)),
    addSources: async (sources) => store.addSources(sources.map(logins.seal)),
    changeFeed: async (id, change, schedule) => store.changeFeed(id, logins.seal(change), schedule),
    recordPolls: async (records) =>
      store.recordPolls(records.map((one) => (one.feed ? { ...one, feed: logins.seal<FeedChange>(one.feed) } : one))),
    sourceFound: async (id, feed, record, others) => store.sourceFound(id, sealFeed(feed), record, others),

    takeDue: async (...asked) => openTaken(await store.takeDue(...asked)),
    takeThese: async (...asked) => openTaken(await store.takeThese(...asked)),
    feeds: async (query) => (await store.feeds(query)).map(openFeed),
    feedsById: async (ids) => (await store.feedsById(ids)).map(openKnown(openFeed)),
    sources: async (query) => (await store.sources(query)).map(openSource),
    sourcesById: async (ids) => (await store.sourcesById(ids)).map(openKnown(openSource)),
    async *everyFeed() {
      for await (const held of store.everyFeed()) yield openFeed(held)
    },
  }
}

interface HasLogin {
  credentials?: Credentials | null
}

/** Encrypts user name and password together; the ciphertext is stored as the password. */
function loginSeals(cipher: SecretCipher | undefined) {
  // Whatever it looks like: a client may send the ciphertext of somebody else's login, or one that cannot be opened.
  const seal = <Thing extends HasLogin>(thing: Thing): Thing => {
    const { credentials } = thing
    if (!cipher || !credentials) return thing
    return { ...thing, credentials: { user: '', password: cipher.seal('feed-login', JSON.stringify(credentials)) } }
  }
  const open = <Thing extends { credentials?: Credentials }>(thing: Thing): Thing => {
    const { credentials } = thing
    if (!cipher || !credentials || !isSealed(credentials.password)) return thing
    return { ...thing, credentials: JSON.parse(opened(cipher, 'feed-login', credentials.password)) as Credentials }
  }
  return {
    seal,
    sealFeed: (added: NewFeed): NewFeed => (added.feed.credentials ? { ...added, feed: seal(added.feed) } : added),
    openFeed: <Held extends { feed: { credentials?: Credentials } }>(held: Held): Held =>
      held.feed.credentials ? { ...held, feed: open(held.feed) } : held,
    openSource: <Held extends Source>(source: Held): Held => open(source),
  }
}

type EncryptedHandouts = Pick<
  Store,
  | 'addFeedOut'
  | 'changeFeedOut'
  | 'feedsOut'
  | 'feedOutWith'
  | 'addWebhook'
  | 'changeWebhook'
  | 'webhooks'
  | 'dueWebhooks'
>

function encryptedHandouts(store: Store, cipher: SecretCipher | undefined): Partial<EncryptedHandouts> {
  if (!cipher) return {}
  const sealKey = (key: string) => cipher.seal('feed-out-key', key)
  const sealSecret = (secret: string) => cipher.seal('webhook-secret', secret)
  const openFeedOut = (feedOut: FeedOut): FeedOut =>
    isSealed(feedOut.key) ? { ...feedOut, key: opened(cipher, 'feed-out-key', feedOut.key) } : feedOut
  const openWebhook = (webhook: Webhook): Webhook =>
    isSealed(webhook.secret) ? { ...webhook, secret: opened(cipher, 'webhook-secret', webhook.secret) } : webhook

  return {
    addFeedOut: (given) => store.addFeedOut({ ...given, key: sealKey(given.key) }),
    changeFeedOut: (personId, id, change) =>
      store.changeFeedOut(personId, id, { ...change, ...(change.key !== undefined && { key: sealKey(change.key) }) }),
    feedsOut: async (personId) => (await store.feedsOut(personId)).map(openFeedOut),
    async feedOutWith(key, now) {
      if (isSealed(key)) return undefined // what lies in the store is no key
      const found = await store.feedOutWith(sealKey(key), now)
      return found && { ...found, key }
    },
    addWebhook: (given) => store.addWebhook({ ...given, secret: sealSecret(given.secret) }),
    changeWebhook: (personId, id, change) =>
      store.changeWebhook(personId, id, {
        ...change,
        ...(change.secret !== undefined && { secret: sealSecret(change.secret) }),
      }),
    webhooks: async (personId) => (await store.webhooks(personId)).map(openWebhook),
    dueWebhooks: async (now, limit) => (await store.dueWebhooks(now, limit)).map(openWebhook),
  }
}

type EncryptedPushes = Pick<Store, 'recordPushes' | 'pushByToken' | 'pushesOf' | 'duePushes' | 'everyPush'>

function encryptedPushes(store: Store, cipher: SecretCipher | undefined): Partial<EncryptedPushes> {
  if (!cipher) return {}
  const seal = (push: Push): Push => ({ ...push, secret: cipher.seal('push-secret', push.secret) })
  // One that cannot be opened verifies nothing: whoever lost the key can still end the subscription.
  const open = (push: Push): Push => {
    if (!isSealed(push.secret)) return push
    return { ...push, secret: cipher.open('push-secret', push.secret) ?? randomBytes(32).toString('base64url') }
  }
  const openKnown = (push: Push | undefined) => push && open(push)

  return {
    recordPushes: (pushes) => store.recordPushes(pushes.map(seal)),
    pushByToken: async (token) => openKnown(await store.pushByToken(token)),
    pushesOf: async (ids) => (await store.pushesOf(ids)).map(openKnown),
    duePushes: async (...asked) => (await store.duePushes(...asked)).map(open),
    async *everyPush() {
      for await (const push of store.everyPush()) yield open(push)
    },
  }
}

function opened(cipher: SecretCipher, purpose: Parameters<SecretCipher['open']>[0], sealed: string): string {
  const secret = cipher.open(purpose, sealed)
  if (secret === undefined) throw wrongKey()
  return secret
}

export function wrongKey(): StoreError {
  return new StoreError(
    'no-access',
    'passwords in this store are encrypted with another key',
    'restore the key file from your backup (--secret-key-file), or start once with --forget-secrets to drop what cannot be decrypted',
  )
}

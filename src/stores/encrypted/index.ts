/**
 * Wraps a store to encrypt secrets at rest: logins, headers and cookies of feeds, logins of sources, secrets of webhooks, hub subscriptions
 * and destinations, and keys of
 * outgoing feeds. Secrets are encrypted on write and decrypted on read, so neither the store below nor its callers need to know.
 *
 * Without a key, encrypted values are returned as they are: a command that can read the store but not the key sees that a feed has a
 * login, but not the login itself.
 */
import { randomBytes } from 'node:crypto'
import {
  type FeedCredentials,
  type FeedOut,
  type FetchSettings,
  type HubSubscription,
  mapFetchSecrets,
  type Source,
  type Webhook,
} from '../../model/index.ts'
import { type FeedChange, type LeasedItems, type NewFeed, type Store, StoreError } from '../../ports/index.ts'
import { sharingByKind } from '../methods.ts'
import { isEncrypted, type SecretCipher } from './cipher.ts'
import { encryptedUserValues } from './user-values.ts'

export function withEncryption(store: Store, cipher: SecretCipher | undefined): Store {
  const { encrypt, encryptFeed, decryptFeed, decryptSource } = createFeedEncryption(cipher)
  const decryptLeased = ({ feeds, sources }: LeasedItems): LeasedItems => ({
    feeds: feeds.map(decryptFeed),
    sources: sources.map(decryptSource),
  })
  const decryptIfPresent =
    <Item>(decrypt: (item: Item) => Item) =>
    (item: Item | undefined) =>
      item === undefined ? item : decrypt(item)

  return {
    ...store,
    ...encryptedSharing(store, cipher),
    ...encryptedHubSubscriptions(store, cipher),
    ...encryptedUserValues(store, cipher),

    addFeeds: async (feeds) => store.addFeeds(feeds.map(encryptFeed)),
    addSources: async (sources) => store.addSources(sources.map(encrypt)),
    changeFeed: async (id, change, schedule) => store.changeFeed(id, encrypt(change), schedule),
    recordPolls: async (records) =>
      store.recordPolls(
        records.map((record) => (record.feed ? { ...record, feed: encrypt<FeedChange>(record.feed) } : record)),
      ),
    recordSourceFound: async (id, feed, record, others) =>
      store.recordSourceFound(id, encryptFeed(feed), record, others),

    leaseDue: async (...args) => decryptLeased(await store.leaseDue(...args)),
    leaseThese: async (...args) => decryptLeased(await store.leaseThese(...args)),
    feeds: async (query) => (await store.feeds(query)).map(decryptFeed),
    feedsById: async (ids) => (await store.feedsById(ids)).map(decryptIfPresent(decryptFeed)),
    sources: async (query) => (await store.sources(query)).map(decryptSource),
    sourcesById: async (ids) => (await store.sourcesById(ids)).map(decryptIfPresent(decryptSource)),
    async *everyFeed() {
      for await (const stored of store.everyFeed()) yield decryptFeed(stored)
    },
  }
}

interface HasSecrets {
  credentials?: FeedCredentials | null
  fetching?: FetchSettings | null
}

/** User name and password are encrypted together, and stored as the password. Secrets of fetch settings are encrypted one by one. */
function createFeedEncryption(cipher: SecretCipher | undefined) {
  // Encrypts values that look like ciphertexts, too: a client may send the ciphertext of another user's login, or an invalid one.
  const encrypt = <Item extends HasSecrets>(item: Item): Item => {
    const { credentials, fetching } = item
    if (!cipher || (!credentials && !fetching)) return item
    return {
      ...item,
      ...(credentials && {
        credentials: { user: '', password: cipher.encrypt('feed-login', JSON.stringify(credentials)) },
      }),
      ...(fetching && { fetching: mapFetchSecrets(fetching, (secret) => cipher.encrypt('fetch-setting', secret)) }),
    }
  }
  const decrypt = <Item extends { credentials?: FeedCredentials; fetching?: FetchSettings }>(item: Item): Item => {
    const { credentials, fetching } = item
    if (!cipher || (!credentials && !fetching)) return item
    const inPlain = (secret: string) => (isEncrypted(secret) ? decryptOrThrow(cipher, 'fetch-setting', secret) : secret)
    return {
      ...item,
      ...(credentials &&
        isEncrypted(credentials.password) && {
          credentials: JSON.parse(decryptOrThrow(cipher, 'feed-login', credentials.password)) as FeedCredentials,
        }),
      ...(fetching && { fetching: mapFetchSecrets(fetching, inPlain) }),
    }
  }
  return {
    encrypt,
    encryptFeed: (added: NewFeed): NewFeed => ({ ...added, feed: encrypt(added.feed) }),
    decryptFeed: <Stored extends { feed: { credentials?: FeedCredentials; fetching?: FetchSettings } }>(
      stored: Stored,
    ): Stored => {
      const feed = decrypt(stored.feed)
      return feed === stored.feed ? stored : { ...stored, feed }
    },
    decryptSource: <Stored extends Source>(source: Stored): Stored => decrypt(source),
  }
}

type EncryptedSharing = Pick<
  Store,
  'sharedItems' | 'addSharedItem' | 'changeSharedItem' | 'feedOutByKey' | 'dueWebhooks'
>

function encryptedSharing(store: Store, cipher: SecretCipher | undefined): Partial<EncryptedSharing> {
  if (!cipher) return {}
  const encryptKey = (key: string) => cipher.encrypt('feed-out-key', key)
  const encryptSecret = (secret: string) => cipher.encrypt('webhook-secret', secret)
  const decryptFeedOut = (feedOut: FeedOut): FeedOut =>
    isEncrypted(feedOut.key) ? { ...feedOut, key: decryptOrThrow(cipher, 'feed-out-key', feedOut.key) } : feedOut
  const decryptWebhook = (webhook: Webhook): Webhook =>
    isEncrypted(webhook.secret)
      ? { ...webhook, secret: decryptOrThrow(cipher, 'webhook-secret', webhook.secret) }
      : webhook

  return {
    ...sharingByKind({
      search: {
        list: (userId) => store.sharedItems('search', userId),
        add: (item) => store.addSharedItem('search', item),
        change: (userId, id, change) => store.changeSharedItem('search', userId, id, change),
      },
      feedOut: {
        list: async (userId) => (await store.sharedItems('feedOut', userId)).map(decryptFeedOut),
        add: (item) => store.addSharedItem('feedOut', { ...item, key: encryptKey(item.key) }),
        change: (userId, id, change) =>
          store.changeSharedItem('feedOut', userId, id, {
            ...change,
            ...(change.key !== undefined && { key: encryptKey(change.key) }),
          }),
      },
      webhook: {
        list: async (userId) => (await store.sharedItems('webhook', userId)).map(decryptWebhook),
        add: (item) => store.addSharedItem('webhook', { ...item, secret: encryptSecret(item.secret) }),
        change: (userId, id, change) =>
          store.changeSharedItem('webhook', userId, id, {
            ...change,
            ...(change.secret !== undefined && { secret: encryptSecret(change.secret) }),
          }),
      },
    }),
    async feedOutByKey(key, now) {
      if (isEncrypted(key)) return undefined // a stored ciphertext is not a valid key
      const found = await store.feedOutByKey(encryptKey(key), now)
      return found && { ...found, key }
    },
    dueWebhooks: async (now, limit) => (await store.dueWebhooks(now, limit)).map(decryptWebhook),
  }
}

type EncryptedHubSubscriptions = Pick<
  Store,
  | 'recordHubSubscriptions'
  | 'hubSubscriptionByToken'
  | 'hubSubscriptionsOf'
  | 'dueHubSubscriptions'
  | 'everyHubSubscription'
>

function encryptedHubSubscriptions(store: Store, cipher: SecretCipher | undefined): Partial<EncryptedHubSubscriptions> {
  if (!cipher) return {}
  const encrypt = (subscription: HubSubscription): HubSubscription => ({
    ...subscription,
    secret: cipher.encrypt('push-secret', subscription.secret),
  })
  // A secret that cannot be decrypted is replaced by a random one, which verifies nothing: after losing the key file, operators can
  // still end the subscription.
  const decrypt = (subscription: HubSubscription): HubSubscription => {
    if (!isEncrypted(subscription.secret)) return subscription
    return {
      ...subscription,
      secret: cipher.decrypt('push-secret', subscription.secret) ?? randomBytes(32).toString('base64url'),
    }
  }
  const decryptIfPresent = (subscription: HubSubscription | undefined) => subscription && decrypt(subscription)

  return {
    recordHubSubscriptions: (subscriptions) => store.recordHubSubscriptions(subscriptions.map(encrypt)),
    hubSubscriptionByToken: async (token) => decryptIfPresent(await store.hubSubscriptionByToken(token)),
    hubSubscriptionsOf: async (ids) => (await store.hubSubscriptionsOf(ids)).map(decryptIfPresent),
    dueHubSubscriptions: async (...args) => (await store.dueHubSubscriptions(...args)).map(decrypt),
    async *everyHubSubscription() {
      for await (const subscription of store.everyHubSubscription()) yield decrypt(subscription)
    },
  }
}

function decryptOrThrow(
  cipher: SecretCipher,
  purpose: Parameters<SecretCipher['decrypt']>[0],
  ciphertext: string,
): string {
  const secret = cipher.decrypt(purpose, ciphertext)
  if (secret === undefined) throw wrongKeyError()
  return secret
}

export function wrongKeyError(): StoreError {
  return new StoreError(
    'no-access',
    'passwords in this store are encrypted with another key',
    'restore the key file from your backup (--secret-key-file), or start once with --forget-secrets to drop what cannot be decrypted',
  )
}

/**
 * Encrypts secrets that an earlier version stored in plain text, and checks that encrypted secrets can be decrypted with this key.
 * Runs before anything else uses the store. Idempotent.
 */
import { randomBytes } from 'node:crypto'
import type { FeedCredentials, FeedId, HubSubscription, UserId } from '../../model/index.ts'
import { type NewSource, SECRET_USER_VALUE_KINDS, type Store, type UserValue } from '../../ports/index.ts'
import { isEncrypted, type SecretCipher, type SecretPurpose } from './cipher.ts'
import { isSealed, withEncryption, wrongKeyError } from './index.ts'

export interface EncryptedSecrets {
  encrypted: number
  /** Secrets that were encrypted with another key and have been dropped. */
  dropped: number
}

const SOURCES_PER_PAGE = 500

/** With `dropUndecryptable`, drops secrets that were encrypted with another key; otherwise throws a StoreError on the first one. */
export async function encryptExisting(
  store: Store,
  cipher: SecretCipher,
  dropUndecryptable = false,
): Promise<EncryptedSecrets> {
  const encryptingStore = withEncryption(store, cipher)
  const result: EncryptedSecrets = { encrypted: 0, dropped: 0 }

  function actionFor(purpose: SecretPurpose, stored: string): 'encrypt' | 'drop' | 'keep' {
    if (!isEncrypted(stored)) {
      result.encrypted++
      return 'encrypt'
    }
    if (cipher.decrypt(purpose, stored) !== undefined) return 'keep'
    if (!dropUndecryptable) throw wrongKeyError()
    result.dropped++
    return 'drop'
  }

  const feeds: { id: FeedId; credentials: FeedCredentials | null }[] = []
  for await (const { feed } of store.everyFeed()) {
    if (!feed.credentials) continue
    const action = actionFor('feed-login', feed.credentials.password)
    if (action !== 'keep') feeds.push({ id: feed.id, credentials: action === 'encrypt' ? feed.credentials : null })
  }
  for (const { id, credentials } of feeds) await encryptingStore.changeFeed(id, { credentials })
  await eachSource(store, async ({ credentials, ...source }) => {
    if (!credentials) return
    const action = actionFor('feed-login', credentials.password)
    const noLogin = { user: '', password: '' }
    if (action !== 'keep')
      await encryptingStore.addSources([{ ...source, credentials: action === 'encrypt' ? credentials : noLogin }])
  })
  const pending: { subscription: HubSubscription; action: 'encrypt' | 'drop' }[] = []
  for await (const subscription of store.everyHubSubscription()) {
    const action = actionFor('push-secret', subscription.secret)
    if (action !== 'keep') pending.push({ subscription, action })
  }
  for (const { subscription, action } of pending)
    if (action === 'encrypt') await encryptingStore.recordHubSubscriptions([subscription])
    else await store.dropHubSubscriptions([subscription]) // the next document that names the hub creates a new subscription
  for (const userId of await allUserIds(store)) {
    for (const { id, key } of await store.sharedItems('feedOut', userId)) {
      const action = actionFor('feed-out-key', key)
      if (action !== 'keep')
        await encryptingStore.changeSharedItem('feedOut', userId, id, {
          key: action === 'encrypt' ? key : randomBytes(32).toString('base64url'),
        })
    }
    for (const { id, secret } of await store.sharedItems('webhook', userId)) {
      const action = actionFor('webhook-secret', secret)
      if (action === 'encrypt') await encryptingStore.changeSharedItem('webhook', userId, id, { secret })
      else if (action === 'drop')
        await encryptingStore.changeSharedItem('webhook', userId, id, {
          secret: randomBytes(32).toString('base64url'),
          state: 'paused',
        })
    }
  }
  for (const kind of SECRET_USER_VALUE_KINDS) {
    const found: (UserValue & { userId: UserId })[] = []
    for await (const stored of store.everyUserValue(kind)) found.push(stored)
    for (const { userId, key, value, changedAt } of found) {
      const action = isSealed(value) ? actionFor('user-value', value.sealed) : actionFor('user-value', '')
      if (action !== 'keep')
        await encryptingStore.putUserValues(
          userId,
          kind,
          [{ key, value: action === 'encrypt' ? value : undefined }],
          changedAt,
        )
    }
  }
  return result
}

/** Sources that still look for a feed. Other sources have no login: the feeds they found have their own. */
async function eachSource(store: Store, callback: (source: NewSource) => Promise<void>): Promise<void> {
  for (let after: { after?: never } | { after: Parameters<Store['removeSource']>[0] } = {}; ; ) {
    const page = await store.sources({ state: 'looking', ...after, limit: SOURCES_PER_PAGE })
    for (const {
      id: _id,
      state: _state,
      feedId: _feedId,
      others: _others,
      failures: _failures,
      trouble: _trouble,
      ...rest
    } of page)
      await callback(rest)
    const last = page.at(-1)
    if (!last || page.length < SOURCES_PER_PAGE) return
    after = { after: last.id }
  }
}

async function allUserIds({ allUsers, firstUser }: Store): Promise<Set<UserId>> {
  return new Set([await firstUser(), ...(await allUsers()).map(({ id }) => id)])
}

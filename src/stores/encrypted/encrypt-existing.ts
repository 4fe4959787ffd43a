/**
 * Encrypts secrets that an earlier version stored in plain text, and checks that encrypted secrets can be decrypted with this key.
 * Runs before anything else uses the store. Idempotent.
 */
import { randomBytes } from 'node:crypto'
import {
  type FeedId,
  type FetchSettings,
  type HubSubscription,
  mapFetchSecrets,
  type UserId,
  withoutFetchSecrets,
} from '../../model/index.ts'
import {
  type FeedChange,
  type NewSource,
  SECRET_USER_VALUE_KINDS,
  type Store,
  USER_VALUE_KINDS,
} from '../../ports/index.ts'
import { isEncrypted, type SecretCipher, type SecretPurpose } from './cipher.ts'
import { withEncryption, wrongKeyError } from './index.ts'
import { isSealed, secretsOf } from './user-values.ts'

export interface EncryptedSecrets {
  encrypted: number
  /** Secrets that were encrypted with another key and have been dropped. */
  dropped: number
}

const SOURCES_PER_PAGE = 500
const MAX_DESTINATIONS = USER_VALUE_KINDS.destination

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

  /** The settings to store, in plain text; undefined if they are encrypted already. */
  function fetchSettingsAfter(settings: FetchSettings): FetchSettings | null | undefined {
    const actions = new Set<string>()
    const inPlain = mapFetchSecrets(settings, (secret) => {
      actions.add(actionFor('fetch-setting', secret))
      return cipher.decrypt('fetch-setting', secret) ?? secret
    })
    if (actions.has('drop')) return withoutFetchSecrets(inPlain) ?? null
    return actions.has('encrypt') ? inPlain : undefined
  }

  const feeds: { id: FeedId; change: FeedChange }[] = []
  for await (const { feed } of store.everyFeed()) {
    const { id, credentials, fetching } = feed
    const action = credentials ? actionFor('feed-login', credentials.password) : 'keep'
    if (action !== 'keep') feeds.push({ id, change: { credentials: action === 'encrypt' ? credentials! : null } })
    const change = fetching && fetchSettingsAfter(fetching)
    if (change !== undefined) feeds.push({ id, change: { fetching: change } })
  }
  for (const { id, change } of feeds) await encryptingStore.changeFeed(id, change)
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
    for (const { key, value, changedAt } of await store.userValues(userId, 'destination', {
      limit: MAX_DESTINATIONS,
    })) {
      const action = actionFor('destination-secrets', secretsOf(value))
      const kept = action === 'drop' ? { ...(value as object), secrets: '' } : value
      if (action !== 'keep')
        await encryptingStore.putUserValues(userId, 'destination', [{ key, value: kept }], changedAt)
    }
    for (const { key, value, changedAt } of await store.userValues(userId, 'secondFactor', {
      limit: USER_VALUE_KINDS.secondFactor,
    })) {
      const action = actionFor('second-factor', secretsOf(value))
      const kept = action === 'drop' ? undefined : value // the user adds another one
      if (action !== 'keep')
        await encryptingStore.putUserValues(userId, 'secondFactor', [{ key, value: kept }], changedAt)
    }
    for (const kind of SECRET_USER_VALUE_KINDS)
      for (const { key, value, changedAt } of await store.userValues(userId, kind, { limit: USER_VALUE_KINDS[kind] })) {
        const action = actionFor(`user-value:${kind}`, isSealed(value) ? value.sealed : '')
        const kept = action === 'encrypt' ? value : undefined
        if (action !== 'keep') await encryptingStore.putUserValues(userId, kind, [{ key, value: kept }], changedAt)
      }
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

/**
 * Encrypts the secrets that an earlier version stored in plain text, and checks that those that are encrypted can be opened with this
 * key. Runs before anybody uses the store; repeating it changes nothing.
 */
import { randomBytes } from 'node:crypto'
import type { Credentials, FeedId, PersonId, Push } from '../../model/index.ts'
import type { NewSource, Store } from '../../ports/index.ts'
import { isSealed, type SecretCipher, type SecretPurpose } from './cipher.ts'
import { withEncryption, wrongKey } from './index.ts'

export interface EncryptedSecrets {
  encrypted: number
  /** Secrets of another key that were dropped. */
  forgotten: number
}

const SOURCES_AT_ONCE = 500

/** `forget`: drops what was encrypted with another key, where otherwise a StoreError is thrown. */
export async function encryptExisting(store: Store, cipher: SecretCipher, forget = false): Promise<EncryptedSecrets> {
  const encrypting = withEncryption(store, cipher)
  const done: EncryptedSecrets = { encrypted: 0, forgotten: 0 }

  /** What is to be done with a stored secret. */
  function verdict(purpose: SecretPurpose, stored: string): 'seal' | 'forget' | 'keep' {
    if (!isSealed(stored)) {
      done.encrypted++
      return 'seal'
    }
    if (cipher.open(purpose, stored) !== undefined) return 'keep'
    if (!forget) throw wrongKey()
    done.forgotten++
    return 'forget'
  }

  const feeds: { id: FeedId; credentials: Credentials | null }[] = []
  for await (const { feed } of store.everyFeed()) {
    if (!feed.credentials) continue
    const found = verdict('feed-login', feed.credentials.password)
    if (found !== 'keep') feeds.push({ id: feed.id, credentials: found === 'seal' ? feed.credentials : null })
  }
  for (const { id, credentials } of feeds) await encrypting.changeFeed(id, { credentials })
  await eachSource(store, async ({ credentials, ...source }) => {
    if (!credentials) return
    const found = verdict('feed-login', credentials.password)
    const none = { user: '', password: '' }
    if (found !== 'keep')
      await encrypting.addSources([{ ...source, credentials: found === 'seal' ? credentials : none }])
  })
  const pushes: { push: Push; found: 'seal' | 'forget' }[] = []
  for await (const push of store.everyPush()) {
    const found = verdict('push-secret', push.secret)
    if (found !== 'keep') pushes.push({ push, found })
  }
  for (const { push, found } of pushes)
    if (found === 'seal') await encrypting.recordPushes([push])
    else await store.dropPushes([push]) // the next document that names the hub leads to another one
  for (const personId of await everybody(store)) {
    for (const { id, key } of await store.feedsOut(personId)) {
      const found = verdict('feed-out-key', key)
      if (found !== 'keep')
        await encrypting.changeFeedOut(personId, id, {
          key: found === 'seal' ? key : randomBytes(32).toString('base64url'),
        })
    }
    for (const { id, secret } of await store.webhooks(personId)) {
      const found = verdict('webhook-secret', secret)
      if (found === 'seal') await encrypting.changeWebhook(personId, id, { secret })
      else if (found === 'forget')
        await encrypting.changeWebhook(personId, id, { secret: randomBytes(32).toString('base64url'), state: 'paused' })
    }
  }
  return done
}

/** Only those that still look for a feed: what others found has its own login. */
async function eachSource(store: Store, perform: (source: NewSource) => Promise<void>): Promise<void> {
  for (let after: { after?: never } | { after: Parameters<Store['removeSource']>[0] } = {}; ; ) {
    const page = await store.sources({ state: 'looking', ...after, limit: SOURCES_AT_ONCE })
    for (const {
      id: _id,
      state: _state,
      feedId: _feedId,
      others: _others,
      failures: _failures,
      trouble: _trouble,
      ...rest
    } of page)
      await perform(rest)
    const last = page.at(-1)
    if (!last || page.length < SOURCES_AT_ONCE) return
    after = { after: last.id }
  }
}

async function everybody({ people, firstPerson }: Store): Promise<Set<PersonId>> {
  return new Set([await firstPerson(), ...(await people()).map(({ id }) => id)])
}

/** Digests of a user: when and of what, how far they were made, and the last ones. */
import { randomBytes } from 'node:crypto'
import type { Instant, UserId } from '../../model/index.ts'
import { USER_VALUE_KINDS, type UserValueKind } from '../../ports/index.ts'
import type { NotificationStore } from '../stored-devices.ts'
import type { Digest } from './compose-digest.ts'
import { type DigestSchedule, lastPeriod } from './digest-schedule.ts'

export interface DigestSettings extends DigestSchedule {
  /** Contains the morning page. */
  morning: boolean
  /** Saved searches, by id. */
  searches: number[]
  folders: string[]
  byEmail: boolean
}

export interface DigestProgress {
  /** The last period that was looked at. */
  key: string
  /** The digest that is to be sent by e-mail. */
  mail?: MailProgress
  /** The last e-mail: when it was sent, or why it was not. */
  last?: { at: Instant; key: string; trouble?: string }
}

export interface MailProgress {
  key: string
  failures: number
  retryAt: Instant
}

export interface StoredDigest extends Digest {
  dueAt: Instant
}

/** A confirmed address has a date. */
export interface MailAddress {
  address: string
  requestedAt: Instant
  confirmedAt?: Instant
  /** Confirmations that were requested on this day. */
  requests: { day: string; count: number }
}

const ONLY = 'only'
const LINK_KEY = 'links'

type Store = Pick<NotificationStore, 'userValues'>

async function loadOnly<Value>({ userValues }: Store, userId: UserId, kind: UserValueKind): Promise<Value | undefined> {
  const [stored] = await userValues.userValues(userId, kind, { keys: [ONLY], limit: 1 })
  return stored?.value as Value | undefined
}

function storeOnly(store: NotificationStore, userId: UserId, kind: UserValueKind, value: unknown): Promise<void> {
  return store.userValues.putUserValues(userId, kind, [{ key: ONLY, value }], store.clock.now())
}

export const loadDigestSettings = (store: Store, userId: UserId) =>
  loadOnly<DigestSettings>(store, userId, 'digestSettings')

export const loadDigestProgress = (store: Store, userId: UserId) =>
  loadOnly<DigestProgress>(store, userId, 'digestProgress')

export const storeDigestProgress = (store: NotificationStore, userId: UserId, progress: DigestProgress) =>
  storeOnly(store, userId, 'digestProgress', progress)

export async function loadMailAddress(store: Store, userId: UserId): Promise<MailAddress | undefined> {
  const stored = await loadOnly<MailAddress>(store, userId, 'mailAddress')
  return stored?.address ? stored : undefined
}

export const storeMailAddress = (store: NotificationStore, userId: UserId, address: MailAddress) =>
  storeOnly(store, userId, 'mailAddress', address)

/** The number of requested confirmations is kept. */
export async function removeMailAddress(store: NotificationStore, userId: UserId): Promise<void> {
  const known = await loadMailAddress(store, userId)
  if (!known) return
  const { confirmedAt: _confirmedAt, ...rest } = known
  await storeMailAddress(store, userId, { ...rest, address: '' })
}

/** Requests so far, also of an address that was removed. */
export const loadConfirmations = (store: Store, userId: UserId) =>
  loadOnly<Pick<MailAddress, 'requestedAt' | 'requests'>>(store, userId, 'mailAddress')

/** The first digest is that of the next period. Undefined ends them. */
export async function saveDigestSettings(
  store: NotificationStore,
  userId: UserId,
  settings: DigestSettings | undefined,
): Promise<void> {
  if (settings) {
    const progress = await loadDigestProgress(store, userId)
    const { key } = lastPeriod(settings, store.clock.now())
    const latest = progress && progress.key > key ? progress.key : key
    await storeDigestProgress(store, userId, { ...progress, key: latest })
  }
  await storeOnly(store, userId, 'digestSettings', settings)
}

export async function loadDigests(
  store: Store,
  userId: UserId,
  keys?: string[],
): Promise<(StoredDigest & { key: string })[]> {
  const limit = USER_VALUE_KINDS.digest
  const values = await store.userValues.userValues(userId, 'digest', { limit, ...(keys && { keys }) })
  return values.map(({ key, value }) => ({ ...(value as StoredDigest), key })).sort((a, b) => b.dueAt - a.dueAt)
}

export async function storeDigest(store: NotificationStore, userId: UserId, key: string, digest: StoredDigest) {
  await store.userValues.putUserValues(userId, 'digest', [{ key, value: digest }], store.clock.now())
}

/** The key that signs links in e-mails to the user; `create` generates it. */
export async function linkKey(store: NotificationStore, userId: UserId, create: boolean): Promise<string | undefined> {
  const load = async () => {
    const [stored] = await store.userValues.userValues(userId, 'notificationKeys', { keys: [LINK_KEY], limit: 1 })
    return (stored?.value as { linkKey?: string } | undefined)?.linkKey
  }
  const known = await load()
  if (known || !create) return known
  const value = { linkKey: randomBytes(32).toString('base64url') }
  await store.userValues.putUserValues(userId, 'notificationKeys', [{ key: LINK_KEY, value }], store.clock.now())
  return load()
}

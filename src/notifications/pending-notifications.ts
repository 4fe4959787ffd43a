/**
 * Entries that a user is to be notified of: rules and saved searches add them, the notifier sends them. Adding is idempotent, and an entry
 * is added only once, whatever asks for it.
 */
import type { EntryId, Instant, Rule, SavedSearch, UserId } from '../model/index.ts'
import { USER_VALUE_KINDS } from '../ports/index.ts'
import type { NotificationStore } from './stored-devices.ts'

/** The rule or the saved search that asked for it. Notifications with the same reason are combined. */
export interface NotificationReason {
  /** Such as `search-3`. */
  key: string
  name: string
  /** The path of a list of its entries. */
  url: string
}

/** Longer queries are not put into addresses: messages are limited. */
const MAX_URL = 1500

export function reasonOfSearch({ id, name, query }: Pick<SavedSearch, 'id' | 'name' | 'query'>): NotificationReason {
  const url = `/read/search?q=${encodeURIComponent(query)}`
  return { key: `search-${id}`, name, url: url.length <= MAX_URL ? url : '/read/all' }
}

export function reasonOfRule({ id, name }: Pick<Rule, 'id' | 'name'>): NotificationReason {
  return { key: `rule-${id}`, name, url: '/read/all' }
}

export interface PendingNotification {
  entryId: EntryId
  reason: NotificationReason
  addedAt: Instant
}

export async function addPending(
  { userValues, clock }: NotificationStore,
  userId: UserId,
  entryIds: readonly EntryId[],
  reason: NotificationReason,
): Promise<void> {
  const keys = entryIds.map(String)
  if (keys.length === 0) return
  const limit = keys.length
  const known = await Promise.all([
    userValues.userValues(userId, 'notification', { keys, limit }),
    userValues.userValues(userId, 'notified', { keys, limit }),
  ])
  const knownKeys = new Set(known.flat().map(({ key }) => key))
  const now = clock.now()
  const changes = keys.filter((key) => !knownKeys.has(key)).map((key) => ({ key, value: { reason, addedAt: now } }))
  if (changes.length > 0) await userValues.putUserValues(userId, 'notification', changes, now)
}

/** Oldest first. */
export async function loadPending(
  { userValues }: Pick<NotificationStore, 'userValues'>,
  userId: UserId,
): Promise<PendingNotification[]> {
  const values = await userValues.userValues(userId, 'notification', { limit: USER_VALUE_KINDS.notification })
  return values
    .map(({ key, value }) => ({ entryId: Number(key) as EntryId, ...(value as Omit<PendingNotification, 'entryId'>) }))
    .sort((a, b) => a.addedAt - b.addedAt || a.entryId - b.entryId)
}

/** They are not notified, now or later. */
export async function settlePending(
  { userValues, clock }: NotificationStore,
  userId: UserId,
  entryIds: readonly EntryId[],
): Promise<void> {
  if (entryIds.length === 0) return
  const now = clock.now()
  const notified = entryIds.map((id) => ({ key: String(id), value: true }))
  await userValues.putUserValues(userId, 'notified', notified, now)
  const removed = entryIds.map((id) => ({ key: String(id), value: undefined }))
  await userValues.putUserValues(userId, 'notification', removed, now)
}

/** Saved searches whose new results a user is notified of, and how far their results were notified. */
import type { EntryId, SavedSearchId, UserId } from '../model/index.ts'
import { USER_VALUE_KINDS } from '../ports/index.ts'
import type { NotificationStore } from './stored-devices.ts'

/** By the id of the search: everything up to this entry was checked. */
export async function searchCursors(
  { userValues }: Pick<NotificationStore, 'userValues'>,
  userId: UserId,
): Promise<Map<SavedSearchId, EntryId>> {
  const limit = USER_VALUE_KINDS.searchNotification
  const stored = await userValues.userValues(userId, 'searchNotification', { limit })
  return new Map(stored.map(({ key, value }) => [Number(key) as SavedSearchId, (value as { cursor: EntryId }).cursor]))
}

/** Undefined ends the notifications of the search. */
export async function storeSearchCursor(
  { userValues, clock }: NotificationStore,
  userId: UserId,
  id: SavedSearchId,
  cursor: EntryId | undefined,
): Promise<void> {
  const value = cursor === undefined ? undefined : { cursor }
  await userValues.putUserValues(userId, 'searchNotification', [{ key: String(id), value }], clock.now())
}

export async function notifyingSearches(
  store: Pick<NotificationStore, 'userValues'>,
  userId: UserId,
): Promise<SavedSearchId[]> {
  return [...(await searchCursors(store, userId)).keys()].sort((a, b) => a - b)
}

/** `from`: only entries that arrive after this one. A search that notifies already goes on where it is. */
export async function setSearchNotifies(
  store: NotificationStore,
  userId: UserId,
  id: SavedSearchId,
  notify: { from: EntryId } | false,
): Promise<void> {
  const known = (await searchCursors(store, userId)).get(id)
  await storeSearchCursor(store, userId, id, notify ? (known ?? notify.from) : undefined)
}

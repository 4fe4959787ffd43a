/**
 * The notification loop. New results of saved searches join what rules have added; what is due becomes messages, and messages are sent to
 * the user's browsers. Everything that waits is in the store, and each step is recorded after it succeeded: after a crash, at worst one
 * notification is sent again, and replaces itself, because it has the same tag.
 */
import {
  type Entry,
  type EntryId,
  type Instant,
  type Millis,
  type SavedSearch,
  SECOND,
  type UserId,
} from '../model/index.ts'
import type { Sharing, Users, UserValueKind, UserValues } from '../ports/index.ts'
import { type BatchParts, entriesWithTitles, nextBatch, visibleToUser } from '../views/index.ts'
import { composeMessages, countSent, type NotificationCount, remainingThisHour } from './compose-messages.ts'
import { deliverMessages, storeMessages } from './deliver-messages.ts'
import { isNewToUser } from './new-to-user.ts'
import { addPending, loadPending, reasonOfSearch, settlePending } from './pending-notifications.ts'
import { searchCursors, storeSearchCursor } from './search-notifications.ts'
import type { PushParts } from './send-push.ts'
import { loadDevices } from './stored-devices.ts'

export interface NotifierParts extends BatchParts, Omit<PushParts, 'clock'> {
  users: Pick<Users, 'allUsers' | 'credentialsOf'>
  userValues: UserValues
  sharing: Pick<Sharing, 'sharedItems'>
  /** Entries to which the user's rules are still to be applied: they may be muted. */
  waitingForRules: (userId: UserId) => Promise<readonly EntryId[]>
  /** Checked before each step: false if another process may have taken over. */
  isStillOwner?: () => boolean
  /** An internal error; other users continue. */
  onInternalError?: (error: unknown, doing: string) => void
}

interface Notifier {
  /** Runs until the signal. */
  run(signal: AbortSignal): Promise<void>
  runOnce(signal?: AbortSignal): Promise<void>
}

const INTERVAL_MS: Millis = 5 * SECOND
/** Entries are collected for this long, so that those that arrive together are combined and rules can mute them. */
export const COLLECT_MS: Millis = 10 * SECOND
const MAX_BATCHES = 20
/** Progress without results is stored this often. */
const SAVE_PROGRESS_EVERY = 2000
const COUNT_KEY = 'count'

export function createNotifier(parts: NotifierParts): Notifier {
  const { userValues, clock, catalogue, sharing, isStillOwner = () => true, onInternalError = () => {} } = parts
  /** How far entries were checked without results, if further than stored. */
  const checkedUpTo = new Map<string, EntryId>()

  async function usersWith(kind: UserValueKind): Promise<UserId[]> {
    const ids = new Set<UserId>()
    for await (const { userId } of userValues.everyUserValue(kind)) ids.add(userId)
    return [...ids]
  }

  async function checkSearches(userId: UserId): Promise<void> {
    const searches = new Map((await sharing.sharedItems('search', userId)).map((search) => [search.id, search]))
    for (const [id, cursor] of await searchCursors(parts, userId)) {
      const search = searches.get(id)
      if (search) await checkSearch(userId, search, cursor)
      else await storeSearchCursor(parts, userId, id, undefined)
    }
  }

  async function checkSearch(userId: UserId, search: SavedSearch, stored: EntryId): Promise<void> {
    const key = `${userId} ${search.id}`
    let from = Math.max(stored, checkedUpTo.get(key) ?? 0) as EntryId
    if (from >= (await catalogue.newestEntryId())) return
    for (let i = 0; i < MAX_BATCHES && isStillOwner(); i++) {
      const batch = await nextBatch({ userId }, from, search, parts)
      if ('fault' in batch) return // such as a folder that is gone; the search itself shows it
      const found = batch.entries.map(({ id }) => id as EntryId)
      await addPending(parts, userId, found, reasonOfSearch(search))
      if (found.length > 0 || batch.cursor - stored >= SAVE_PROGRESS_EVERY)
        await storeSearchCursor(parts, userId, search.id, batch.cursor)
      const isStuck = batch.cursor === from
      from = batch.cursor
      checkedUpTo.set(key, from)
      if (batch.isLast || isStuck) return
    }
  }

  async function composeFor(userId: UserId): Promise<void> {
    const pending = await loadPending(parts, userId)
    const now = clock.now()
    if (pending.length === 0 || now - pending[0]!.addedAt < COLLECT_MS) return
    const devices = await loadDevices(parts, userId)
    const waiting = new Set(await parts.waitingForRules(userId))
    const due = pending.filter(({ entryId }) => !waiting.has(entryId))
    const visible = await visibleToUser(userId, parts)
    const entries = (await visible.catalogue.entriesById(due.map(({ entryId }) => entryId))).filter(
      (entry): entry is Entry => entry !== undefined,
    )
    const isNew = devices.length > 0 ? await isNewToUser(entries, userId, visible) : () => false
    const wanted = entries.filter(isNew)
    const wantedIds = new Set(wanted.map(({ id }) => id))
    const unwanted = due.filter(({ entryId }) => !wantedIds.has(entryId)).map(({ entryId }) => entryId)
    await settlePending(parts, userId, unwanted)
    const shapes = await entriesWithTitles(wanted, visible, { reader: userId })
    const byId = new Map(shapes.map((shape) => [shape.id, shape]))
    const byReason = Map.groupBy(
      due.filter(({ entryId }) => wantedIds.has(entryId)),
      ({ reason }) => reason.key,
    )
    for (const group of byReason.values()) {
      const [stored] = await userValues.userValues(userId, 'notificationCount', { limit: 1 })
      let count = stored?.value as NotificationCount | undefined
      const notified = group.map(({ entryId }) => {
        const { title, feedTitle = '' } = byId.get(entryId)!
        return { id: entryId, title, feedTitle }
      })
      for (const { message, entryIds } of composeMessages(notified, group[0]!.reason, remainingThisHour(count, now))) {
        if (!isStillOwner()) return
        await storeMessages(parts, userId, devices, message)
        await settlePending(parts, userId, entryIds)
        count = countSent(count, now)
        await userValues.putUserValues(userId, 'notificationCount', [{ key: COUNT_KEY, value: count }], now)
      }
    }
  }

  async function forEach(kind: UserValueKind, doing: string, step: (userId: UserId) => Promise<void>): Promise<void> {
    for (const userId of await usersWith(kind))
      try {
        if (isStillOwner()) await step(userId)
      } catch (error) {
        onInternalError(error, `${doing} of user ${userId}`)
      }
  }

  async function runOnce(signal?: AbortSignal): Promise<void> {
    await forEach('searchNotification', 'checking searches', checkSearches)
    await forEach('notification', 'composing notifications', composeFor)
    const delivered = (await usersWith('pushMessage')).map((userId) =>
      deliverMessages(userId, parts, signal).catch((error: unknown) =>
        onInternalError(error, `sending notifications of user ${userId}`),
      ),
    )
    await Promise.all(delivered)
  }

  return {
    runOnce,
    async run(signal) {
      while (!signal.aborted) {
        const startedAt: Instant = clock.now()
        await runOnce(signal).catch((error: unknown) => onInternalError(error, 'loading notifications'))
        if (!signal.aborted) await clock.sleepUntil(startedAt + INTERVAL_MS, signal)
      }
    },
  }
}

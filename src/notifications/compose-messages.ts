/**
 * What notifications say. Several entries with the same reason are combined, and a user gets a limited number per hour: what exceeds it
 * waits, and is combined in the next hour. Messages stay below the size that push services accept.
 */
import { type EntryId, HOUR, type Instant } from '../model/index.ts'
import type { NotificationReason } from './pending-notifications.ts'

/** Shown by the page's service worker. A message replaces an earlier one with the same tag. */
export interface PushMessage {
  title: string
  body: string
  /** The path that a click opens. */
  url: string
  tag: string
}

export interface NotifiedEntry {
  id: EntryId
  title: string
  feedTitle: string
}

export interface NotificationCount {
  /** The beginning of the hour. */
  hour: Instant
  sent: number
}

export const MAX_NOTIFICATIONS_PER_HOUR = 10
/** Above this number, entries with the same reason are one notification. */
const MAX_SINGLE = 3
/** Bytes of a message before encryption. */
export const MAX_PUSH_BYTES = 3000
const MAX_TITLE = 120
const MAX_BODY = 400
const LISTED_TITLES = 3

/** How many notifications the user may get in this hour. */
export function remainingThisHour(count: NotificationCount | undefined, now: Instant): number {
  return count?.hour === hourOf(now) ? Math.max(0, MAX_NOTIFICATIONS_PER_HOUR - count.sent) : MAX_NOTIFICATIONS_PER_HOUR
}

export function countSent(count: NotificationCount | undefined, now: Instant): NotificationCount {
  const hour = hourOf(now)
  return { hour, sent: (count?.hour === hour ? count.sent : 0) + 1 }
}

function hourOf(now: Instant): Instant {
  return Math.floor(now / HOUR) * HOUR
}

/** At most `remaining` messages, each with its entries. */
export function composeMessages(
  entries: readonly NotifiedEntry[],
  reason: NotificationReason,
  remaining: number,
): { message: PushMessage; entryIds: EntryId[] }[] {
  if (remaining === 0 || entries.length === 0) return []
  if (entries.length <= Math.min(MAX_SINGLE, remaining))
    return entries.map((entry) => ({ message: messageFor(entry, reason), entryIds: [entry.id] }))
  const titles = entries.slice(0, LISTED_TITLES).map(({ title }) => title)
  const more = entries.length - titles.length
  const message = {
    title: cut(`${entries.length} new entries for “${reason.name}”`, MAX_TITLE),
    body: cut([...titles, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), MAX_BODY),
    url: reason.url,
    tag: `${reason.key}-${entries[0]!.id}`,
  }
  return [{ message, entryIds: entries.map(({ id }) => id) }]
}

function messageFor({ id, title, feedTitle }: NotifiedEntry, reason: NotificationReason): PushMessage {
  return {
    title: cut(title, MAX_TITLE),
    body: cut(`${feedTitle} · ${reason.name}`, MAX_BODY),
    url: `/read/all?e=${id}`,
    tag: `entry-${id}`,
  }
}

/** Titles are limited in characters, and characters have up to four bytes, so the result is always small enough. */
export function messageBytes(message: PushMessage): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(message))
  if (bytes.length <= MAX_PUSH_BYTES) return bytes
  return new TextEncoder().encode(JSON.stringify({ ...message, body: '' }))
}

function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** Converts rows of saved searches, outgoing feeds and webhooks to the model. */
import type {
  EntryId,
  FeedOut,
  FeedOutId,
  FeedOutOf,
  Instant,
  SavedSearch,
  SavedSearchId,
  UserId,
  Webhook,
  WebhookDelivery,
  WebhookId,
} from '../../model/index.ts'
import { parseJsonColumn } from './columns.ts'

export interface SavedSearchRow {
  id: SavedSearchId
  user_id: UserId
  name: string
  query: string
  found_by: NonNullable<SavedSearch['order']> | null
  unique_level: NonNullable<SavedSearch['unique']> | null
  added_at: Instant
}

export interface FeedOutRow {
  id: FeedOutId
  user_id: UserId
  name: string
  what: string
  text: FeedOut['text']
  unique_level: NonNullable<FeedOut['unique']> | null
  key: string
  added_at: Instant
  used_at: Instant | null
}

export interface WebhookRow {
  id: WebhookId
  user_id: UserId
  name: string
  url: string
  secret: string
  search_id: SavedSearchId
  state: Webhook['state']
  added_at: Instant
  due_at: Instant
  cursor: EntryId
  failures: number
  last: string | null
}

/** Applies a change: absent fields stay, null removes a field. */
export function withChange<Thing extends object>(
  thing: Thing,
  change: { [Name in keyof Thing]?: Thing[Name] | null },
): Thing {
  const changes = Object.entries(change).filter(([, value]) => value !== undefined)
  const fields = Object.entries({ ...thing, ...Object.fromEntries(changes) })
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as Thing
}

export function savedSearchOf(row: SavedSearchRow): SavedSearch {
  const { id, user_id: userId, name, query, found_by: order, unique_level: unique, added_at: addedAt } = row
  return { id, userId, name, query, ...(order && { order }), ...(unique && { unique }), addedAt }
}

/** Values of the columns `name` to `key`. */
export function feedOutColumns({ name, of, text, unique, key }: Omit<FeedOut, 'id'>): (string | number | null)[] {
  const feedId = of.kind === 'feed' ? of.feedId : null
  const searchId = of.kind === 'search' ? of.searchId : null
  return [name, JSON.stringify(of), feedId, searchId, text, unique ?? null, key]
}

/** Undefined if the row cannot be parsed. */
export function feedOutOfRow(row: FeedOutRow): FeedOut | undefined {
  const { id, user_id: userId, name, text, unique_level: unique, key, added_at: addedAt, used_at: usedAt } = row
  const of = parseJsonColumn<FeedOutOf | { kind: 'river' }>(row.what)
  if (!of) return undefined
  return {
    id,
    userId,
    name,
    of: of.kind === 'river' ? { kind: 'all' } : of, // stores of before 0.2.0 say "river"
    text,
    ...(unique && { unique }),
    key,
    addedAt,
    ...(usedAt !== null && { usedAt }),
  }
}

export function webhookOf(row: WebhookRow): Webhook {
  const last = parseJsonColumn<WebhookDelivery>(row.last)
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    url: row.url,
    secret: row.secret,
    searchId: row.search_id,
    state: row.state,
    addedAt: row.added_at,
    dueAt: row.due_at,
    cursor: row.cursor,
    failures: row.failures,
    ...(last && { last }),
  }
}

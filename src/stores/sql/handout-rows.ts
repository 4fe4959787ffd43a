/** Rows of saved searches, feeds of people's own, and webhooks, and what they say in the words of the model. */
import type {
  EntryId,
  FeedOut,
  FeedOutId,
  FeedOutOf,
  Instant,
  PersonId,
  SavedSearch,
  SavedSearchId,
  Webhook,
  WebhookDelivery,
  WebhookId,
} from '../../model/index.ts'
import { jsonInColumn } from './columns.ts'

export interface SavedSearchRow {
  id: SavedSearchId
  person_id: PersonId
  name: string
  query: string
  found_by: NonNullable<SavedSearch['order']> | null
  unique_level: NonNullable<SavedSearch['unique']> | null
  added_at: Instant
}

export interface FeedOutRow {
  id: FeedOutId
  person_id: PersonId
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
  person_id: PersonId
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

/** What is absent stays, null takes it away. */
export function handoutChanged<Thing extends object>(
  thing: Thing,
  change: { [Name in keyof Thing]?: Thing[Name] | null },
): Thing {
  const named = Object.entries(change).filter(([, value]) => value !== undefined)
  const all = Object.entries({ ...thing, ...Object.fromEntries(named) })
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as Thing
}

export function savedSearchOf(row: SavedSearchRow): SavedSearch {
  const { id, person_id: personId, name, query, found_by: order, unique_level: unique, added_at: addedAt } = row
  return { id, personId, name, query, ...(order && { order }), ...(unique && { unique }), addedAt }
}

/** name to key */
export function feedOutColumns({ name, of, text, unique, key }: Omit<FeedOut, 'id'>): (string | number | null)[] {
  const feedId = of.kind === 'feed' ? of.feedId : null
  const searchId = of.kind === 'search' ? of.searchId : null
  return [name, JSON.stringify(of), feedId, searchId, text, unique ?? null, key]
}

/** Undefined if it cannot be read. */
export function feedOutOfRow(row: FeedOutRow): FeedOut | undefined {
  const { id, person_id: personId, name, text, unique_level: unique, key, added_at: addedAt, used_at: usedAt } = row
  const of = jsonInColumn<FeedOutOf>(row.what)
  if (!of) return undefined
  return {
    id,
    personId,
    name,
    of,
    text,
    ...(unique && { unique }),
    key,
    addedAt,
    ...(usedAt !== null && { usedAt }),
  }
}

export function webhookOf(row: WebhookRow): Webhook {
  const last = jsonInColumn<WebhookDelivery>(row.last)
  return {
    id: row.id,
    personId: row.person_id,
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

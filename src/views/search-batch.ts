/**
 * New results of a search, for webhooks and notifications: of some hundreds of entries after a cursor, in order of arrival, those that match. Stops at the
 * first entry that is not indexed yet, because it would be skipped forever; entries that are not indexed within an hour are skipped, so
 * that they do not block the rest.
 */
import type { EntryShape } from '../api/index.ts'
import {
  type Entry,
  type EntryId,
  HOUR,
  type Instant,
  type Millis,
  type SavedSearch,
  type Webhook,
  type WebhookDelivery,
} from '../model/index.ts'
import type { Clock, QueryFault, Search } from '../ports/index.ts'
import type { Catalogues } from './entry-texts.ts'
import { entriesWithTitles, matchingAmong } from './find-entries.ts'
import { type VisibilityParts, visibleToUser } from './visible-to-user.ts'

export interface Batch {
  /** Everything up to here was checked. */
  cursor: EntryId
  entries: EntryShape[]
  /** There are no more entries to check now. */
  isLast: boolean
}

export interface BatchParts extends Catalogues, VisibilityParts {
  search: Search
  clock: Clock
}

const MAX_CHECKED = 200
const MAX_ENTRIES = 50
/** Of JSON; entries in a list have no text, so fifty of them take far less. */
const MAX_BYTES = 512 * 1024
const MAX_INDEX_WAIT_MS: Millis = HOUR

export async function nextBatch(
  { userId }: Pick<Webhook, 'userId'>,
  after: EntryId,
  { query, unique }: Pick<SavedSearch, 'query' | 'unique'>,
  parts: BatchParts,
): Promise<Batch | QueryFault> {
  const candidates: Entry[] = []
  for await (const entry of parts.catalogue.everyEntry({ after })) if (candidates.push(entry) === MAX_CHECKED) break
  const checked = await takeIndexed(candidates, parts)
  const isLast = checked.length < MAX_CHECKED
  if (checked.length === 0) return { cursor: after, entries: [], isLast }
  const ids = checked.map(({ id }) => id)
  const visible = await visibleToUser(userId, parts)
  const found = await matchingAmong(query, ids, visible, { now: parts.clock.now(), reader: userId })
  if ('fault' in found) return found
  const groups = unique ? await visible.groupCatalogue.groupsOfEntries(found.ids, unique) : []
  const wantedIds = new Set(found.ids.filter((id, i) => (groups[i]?.primaryId ?? id) >= id)) // if the primary is older, it was already sent
  const matching = checked.filter(({ id, imported }) => wantedIds.has(id) && !imported)
  const sent = limitBytes(await entriesWithTitles(matching.slice(0, MAX_ENTRIES), visible, { reader: userId }))
  const isCut = sent.length < matching.length
  const last = isCut ? (sent.at(-1)?.id as EntryId | undefined) : ids.at(-1)
  return { cursor: last ?? ids.at(-1)!, entries: sent, isLast: isLast && !isCut }
}

/** The batch of a failed delivery again, without entries that are gone. */
export async function sameBatch(
  { userId }: Pick<Webhook, 'userId'>,
  { cursor, ids, firstAt }: NonNullable<WebhookDelivery['unaccepted']>,
  parts: BatchParts,
): Promise<Batch & { firstAt: Instant }> {
  const visible = await visibleToUser(userId, parts)
  const found = (await visible.catalogue.entriesById(ids)).filter((entry) => entry !== undefined)
  return { cursor, firstAt, entries: await entriesWithTitles(found, visible, { reader: userId }), isLast: false }
}

/** Entries before the first one that is not indexed yet. */
async function takeIndexed(entries: Entry[], { search, clock }: BatchParts): Promise<Entry[]> {
  if (entries.length === 0) return []
  const ids = entries.map(({ id }) => id)
  const hits = await search.find({ all: [[{ kind: 'entries', ids }]], none: [] }, ids.length, { order: 'date' })
  const indexed = new Set(hits.map(({ id }) => id))
  const now = clock.now()
  const first = entries.findIndex(({ id, seenAt }) => !indexed.has(id) && now - seenAt < MAX_INDEX_WAIT_MS)
  return first < 0 ? entries : entries.slice(0, first)
}

function limitBytes(shapes: EntryShape[]): EntryShape[] {
  let bytes = 0
  const firstTooMany = shapes.findIndex((shape) => {
    bytes += Buffer.byteLength(JSON.stringify(shape))
    return bytes > MAX_BYTES
  })
  return firstTooMany < 0 ? shapes : shapes.slice(0, Math.max(1, firstTooMany))
}

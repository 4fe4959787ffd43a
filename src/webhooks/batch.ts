/**
 * The next batch of a webhook: of some hundreds of entries after its cursor, in order of arrival, those that match its search. Stops at the
 * first entry that is not indexed yet, because it would be skipped forever; entries that are not indexed within an hour are skipped, so
 * that they do not block the rest.
 */
import type { EntryShape } from '../api/index.ts'
import { type Entry, type EntryId, HOUR, type Millis, type SavedSearch, type Webhook } from '../model/index.ts'
import type { Clock, QueryFault, Search } from '../ports/index.ts'
import {
  type Catalogues,
  entriesWithTitles,
  matchingAmong,
  type VisibilityParts,
  visibleToUser,
} from '../views/index.ts'

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

const LOOKED_AT = 200
const MOST_TOLD = 50
/** Of JSON; entries in a list have no text, so fifty of them take far less. */
const MOST_BYTES = 512 * 1024
const WAITED_FOR_MS: Millis = HOUR

export async function nextBatch(
  { personId }: Pick<Webhook, 'personId'>,
  after: EntryId,
  { query, unique }: Pick<SavedSearch, 'query' | 'unique'>,
  parts: BatchParts,
): Promise<Batch | QueryFault> {
  const seen: Entry[] = []
  for await (const entry of parts.catalogue.everyEntry({ after })) if (seen.push(entry) === LOOKED_AT) break
  const known = await untilUnknown(seen, parts)
  const isLast = known.length < LOOKED_AT
  if (known.length === 0) return { cursor: after, entries: [], isLast }
  const ids = known.map(({ id }) => id)
  const visible = await visibleToUser(personId, parts)
  const found = await matchingAmong(query, ids, visible, { now: parts.clock.now(), reader: personId })
  if ('fault' in found) return found
  const groups = unique ? await visible.groupCatalogue.groupsOfEntries(found.ids, unique) : []
  const meant = new Set(found.ids.filter((id, i) => (groups[i]?.primaryId ?? id) >= id)) // an earlier primary was already sent
  const matching = known.filter(({ id }) => meant.has(id))
  const told = withinBytes(await entriesWithTitles(matching.slice(0, MOST_TOLD), visible, personId))
  const cut = told.length < matching.length
  const last = cut ? (told.at(-1)?.id as EntryId | undefined) : ids.at(-1)
  return { cursor: last ?? ids.at(-1)!, entries: told, isLast: isLast && !cut }
}

/** Entries before the first one that is not indexed yet. */
async function untilUnknown(entries: Entry[], { search, clock }: BatchParts): Promise<Entry[]> {
  if (entries.length === 0) return []
  const ids = entries.map(({ id }) => id)
  const hits = await search.find({ all: [[{ kind: 'entries', ids }]], none: [] }, ids.length, { order: 'date' })
  const indexed = new Set(hits.map(({ id }) => id))
  const now = clock.now()
  const first = entries.findIndex(({ id, seenAt }) => !indexed.has(id) && now - seenAt < WAITED_FOR_MS)
  return first < 0 ? entries : entries.slice(0, first)
}

function withinBytes(shapes: EntryShape[]): EntryShape[] {
  let bytes = 0
  const fitting = shapes.findIndex((shape) => {
    bytes += Buffer.byteLength(JSON.stringify(shape))
    return bytes > MOST_BYTES
  })
  return fitting < 0 ? shapes : shapes.slice(0, Math.max(1, fitting))
}

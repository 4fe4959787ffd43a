/**
 * Applies read state, stars and labels of entries from another reader to a feed that the user follows. It only adds: nothing becomes unread
 * or loses its star, so repeating an import, also after an interruption, changes nothing.
 *
 *     stored entry with the same key, address, or title and date --> gets the state
 *     none, and it is starred or labeled                         --> stored as an imported entry of the feed
 *     none, it is read, and the feed was never polled            --> likewise, so that the first poll finds it, with its read state
 *     none otherwise                                             --> missing
 */
import { MAX_REMEMBERED_PER_FEED, possibleKeys } from '../../feeds/index.ts'
import type { Entry, EntryDraft, EntryId, EntryState, FeedId, UserId } from '../../model/index.ts'
import { DAY, sortAt, sortPosition } from '../../model/index.ts'
import {
  type Catalogue,
  type Clock,
  type FeedRegistry,
  foldedLabel,
  type PollResults,
  type ReaderState,
} from '../../ports/index.ts'
import { yieldToEventLoop } from '../../runtime/index.ts'
import type { EntryToImport, ImportedEntries } from '../crawler.ts'
import { recordNewsInChunks } from '../recorder/chunked-writes.ts'
import { identifiersOf } from '../recorder/entry-identifiers.ts'
import { withValidDates } from '../recorder/window.ts'
import { doOnce } from '../retried-steps.ts'

interface ImportParts {
  catalogue: Catalogue
  pollResults: PollResults
  feedRegistry: FeedRegistry
  readerState: ReaderState
  clock: Clock
}

/** Stored entries are compared newest first, up to this many. */
const MAX_COMPARED = 20_000
/** With full texts: some milliseconds. */
const CHUNK = 100
const MARKED_AT_ONCE = 500

export async function importEntries(
  userId: UserId,
  feedId: FeedId,
  entries: readonly EntryToImport[],
  { mayCreate, isDryRun = false }: { mayCreate: boolean; isDryRun?: boolean },
  parts: ImportParts,
): Promise<ImportedEntries> {
  const { catalogue, readerState, clock } = parts
  const { stored, matches } = await compareWithStored(feedId, entries, catalogue)
  const isUnpolled = stored !== undefined && stored.schedule.succeededAt === undefined
  const unmatched = [...entries.keys()].filter((i) => !matches.has(i))
  const isKept = (i: number) => entries[i]!.starred === true || entries[i]!.labels !== undefined
  const kept = mayCreate && stored ? unmatched.filter(isKept) : []
  const remembered =
    mayCreate && isUnpolled
      ? newestFirst(
          entries,
          unmatched.filter((i) => entries[i]!.read && !isKept(i)),
        ).slice(0, MAX_REMEMBERED_PER_FEED)
      : []
  const toCreate = [...kept, ...remembered]
  const created = isDryRun ? new Map<number, EntryId>() : await createEntries(feedId, entries, toCreate, parts)
  if (created.size > 0 && isUnpolled) await parts.feedRegistry.changeFeed(feedId, {}) // a poll in flight is computed again, with them
  const isCreated = (i: number) => isDryRun || created.has(i)
  const ids = [...[...matches].map(([i, { id }]) => [i, id] as const), ...created]
  const now = clock.now()
  const states = await statesOf(
    readerState,
    userId,
    ids.map(([, id]) => id),
  )
  const isOld = (i: number, id: EntryId) =>
    (created.has(i) || matches.get(i)?.imported === true) && states.get(id)?.starred === false
  const newlyStarred = idsOf((i, id) => entries[i]!.starred === true && states.get(id)?.starred === false)
  // An entry that is added for its star is no news, unless it is said to be unread. Stars are set last, so this can be repeated.
  const newlyRead = idsOf((i, id) => (entries[i]!.read ?? isOld(i, id)) && states.get(id)?.read === false)
  if (!isDryRun) {
    for (const some of chunksOf(newlyRead)) await readerState.markEntries(userId, some, 'read', now)
    for (const some of chunksOf(newlyStarred)) await readerState.starEntries(userId, some, true, now)
  }
  const unlabeled = unlabeledIn(entries, ids, states)
  const labels = isDryRun
    ? { labeled: unlabeled.length + kept.filter((i) => entries[i]!.labels).length, labelsRefused: false }
    : await addLabels(userId, unlabeled, parts)
  function idsOf(isWanted: (i: number, id: EntryId) => boolean): EntryId[] {
    return [...new Set(ids.flatMap(([i, id]) => (isWanted(i, id) ? [id] : [])))]
  }
  const createdIds = new Set(created.values())
  const createdKept = kept.filter(isCreated)
  const waiting = remembered.filter(isCreated)
  const found = new Set([...matches.keys(), ...createdKept, ...waiting])
  return {
    matched: matches.size,
    read: newlyRead.filter((id) => !createdIds.has(id)).length,
    starred: newlyStarred.filter((id) => !createdIds.has(id)).length,
    ...labels,
    created: createdKept,
    waiting: waiting.length,
    missing: [...entries.keys()].filter((i) => !found.has(i)),
  }
}

/** Compares again if the feed was polled for the first time meanwhile: its entries would be stored twice. */
async function compareWithStored(feedId: FeedId, entries: readonly EntryToImport[], catalogue: Catalogue) {
  const [before] = await catalogue.feedsById([feedId])
  const matches = await matchStored(feedId, entries, catalogue)
  if (before?.schedule.succeededAt !== undefined) return { stored: before, matches }
  const [stored] = await catalogue.feedsById([feedId])
  const isPolled = stored?.schedule.succeededAt !== undefined
  return { stored, matches: isPolled ? await matchStored(feedId, entries, catalogue) : matches }
}

/** Without its text: there may be thousands. */
type StoredMatch = Pick<Entry, 'id' | 'imported'>

/** The stored entry of each imported one, by its position. */
async function matchStored(
  feedId: FeedId,
  entries: readonly EntryToImport[],
  catalogue: Catalogue,
): Promise<Map<number, StoredMatch>> {
  const byIdentifier = new Map<string, number>()
  for (const [i, entry] of entries.entries())
    for (const identifier of identifiersOfImported(entry))
      if (!byIdentifier.has(identifier)) byIdentifier.set(identifier, i)
  const matches = new Map<number, StoredMatch>()
  // Older stored entries cannot match by date; addresses may be dated differently.
  const oldest = entries.reduce((first, { publishedAt = 0 }) => Math.min(first, publishedAt), Number.POSITIVE_INFINITY)
  let after: { at: number; id: EntryId } | undefined
  for (let compared = 0; compared < MAX_COMPARED && matches.size < entries.length; compared += CHUNK) {
    const chunk = await catalogue.entries({ feedId, limit: CHUNK, ...(after && { after }) })
    for (const entry of chunk) {
      const same = identifiersOf(entry).map((identifier) => byIdentifier.get(identifier))
      const position = same.find((i) => i !== undefined && !matches.has(i))
      if (position !== undefined) matches.set(position, { id: entry.id, ...(entry.imported && { imported: true }) })
    }
    const last = chunk.at(-1)
    if (last === undefined || chunk.length < CHUNK || sortPosition(last).at < oldest - MAX_DATE_DIFFERENCE_MS) break
    after = sortPosition(last)
    await yieldToEventLoop()
  }
  return matches
}

/** How much the dates of one entry may differ between readers. */
const MAX_DATE_DIFFERENCE_MS = 30 * DAY

function identifiersOfImported({ guid, url, title, publishedAt }: EntryToImport): string[] {
  const [key, ...otherKeys] = keysOf({ guid, url, title, publishedAt })
  const about = { title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }) }
  return [...otherKeys.map((other) => `key ${other}`), ...identifiersOf({ key: key!, ...about })]
}

/** Without guid and address its title and date identify it. */
function keysOf({
  guid,
  url,
  title,
  publishedAt,
}: Pick<EntryToImport, 'guid' | 'url' | 'title' | 'publishedAt'>): string[] {
  const keys = possibleKeys({ guid, url })
  return keys.length > 0 ? keys : [`imported ${publishedAt ?? ''} ${title.slice(0, MAX_KEY_TITLE)}`]
}

const MAX_KEY_TITLE = 300

async function createEntries(
  feedId: FeedId,
  entries: readonly EntryToImport[],
  positions: readonly number[],
  { catalogue, pollResults, clock }: ImportParts,
): Promise<Map<number, EntryId>> {
  const created = new Map<number, EntryId>()
  if (positions.length === 0) return created
  const at = clock.now()
  const drafts = new Map<string, { draft: EntryDraft; position: number }>()
  for (const position of positions) {
    const draft = withValidDates(draftOf(entries[position]!), at)
    if (!drafts.has(draft.key)) drafts.set(draft.key, { draft, position })
  }
  const fresh = [...drafts.values()].map(({ draft }) => draft).sort((a, b) => sortAt(b, at) - sortAt(a, at))
  const before = await catalogue.newestEntryId()
  await recordNewsInChunks({ pollResults, retryTransient: doOnce }, { feedId, at, fresh, changed: [] })
  for await (const { id, key } of catalogue.everyEntry({ feedId, after: before })) {
    const position = drafts.get(key)?.position
    if (position !== undefined) created.set(position, id)
  }
  return created
}

function draftOf(entry: EntryToImport): EntryDraft {
  const { url, title, publishedAt, author, content } = entry
  return {
    key: keysOf(entry)[0]!,
    title,
    ...(url && { url }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(author && { author }),
    ...(content && { content }),
    imported: true,
  }
}

function newestFirst(entries: readonly EntryToImport[], positions: number[]): number[] {
  return positions.sort((a, b) => (entries[b]!.publishedAt ?? 0) - (entries[a]!.publishedAt ?? 0))
}

/** The labels that each entry does not have yet. */
function unlabeledIn(
  entries: readonly EntryToImport[],
  ids: readonly (readonly [position: number, id: EntryId])[],
  states: ReadonlyMap<EntryId, EntryState>,
): { id: EntryId; labels: string[] }[] {
  return ids.flatMap(([i, id]) => {
    const has = new Set((states.get(id)?.labels ?? []).map(foldedLabel))
    const labels = (entries[i]!.labels ?? []).filter((label) => !has.has(foldedLabel(label)))
    return labels.length > 0 ? [{ id, labels }] : []
  })
}

async function addLabels(
  userId: UserId,
  unlabeled: readonly { id: EntryId; labels: string[] }[],
  { readerState, clock }: ImportParts,
): Promise<Pick<ImportedEntries, 'labeled' | 'labelsRefused'>> {
  const labeled = new Set<EntryId>()
  let labelsRefused = false
  for (const [, alike] of Map.groupBy(unlabeled, ({ labels }) => JSON.stringify(labels)))
    for (const some of chunksOf(alike.map(({ id }) => id))) {
      const changed = await readerState.labelEntries(userId, some, { add: alike[0]!.labels }, clock.now())
      if (changed === 'too-many-labels') labelsRefused = true
      else for (const id of changed) labeled.add(id)
    }
  return { labeled: labeled.size, labelsRefused }
}

async function statesOf(readerState: ReaderState, userId: UserId, ids: EntryId[]) {
  const states = new Map<EntryId, EntryState>()
  for (const some of chunksOf(ids))
    for (const [i, state] of (await readerState.entryStates(userId, some)).entries()) states.set(some[i]!, state)
  return states
}

function chunksOf<One>(all: One[]): One[][] {
  return Array.from({ length: Math.ceil(all.length / MARKED_AT_ONCE) }, (_, i) =>
    all.slice(i * MARKED_AT_ONCE, (i + 1) * MARKED_AT_ONCE),
  )
}

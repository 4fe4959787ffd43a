/**
 * Keeps the records of a content store up to date with the store. Each kind is written at a moment at which a crash loses nothing:
 *
 * - entry records: when the changes that wait for the search index are read. New, changed and deleted entries wait there until they are
 *                  confirmed, and a change cannot be confirmed without having been read
 * - signatures:    before entries are grouped; the entries stay pending until the store has grouped them
 * - copies:        after entries were grouped, and before they are confirmed
 * - polls:         before the store deletes them
 */
import type { Entry, EntryId, FeedId, GroupMove, Instant, Poll } from '../../model/index.ts'
import type {
  ContentStore,
  ContentTextInfo,
  CopyRecord,
  GroupedEntry,
  Store,
  StoredSignature,
} from '../../ports/index.ts'
import { contentAddressIn } from './content-addresses.ts'

/** Most members of a group that are written when an entry joins it. Those of a larger group were written before, except for a change of primary. */
const MAX_MEMBERS = 500
const POLL_BATCH = 500
/** A call writes at least this many polls, if there are any: writing them is cheaper than deleting them from the store. */
const MIN_POLLS_FILED = 1000
/** Signatures of a scan that are looked up together. */
const SIGNATURE_BATCH = 512

export interface RecordingMethods extends Pick<Store, 'recordGroups' | 'signatures' | 'forget'> {
  /** Writes the entry records for changes that wait for the search index, as the store returned them. */
  fileEntryRecords(changes: readonly { id: EntryId; entry?: Entry }[]): Promise<void>
}

export function createRecordingMethods(
  mainStore: Store,
  contentStore: ContentStore,
  now: () => Instant,
): RecordingMethods {
  /** All polls that the store deletes with this date are written; it deletes them in batches. */
  let writtenBefore: Instant | undefined
  /** A scan of polls that was not finished within one call. */
  let unfinishedScan: { before: Instant; polls: AsyncIterator<Poll> } | undefined

  async function fileEntryRecords(changes: readonly { id: EntryId; entry?: Entry }[]): Promise<void> {
    const at = now()
    await contentStore.putEntries(
      changes.flatMap(({ entry }) => (entry ? [entry] : [])),
      at,
    )
    const deletedIds = changes.flatMap(({ id, entry }) => (entry ? [] : [id]))
    if (deletedIds.length === 0) return
    const records = await recordsOfRemovedFeeds(deletedIds)
    await contentStore.removeEntries(
      records.map(({ id }) => id),
      at,
    )
    await contentStore.dropTexts(records.flatMap((record) => referencedContent(record, at)))
  }

  /** Records of entries whose feed is removed, too. Records of entries that the store only deleted by age stay. */
  async function recordsOfRemovedFeeds(ids: readonly EntryId[]): Promise<Entry[]> {
    const records = (await contentStore.getEntries(ids)).filter((record) => record !== undefined)
    const feedIds = [...new Set(records.map(({ feedId }) => feedId))]
    const feeds = await mainStore.feedsById(feedIds)
    const removedFeeds = new Set<FeedId>(feedIds.filter((_, i) => feeds[i] === undefined))
    return records.filter(({ feedId }) => removedFeeds.has(feedId))
  }

  async function putCopies(placed: readonly GroupedEntry[], moves: readonly GroupMove[]): Promise<void> {
    const joined = placed.filter(({ joins }) => joins.copy).map(({ id }) => id)
    const groups = (await mainStore.groupsOfEntries(joined, 'copy')).filter((group) => group !== undefined)
    const copies: CopyRecord[] = []
    for (const group of new Map(groups.map((one) => [one.id, one])).values()) {
      for (const { entryId, at, distance } of await mainStore.members(group.id, MAX_MEMBERS))
        copies.push({ primaryId: group.primaryId, id: entryId, at, distance })
    }
    const leavingIds = new Set(moves.flatMap(({ entryId, level, to }) => (level === 'copy' && !to ? [entryId] : [])))
    for (const { id, at } of placed) if (leavingIds.has(id)) copies.push({ primaryId: id, id, at, distance: 0 })
    await contentStore.putCopies(copies, now())
  }

  async function* withSignatures(scan: AsyncIterable<StoredSignature>): AsyncIterable<StoredSignature> {
    let batch: StoredSignature[] = []
    const lookUpSignatures = async () => {
      const storedSignatures = await contentStore.getSignatures(
        batch.filter(({ signature }) => signature.length === 0).map(({ id }) => id),
      )
      const found = batch.map((one) => (one.signature.length > 0 ? one.signature : storedSignatures.shift()?.signature))
      return batch.flatMap((one, i) => (found[i] ? [{ ...one, signature: found[i] }] : []))
    }
    for await (const one of scan) {
      if (batch.push(one) < SIGNATURE_BATCH) continue
      yield* await lookUpSignatures()
      batch = []
    }
    yield* await lookUpSignatures()
  }

  /**
   * Writes each poll once, a bounded number per call. The store deletes nothing before all of them are written, so after a failure the
   * scan starts again. Returns the number of polls written, and, after the last of them, the date before which the store may delete polls.
   */
  async function filePolls(before: Instant, maxPolls: number): Promise<{ filed: number; until?: Instant }> {
    const scan = unfinishedScan ?? { before, polls: mainStore.pollsToForget(before)[Symbol.asyncIterator]() }
    unfinishedScan = undefined // a scan that fails is not continued
    let written = 0
    let isLast = false
    while (written < maxPolls && !isLast) {
      const polls: Poll[] = []
      while (polls.length < Math.min(POLL_BATCH, maxPolls - written) && !isLast) {
        const next = await scan.polls.next()
        if (next.done) isLast = true
        else polls.push(next.value)
      }
      await contentStore.putPolls(polls)
      written += polls.length
    }
    if (!isLast) unfinishedScan = scan
    return { filed: written, ...(isLast && { until: scan.before }) }
  }

  return {
    fileEntryRecords,

    async recordGroups(entries, marks, at, boilerplate) {
      await contentStore.putSignatures(entries, now())
      const withoutSignatures = entries.map((entry) => ({ ...entry, signature: NO_SIGNATURE }))
      const mayJoin = entries.some(({ joins }) => joins.copy !== undefined)
      // If no copies change, one step is enough: there is nothing to write between grouping and confirming.
      const moves = await mainStore.recordGroups(withoutSignatures, mayJoin ? [] : marks, at, boilerplate)
      if (!mayJoin && moves.length === 0) return moves
      await putCopies(entries, moves)
      if (mayJoin) await mainStore.recordGroups([], marks, at)
      return moves
    },

    signatures: (filter) => withSignatures(mainStore.signatures(filter)),

    async forget(kind, before, limit) {
      if (kind !== 'polls') return await mainStore.forget(kind, before, limit)
      if (writtenBefore !== undefined && writtenBefore <= before) {
        const dropped = await mainStore.forget('polls', writtenBefore, limit)
        if (dropped > 0) return dropped
      }
      const { filed: written, until } = await filePolls(before, Math.max(limit, MIN_POLLS_FILED))
      if (until === undefined) return written
      writtenBefore = until
      return await mainStore.forget('polls', until, limit)
    },
  }
}

const NO_SIGNATURE = new Uint8Array()

function referencedContent({ feedId, key, content, summary }: Entry, at: Instant): ContentTextInfo[] {
  const addresses = [contentAddressIn(content), contentAddressIn(summary)]
  return addresses.flatMap((address) =>
    address ? [{ address, owner: { kind: 'entry', feedId, key } as const, at }] : [],
  )
}

/**
 * How the stacks of a library follow the ledger, each at a moment at which nothing can be lost between the two:
 *
 * - cards:        when somebody asks what waits for the search index. Whatever is new, changed or gone waits there until its marks are
 *                 taken out, and nobody knows marks before he has asked
 * - fingerprints: before entries are placed; they wait for their place until the ledger has it
 * - copies:       when entries were placed, and before their marks are taken out
 * - polls:        before the ledger forgets them
 */
import type { Entry, EntryId, FeedId, GroupMove, Instant, Poll } from '../../model/index.ts'
import type { FiledCopy, Library, PlacedEntry, ShelvedText, Store, StoredSignature } from '../../ports/index.ts'
import { nameIn } from './names.ts'

/** Members of a group that are filed with one that joins it; those of a larger one have been, but for a change of primary. */
const MOST_MEMBERS = 500
const POLLS_TOGETHER = 500
/** So many polls are filed in a call at least: to file is cheaper than to forget. */
const LEAST_FILED = 1000
/** How many signatures of a walk are looked up together. */
const SIGNATURES_TOGETHER = 512

export interface FollowedMethods extends Pick<Store, 'place' | 'signatures' | 'forgetPolls'> {
  /** Of what waits for the search index, as the ledger has it. */
  fileCards(changes: readonly { id: EntryId; entry?: Entry }[]): Promise<void>
}

export function followedByStacks(ledger: Store, library: Library, now: () => Instant): FollowedMethods {
  /** All polls that the ledger can forget with this date are filed; it forgets them a few at a time. */
  let filedBefore: Instant | undefined
  /** A walk over polls to be filed that was not finished within one call. */
  let filing: { before: Instant; polls: AsyncIterator<Poll> } | undefined

  async function fileCards(changes: readonly { id: EntryId; entry?: Entry }[]): Promise<void> {
    const at = now()
    await library.file(
      changes.flatMap(({ entry }) => (entry ? [entry] : [])),
      at,
    )
    const gone = changes.flatMap(({ id, entry }) => (entry ? [] : [id]))
    if (gone.length === 0) return
    const cards = await removed(gone)
    await library.withdraw(
      cards.map(({ id }) => id),
      at,
    )
    await library.drop(cards.flatMap((card) => textsNamedBy(card, at)))
  }

  /** Those whose feed is gone, too: what the ledger has only forgotten stays in the stacks. */
  async function removed(ids: readonly EntryId[]): Promise<Entry[]> {
    const cards = (await library.filed(ids)).filter((card) => card !== undefined)
    const feedIds = [...new Set(cards.map(({ feedId }) => feedId))]
    const feeds = await ledger.feedsById(feedIds)
    const isGone = new Set<FeedId>(feedIds.filter((_, i) => feeds[i] === undefined))
    return cards.filter(({ feedId }) => isGone.has(feedId))
  }

  async function fileCopies(placed: readonly PlacedEntry[], moves: readonly GroupMove[]): Promise<void> {
    const joined = placed.filter(({ joins }) => joins.copy).map(({ id }) => id)
    const groups = (await ledger.groupsOfEntries(joined, 'copy')).filter((group) => group !== undefined)
    const copies: FiledCopy[] = []
    for (const group of new Map(groups.map((one) => [one.id, one])).values()) {
      for (const { entryId, at, distance } of await ledger.members(group.id, MOST_MEMBERS))
        copies.push({ primaryId: group.primaryId, id: entryId, at, distance })
    }
    const alone = new Set(moves.flatMap(({ entryId, level, to }) => (level === 'copy' && !to ? [entryId] : [])))
    for (const { id, at } of placed) if (alone.has(id)) copies.push({ primaryId: id, id, at, distance: 0 })
    await library.fileCopies(copies, now())
  }

  async function* withSignatures(walk: AsyncIterable<StoredSignature>): AsyncIterable<StoredSignature> {
    let some: StoredSignature[] = []
    const told = async () => {
      const own = await library.signaturesOf(some.filter(({ signature }) => signature.length === 0).map(({ id }) => id))
      const found = some.map((one) => (one.signature.length > 0 ? one.signature : own.shift()?.signature))
      return some.flatMap((one, i) => (found[i] ? [{ ...one, signature: found[i] }] : []))
    }
    for await (const one of walk) {
      if (some.push(one) < SIGNATURES_TOGETHER) continue
      yield* await told()
      some = []
    }
    yield* await told()
  }

  /**
   * Files each poll once, a bounded number per call: the ledger forgets nothing before all of them are filed, so a failure only begins the
   * walk again. Returns how many it filed, and since when the ledger may forget if that was the last of them.
   */
  async function filePolls(before: Instant, most: number): Promise<{ filed: number; until?: Instant }> {
    const walk = filing ?? { before, polls: ledger.pollsToForget(before)[Symbol.asyncIterator]() }
    filing = undefined // a walk that fails is not continued
    let filed = 0
    let isLast = false
    while (filed < most && !isLast) {
      const polls: Poll[] = []
      while (polls.length < Math.min(POLLS_TOGETHER, most - filed) && !isLast) {
        const next = await walk.polls.next()
        if (next.done) isLast = true
        else polls.push(next.value)
      }
      await library.filePolls(polls)
      filed += polls.length
    }
    if (!isLast) filing = walk
    return { filed, ...(isLast && { until: walk.before }) }
  }

  return {
    fileCards,

    async place(entries, marks, at, habits) {
      await library.sign(entries, now())
      const thin = entries.map((entry) => ({ ...entry, signature: NOTHING }))
      const mayJoin = entries.some(({ joins }) => joins.copy !== undefined)
      // In one step where nobody's copies change: then there is nothing to file between.
      const moves = await ledger.place(thin, mayJoin ? [] : marks, at, habits)
      if (!mayJoin && moves.length === 0) return moves
      await fileCopies(entries, moves)
      if (mayJoin) await ledger.place([], marks, at)
      return moves
    },

    signatures: (filter) => withSignatures(ledger.signatures(filter)),

    async forgetPolls(before, limit) {
      if (filedBefore !== undefined && filedBefore <= before) {
        const dropped = await ledger.forgetPolls(filedBefore, limit)
        if (dropped > 0) return dropped
      }
      const { filed, until } = await filePolls(before, Math.max(limit, LEAST_FILED))
      if (until === undefined) return filed
      filedBefore = until
      return await ledger.forgetPolls(until, limit)
    },
  }
}

const NOTHING = new Uint8Array()

function textsNamedBy({ feedId, key, content, summary }: Entry, at: Instant): ShelvedText[] {
  const names = [nameIn(content), nameIn(summary)]
  return names.flatMap((name) => (name ? [{ name, owner: { kind: 'entry', feedId, key } as const, at }] : []))
}

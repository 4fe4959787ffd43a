/** Compares feeds, sources, polls and entries in SQLite with the memory store, for random actions. */
import fc from 'fast-check'
import { it } from 'vitest'
import type { EntryDraft, EntryId, FeedId, FeedState, SourceId } from '../../model/index.ts'
import { joined, placed } from '../../ports/group-samples.contract.ts'
import type { GroupedEntry, PollRecord, Store } from '../../ports/index.ts'
import {
  all,
  failedRecord,
  newFeed,
  newSource,
  record,
  START,
  unchangedRecord,
} from '../../ports/store-samples.contract.ts'
import { compareWithMemory, type StoreAction } from './matches-memory.fixture.ts'

// Few distinct values, so that actions interact.
const name = fc.constantFrom('a', 'b', 'c', 'd')
const state = fc.constantFrom<FeedState>('active', 'paused', 'gone')
const feedId = fc.integer({ min: 1, max: 5 }) as fc.Arbitrary<FeedId>
const sourceId = fc.integer({ min: 1, max: 4 }) as fc.Arbitrary<SourceId>
const delay = fc.integer({ min: -20, max: 40 })
const limit = fc.constantFrom(1, 2, 10)
const drafts: fc.Arbitrary<EntryDraft[]> = fc.array(
  fc.record(
    {
      key: fc.constantFrom('k1', 'k2', 'k3', 'k4'),
      title: fc.constantFrom('x', 'y'),
      url: fc.constant('https://e.example/'),
      publishedAt: delay.map((ms) => START + ms),
      content: fc.constantFrom('short', 'long '.repeat(400)),
    },
    { requiredKeys: ['key', 'title'] },
  ),
  { maxLength: 4 },
)

type Kind = 'read' | 'unchanged' | 'failed'
const kind = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Kind>('unchanged') },
  fc.constant<Kind>('read'),
  fc.constant<Kind>('failed'),
)

function recordOf(id: FeedId, at: number, kind: Kind, fresh: EntryDraft[], changed: EntryDraft[]): PollRecord {
  if (kind === 'failed') return failedRecord(id, at)
  return kind === 'unchanged' ? unchangedRecord(id, at) : record(id, at, { fresh, changed })
}

/** Ids have gaps that differ between stores, so entries are chosen and compared by rank. */
async function ranked(store: Store, ranks: number[]): Promise<EntryId[]> {
  const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
  return ids.length === 0 ? [] : ranks.map((rank) => ids[rank % ids.length]!)
}

const rank = fc.nat(9)
const ranks = fc.array(rank, { maxLength: 3 })
const placements = fc.array(fc.tuple(rank, ranks, ranks, delay, fc.nat(15)), { maxLength: 6 })

/** Groups pending entries with random others. There are few simhashes, so that elections of a primary have ties. */
const placing = fc.tuple(placements, limit).map(([some, limit]): StoreAction => {
  return async (store, now) => {
    const entries = await Promise.all(
      some.map(async ([one, copies, stories, ms, bits]): Promise<GroupedEntry[]> => {
        const [id] = await ranked(store, [one])
        if (!id) return []
        const copy = joined(...(await ranked(store, copies)))
        const story = joined(...(await ranked(store, stories)))
        return [placed(id, { copy, story }, { at: START + ms, simhash: BigInt(bits) })]
      }),
    )
    const { positions } = await store.ungrouped(limit)
    const moves = await store.recordGroups(entries.flat(), positions, now)
    return moves.map(({ entryId: _, ...move }) => move)
  }
})

const deed: fc.Arbitrary<StoreAction> = fc.oneof(
  { weight: 4, arbitrary: placing },
  fc.tuple(delay, limit).map(
    ([ms, limit]): StoreAction =>
      (store, now) =>
        store.forget('signatures', now + ms, limit),
  ),
  fc.tuple(name, state, delay).map(([who, state, ms]): StoreAction => {
    return (store) => store.addFeeds([newFeed(who, { state }, { dueAt: START + ms })])
  }),
  fc.tuple(name, delay).map(([who, ms]): StoreAction => {
    return (store) => store.addSources([newSource(who, { dueAt: START + ms })])
  }),
  fc.tuple(limit, delay).map(([limit, ms]): StoreAction => {
    return (store, now) => store.leaseDue(now, limit, now + Math.max(1, ms))
  }),
  fc.tuple(feedId, sourceId, fc.option(delay)).map(([feed, source, ms]): StoreAction => {
    const due = ms === null ? {} : { dueAt: START + ms }
    return (store) =>
      store.releaseLeases([
        { kind: 'feed', id: feed, ...due },
        { kind: 'source', id: source, ...due },
      ])
  }),
  fc
    .array(fc.tuple(feedId, kind, drafts, drafts, fc.integer({ min: -2, max: 2 })), { maxLength: 4 })
    .map((polls): StoreAction => {
      return (store, now) =>
        store.recordPolls(polls.map(([id, what, ...rest]) => recordOf(id, now + rest[2], what, rest[0], rest[1])))
    }),
  fc.tuple(feedId, drafts, drafts).map(([id, fresh, changed]): StoreAction => {
    return (store, now) => store.recordEntries([{ feedId: id, at: now - 9, fresh, changed }])
  }),
  fc.tuple(sourceId, name, drafts).map(([id, who, fresh]): StoreAction => {
    return (store, now) => store.recordSourceFound(id, newFeed(who), record(0 as FeedId, now, { fresh }))
  }),
  sourceId.map(
    (id): StoreAction =>
      (store, now) =>
        store.recordSourceFailed(id, { kind: 'timeout' }, now + 5),
  ),
  fc.tuple(feedId, name, fc.option(state)).map(([id, who, state]): StoreAction => {
    return (store) => store.changeFeed(id, { url: newFeed(who).feed.url, ...(state && { state }) })
  }),
  fc.tuple(feedId, delay).map(
    ([id, ms]): StoreAction =>
      (store) =>
        store.changeFeed(id, {}, { dueAt: START + ms }),
  ),
  feedId.map(
    (id): StoreAction =>
      (store) =>
        store.removeFeed(id),
  ),
  sourceId.map(
    (id): StoreAction =>
      (store) =>
        store.removeSource(id),
  ),
  fc.tuple(delay, limit).map(
    ([ms, limit]): StoreAction =>
      (store, now) =>
        store.forget('entries', now + ms, limit),
  ),
  fc.tuple(delay, limit).map(
    ([ms, limit]): StoreAction =>
      async (store, now) =>
        void (await store.compressEntries(now + ms, limit)), // the number of packed entries may differ between stores
  ),
  fc.tuple(delay, limit).map(
    ([ms, limit]): StoreAction =>
      (store, now) =>
        store.forget('polls', now + ms, limit),
  ),
  limit.map(
    (limit): StoreAction =>
      async (store) =>
        store.markIndexed((await store.unindexed(limit)).positions),
  ),
)

it('answers like the memory store for any actions in any order', async () => {
  const alike = fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), (deeds) => compareWithMemory(deeds))
  await fc.assert(alike, { numRuns: 150 })
})

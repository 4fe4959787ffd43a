/** Feeds, sources, polls and entries, held against the memory store. */
import fc from 'fast-check'
import { it } from 'vitest'
import type { EntryDraft, EntryId, FeedId, FeedState, SourceId } from '../../model/index.ts'
import { joined, placed } from '../../ports/group-samples.contract.ts'
import type { PlacedEntry, PollRecord, Store } from '../../ports/index.ts'
import {
  all,
  failedRecord,
  newFeed,
  newSource,
  record,
  START,
  unchangedRecord,
} from '../../ports/store-samples.contract.ts'
import { type Deed, holdAgainstMemory } from './like-memory.fixture.ts'

// Few of everything, so that deeds meet.
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

/** Ids leave gaps, and not the same ones in both stores: entries are chosen, and compared, by their rank. */
async function ranked(store: Store, ranks: number[]): Promise<EntryId[]> {
  const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
  return ids.length === 0 ? [] : ranks.map((rank) => ids[rank % ids.length]!)
}

const rank = fc.nat(9)
const ranks = fc.array(rank, { maxLength: 3 })
const placements = fc.array(fc.tuple(rank, ranks, ranks, delay, fc.nat(15)), { maxLength: 6 })

/** Somebody places what waits, and joins it with whom he likes; simhashes are few, so that elections have ties. */
const placing = fc.tuple(placements, limit).map(([some, limit]): Deed => {
  return async (store, now) => {
    const entries = await Promise.all(
      some.map(async ([one, copies, stories, ms, bits]): Promise<PlacedEntry[]> => {
        const [id] = await ranked(store, [one])
        if (!id) return []
        const copy = joined(...(await ranked(store, copies)))
        const story = joined(...(await ranked(store, stories)))
        return [placed(id, { copy, story }, { at: START + ms, simhash: BigInt(bits) })]
      }),
    )
    const { marks } = await store.unplaced(limit)
    const moves = await store.place(entries.flat(), marks, now)
    return moves.map(({ entryId: _, ...move }) => move)
  }
})

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: placing },
  fc.tuple(delay, limit).map(
    ([ms, limit]): Deed =>
      (store, now) =>
        store.forgetSignatures(now + ms, limit),
  ),
  fc.tuple(name, state, delay).map(([who, state, ms]): Deed => {
    return (store) => store.addFeeds([newFeed(who, { state }, { dueAt: START + ms })])
  }),
  fc.tuple(name, delay).map(([who, ms]): Deed => {
    return (store) => store.addSources([newSource(who, { dueAt: START + ms })])
  }),
  fc.tuple(limit, delay).map(([limit, ms]): Deed => {
    return (store, now) => store.takeDue(now, limit, now + Math.max(1, ms))
  }),
  fc.tuple(feedId, sourceId, fc.option(delay)).map(([feed, source, ms]): Deed => {
    const due = ms === null ? {} : { dueAt: START + ms }
    return (store) =>
      store.handBack([
        { kind: 'feed', id: feed, ...due },
        { kind: 'source', id: source, ...due },
      ])
  }),
  fc
    .array(fc.tuple(feedId, kind, drafts, drafts, fc.integer({ min: -2, max: 2 })), { maxLength: 4 })
    .map((polls): Deed => {
      return (store, now) =>
        store.recordPolls(polls.map(([id, what, ...rest]) => recordOf(id, now + rest[2], what, rest[0], rest[1])))
    }),
  fc.tuple(feedId, drafts, drafts).map(([id, fresh, changed]): Deed => {
    return (store, now) => store.recordNews([{ feedId: id, at: now - 9, fresh, changed }])
  }),
  fc.tuple(sourceId, name, drafts).map(([id, who, fresh]): Deed => {
    return (store, now) => store.sourceFound(id, newFeed(who), record(0 as FeedId, now, { fresh }))
  }),
  sourceId.map(
    (id): Deed =>
      (store, now) =>
        store.sourceFailed(id, { kind: 'timeout' }, now + 5),
  ),
  fc.tuple(feedId, name, fc.option(state)).map(([id, who, state]): Deed => {
    return (store) => store.changeFeed(id, { url: newFeed(who).feed.url, ...(state && { state }) })
  }),
  fc.tuple(feedId, delay).map(
    ([id, ms]): Deed =>
      (store) =>
        store.changeFeed(id, {}, { dueAt: START + ms }),
  ),
  feedId.map(
    (id): Deed =>
      (store) =>
        store.removeFeed(id),
  ),
  sourceId.map(
    (id): Deed =>
      (store) =>
        store.removeSource(id),
  ),
  fc.tuple(delay, limit).map(
    ([ms, limit]): Deed =>
      (store, now) =>
        store.forgetEntries(now + ms, limit),
  ),
  fc.tuple(delay, limit).map(
    ([ms, limit]): Deed =>
      async (store, now) =>
        void (await store.packEntries(now + ms, limit)), // how much is each store's own affair
  ),
  fc.tuple(delay, limit).map(
    ([ms, limit]): Deed =>
      (store, now) =>
        store.forgetPolls(now + ms, limit),
  ),
  limit.map(
    (limit): Deed =>
      async (store) =>
        store.indexed((await store.unindexed(limit)).marks),
  ),
)

it('answers as the memory store does, whatever is done in whatever order', async () => {
  const alike = fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), (deeds) => holdAgainstMemory(deeds))
  await fc.assert(alike, { numRuns: 150 })
})

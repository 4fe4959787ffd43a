/** Whatever is done to a store, in whatever order: SQLite answers as the memory store does, which is easy to check by eye. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { EntryDraft, EntryId, FeedId, FeedState, SourceId } from '../../../model/index.ts'
import type { PollRecord, Store } from '../../../ports/index.ts'
import { all, failedRecord, newFeed, newSource, record, START } from '../../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Deed = (store: Store, now: number) => Promise<unknown>

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
    },
    { requiredKeys: ['key', 'title'] },
  ),
  { maxLength: 4 },
)

const recordOf = (id: FeedId, at: number, failed: boolean, fresh: EntryDraft[], changed: EntryDraft[]): PollRecord =>
  failed ? failedRecord(id, at) : record(id, at, { fresh, changed })

const deed: fc.Arbitrary<Deed> = fc.oneof(
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
    .array(fc.tuple(feedId, fc.boolean(), drafts, drafts, fc.integer({ min: -2, max: 2 })), { maxLength: 4 })
    .map((polls): Deed => {
      return (store, now) =>
        store.recordPolls(polls.map(([id, failed, ...rest]) => recordOf(id, now + rest[2], failed, rest[0], rest[1])))
    }),
  fc.tuple(feedId, drafts, drafts).map(([id, fresh, changed]): Deed => {
    return (store, now) => store.recordPolls([{ ...record(id, now - 9, { fresh, changed }), pushed: true }])
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
      (store, now) =>
        store.forgetPolls(now + ms, limit),
  ),
  limit.map(
    (limit): Deed =>
      async (store) =>
        store.indexed((await store.unindexed(limit)).upTo),
  ),
)

it('answers as the memory store does, whatever is done in whatever order', { timeout: 60_000 }, async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), async (deeds) => {
      const memory = createMemoryStore()
      const { store } = openSqliteStore({ file: join(folder, `${runs++}.db`), mode: 'write', now: () => START })
      for (const [i, act] of deeds.entries()) {
        const now = START + i
        expect(await act(store, now)).toEqual(await act(memory, now))
        const [next, expected] = [await store.nextDueAt(), await memory.nextDueAt()]
        expect(next && Math.max(next, now)).toEqual(expected && Math.max(expected, now))
      }
      expect(await everythingIn(store)).toEqual(await everythingIn(memory))
      await store.close()
    }),
    { numRuns: 150 },
  )
})

async function everythingIn(store: Store): Promise<unknown> {
  const waiting = (await store.unindexed(99)).changes
  const everyEntry = await all(store.everyEntry({}))
  // Ids only ever grow, but may leave gaps, and not the same gaps: entries are compared by their rank.
  const ids = [...new Set([...everyEntry, ...waiting].map(({ id }) => id))].sort((a, b) => a - b)
  const ranked = <T extends { id: EntryId } | undefined>(entry: T) => entry && { ...entry, id: ids.indexOf(entry.id) }
  const ofFeed = async (feedId: FeedId) => [
    (await store.entries({ feedId, limit: 99 })).map(ranked),
    await store.polls({ feedId, limit: 99 }),
    (await all(store.everyEntry({ feedId, since: START }))).map(ranked),
    await all(store.everyPoll({ feedId, since: START })),
    await store.known([{ feedId, keys: ['k1', 'k2', 'k3', 'k4'] }]),
  ]
  return {
    counts: { ...(await store.counts()), bytes: 0 },
    feeds: await all(store.everyFeed()),
    due: await store.feeds({ order: 'due', limit: 99 }),
    troubled: await store.feeds({ order: 'id', troubled: true, limit: 99 }),
    sources: await store.sources({ limit: 99 }),
    entries: (await store.entries({ limit: 99 })).map(ranked),
    entriesById: (await store.entriesById(ids)).map(ranked),
    polls: await store.polls({ limit: 99 }),
    everyEntry: everyEntry.map(ranked),
    everyPoll: await all(store.everyPoll({})),
    waiting: waiting.map(({ id, entry }) => ({ id: ids.indexOf(id), entry: ranked(entry) })),
    byFeed: await Promise.all(([1, 2, 3, 4, 5, 6] as FeedId[]).map(ofFeed)),
  }
}

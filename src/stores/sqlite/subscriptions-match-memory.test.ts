/** Compares subscriptions, read state, stars and muted entries of two users in SQLite with the memory store, for random actions. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChangeId, EntryId, FeedId, UserId } from '../../model/index.ts'
import type { ReadUntil, Store } from '../../ports/index.ts'
import { all, draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { openSqliteStore } from './index.ts'

interface Reader {
  store: Store
  users: UserId[]
  last: { userIndex: number; change: ChangeId } | undefined
}

type ReaderAction = (reader: Reader, now: number) => Promise<unknown>

const userIndex = fc.nat(1)
const feedId = fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<FeedId>
const ranks = fc.array(fc.nat(9), { minLength: 1, maxLength: 3 })
const keys = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -20, max: 20 })), { maxLength: 4 })
const folder = fc.constantFrom(undefined, 'News', 'news / Local')

/** Ids have gaps that differ between stores. */
async function ranked(store: Store, chosen: number[]): Promise<EntryId[]> {
  const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
  return ids.length === 0 ? [] : chosen.map((rank) => ids[rank % ids.length]!)
}

async function ranksOf(store: Store, ids: EntryId[]): Promise<number[]> {
  const known = (await all(store.everyEntry({}))).map(({ id }) => id)
  return ids.map((id) => known.indexOf(id))
}

const anyAction: fc.Arbitrary<ReaderAction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(feedId, keys).map(([id, chosen]): ReaderAction => {
      const fresh = chosen.map(([key, ms]) => draft(`k${key}`, { publishedAt: START + ms }))
      return ({ store }, now) => store.recordPolls([record(id, now, { fresh })])
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(userIndex, feedId, folder, fc.nat(3))
      .map(([userIndex, feedId, folder, unread]): ReaderAction => {
        return ({ store, users }, now) =>
          store.follow(users[userIndex]!, [{ feedId, ...(folder && { folder }) }], now, unread)
      }),
  },
  fc.tuple(userIndex, feedId).map(
    ([userIndex, feedId]): ReaderAction =>
      ({ store, users }) =>
        store.unfollow(users[userIndex]!, [{ feedId }]),
  ),
  {
    weight: 5,
    arbitrary: fc.tuple(userIndex, ranks, fc.boolean()).map(([userIndex, chosen, isRead]): ReaderAction => {
      return async (reader, now) => {
        const { store, users } = reader
        const ids = await ranked(store, chosen)
        const { change, changed } = await store.markEntries(users[userIndex]!, ids, isRead ? 'read' : 'unread', now)
        reader.last = { userIndex, change }
        return ranksOf(store, changed)
      }
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(userIndex, fc.option(feedId), folder, fc.nat(3), fc.nat(9), fc.integer({ min: -20, max: 20 }))
      .map(([userIndex, feed, folder, kind, rank, ms]): ReaderAction => {
        return async (reader, now) => {
          const { store, users } = reader
          const [entryId] = await ranked(store, [rank])
          const untils: (ReadUntil | undefined)[] = [
            undefined,
            entryId === undefined ? undefined : { entryId },
            { seenBefore: now - (rank % 5) },
            { datedBefore: START + ms },
          ]
          const scope = { ...(feed && { feedIds: [feed] }), ...(folder && { folder }) }
          const { change, marked } = await store.markAllRead(users[userIndex]!, scope, untils[kind])
          reader.last = { userIndex, change }
          return marked
        }
      }),
  },
  {
    weight: 2,
    arbitrary: fc.constant<ReaderAction>(async (reader) => {
      const { store, users, last } = reader
      reader.last = undefined
      return last && store.undoChange(users[last.userIndex]!, last.change)
    }),
  },
  fc.tuple(userIndex, ranks, fc.boolean()).map(([userIndex, chosen, starred]): ReaderAction => {
    return async ({ store, users }, now) =>
      ranksOf(store, await store.starEntries(users[userIndex]!, await ranked(store, chosen), starred, now))
  }),
  fc.tuple(userIndex, ranks, fc.boolean()).map(([userIndex, chosen, muted]): ReaderAction => {
    return async ({ store, users }, now) =>
      ranksOf(store, await store.muteEntries(users[userIndex]!, await ranked(store, chosen), muted, now))
  }),
  fc.tuple(fc.nat(4), fc.nat(2)).map(
    ([ms, limit]): ReaderAction =>
      ({ store }, now) =>
        store.forget('entries', now - ms, limit),
  ),
  feedId.map(
    (id): ReaderAction =>
      ({ store }) =>
        store.removeFeed(id),
  ),
  fc.nat(3).map(
    (i): ReaderAction =>
      ({ store }) =>
        store.addFeeds([newFeed('abcd'[i]!)]),
  ),
  fc.tuple(userIndex, folder).map(([userIndex, folder]): ReaderAction => {
    return ({ store, users }) => store.renameFolder(users[userIndex]!, 'News', folder ?? null)
  }),
  fc.constant<ReaderAction>(async ({ store }) => {
    while ((await store.sweepRemoved(2)) > 0);
  }),
)

async function readEverything({ store, users }: Reader): Promise<unknown> {
  const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
  const rank = (id: EntryId) => ids.indexOf(id)
  return Promise.all(
    users.map(async (userId) => {
      const pages: number[] = []
      for (let after: { at: number; id: EntryId } | undefined; ; ) {
        const page = await store.entriesFor(userId, { read: false, limit: 2, ...(after && { after }) })
        pages.push(...page.entries.map(({ id }) => rank(id)))
        after = page.nextAfter
        if (!after) break
      }
      const arrivals = async (more: object) =>
        (await store.arrivalsFor(userId, { order: 'oldest', limit: 99, ...more })).arrivals.map(({ id }) => rank(id))
      const states = await store.entryStates(userId, ids)
      const counts = await store.readerCounts(userId)
      expect(counts.unread).toBe(states.filter(({ read }) => read === false).length)
      expect([...pages].sort((a, b) => a - b)).toEqual(await arrivals({ read: false }))
      return {
        standing: counts,
        marks: states,
        pages,
        starred: await arrivals({ starred: true }),
        read: await arrivals({ read: true }),
        mine: (await store.entriesFor(userId, { limit: 99 })).entries.map(({ id }) => rank(id)),
        folders: counts.folders,
        subscriptions: await store.subscriptionsOf(userId, { limit: 99 }),
      }
    }),
  )
}

it('answers like the memory store', async () => {
  const alike = fc.asyncProperty(fc.array(anyAction, { minLength: 5, maxLength: 30 }), async (actions) => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
    const { store } = openSqliteStore({ file: join(folder, 'held.db'), mode: 'write', now: () => START })
    try {
      const readers: Reader[] = []
      for (const storeUnderTest of [store, createMemoryStore()]) {
        await storeUnderTest.addFeeds(['a', 'b', 'c'].map((name) => newFeed(name)))
        const users: UserId[] = []
        for (const name of ['Ada', 'bob'])
          users.push((await storeUnderTest.addUser({ name, scope: 'write', addedAt: START, password: '' })) as UserId)
        const dated = (key: string, ms: number) => draft(key, { publishedAt: START + ms })
        for (const id of [1, 2, 3] as FeedId[]) {
          await storeUnderTest.recordPolls([
            record(id, START - 2, { fresh: [dated('a', 3), dated('b', -5), dated('c', 9)] }),
          ])
          for (const userId of users) await storeUnderTest.follow(userId, [{ feedId: id }], START, id)
          await storeUnderTest.recordPolls([record(id, START - 1, { fresh: [dated('d', -9), dated('e', 1)] })])
        }
        readers.push({ store: storeUnderTest, users, last: undefined })
      }
      const [sqlite, memory] = readers as [Reader, Reader]
      for (const [i, action] of actions.entries()) {
        const now = START + i
        expect(await action(sqlite, now)).toEqual(await action(memory, now))
        expect(await readEverything(sqlite)).toEqual(await readEverything(memory))
      }
    } finally {
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })
  await fc.assert(alike, { numRuns: 100 })
})

/** What two people follow, read and star, held against the memory store: lists and counts agree, whatever is done in whatever order. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChangeId, EntryId, FeedId, PersonId } from '../../model/index.ts'
import type { MarkedUntil, Store } from '../../ports/index.ts'
import { all, draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { openSqliteStore } from './index.ts'

interface Reader {
  store: Store
  people: PersonId[]
  last: { who: number; change: ChangeId } | undefined
}

type Deed = (reader: Reader, now: number) => Promise<unknown>

const who = fc.nat(1)
const feedId = fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<FeedId>
const ranks = fc.array(fc.nat(9), { minLength: 1, maxLength: 3 })
const keys = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -20, max: 20 })), { maxLength: 4 })
const folder = fc.constantFrom(undefined, 'News', 'news / Local')

/** Ids leave gaps, and not the same ones in both stores. */
async function ranked(store: Store, some: number[]): Promise<EntryId[]> {
  const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
  return ids.length === 0 ? [] : some.map((rank) => ids[rank % ids.length]!)
}

async function ranksOf(store: Store, ids: EntryId[]): Promise<number[]> {
  const known = (await all(store.everyEntry({}))).map(({ id }) => id)
  return ids.map((id) => known.indexOf(id))
}

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(feedId, keys).map(([id, some]): Deed => {
      const fresh = some.map(([key, ms]) => draft(`k${key}`, { publishedAt: START + ms }))
      return ({ store }, now) => store.recordPolls([record(id, now, { fresh })])
    }),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(who, feedId, folder, fc.nat(3)).map(([who, feedId, folder, unread]): Deed => {
      return ({ store, people }, now) =>
        store.follow(people[who]!, [{ feedId, ...(folder && { folder }) }], now, unread)
    }),
  },
  fc.tuple(who, feedId).map(
    ([who, feedId]): Deed =>
      ({ store, people }) =>
        store.unfollow(people[who]!, [{ feedId }]),
  ),
  {
    weight: 5,
    arbitrary: fc.tuple(who, ranks, fc.boolean()).map(([who, some, isRead]): Deed => {
      return async (reader, now) => {
        const { store, people } = reader
        const ids = await ranked(store, some)
        const { change, changed } = await store.mark(people[who]!, ids, isRead ? 'read' : 'unread', now)
        reader.last = { who, change }
        return ranksOf(store, changed)
      }
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(who, fc.option(feedId), folder, fc.nat(3), fc.nat(9), fc.integer({ min: -20, max: 20 }))
      .map(([who, feed, folder, kind, rank, ms]): Deed => {
        return async (reader, now) => {
          const { store, people } = reader
          const [entryId] = await ranked(store, [rank])
          const untils: (MarkedUntil | undefined)[] = [
            undefined,
            entryId === undefined ? undefined : { entryId },
            { seenBefore: now - (rank % 5) },
            { datedBefore: START + ms },
          ]
          const scope = { ...(feed && { feedIds: [feed] }), ...(folder && { folder }) }
          const { change, marked } = await store.markAllRead(people[who]!, scope, untils[kind])
          reader.last = { who, change }
          return marked
        }
      }),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Deed>(async (reader) => {
      const { store, people, last } = reader
      reader.last = undefined
      return last && store.takeBack(people[last.who]!, last.change)
    }),
  },
  fc.tuple(who, ranks, fc.boolean()).map(([who, some, starred]): Deed => {
    return async ({ store, people }, now) =>
      ranksOf(store, await store.star(people[who]!, await ranked(store, some), starred, now))
  }),
  fc.tuple(fc.nat(4), fc.nat(2)).map(
    ([ms, limit]): Deed =>
      ({ store }, now) =>
        store.forgetEntries(now - ms, limit),
  ),
  feedId.map(
    (id): Deed =>
      ({ store }) =>
        store.removeFeed(id),
  ),
  fc.nat(3).map(
    (i): Deed =>
      ({ store }) =>
        store.addFeeds([newFeed('abcd'[i]!)]),
  ),
  fc.tuple(who, folder).map(([who, folder]): Deed => {
    return ({ store, people }) => store.renameFolder(people[who]!, 'News', folder ?? null)
  }),
  fc.constant<Deed>(async ({ store }) => {
    while ((await store.sweepRemoved(2)) > 0);
  }),
)

async function everythingOf({ store, people }: Reader): Promise<unknown> {
  const ids = (await all(store.everyEntry({}))).map(({ id }) => id)
  const rank = (id: EntryId) => ids.indexOf(id)
  return Promise.all(
    people.map(async (person) => {
      const pages: number[] = []
      for (let after: { at: number; id: EntryId } | undefined; ; ) {
        const page = await store.entriesFor(person, { read: false, limit: 2, ...(after && { after }) })
        pages.push(...page.entries.map(({ id }) => rank(id)))
        after = page.goesOnAfter
        if (!after) break
      }
      const arrivals = async (more: object) =>
        (await store.arrivalsFor(person, { order: 'oldest', limit: 99, ...more })).arrivals.map(({ id }) => rank(id))
      const marks = await store.marksOf(person, ids)
      const standing = await store.standing(person)
      expect(standing.unread).toBe(marks.filter(({ read }) => read === false).length)
      expect([...pages].sort((a, b) => a - b)).toEqual(await arrivals({ read: false }))
      return {
        standing,
        marks,
        pages,
        starred: await arrivals({ starred: true }),
        read: await arrivals({ read: true }),
        mine: (await store.entriesFor(person, { limit: 99 })).entries.map(({ id }) => rank(id)),
        folders: standing.folders,
        readings: await store.readings(person, { limit: 99 }),
      }
    }),
  )
}

it('answers as the memory store does', async () => {
  const alike = fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 30 }), async (deeds) => {
    const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
    const { store } = openSqliteStore({ file: join(folder, 'held.db'), mode: 'write', now: () => START })
    try {
      const readers: Reader[] = []
      for (const held of [store, createMemoryStore()]) {
        await held.addFeeds(['a', 'b', 'c'].map((name) => newFeed(name)))
        const people: PersonId[] = []
        for (const name of ['Ada', 'bob'])
          people.push((await held.addPerson({ name, allows: 'write', addedAt: START, password: '' })) as PersonId)
        const dated = (key: string, ms: number) => draft(key, { publishedAt: START + ms })
        for (const id of [1, 2, 3] as FeedId[]) {
          await held.recordPolls([record(id, START - 2, { fresh: [dated('a', 3), dated('b', -5), dated('c', 9)] })])
          for (const person of people) await held.follow(person, [{ feedId: id }], START, id)
          await held.recordPolls([record(id, START - 1, { fresh: [dated('d', -9), dated('e', 1)] })])
        }
        readers.push({ store: held, people, last: undefined })
      }
      const [sqlite, memory] = readers as [Reader, Reader]
      for (const [i, act] of deeds.entries()) {
        const now = START + i
        expect(await act(sqlite, now)).toEqual(await act(memory, now))
        expect(await everythingOf(sqlite)).toEqual(await everythingOf(memory))
      }
    } finally {
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })
  await fc.assert(alike, { numRuns: 100 })
})

import { expect } from 'vitest'
import { type ChangeId, DAY, type EntryId, type FeedId, HOUR, type UserId } from '../model/index.ts'
import type { Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, record, START } from './store-samples.contract.ts'
import { addPerson } from './store-subscriptions.contract.ts'

export interface Stage {
  ada: UserId
  bob: UserId
  a: FeedId
  b: FeedId
  /** By their keys. */
  ids: Record<string, EntryId>
}

/** Two users who follow two feeds: a1 to a4 a day apart, but a4 has the oldest date; and b1, b2. All entries are unread. */
export async function twoReaders(store: Store): Promise<Stage> {
  const [ada, bob] = [await addPerson(store, 'Ada'), await addPerson(store, 'bob')]
  const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
  for (const who of [ada, bob])
    await store.follow(
      who,
      [
        { feedId: a, folder: 'News' },
        { feedId: b, folder: 'Blogs' },
      ],
      START,
      0,
    )
  const dated = (key: string, days: number) => draft(key, { publishedAt: START + days * DAY })
  await store.recordPolls([record(a, START + 2 * DAY, { fresh: [dated('a1', 0), dated('a2', 1)] })])
  await store.recordPolls([record(b, START + 2 * DAY + 1, { fresh: [dated('b1', 1)] })])
  await store.recordPolls([record(a, START + 4 * DAY, { fresh: [dated('a3', 3), dated('a4', -9)] })])
  await store.recordPolls([record(b, START + 4 * DAY + 1, { fresh: [dated('b2', 3.5)] })])
  const ids = Object.fromEntries((await all(store.everyEntry({}))).map(({ key, id }) => [key, id]))
  return { ada, bob, a, b, ids }
}

export function readStatePromises(promised: Promised): void {
  const unread = async (store: Store, who: UserId, { ids }: Stage) => {
    const keys = Object.keys(ids)
    const marks = await store.entryStates(who, Object.values(ids))
    const listed = (await store.entriesFor(who, { read: false, limit: 99 })).entries.map(({ key }) => key)
    const arrived = (await store.arrivalsFor(who, { read: false, order: 'oldest', limit: 99 })).arrivals
    const found = keys.filter((_, i) => marks[i]?.read === false)
    expect([...listed].sort()).toEqual([...found].sort())
    expect(arrived.map(({ id }) => id)).toEqual(found.map((key) => ids[key]))
    expect((await store.readerCounts(who)).unread).toBe(found.length)
    return found.join(' ')
  }

  promised('marks entries as read and unread for one user', async (store) => {
    const stage = await twoReaders(store)
    const { ada, bob, ids } = stage
    expect(await unread(store, ada, stage)).toBe('a1 a2 b1 a3 a4 b2')
    const { changed } = await store.markEntries(ada, [ids.a2!, ids.b1!, 9999 as EntryId, ids.a2!], 'read', START)
    expect(changed).toEqual([ids.a2, ids.b1])
    expect((await store.markEntries(ada, [ids.a2!, ids.a3!], 'read', START)).changed).toEqual([ids.a3])
    expect(await unread(store, ada, stage)).toBe('a1 a4 b2')
    expect((await store.markEntries(ada, [ids.a3!, ids.a1!], 'unread', START)).changed).toEqual([ids.a3])
    expect(await unread(store, ada, stage)).toBe('a1 a3 a4 b2')
    expect(await unread(store, bob, stage)).toBe('a1 a2 b1 a3 a4 b2')
    await store.unfollow(bob, [{ feedId: stage.a }])
    expect((await store.markEntries(bob, [ids.a1!, ids.b1!], 'read', START)).changed).toEqual([ids.b1])
    expect(await store.entryStates(bob, [ids.a1!, ids.b1!, 9999 as EntryId])).toEqual([
      { starred: false },
      { read: true, starred: false },
      { starred: false },
    ])
    expect(await unread(store, bob, stage)).toBe('b2')
  })

  promised('marks everything, a feed or a folder as read; later entries are unread', async (store) => {
    const stage = await twoReaders(store)
    const { ada, bob, a, ids } = stage
    expect((await store.markAllRead(ada, { feedIds: [a] })).marked).toBe(4)
    expect(await unread(store, ada, stage)).toBe('b1 b2')
    await store.markEntries(ada, [ids.a2!], 'unread', START)
    expect(await unread(store, ada, stage)).toBe('a2 b1 b2')
    expect((await store.markAllRead(ada, { folder: 'blogs' })).marked).toBe(2)
    expect(await unread(store, ada, stage)).toBe('a2')
    expect((await store.markAllRead(ada, {})).marked).toBe(1)
    expect((await store.markAllRead(ada, {})).marked).toBe(0)
    expect(await unread(store, ada, stage)).toBe('')
    await store.recordPolls([record(a, START + 5 * DAY, { fresh: [draft('a5', { publishedAt: START - DAY })] })])
    const [later] = (await store.arrivalsFor(ada, { read: false, order: 'oldest', limit: 9 })).arrivals
    expect(later).toMatchObject({ feedId: a, seenAt: START + 5 * DAY })
    expect((await store.readerCounts(bob)).unread).toBe(7)
  })

  promised('marks entries as read by arrival or date', async (store) => {
    const stage = await twoReaders(store)
    const { ada, bob, b, ids } = stage
    expect((await store.markAllRead(ada, {}, { entryId: ids.b1! })).marked).toBe(3)
    expect(await unread(store, ada, stage)).toBe('a3 a4 b2')
    expect((await store.markAllRead(ada, {}, { seenBefore: START + 4 * DAY + 1 })).marked).toBe(2)
    expect(await unread(store, ada, stage)).toBe('b2')
    expect((await store.markAllRead(bob, {}, { datedBefore: START + DAY })).marked).toBe(2)
    expect(await unread(store, bob, stage)).toBe('a2 b1 a3 b2')
    await store.markEntries(bob, [ids.a1!], 'unread', START)
    expect((await store.markAllRead(bob, {}, { datedBefore: START + 2 * DAY })).marked).toBe(3)
    expect(await unread(store, bob, stage)).toBe('a3 b2')
    expect((await store.markAllRead(bob, { feedIds: [b] }, { datedBefore: START + 9 * DAY })).marked).toBe(1)
    expect(await unread(store, bob, stage)).toBe('a3')
  })

  promised('undoes a change, except entries changed since', async (store) => {
    const stage = await twoReaders(store)
    const { ada, bob, ids } = stage
    const one = await store.markEntries(ada, [ids.a1!, ids.b1!], 'read', START)
    const all = await store.markAllRead(ada, {})
    await store.markEntries(ada, [ids.a3!], 'unread', START)
    expect(await store.undoChange(bob, all.change)).toBe(0)
    expect(await store.undoChange(ada, all.change)).toBe(3)
    expect(await unread(store, ada, stage)).toBe('a2 a3 a4 b2')
    expect(await store.undoChange(ada, all.change)).toBe(0)
    expect(await store.undoChange(ada, one.change)).toBe(2)
    expect(await unread(store, ada, stage)).toBe('a1 a2 b1 a3 a4 b2')
    expect(await store.undoChange(ada, 12345 as ChangeId)).toBe(0)
    const read = await store.markAllRead(ada, { folder: 'News' })
    const marked = await store.markEntries(ada, [ids.a2!, ids.a3!], 'unread', START)
    const dated = await store.markAllRead(ada, {}, { datedBefore: START + 2 * DAY })
    expect(await unread(store, ada, stage)).toBe('a3 b2')
    expect(await store.undoChange(ada, dated.change)).toBe(2)
    expect(await unread(store, ada, stage)).toBe('a2 b1 a3 b2')
    expect(await store.undoChange(ada, marked.change)).toBeLessThanOrEqual(2)
    expect(read.marked).toBe(4)
  })

  promised('stars entries of followed and other feeds', async (store) => {
    const stage = await twoReaders(store)
    const { ada, bob, a, ids } = stage
    expect(await store.starEntries(ada, [ids.a1!, ids.b2!, 9999 as EntryId], true, START)).toEqual([ids.a1, ids.b2])
    expect(await store.starEntries(ada, [ids.b2!, ids.a3!], true, START)).toEqual([ids.a3])
    expect(await store.starEntries(ada, [ids.b2!, ids.a2!], false, START)).toEqual([ids.b2])
    await store.unfollow(ada, [{ feedId: a }])
    const starred = async (who: UserId, more = {}) =>
      (await store.entriesFor(who, { starred: true, limit: 9, ...more })).entries.map(({ key }) => key)
    expect(await starred(ada)).toEqual(['a3', 'a1'])
    expect(await starred(bob)).toEqual([])
    expect(await store.readerCounts(ada)).toMatchObject({ starred: 2 })
    expect(await store.entryStates(ada, [ids.a1!, ids.b1!])).toEqual([
      { starred: true },
      { read: false, starred: false },
    ])
    await store.follow(ada, [{ feedId: a }], START, 1)
    expect(await starred(ada, { read: true })).toEqual(['a3', 'a1'])
    expect(await starred(ada, { feedIds: [stage.b] })).toEqual([])
    const { arrivals } = await store.arrivalsFor(ada, { starred: true, order: 'oldest', limit: 9 })
    expect(arrivals.map(({ id }) => id)).toEqual([ids.a1, ids.a3])
  })

  promised('pages through the entries of a user, newest or oldest first', async (store) => {
    const { ada, bob, a, b, ids } = await twoReaders(store)
    const keys = async (who: UserId, query = {}) => {
      const found: string[] = []
      let after: { at: number; id: EntryId } | undefined
      for (let pages = 0; pages < 20; pages++) {
        const page = await store.entriesFor(who, { limit: 2, ...query, ...(after && { after }) })
        found.push(...page.entries.map(({ key }) => key))
        after = page.nextAfter
        if (!after) return found.join(' ')
      }
      throw new Error('it never ends')
    }
    expect(await keys(ada)).toBe('b2 a3 b1 a2 a1 a4')
    expect(await keys(ada, { feedIds: [a] })).toBe('a3 a2 a1 a4')
    expect(await keys(ada, { feedIds: [] })).toBe('')
    expect(await keys(ada, { folder: 'BLOGS' })).toBe('b2 b1')
    expect(await keys(ada, { folder: '' })).toBe('')
    expect(await keys(ada, { since: START + DAY, until: START + 3 * DAY })).toBe('a3 b1 a2')
    await store.markEntries(ada, [ids.b1!, ids.a3!], 'read', START)
    expect(await keys(ada, { read: false })).toBe('b2 a2 a1 a4')
    expect(await keys(ada, { read: true })).toBe('a3 b1')
    expect(await keys(ada, { read: false, folder: 'News' })).toBe('a2 a1 a4')
    const oldestFirst = true
    expect(await keys(ada, { oldestFirst })).toBe('a4 a1 a2 b1 a3 b2')
    expect(await keys(ada, { read: false, oldestFirst })).toBe('a4 a1 a2 b2')
    expect(await keys(ada, { folder: 'News', oldestFirst })).toBe('a4 a1 a2 a3')
    expect(await keys(ada, { since: START + DAY, until: START + 3 * DAY, oldestFirst })).toBe('a2 b1 a3')
    await store.starEntries(ada, [ids.b2!, ids.a1!, ids.a4!], true, START)
    expect(await keys(ada, { starred: true, oldestFirst })).toBe('a4 a1 b2')
    await store.unfollow(bob, [{ feedId: b }])
    expect(await keys(bob)).toBe('a3 a2 a1 a4')
    expect(await keys(bob, { feedIds: [a, b] })).toBe('a3 a2 a1 a4')
  })

  promised('lists ids for a user in the order of arrival, in both directions', async (store) => {
    const { ada, a, ids } = await twoReaders(store)
    const keyOf = new Map(Object.entries(ids).map(([key, id]) => [id, key]))
    const keys = async (query: Partial<Parameters<Store['arrivalsFor']>[1]> = {}) => {
      const found: string[] = []
      let after: EntryId | undefined
      for (let pages = 0; pages < 20; pages++) {
        const page = await store.arrivalsFor(ada, { order: 'newest', limit: 2, ...query, ...(after && { after }) })
        found.push(...page.arrivals.map(({ id }) => keyOf.get(id)!))
        after = page.nextAfter
        if (!after) return found.join(' ')
      }
      throw new Error('it never ends')
    }
    expect(await keys()).toBe('b2 a4 a3 b1 a2 a1')
    expect(await keys({ order: 'oldest' })).toBe('a1 a2 b1 a3 a4 b2')
    expect(await keys({ order: 'oldest', feedIds: [a] })).toBe('a1 a2 a3 a4')
    expect(await keys({ folder: 'Blogs' })).toBe('b2 b1')
    expect(await keys({ seenSince: START + 2 * DAY + 1, seenUntil: START + 4 * DAY })).toBe('a4 a3 b1')
    expect(await keys({ since: START + DAY, until: START + 3 * DAY })).toBe('a3 b1 a2')
    expect(await keys({ since: START + DAY, until: START + 3 * DAY, order: 'oldest' })).toBe('a2 b1 a3')
    await store.starEntries(ada, [ids.b1!, ids.a3!], true, START + 4 * DAY + HOUR)
    expect(await keys({ starred: true })).toBe('a3 b1')
    expect(await keys({ starred: false })).toBe('b2 a4 a2 a1')
    await store.markEntries(ada, [ids.a4!, ids.a1!], 'read', START + 4 * DAY + HOUR)
    expect(await keys({ read: false })).toBe('b2 a3 b1 a2')
    expect(await keys({ read: false, starred: false, folder: 'News' })).toBe('a2')
    expect(await keys({ read: true, order: 'oldest' })).toBe('a1 a4')
    const page = await store.arrivalsFor(ada, { order: 'oldest', after: ids.b1!, limit: 1 })
    expect(page.arrivals).toEqual([{ id: ids.a3, feedId: a, seenAt: START + 4 * DAY, at: START + 3 * DAY }])
  })
}

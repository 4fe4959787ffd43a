/** Store contract: groups of copies and stories. */
import { expect } from 'vitest'
import { type EntryId, type GroupId, HOUR, MAX_VOTERS, sortPosition } from '../model/index.ts'
import { both, idsIn, joined, placed, publishedAtOf, say, soundGroupOf, span } from './group-samples.contract.ts'
import type { GroupJoin, Store } from './index.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, failedRecord, record, START } from './store-samples.contract.ts'

export function groupPromises(promised: Promised): void {
  promised('keeps the groups of both levels independent', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d] = await say(store, feedId, 'a', 'b', 'c', 'd')
    await store.recordGroups(
      [
        placed(a),
        placed(b, { copy: joined(a) }),
        placed(c, { story: joined(a) }),
        placed(d, { story: joined(c), copy: joined(b) }),
      ],
      [],
      START,
    )
    expect(await idsIn(store, a, 'copy')).toEqual([a, b, d])
    expect(await idsIn(store, a, 'story')).toEqual([a, c, d])
    expect(await store.groups({ level: 'copy', order: 'recent', limit: 9 })).toHaveLength(1)
    expect(await store.groups({ level: 'story', order: 'recent', limit: 9 })).toHaveLength(1)
  })

  promised('returns a group with primary, distances, their sum, first and last date, and reasons', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    const why: GroupJoin = { with: [a], likeId: a, likeness: 0.75, reason: 'same text but for 2 words' }
    await store.recordGroups(
      [
        placed(a, {}, { simhash: 0b0000n, at: START + 7 }),
        placed(b, { copy: why }, { simhash: 0b0001n, at: START + 8 }),
        placed(c, { copy: joined(a) }, { simhash: 0b0111n, at: START + 2 }),
      ],
      [],
      START,
    )
    const [group] = await store.groupsOfEntries([a], 'copy')
    expect(group).toEqual({
      id: group?.id,
      level: 'copy',
      primaryId: b,
      size: 3,
      distanceSum: 3,
      firstAt: START + 2,
      lastAt: START + 8,
    })
    expect(await store.groupsById([group!.id, 99 as GroupId])).toEqual([group, undefined])
    const members = await store.members(group!.id, 9)
    expect(members).toEqual([
      { entryId: c, at: START + 2, distance: 2, comparedBy: 'entry', likeness: 0.9, reason: 'same text' },
      { entryId: a, at: START + 7, distance: 1, comparedBy: 'entry' },
      {
        entryId: b,
        at: START + 8,
        distance: 0,
        comparedBy: 'entry',
        likeId: a,
        likeness: 0.75,
        reason: 'same text but for 2 words',
      },
    ])
    expect(await store.members(group!.id, 1)).toEqual(members.slice(0, 1))
    expect(await store.membersById([b, 99 as EntryId], 'copy')).toEqual([members[2], undefined])
    expect(await store.membersById([b], 'story')).toEqual([undefined])
  })

  promised(
    'elects the entry with the smallest sum of distances, the earliest on ties, and keeps the id',
    async (store) => {
      const feedId = await addFeed(store, 'f')
      const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
      await store.recordGroups(
        [placed(a, {}, { simhash: 0b1111n }), placed(b, { copy: joined(a) }, { simhash: 0n })],
        [],
        START,
      )
      const [before] = await store.groupsOfEntries([a], 'copy')
      expect(before?.primaryId).toBe(a)
      await store.recordGroups([placed(c, { copy: joined(a) }, { simhash: 1n })], [], START)
      const [after] = await store.groupsOfEntries([a], 'copy')
      expect(after).toMatchObject({ id: before?.id, primaryId: c, distanceSum: 4 })
    },
  )

  promised('elects the earliest entry of a story, even if it arrives late', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.recordGroups([placed(a), placed(b, { story: joined(a) })], [], START)
    await store.recordGroups([placed(c, { story: joined(a) }, { at: START - HOUR })], [], START)
    expect((await store.groupsOfEntries([a], 'story'))[0]).toMatchObject({ primaryId: c, firstAt: START - HOUR })
  })

  promised('merges groups under the id of the largest, with all members', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d, e, f] = await say(store, feedId, 'a', 'b', 'c', 'd', 'e', 'f')
    await store.recordGroups(
      [
        placed(a),
        placed(b, { copy: joined(a) }),
        placed(c),
        placed(d, { copy: joined(c) }),
        placed(e, { copy: joined(d) }),
      ],
      [],
      START,
    )
    const [small, large] = await store.groupsOfEntries([a, c], 'copy')
    await store.recordGroups([placed(f, { copy: joined(a, c) })], [], START)
    expect(await idsIn(store, f)).toEqual([a, b, c, d, e, f])
    expect((await store.groupsOfEntries([a], 'copy'))[0]).toMatchObject({ id: large?.id, size: 6 })
    expect(await store.groupsById([small!.id])).toEqual([undefined])
    expect(await store.members(small!.id, 9)).toEqual([])
  })

  promised('returns moves, and leaves no group with a single member', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d] = await say(store, feedId, 'a', 'b', 'c', 'd')
    const first = [placed(a), placed(b, { copy: joined(a) }), placed(c), placed(d, { copy: joined(c) })]
    expect(await store.recordGroups(first, [], START)).toEqual([])
    const [ab, cd] = await store.groupsOfEntries([a, c], 'copy')
    const again = placed(b, { copy: joined(d) }, { comparedBy: 'article' })
    const moved = { entryId: b, level: 'copy', at: START + 1, from: ab?.id, to: cd?.id, comparedBy: 'article' } as const
    expect(await store.recordGroups([again], [], START + 1)).toEqual([moved])
    expect(await store.groupsOfEntries([a, b], 'copy')).toMatchObject([undefined, { id: cd?.id, size: 3 }])
    expect(await store.recordGroups([placed(b)], [], START + 2)).toMatchObject([{ from: cd?.id }])
    expect(await store.recordGroups([placed(b)], [], START + 3)).toEqual([])
    expect(await store.recordGroups([placed(a, { copy: joined(b) })], [], START + 4)).toMatchObject([{ entryId: a }])
    expect(await store.moves(b)).toEqual([moved, expect.not.objectContaining({ to: expect.anything() })])
    expect(await idsIn(store, a)).toEqual([a, b])
  })

  promised('keeps the last twenty moves of an entry', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d] = await say(store, feedId, 'a', 'b', 'c', 'd')
    await store.recordGroups(
      [placed(a), placed(b, { copy: joined(a) }), placed(c, { copy: joined(a) }), placed(d)],
      [],
      START,
    )
    for (let n = 1; n <= 25; n++) await store.recordGroups([placed(d, n % 2 ? { copy: joined(a) } : {})], [], START + n)
    const moves = await store.moves(d)
    expect(moves).toHaveLength(20)
    expect([moves[0]?.at, moves.at(-1)?.at]).toEqual([START + 6, START + 25])
  })

  promised('keeps the group of a changed entry that still belongs to it', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b] = await say(store, feedId, 'a', 'b')
    await store.recordGroups([placed(a), placed(b, { copy: joined(a) })], [], START)
    const [group] = await store.groupsOfEntries([a], 'copy')
    expect(await store.recordGroups([placed(a, { copy: joined(b) }, { simhash: 0xffn })], [], START)).toEqual([])
    expect((await store.groupsOfEntries([a], 'copy'))[0]).toMatchObject({ id: group?.id, size: 2 })
    expect(await store.moves(a)).toEqual([])
  })

  promised('skips entries that are gone, both grouped and joined ones', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a] = await say(store, feedId, 'a')
    const gone = 99 as EntryId
    expect(await store.recordGroups([placed(gone), placed(a, { copy: joined(gone) })], [], START)).toEqual([])
    expect(await store.groupsOfEntries([a, gone], 'copy')).toEqual([undefined, undefined])
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([a])
  })

  promised('keeps groups consistent when a feed is removed', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const [a, b, c] = await say(store, f, 'a', 'b', 'c')
    const [x, y, z] = await say(store, g, 'x', 'y', 'z')
    await store.recordGroups(
      [
        placed(x, {}, { simhash: 0n }),
        placed(a, { copy: joined(x) }, { simhash: 1n }),
        placed(b, { copy: joined(x), story: joined(x) }, { simhash: 3n }),
        placed(y, {}, { simhash: 0n }),
        placed(c, { copy: joined(y) }, { simhash: 0n }),
        placed(z),
      ],
      (await store.ungrouped(99)).positions,
      START,
    )
    const [three, two] = await store.groupsOfEntries([x, y], 'copy')
    expect(three?.primaryId).toBe(a)
    await store.removeFeed(g)
    expect(await store.groupsOfEntries([a, b, c, x, y], 'copy')).toEqual([
      { ...three, size: 2, primaryId: a, distanceSum: 1, ...span(a, b) },
      { ...three, size: 2, primaryId: a, distanceSum: 1, ...span(a, b) },
      undefined,
      undefined,
      undefined,
    ])
    expect(await store.groupsById([two!.id])).toEqual([undefined])
    expect(await store.groups({ level: 'story', order: 'recent', limit: 9 })).toEqual([])
    expect((await store.ungrouped(9)).changes).toEqual([x, y, z].map((id) => ({ id, wasGrouped: true })))
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([a, b, c])
  })

  promised('keeps groups consistent when entries are deleted, and elects another primary', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    const same = { simhash: 5n }
    await store.recordGroups(
      [placed(a, {}, same), placed(b, both(a), same), placed(c, both(a), same)],
      (await store.ungrouped(9)).positions,
      START,
    )
    expect((await store.groupsOfEntries([c], 'copy'))[0]?.primaryId).toBe(a)
    await store.forget('entries', START + 99, 1)
    expect((await store.groupsOfEntries([c], 'copy'))[0]).toMatchObject({ primaryId: b, size: 2, ...span(b, c) })
    expect((await store.groupsOfEntries([c], 'story'))[0]).toMatchObject({ primaryId: b, size: 2 })
    await store.forget('entries', START + 99, 1)
    expect(await store.groupsOfEntries([c], 'copy')).toEqual([undefined])
    expect((await store.ungrouped(9)).changes.map(({ id }) => id)).toEqual([a, b])
  })

  promised('keeps the primary of a large group while it exists', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const ids = await say(store, f, ...Array.from({ length: 60 }, (_, i) => `e${i}`))
    const [first, ...others] = ids
    await store.recordGroups([placed(first, {}, { simhash: 0n })], [], START)
    for (const id of others) {
      await store.recordGroups([placed(id, { copy: joined(first) }, { simhash: BigInt(id % 4) })], [], START)
    }
    const group = await soundGroupOf(store, first)
    expect(group).toMatchObject({ size: 60 })
    const [x, y] = await say(store, g, 'x', 'y')
    const far = { simhash: 0xffffn }
    await store.recordGroups(
      [placed(x, { copy: joined(others[4]) }, far), placed(y, { copy: joined(x) }, far)],
      [],
      START,
    )
    expect(await soundGroupOf(store, first)).toMatchObject({ id: group.id, primaryId: group.primaryId, size: 62 })
    await store.removeFeed(g)
    expect(await soundGroupOf(store, first)).toEqual(group)
    for (let left = 50; left > 0; ) left -= await store.forget('entries', START + 99, left) // a batch may be smaller
    expect(await soundGroupOf(store, ids[59]!)).toMatchObject({ id: group.id, size: 10 })
  })

  promised('merges two large groups in chunks, each leaving all groups consistent', async (store) => {
    const feedId = await addFeed(store, 'f')
    const ids = await say(store, feedId, ...Array.from({ length: 1401 }, (_, i) => `e${i}`))
    const [last, ...others] = ids.toReversed() as [EntryId, ...EntryId[]]
    const heads = [ids[0], ids[700]!] as const
    const headOf = (id: EntryId) => (id < heads[1] ? heads[0] : heads[1])
    const same = { simhash: 3n }
    await store.recordGroups(
      others.toReversed().map((id) => placed(id, id === headOf(id) ? {} : { copy: joined(headOf(id)) }, same)),
      [],
      START,
    )
    const before = await store.groupsOfEntries([...heads], 'copy')
    await store.recordGroups([placed(last, { copy: joined(...heads) }, same)], [], START)
    for (let settled = 1; settled > 0; settled = await store.settleGroups(90)) {
      expect(settled).toBeLessThanOrEqual(91)
      for (const head of heads) await soundGroupOf(store, head)
      await soundGroupOf(store, others[0]!)
    }
    expect(await soundGroupOf(store, last)).toMatchObject({ id: before[0]?.id, size: 1401 })
    expect(await store.groupsById([before[1]!.id])).toEqual([undefined])
    expect(await store.moves(others[0]!)).toEqual([])
  })

  promised('returns distances to the current primary, and sums those of the earliest members', async (store) => {
    const [f, g] = [await addFeed(store, 'f'), await addFeed(store, 'g')]
    const [first] = await say(store, g, 'first')
    const ids = await say(store, f, ...Array.from({ length: 40 }, (_, i) => `e${i}`))
    const others = ids.map((id) => placed(id, { story: joined(first) }, { simhash: BigInt(id % 16) }))
    await store.recordGroups([placed(first, {}, { simhash: 0xffn }), ...others], [], START)
    const primaryAndLast = async () => {
      const [group] = await store.groupsOfEntries([ids[39]!], 'story')
      const distances = (await store.members(group!.id, 99)).map(({ distance }) => distance)
      expect(group!.distanceSum).toBe(distances.slice(0, MAX_VOTERS).reduce((sum, one) => sum + one))
      return { primaryId: group!.primaryId, last: distances.at(-1) }
    }
    const bits = (a: number, b: number) => (a ^ b).toString(2).replaceAll('0', '').length
    expect(await primaryAndLast()).toEqual({ primaryId: first, last: bits(0xff, ids[39]! % 16) })
    await store.removeFeed(g)
    expect(await primaryAndLast()).toEqual({ primaryId: ids[0], last: bits(ids[0] % 16, ids[39]! % 16) })
  })

  promised('lists groups by level, date and size, recent or large ones first', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d, e] = await say(store, feedId, 'a', 'b', 'c', 'd', 'e')
    await store.recordGroups(
      [
        placed(a),
        placed(b, { story: joined(a) }),
        placed(c, { story: joined(a) }),
        placed(d),
        placed(e, { story: joined(d) }),
      ],
      [],
      START,
    )
    const sizes = async (query: Omit<Parameters<Store['groups']>[0], 'level' | 'limit'>, limit = 9) =>
      (await store.groups({ level: 'story', limit, ...query })).map(({ size }) => size)
    expect(await sizes({ order: 'recent' })).toEqual([2, 3])
    expect(await sizes({ order: 'large' })).toEqual([3, 2])
    expect(await sizes({ order: 'large', minSize: 3 })).toEqual([3])
    expect(await sizes({ order: 'large', since: publishedAtOf(d) })).toEqual([2])
    const [largest] = await store.groups({ level: 'story', order: 'large', limit: 1 })
    const [latest] = await store.groups({ level: 'story', order: 'recent', limit: 1 })
    expect(await sizes({ order: 'large', after: largest! })).toEqual([2])
    expect(await sizes({ order: 'recent', after: latest! })).toEqual([3])
    expect(await sizes({ order: 'large' }, 1)).toEqual([3])
    expect(await store.groups({ level: 'copy', order: 'large', limit: 9 })).toEqual([])
  })

  promised('lists only the primary of each group if requested', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const [a, b] = await say(store, f, 'a', 'b')
    const [c] = await say(store, g, 'c')
    await store.recordGroups([placed(a), placed(b), placed(c, { copy: joined(a), story: joined(b) })], [], START)
    const listed = async (query: Omit<Parameters<Store['entries']>[0], 'limit'>) =>
      (await store.entries({ ...query, limit: 9 })).map(({ id }) => id).sort()
    expect(await listed({})).toEqual([a, b, c])
    expect(await listed({ unique: 'copy' })).toEqual([a, b])
    expect(await listed({ unique: 'story' })).toEqual([a, b])
    expect(await listed({ unique: 'copy', feedId: g })).toEqual([])
    const [newest] = await store.entries({ unique: 'copy', limit: 1 })
    expect(await listed({ unique: 'copy', after: sortPosition(newest!) })).toEqual([a])
    expect((await all(store.everyEntry({ unique: 'copy' }))).map(({ id }) => id)).toEqual([a, b])
    expect(await all(store.everyEntry({ unique: 'copy', feedId: g }))).toEqual([])
  })

  promised('counts entries and copies by feed and hour of the day', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const noon = Date.UTC(2026, 2, 1, 12)
    const changes = (publishedAt: number) => ({ publishedAt })
    await store.recordPolls([
      record(f, noon + 9 * HOUR, { fresh: [draft('a', changes(noon)), draft('b', changes(noon + HOUR))] }),
      record(g, noon + 9 * HOUR, { fresh: [draft('c', changes(noon + HOUR)), draft('old', changes(noon - HOUR))] }),
      failedRecord(f, noon + 10 * HOUR),
      record(f, noon + 11 * HOUR, { fresh: [draft('d', { publishedAt: noon, dateOnly: true })] }),
    ])
    const [a, b, c] = (await all(store.everyEntry({}))).map(({ id }) => id) as [EntryId, EntryId, EntryId]
    await store.recordGroups([placed(a), placed(b, { story: joined(a) }), placed(c, { copy: joined(b) })], [], START)
    const statistics = await store.statistics(noon)
    expect(statistics).toMatchObject({ entries: 4, copies: 1, stories: 0 })
    expect(statistics.byFeed).toEqual([
      { feedId: f, entries: 3, copies: 0 },
      { feedId: g, entries: 1, copies: 1 },
    ])
    expect(statistics.byHour).toHaveLength(24)
    expect([12, 13, 23, 0].map((hour) => statistics.byHour[hour])).toEqual([
      { entries: 1, copies: 0 },
      { entries: 2, copies: 1 },
      { entries: 1, copies: 0 },
      { entries: 0, copies: 0 },
    ])
    expect(statistics.polls).toEqual({ count: 4, failed: 1, tookMs: 3 * 120 + 9, bytes: 3 * 4096 })
    expect(statistics.failures).toEqual([{ kind: 'http', status: 503, count: 1 }])
    const { series } = statistics
    expect(series.map(({ at }) => (at - noon) / HOUR)).toEqual(Array.from({ length: 12 }, (_, i) => i))
    expect(series[1]).toEqual({ at: noon + HOUR, entries: 2, copies: 1, polls: 0, failed: 0, bytes: 0 })
    expect(series[10]).toMatchObject({ entries: 0, polls: 1, failed: 1 })
    expect((await store.statistics(START)).stories).toBe(1)
    expect((await store.statistics(START)).entries).toBe(5)
  })

  promised('counts any number of entries, even at one instant', async (store) => {
    const [f, g] = [await addFeed(store, 'f'), await addFeed(store, 'g')]
    const many = (name: string, count: number, at: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => draft(`${name}${i}`, { publishedAt: at(i) }))
    await store.recordPolls([record(f, START + 9000, { fresh: many('same', 4100, () => START + 7) })])
    await store.recordPolls([record(g, START + 9000, { fresh: many('each', 2500, (i) => START + i) })])
    const { entries, byFeed, byHour, polls } = await store.statistics(START + 5)
    expect(entries).toBe(4100 + 2495)
    expect(byFeed).toEqual([
      { feedId: f, entries: 4100, copies: 0 },
      { feedId: g, entries: 2495, copies: 0 },
    ])
    expect(byHour.reduce((sum, hour) => sum + hour.entries, 0)).toBe(entries)
    expect(polls.count).toBe(2)
  })
}

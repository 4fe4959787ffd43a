/** What a store promises of copies and stories. */
import { expect } from 'vitest'
import { type EntryId, type FeedId, type Group, type GroupId, HOUR, type Level, type Member } from '../model/index.ts'
import { articleOf, readArticle, sameArticle, want } from './article-samples.contract.ts'
import type { Join, PlacedEntry } from './group-store.ts'
import type { Promised } from './store.contract.ts'
import type { Store } from './store.ts'
import { addFeed, all, draft, failedRecord, record, START } from './store-samples.contract.ts'

export function groupPromises(promised: Promised): void {
  promised('names entries to be placed, longest waiting first, until they were dealt with', async (store) => {
    const feedId = await addFeed(store, 'f')
    expect(await store.unplaced(9)).toEqual({ upTo: 0, changes: [] })
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    const first = await store.unplaced(2)
    expect(first.changes).toMatchObject([
      { id: a, entry: { title: 'title of a' }, wasPlaced: false },
      { id: b, wasPlaced: false },
    ])
    expect(await store.unplaced(2)).toStrictEqual(first)
    await store.place([placed(a), placed(b)], first.upTo, START)
    expect(await waiting(store)).toEqual([c])
    await store.recordPolls([record(feedId, START + 9, { changed: [draft('a', { title: 'a anew' })] })])
    expect(await waiting(store)).toEqual([c, a])
    expect((await store.unplaced(9)).changes.map(({ wasPlaced }) => wasPlaced)).toEqual([false, true])
  })

  promised(
    'names an entry again when its article was read, with the text; not when that is forgotten',
    async (store) => {
      const feedId = await addFeed(store, 'f')
      const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
      await store.place([placed(a), placed(b), placed(c)], (await store.unplaced(9)).upTo, START)
      await store.wantArticles([want(a, 'x', 'a'), want(b, 'x', 'b')], START)
      const [ofA, ofB] = [await articleOf(store, a), await articleOf(store, b)]
      await store.recordArticles([readArticle(ofA.id, START + 5, { pageUrl: ofA.url, text: 'words' })])
      const named = async () =>
        (await store.unplaced(9)).changes.map(({ id, text, wasPlaced }) => [id, text, wasPlaced])
      expect(await named()).toEqual([[a, 'words', true]])
      await store.recordArticles([sameArticle(ofB.id, START + 6, ofA.id)])
      await store.wantArticles([want(c, 'x', 'a')], START + 7)
      expect((await named()).sort()).toEqual([a, b, c].map((id) => [id, 'words', true]))
      await store.place([], (await store.unplaced(9)).upTo, START)
      await store.forgetArticles(START + 99, 9)
      expect(await named()).toEqual([])
    },
  )

  promised('names an entry again that changed while it was on its way', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b] = await say(store, feedId, 'a', 'b')
    const { upTo } = await store.unplaced(1)
    await store.recordPolls([record(feedId, START + 9, { changed: [draft('a', { title: 'a anew' })] })])
    await store.place([placed(a)], upTo, START)
    expect(await waiting(store)).toEqual([b, a])
  })

  promised('lets entries wait once more, in the order of time, and moves those that wait already', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [old, late, early] = await say(store, feedId, 'old', 'late', 'early')
    await store.place([placed(old), placed(late), placed(early)], (await store.unplaced(9)).upTo, START)
    const dates = { old: START - 9, late: START - 1, early: START - 2 }
    const changed = Object.entries(dates).map(([key, publishedAt]) => draft(key, { publishedAt }))
    await store.recordPolls([record(feedId, START + 9, { changed })])
    expect(await store.placeAgain(START - 5)).toBe(2)
    expect(await waiting(store)).toEqual([old, early, late])
    expect((await store.unplaced(9)).changes.map(({ wasPlaced }) => wasPlaced)).toEqual([true, true, true])
    expect(await store.placeAgain(START + 99)).toBe(0)
  })

  promised('gives back signatures in the order of placing, with the groups of their entries', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.place([placed(a), placed(c)], 0, START)
    await store.place([placed(b, { copy: joined(a), story: joined(a) })], 0, START + 5)
    const [group] = await store.groupsOfEntries([a], 'copy')
    const [story] = await store.groupsOfEntries([a], 'story')
    expect(group?.id).not.toBe(story?.id)
    const known = await all(store.signatures({ since: START }))
    expect(known.map(({ id }) => id)).toEqual([a, c, b])
    expect({ ...known[0], signature: Uint8Array.from(known[0]!.signature) }).toEqual({
      id: a,
      at: START + a,
      signature: signatureOf(a),
      groups: { copy: group?.id, story: story?.id },
    })
    expect(known[1]?.groups).toEqual({})
    expect((await all(store.signatures({ since: START + 5 }))).map(({ id }) => id)).toEqual([b])
    expect((await all(store.signatures({ since: START, newest: 2 }))).map(({ id }) => id)).toEqual([c, b])
    await store.place([placed(a, { copy: joined(b) })], 0, START + 6)
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([c, b, a])
  })

  promised('drops signatures that are out of the window, and leaves groups as they are', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.place([placed(a), placed(b, { copy: joined(a) })], 0, START)
    await store.place([placed(c)], 0, START + 5)
    expect(await store.forgetSignatures(START + 5, 1)).toBe(1)
    expect(await store.forgetSignatures(START + 5, 9)).toBe(1)
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([c])
    expect(await idsIn(store, a)).toEqual([a, b])
  })

  promised('keeps two groupings that have nothing to do with each other', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d] = await say(store, feedId, 'a', 'b', 'c', 'd')
    await store.place(
      [
        placed(a),
        placed(b, { copy: joined(a) }),
        placed(c, { story: joined(a) }),
        placed(d, { story: joined(c), copy: joined(b) }),
      ],
      0,
      START,
    )
    expect(await idsIn(store, a, 'copy')).toEqual([a, b, d])
    expect(await idsIn(store, a, 'story')).toEqual([a, c, d])
    expect(await store.groups({ level: 'copy', order: 'recent', limit: 9 })).toHaveLength(1)
    expect(await store.groups({ level: 'story', order: 'recent', limit: 9 })).toHaveLength(1)
  })

  promised('tells a group: primary, distances and their sum, first and last, and why', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    const why: Join = { with: [a], likeId: a, likeness: 0.75, reason: 'same text but for 2 words' }
    await store.place(
      [
        placed(a, {}, { simhash: 0b0000n, at: START + 7 }),
        placed(b, { copy: why }, { simhash: 0b0001n, at: START + 8 }),
        placed(c, { copy: joined(a) }, { simhash: 0b0111n, at: START + 2 }),
      ],
      0,
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

  promised('elects the one with the least sum of distances, of equals the earliest; the id stays', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.place([placed(a, {}, { simhash: 0b1111n }), placed(b, { copy: joined(a) }, { simhash: 0n })], 0, START)
    const [before] = await store.groupsOfEntries([a], 'copy')
    expect(before?.primaryId).toBe(a)
    await store.place([placed(c, { copy: joined(a) }, { simhash: 1n })], 0, START)
    const [after] = await store.groupsOfEntries([a], 'copy')
    expect(after).toMatchObject({ id: before?.id, primaryId: c, distanceSum: 4 })
  })

  promised('lets the earliest speak for a story, also if it comes late', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    await store.place([placed(a), placed(b, { story: joined(a) })], 0, START)
    await store.place([placed(c, { story: joined(a) }, { at: START - HOUR })], 0, START)
    expect((await store.groupsOfEntries([a], 'story'))[0]).toMatchObject({ primaryId: c, firstAt: START - HOUR })
  })

  promised('makes one group of several: the larger keeps its id, and nobody is left behind', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d, e, f] = await say(store, feedId, 'a', 'b', 'c', 'd', 'e', 'f')
    await store.place(
      [
        placed(a),
        placed(b, { copy: joined(a) }),
        placed(c),
        placed(d, { copy: joined(c) }),
        placed(e, { copy: joined(d) }),
      ],
      0,
      START,
    )
    const [small, large] = await store.groupsOfEntries([a, c], 'copy')
    await store.place([placed(f, { copy: joined(a, c) })], 0, START)
    expect(await idsIn(store, f)).toEqual([a, b, c, d, e, f])
    expect((await store.groupsOfEntries([a], 'copy'))[0]).toMatchObject({ id: large?.id, size: 6 })
    expect(await store.groupsById([small!.id])).toEqual([undefined])
    expect(await store.members(small!.id, 9)).toEqual([])
  })

  promised('says who moved, and leaves no group with a single member', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d] = await say(store, feedId, 'a', 'b', 'c', 'd')
    const first = [placed(a), placed(b, { copy: joined(a) }), placed(c), placed(d, { copy: joined(c) })]
    expect(await store.place(first, 0, START)).toEqual([])
    const [ab, cd] = await store.groupsOfEntries([a, c], 'copy')
    const again = placed(b, { copy: joined(d) }, { comparedBy: 'article' })
    const moved = { entryId: b, level: 'copy', at: START + 1, from: ab?.id, to: cd?.id, comparedBy: 'article' } as const
    expect(await store.place([again], 0, START + 1)).toEqual([moved])
    expect(await store.groupsOfEntries([a, b], 'copy')).toMatchObject([undefined, { id: cd?.id, size: 3 }])
    expect(await store.place([placed(b)], 0, START + 2)).toMatchObject([{ from: cd?.id }])
    expect(await store.place([placed(b)], 0, START + 3)).toEqual([])
    expect(await store.place([placed(a, { copy: joined(b) })], 0, START + 4)).toMatchObject([{ entryId: a }])
    expect(await store.moves(b)).toEqual([moved, expect.not.objectContaining({ to: expect.anything() })])
    expect(await idsIn(store, a)).toEqual([a, b])
  })

  promised('keeps the group of an entry that says something else and still belongs there', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b] = await say(store, feedId, 'a', 'b')
    await store.place([placed(a), placed(b, { copy: joined(a) })], 0, START)
    const [group] = await store.groupsOfEntries([a], 'copy')
    expect(await store.place([placed(a, { copy: joined(b) }, { simhash: 0xffn })], 0, START)).toEqual([])
    expect((await store.groupsOfEntries([a], 'copy'))[0]).toMatchObject({ id: group?.id, size: 2 })
    expect(await store.moves(a)).toEqual([])
  })

  promised('passes over what is gone: entries to be placed, and those to be joined with', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a] = await say(store, feedId, 'a')
    const gone = 99 as EntryId
    expect(await store.place([placed(gone), placed(a, { copy: joined(gone) })], 0, START)).toEqual([])
    expect(await store.groupsOfEntries([a, gone], 'copy')).toEqual([undefined, undefined])
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([a])
  })

  promised('keeps groups whole when a feed is removed', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const [a, b, c] = await say(store, f, 'a', 'b', 'c')
    const [x, y, z] = await say(store, g, 'x', 'y', 'z')
    await store.place(
      [
        placed(x, {}, { simhash: 0n }),
        placed(a, { copy: joined(x) }, { simhash: 1n }),
        placed(b, { copy: joined(x), story: joined(x) }, { simhash: 3n }),
        placed(y, {}, { simhash: 0n }),
        placed(c, { copy: joined(y) }, { simhash: 0n }),
        placed(z),
      ],
      (await store.unplaced(99)).upTo,
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
    expect((await store.unplaced(9)).changes).toEqual([x, y, z].map((id) => ({ id, wasPlaced: true })))
    expect((await all(store.signatures({ since: START }))).map(({ id }) => id)).toEqual([a, b, c])
  })

  promised('keeps groups whole when entries are forgotten, and elects another primary', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c] = await say(store, feedId, 'a', 'b', 'c')
    const same = { simhash: 5n }
    await store.place([placed(a, {}, same), placed(b, both(a), same), placed(c, both(a), same)], 99, START)
    expect((await store.groupsOfEntries([c], 'copy'))[0]?.primaryId).toBe(a)
    await store.forgetEntries(START + 99, 1)
    expect((await store.groupsOfEntries([c], 'copy'))[0]).toMatchObject({ primaryId: b, size: 2, ...span(b, c) })
    expect((await store.groupsOfEntries([c], 'story'))[0]).toMatchObject({ primaryId: b, size: 2 })
    await store.forgetEntries(START + 99, 1)
    expect(await store.groupsOfEntries([c], 'copy')).toEqual([undefined])
    expect((await store.unplaced(9)).changes.map(({ id }) => id)).toEqual([a, b])
  })

  promised('keeps the primary of a large group as long as it is there', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const ids = await say(store, f, ...Array.from({ length: 60 }, (_, i) => `e${i}`))
    const [first, ...others] = ids
    await store.place([placed(first, {}, { simhash: 0n })], 0, START)
    for (const id of others) {
      await store.place([placed(id, { copy: joined(first) }, { simhash: BigInt(id % 4) })], 0, START)
    }
    const group = await soundGroupOf(store, first)
    expect(group).toMatchObject({ size: 60 })
    const [x, y] = await say(store, g, 'x', 'y')
    const far = { simhash: 0xffffn }
    await store.place([placed(x, { copy: joined(others[4]) }, far), placed(y, { copy: joined(x) }, far)], 0, START)
    expect(await soundGroupOf(store, first)).toMatchObject({ id: group.id, primaryId: group.primaryId, size: 62 })
    await store.removeFeed(g)
    expect(await soundGroupOf(store, first)).toEqual(group)
    await store.forgetEntries(START + 99, 50)
    expect(await soundGroupOf(store, ids[59]!)).toMatchObject({ id: group.id, size: 10 })
  })

  promised('lists groups, recent or large ones first, of a level, from a date and size on', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [a, b, c, d, e] = await say(store, feedId, 'a', 'b', 'c', 'd', 'e')
    await store.place(
      [
        placed(a),
        placed(b, { story: joined(a) }),
        placed(c, { story: joined(a) }),
        placed(d),
        placed(e, { story: joined(d) }),
      ],
      0,
      START,
    )
    const sizes = async (query: Omit<Parameters<Store['groups']>[0], 'level' | 'limit'>, limit = 9) =>
      (await store.groups({ level: 'story', limit, ...query })).map(({ size }) => size)
    expect(await sizes({ order: 'recent' })).toEqual([2, 3])
    expect(await sizes({ order: 'large' })).toEqual([3, 2])
    expect(await sizes({ order: 'large', leastSize: 3 })).toEqual([3])
    expect(await sizes({ order: 'large', since: START + d })).toEqual([2])
    expect(await sizes({ order: 'large', offset: 1 })).toEqual([2])
    expect(await sizes({ order: 'large' }, 1)).toEqual([3])
    expect(await store.groups({ level: 'copy', order: 'large', limit: 9 })).toEqual([])
  })

  promised('lists entries once, where that is wished: of each group the primary', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const [a, b] = await say(store, f, 'a', 'b')
    const [c] = await say(store, g, 'c')
    await store.place([placed(a), placed(b), placed(c, { copy: joined(a), story: joined(b) })], 0, START)
    const listed = async (query: Omit<Parameters<Store['entries']>[0], 'limit'>) =>
      (await store.entries({ ...query, limit: 9 })).map(({ id }) => id).sort()
    expect(await listed({})).toEqual([a, b, c])
    expect(await listed({ unique: 'copy' })).toEqual([a, b])
    expect(await listed({ unique: 'story' })).toEqual([a, b])
    expect(await listed({ unique: 'copy', feedId: g })).toEqual([])
    const [newest] = await store.entries({ unique: 'copy', limit: 1 })
    expect(await listed({ unique: 'copy', after: newest! })).toEqual([a])
    expect((await all(store.everyEntry({ unique: 'copy' }))).map(({ id }) => id)).toEqual([a, b])
    expect(await all(store.everyEntry({ unique: 'copy', feedId: g }))).toEqual([])
  })

  promised('counts what was said, by feed and hour of the day, and how much of it before', async (store) => {
    const f = await addFeed(store, 'f')
    const g = await addFeed(store, 'g')
    const noon = Date.UTC(2026, 2, 1, 12)
    const said = (publishedAt: number) => ({ publishedAt })
    await store.recordPolls([
      record(f, noon + 9 * HOUR, { fresh: [draft('a', said(noon)), draft('b', said(noon + HOUR))] }),
      record(g, noon + 9 * HOUR, { fresh: [draft('c', said(noon + HOUR)), draft('old', said(noon - HOUR))] }),
      failedRecord(f, noon + 10 * HOUR),
      record(f, noon + 11 * HOUR, { fresh: [draft('d', { publishedAt: noon, dateOnly: true })] }),
    ])
    const [a, b, c] = (await all(store.everyEntry({}))).map(({ id }) => id) as [EntryId, EntryId, EntryId]
    await store.place([placed(a), placed(b, { story: joined(a) }), placed(c, { copy: joined(b) })], 0, START)
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
    expect((await store.statistics(START)).stories).toBe(1)
    expect((await store.statistics(START)).entries).toBe(5)
  })
}

/** New entries of a feed, by their ids. */
async function say(store: Store, feedId: FeedId, ...keys: string[]): Promise<SixIds> {
  const before = (await all(store.everyEntry({}))).length
  await store.recordPolls([record(feedId, START + before, { fresh: keys.map((key) => draft(key)) })])
  return (await all(store.everyEntry({}))).slice(before).map(({ id }) => id) as SixIds
}

/** No test asks for more than it said. */
type SixIds = [EntryId, EntryId, EntryId, EntryId, EntryId, EntryId, ...EntryId[]]

/** An entry that was said in the order of ids. */
export function placed(id: EntryId, joins: PlacedEntry['joins'] = {}, more: Partial<PlacedEntry> = {}): PlacedEntry {
  return { id, at: START + id, comparedBy: 'entry', signature: signatureOf(id), simhash: BigInt(id), joins, ...more }
}

export function joined(...ids: EntryId[]): Join {
  return { with: ids, likeness: 0.9, reason: 'same text' }
}

function both(id: EntryId): PlacedEntry['joins'] {
  return { copy: joined(id), story: joined(id) }
}

/** What it holds is nothing to a store. */
function signatureOf(id: EntryId): Uint8Array {
  return Uint8Array.of(1, 2, 255, id)
}

async function waiting(store: Store): Promise<EntryId[]> {
  return (await store.unplaced(99)).changes.map(({ id }) => id)
}

async function idsIn(store: Store, id: EntryId, level: Level = 'copy'): Promise<EntryId[]> {
  const [group] = await store.groupsOfEntries([id], level)
  return (await store.members(group!.id, 99)).map(({ entryId }: Member) => entryId)
}

/** A group whose numbers agree with its members, one of which is the primary. */
async function soundGroupOf(store: Store, id: EntryId): Promise<Group> {
  const [group] = await store.groupsOfEntries([id], 'copy')
  const members = await store.members(group!.id, 999)
  expect(group?.size).toBe(members.length)
  expect(group?.distanceSum).toBe(members.reduce((sum, { distance }) => sum + distance, 0))
  expect(members.find(({ entryId }) => entryId === group?.primaryId)?.distance).toBe(0)
  return group!
}

const span = (first: EntryId, last: EntryId) => ({ firstAt: START + first, lastAt: START + last })

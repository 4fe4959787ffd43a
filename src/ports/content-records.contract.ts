/** The contract of content records, called by content-store.contract.ts. Each test uses its own day and ids. */
import { expect } from 'vitest'
import { DAY, type Entry, type EntryId, type FeedId, HOUR, type Instant, type Poll } from '../model/index.ts'
import type { ContentStore, EntryRecordQuery } from './index.ts'

export type ContentRecordsPromised = (
  sentence: string,
  hold: (contentStore: ContentStore, other: ContentStore, day: Instant) => Promise<void>,
) => void

export function contentRecordPromises(promised: ContentRecordsPromised): void {
  promised(
    'pages through the entry records of a feed, newest first, across months',
    async (contentStore, other, day) => {
      const [a, b] = [feedOf(day), feedOf(day, 1)]
      const own = Array.from({ length: 40 }, (_, i) =>
        entryRecord(day, i, { feedId: a, publishedAt: day - i * 5 * DAY }),
      )
      await contentStore.putEntries([...own, entryRecord(day, 50, { feedId: b })], day)
      const query = { feedId: a, until: day }
      expect(await other.listEntries({ ...query, limit: 99 })).toEqual(own)
      expect(await inPages(other, query, 7)).toEqual(own)
      expect(await other.listEntries({ ...query, since: day - 10 * DAY, limit: 99 })).toEqual(own.slice(0, 3))
      expect(await other.listEntries({ ...query, until: day - 5 * DAY, limit: 2 })).toEqual(own.slice(1, 3))
      expect(await other.listEntries({ feedId: feedOf(day, 2), until: day, limit: 9 })).toEqual([])
    },
  )

  promised(
    'lists the entry records of all feeds by hour of publication, including equal dates',
    async (contentStore, _, day) => {
      const all = Array.from({ length: 30 }, (_item, i) =>
        entryRecord(day, 29 - i, { feedId: feedOf(day, i % 3), publishedAt: day - Math.floor(i / 10) * 3 * HOUR }),
      )
      await contentStore.putEntries(all.toReversed(), day)
      const query = { since: day - 7 * HOUR, until: day }
      expect((await inPages(contentStore, query, 4)).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
      expect(await contentStore.listEntries({ ...query, since: day - 3 * HOUR, limit: 99 })).toEqual(all.slice(0, 20))
    },
  )

  promised('stores one record per entry, under its current date', async (contentStore, other, day) => {
    const feedId = feedOf(day)
    const first = entryRecord(day, 1, { feedId, publishedAt: day - 40 * DAY })
    const moved = { ...first, title: 'moved', publishedAt: (day - 2 * HOUR) as Instant }
    await contentStore.putEntries([first], day)
    await other.putEntries([moved], (day + 1) as Instant)
    expect(await contentStore.listEntries({ feedId, until: day, limit: 9 })).toEqual([moved])
    expect(
      await contentStore.listEntries({ since: (day - 41 * DAY) as Instant, until: day - 40 * DAY, limit: 9 }),
    ).not.toContainEqual(moved)
    expect(await other.getEntries([first.id, idOf(day, 9)])).toEqual([moved, undefined])
  })

  promised('ignores repeated and late writes', async (contentStore, other, day) => {
    const feedId = feedOf(day)
    const [old, young] = [
      entryRecord(day, 1, { feedId, title: 'old' }),
      entryRecord(day, 1, { feedId, title: 'young' }),
    ]
    await Promise.all([contentStore.putEntries([young], (day + 9) as Instant), other.putEntries([old], day)])
    await other.putEntries([old], day)
    expect(await contentStore.getEntries([old.id])).toEqual([young])
    expect(await contentStore.listEntries({ feedId, until: day, limit: 9 })).toEqual([young])
  })

  promised(
    'removes entry records and signatures, and stores them again on a later write',
    async (contentStore, _, day) => {
      const feedId = feedOf(day)
      const gone = entryRecord(day, 1, { feedId })
      await contentStore.putEntries([gone, entryRecord(day, 2, { feedId })], day)
      await contentStore.putSignatures([signed(day, 1, 5n)], day)
      await contentStore.removeEntries([gone.id, idOf(day, 99)], (day + 1) as Instant)
      expect((await contentStore.listEntries({ feedId, until: day, limit: 9 })).map(({ id }) => id)).toEqual([
        idOf(day, 2),
      ])
      expect(await contentStore.getEntries([gone.id])).toEqual([undefined])
      expect(await contentStore.getSignatures([gone.id])).toEqual([undefined])
      expect(await contentStore.findSimilar({ simhash: 5n, bits: 0, since: day, until: day })).toEqual([])
      await contentStore.putEntries([gone], (day + 2) as Instant)
      expect(await contentStore.getEntries([gone.id])).toEqual([gone])
    },
  )

  promised(
    'finds signatures that differ in at most three bits, nearest first, of the requested days only',
    async (contentStore, other, day) => {
      const hash = 0xf0f0_1234_5678_9abcn
      const three = hash ^ (1n << 63n) ^ (1n << 17n) ^ (1n << 40n)
      const ones = [
        signed(day, 1, three),
        signed(day, 2, hash),
        signed(day, 3, hash ^ 0b1111n),
        signed(day, 4, hash ^ 1n),
      ]
      await contentStore.putSignatures(ones, day)
      await contentStore.putSignatures([signed(day, 5, hash)], (day - 3 * DAY) as Instant)
      const found = await other.findSimilar({ simhash: hash, bits: 3, since: day, until: day })
      expect(found.map(({ id, distance }) => [id - idOf(day, 0), distance])).toEqual([
        [2, 0],
        [4, 1],
        [1, 3],
      ])
      const longer = { simhash: hash, bits: 0, since: (day - 3 * DAY) as Instant, until: day }
      expect((await other.findSimilar(longer)).map(({ id }) => id - idOf(day, 0)).sort()).toEqual([2, 5])
    },
  )

  promised('returns only the last signature of an entry', async (contentStore, other, day) => {
    await contentStore.putSignatures([signed(day, 1, 7n), signed(day, 600, 7n)], day)
    await other.putSignatures([signed(day, 1, 0xffff_0000n)], (day + 1) as Instant)
    const found = await contentStore.getSignatures([idOf(day, 600), idOf(day, 3), idOf(day, 1)])
    expect(found.map((one) => one && [one.simhash, Buffer.from(one.signature).toString(), one.at - day])).toEqual([
      [7n, 'signature 7', 600],
      undefined,
      [0xffff_0000n, 'signature 4294901760', 1],
    ])
    expect(
      (await contentStore.findSimilar({ simhash: 7n, bits: 3, since: day, until: day })).map(({ id }) => id),
    ).toEqual([idOf(day, 600)])
  })

  promised(
    'lists the copies of a primary in chronological order, without those of others',
    async (contentStore, other, day) => {
      const [a, b] = [idOf(day, 1), idOf(day, 2)]
      const copy = (primaryId: EntryId, i: number, distance: number) => {
        return { primaryId, id: idOf(day, i), at: (day - i) as Instant, distance }
      }
      await contentStore.putCopies([copy(a, 1, 0), copy(a, 3, 2), copy(a, 4, 5), copy(b, 2, 0)], day)
      const ids = async (of: EntryId) =>
        (await other.listCopies(of)).map(({ id, distance }) => [id - idOf(day, 0), distance])
      expect(await ids(a)).toEqual([
        [4, 5],
        [3, 2],
        [1, 0],
      ])
      await other.putCopies([copy(b, 3, 1)], (day + 1) as Instant)
      await contentStore.putCopies([copy(a, 3, 2)], day)
      expect(await ids(a)).toEqual([
        [4, 5],
        [1, 0],
      ])
      expect(await ids(b)).toEqual([
        [3, 1],
        [2, 0],
      ])
      expect(await other.listCopies(idOf(day, 9))).toEqual([])
    },
  )

  promised('stores the poll log of a feed across months, each poll once', async (contentStore, other, day) => {
    const polls = Array.from({ length: 12 }, (_, i) => pollOf(day, i * 9))
    await contentStore.putPolls(polls)
    await other.putPolls(polls.slice(3))
    await other.putPolls([{ ...pollOf(day, 1), feedId: feedOf(day, 1) }])
    const query = { feedId: feedOf(day), until: day }
    expect(await other.listPolls({ ...query, limit: 99 })).toEqual(polls)
    expect(await other.listPolls({ ...query, since: day - 20 * DAY, limit: 2 })).toEqual(polls.slice(0, 2))
    expect(await other.listPolls({ ...query, until: day - 9 * DAY, since: day - 20 * DAY, limit: 9 })).toEqual(
      polls.slice(1, 3),
    )
  })
}

async function inPages(
  contentStore: ContentStore,
  query: Omit<EntryRecordQuery, 'limit'>,
  limit: number,
): Promise<Entry[]> {
  const all: Entry[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last && { at: last.publishedAt ?? last.seenAt, id: last.id }
    const page = await contentStore.listEntries({ ...query, ...(after && { after }), limit })
    if (page.length === 0) return all
    expect(page.length).toBeLessThanOrEqual(limit)
    all.push(...page)
  }
}

function idOf(day: Instant, i: number): EntryId {
  return (Math.floor(day / DAY) * 10_000_000_000 + i) as EntryId // some stores assign large ids
}

function feedOf(day: Instant, i = 0): FeedId {
  return (Math.floor(day / DAY) * 10 + i) as FeedId
}

function entryRecord(day: Instant, i: number, more: Partial<Entry>): Entry {
  return { id: idOf(day, i), feedId: feedOf(day), key: `key ${i}`, title: `title ${i}`, seenAt: day, ...more }
}

function signed(day: Instant, i: number, simhash: bigint) {
  return { id: idOf(day, i), at: (day + i) as Instant, simhash, signature: Buffer.from(`signature ${simhash}`) }
}

function pollOf(day: Instant, daysAgo: number): Poll {
  const at = (day - daysAgo * DAY) as Instant
  return { feedId: feedOf(day), at, tookMs: 9, bytes: 0, conditional: true, result: { kind: 'not-modified' } } as Poll
}

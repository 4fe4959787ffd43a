/**
 * Entry records (tables `cards*`): by id, by feed and month, and by hour across feeds. Only the table by id holds the record; the others
 * point to it. If the date of an entry changes, its position changes: the old position is deleted, and readers skip it until then.
 */
import { DAY, type Entry, type EntryId, HOUR, type Instant, sortPosition } from '../../model/index.ts'
import type { ContentRecords, EntryRecordQuery } from '../../ports/index.ts'
import {
  BLOCK,
  DELETE_ENTRY,
  DELETE_ENTRY_BY_FEED,
  DELETE_ENTRY_BY_HOUR,
  HOUR_PARTS,
  INSERT_ENTRY,
  INSERT_ENTRY_BY_FEED,
  INSERT_ENTRY_BY_HOUR,
  INSERT_SLOT,
  SELECT_ENTRIES,
  SELECT_ENTRIES_OF_FEED,
  SELECT_ENTRIES_OF_HOUR,
  SELECT_SLOTS,
} from './schema.ts'
import { microsOf, type Session } from './session.ts'

/** Slots that this process has written, and need not write again. */
const MAX_CACHED_SLOTS = 50_000
const FIRST_YEAR = 1970

type Position = { at: Instant; id: EntryId }
type PositionRow = { at: bigint; id: bigint }

export function createEntryRecords(
  session: Session,
): Pick<ContentRecords, 'putEntries' | 'removeEntries' | 'getEntries' | 'listEntries'> {
  const { ttl } = session
  const writtenSlots = new Set<string>()

  async function getEntries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    const answers = await session.select<{ id: bigint; card: string }>(SELECT_ENTRIES, byBlock(ids))
    const records = new Map(answers.flat().map(({ id, card }) => [Number(id), JSON.parse(card) as Entry]))
    return ids.map((id) => records.get(id))
  }

  async function deletePositions(entries: readonly Entry[], at: Instant): Promise<void> {
    const first = microsOf(at)
    await session.write(
      DELETE_ENTRY_BY_FEED,
      entries.map((entry) => [first, ...positionInFeed(entry)]),
    )
    await session.write(
      DELETE_ENTRY_BY_HOUR,
      entries.map((entry) => [first, ...positionInHour(entry)]),
    )
  }

  async function writeSlots(entries: readonly Entry[], at: Instant): Promise<void> {
    const slots = new Map<string, unknown[]>()
    for (const slot of entries.flatMap(slotsOf)) {
      const name = slot.join(' ')
      if (!writtenSlots.has(name)) slots.set(name, [...slot, microsOf(at), ttl])
    }
    await session.write(INSERT_SLOT, [...slots.values()])
    if (writtenSlots.size > MAX_CACHED_SLOTS || ttl > 0) writtenSlots.clear()
    for (const name of slots.keys()) writtenSlots.add(name)
  }

  /** The next positions in a slot, from all its partitions, newest first. */
  async function positionsIn(
    { feedId }: EntryRecordQuery,
    slot: number,
    arrived: readonly number[],
    before: Position,
    limit: number,
  ): Promise<Position[]> {
    const bound = [BigInt(before.at), BigInt(before.id), limit]
    const answers =
      feedId === undefined
        ? await session.select<PositionRow>(
            SELECT_ENTRIES_OF_HOUR,
            arrived.flatMap((day) => Array.from({ length: HOUR_PARTS }, (_, part) => [slot, day, part, ...bound])),
          )
        : await session.select<PositionRow>(
            SELECT_ENTRIES_OF_FEED,
            arrived.map((month) => [BigInt(feedId), slot, month, ...bound]),
          )
    const positions = answers.flat().map(({ at, id }) => ({ at: Number(at) as Instant, id: Number(id) as EntryId }))
    return positions.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit)
  }

  /** The slots that exist, newest first, each with the days or months in which its entries arrived. */
  async function* slots({
    feedId,
    since = 0 as Instant,
    until,
    after,
  }: EntryRecordQuery): AsyncIterable<[number, number[]]> {
    const newest = Math.min(until, after?.at ?? until) as Instant
    const [name, slotOf] = feedId === undefined ? [undefined, hourOf] : [`f${feedId}`, monthNumber]
    const names = name ? [name] : yearsFrom(newest, since)
    let open: [number, number[]] | undefined
    for (const of of names) {
      const bounds = [of, slotOf(newest), slotOf(since)]
      for await (const { slot, arrived } of session.walk<{ slot: number; arrived: number }>(SELECT_SLOTS, bounds)) {
        if (open?.[0] === slot) open[1].push(arrived)
        else {
          if (open) yield open
          open = [slot, [arrived]]
        }
      }
    }
    if (open) yield open
  }

  return {
    getEntries,

    async putEntries(entries, at) {
      const before = await getEntries(entries.map(({ id }) => id))
      const moved = before.filter((old, i): old is Entry => old !== undefined && !isAtSamePosition(old, entries[i]!))
      await writeSlots(entries, at)
      const stamp = [microsOf(at), ttl]
      await session.write(
        INSERT_ENTRY_BY_FEED,
        entries.map((entry) => [...positionInFeed(entry), ...stamp]),
      )
      await session.write(
        INSERT_ENTRY_BY_HOUR,
        entries.map((entry) => [...positionInHour(entry), ...stamp]),
      )
      // Last, so that every record that can be read is also listed by feed and by hour.
      await session.write(
        INSERT_ENTRY,
        entries.map((entry) => [blockOf(entry.id), BigInt(entry.id), JSON.stringify(entry), ...stamp]),
      )
      await deletePositions(moved, at)
    },

    async removeEntries(ids, at) {
      const existing = (await getEntries(ids)).filter((entry) => entry !== undefined)
      await session.write(
        DELETE_ENTRY,
        ids.map((id) => [microsOf(at), blockOf(id), BigInt(id)]),
      )
      await deletePositions(existing, at)
    },

    async listEntries(query) {
      const { since = 0 as Instant, until, after, limit } = query
      const found: Entry[] = []
      let before: Position = after ?? { at: (until + 1) as Instant, id: 0 as EntryId }
      for await (const [slot, arrived] of slots(query)) {
        for (;;) {
          const missing = limit - found.length
          const positions = await positionsIn(query, slot, arrived, before, missing)
          const records = await getEntries(positions.map(({ id }) => id))
          for (const [i, record] of records.entries()) {
            const { at } = positions[i]!
            if (at < since) return found
            if (record && sortPosition(record).at === at) found.push(record)
          }
          before = positions.at(-1) ?? before
          if (found.length >= limit) return found
          if (positions.length < missing) break
        }
      }
      return found
    },
  }
}

/** Parameters of the queries for these ids: one query per block. */
export function byBlock(ids: readonly EntryId[]): [bigint, bigint[]][] {
  const blocks = new Map<bigint, bigint[]>()
  for (const id of new Set(ids)) {
    const block = blocks.get(blockOf(id))
    if (block) block.push(BigInt(id))
    else blocks.set(blockOf(id), [BigInt(id)])
  }
  return [...blocks]
}

export function blockOf(id: EntryId): bigint {
  return BigInt(Math.floor(id / BLOCK))
}

function positionInFeed(entry: Entry): unknown[] {
  const { at, id } = sortPosition(entry)
  return [BigInt(entry.feedId), monthNumber(at), monthNumber(entry.seenAt), BigInt(at), BigInt(id)]
}

function positionInHour(entry: Entry): unknown[] {
  const { at, id } = sortPosition(entry)
  return [hourOf(at), dayOf(entry.seenAt), id % HOUR_PARTS, BigInt(at), BigInt(id)]
}

function isAtSamePosition(a: Entry, b: Entry): boolean {
  return sortPosition(a).at === sortPosition(b).at && a.seenAt === b.seenAt
}

function slotsOf(entry: Entry): [of: string, slot: number, arrived: number][] {
  const { at } = sortPosition(entry)
  return [
    [`f${entry.feedId}`, monthNumber(at), monthNumber(entry.seenAt)],
    [`y${new Date(at).getUTCFullYear()}`, hourOf(at), dayOf(entry.seenAt)],
  ]
}

function* yearsFrom(newest: Instant, oldest: Instant): Iterable<string> {
  const last = Math.max(FIRST_YEAR, new Date(oldest).getUTCFullYear())
  for (let year = new Date(newest).getUTCFullYear(); year >= last; year--) yield `y${year}`
}

/** Months since year 0. */
export function monthNumber(at: Instant): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR)
}

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY)
}

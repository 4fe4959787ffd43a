/**
 * Cards: entries by number, by feed and month, and by hour across feeds. Only the first has what is said; the others lead to it. A card
 * whose date has changed stands elsewhere from now on: the place that it had is taken out, and until then what leads there is passed over.
 */
import { DAY, type Entry, type EntryId, HOUR, type Instant, placeInTime } from '../../model/index.ts'
import type { CardQuery, LibraryStacks } from '../../ports/index.ts'
import {
  BLOCK,
  CARDS_OF,
  DROP_BY_FEED,
  DROP_BY_HOUR,
  DROP_CARD,
  FILE_BY_FEED,
  FILE_BY_HOUR,
  FILE_CARD,
  FILE_SLOT,
  HOUR_PARTS,
  OF_FEED,
  OF_PUBLISHING_HOUR,
  SLOTS_OF,
} from './schema.ts'
import { microsOf, type Session } from './session.ts'

/** Slots that this process has written: nobody needs to write them again. */
const MOST_SLOTS_KNOWN = 50_000
const FIRST_YEAR = 1970

type Place = { at: Instant; id: EntryId }
type PlaceRow = { at: bigint; id: bigint }

export function createCards(session: Session): Pick<LibraryStacks, 'file' | 'withdraw' | 'filed' | 'list'> {
  const { ttl } = session
  const slotsKnown = new Set<string>()

  async function filed(ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    const answers = await session.ask<{ id: bigint; card: string }>(CARDS_OF, byBlock(ids))
    const cards = new Map(answers.flat().map(({ id, card }) => [Number(id), JSON.parse(card) as Entry]))
    return ids.map((id) => cards.get(id))
  }

  async function dropPlaces(entries: readonly Entry[], at: Instant): Promise<void> {
    const first = microsOf(at)
    await session.write(
      DROP_BY_FEED,
      entries.map((entry) => [first, ...feedPlace(entry)]),
    )
    await session.write(
      DROP_BY_HOUR,
      entries.map((entry) => [first, ...hourPlace(entry)]),
    )
  }

  async function fileSlots(entries: readonly Entry[], at: Instant): Promise<void> {
    const slots = new Map<string, unknown[]>()
    for (const slot of entries.flatMap(slotsOf)) {
      const name = slot.join(' ')
      if (!slotsKnown.has(name)) slots.set(name, [...slot, microsOf(at), ttl])
    }
    await session.write(FILE_SLOT, [...slots.values()])
    if (slotsKnown.size > MOST_SLOTS_KNOWN || ttl > 0) slotsKnown.clear()
    for (const name of slots.keys()) slotsKnown.add(name)
  }

  /** The next places of a slot, from all of its partitions, newest first. */
  async function placesIn(
    { feedId }: CardQuery,
    slot: number,
    arrived: readonly number[],
    before: Place,
    limit: number,
  ): Promise<Place[]> {
    const bound = [BigInt(before.at), BigInt(before.id), limit]
    const answers =
      feedId === undefined
        ? await session.ask<PlaceRow>(
            OF_PUBLISHING_HOUR,
            arrived.flatMap((day) => Array.from({ length: HOUR_PARTS }, (_, part) => [slot, day, part, ...bound])),
          )
        : await session.ask<PlaceRow>(
            OF_FEED,
            arrived.map((month) => [BigInt(feedId), slot, month, ...bound]),
          )
    const places = answers.flat().map(({ at, id }) => ({ at: Number(at) as Instant, id: Number(id) as EntryId }))
    return places.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit)
  }

  /** Slots that there are, newest first, each with when its entries arrived. */
  async function* slots({ feedId, since = 0 as Instant, until, after }: CardQuery): AsyncIterable<[number, number[]]> {
    const newest = Math.min(until, after?.at ?? until) as Instant
    const [name, slotOf] = feedId === undefined ? [undefined, hourOf] : [`f${feedId}`, monthNumber]
    const names = name ? [name] : yearsFrom(newest, since)
    let open: [number, number[]] | undefined
    for (const of of names) {
      const bounds = [of, slotOf(newest), slotOf(since)]
      for await (const { slot, arrived } of session.walk<{ slot: number; arrived: number }>(SLOTS_OF, bounds)) {
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
    filed,

    async file(entries, at) {
      const before = await filed(entries.map(({ id }) => id))
      const moved = before.filter((old, i): old is Entry => old !== undefined && !isAtSamePlace(old, entries[i]!))
      await fileSlots(entries, at)
      const stamp = [microsOf(at), ttl]
      await session.write(
        FILE_BY_FEED,
        entries.map((entry) => [...feedPlace(entry), ...stamp]),
      )
      await session.write(
        FILE_BY_HOUR,
        entries.map((entry) => [...hourPlace(entry), ...stamp]),
      )
      // Last: whoever finds a card finds it also by feed and by hour.
      await session.write(
        FILE_CARD,
        entries.map((entry) => [blockOf(entry.id), BigInt(entry.id), JSON.stringify(entry), ...stamp]),
      )
      await dropPlaces(moved, at)
    },

    async withdraw(ids, at) {
      const gone = (await filed(ids)).filter((entry) => entry !== undefined)
      await session.write(
        DROP_CARD,
        ids.map((id) => [microsOf(at), blockOf(id), BigInt(id)]),
      )
      await dropPlaces(gone, at)
    },

    async list(query) {
      const { since = 0 as Instant, until, after, limit } = query
      const found: Entry[] = []
      let before: Place = after ?? { at: (until + 1) as Instant, id: 0 as EntryId }
      for await (const [slot, arrived] of slots(query)) {
        for (;;) {
          const wanted = limit - found.length
          const places = await placesIn(query, slot, arrived, before, wanted)
          const cards = await filed(places.map(({ id }) => id))
          for (const [i, card] of cards.entries()) {
            const { at } = places[i]!
            if (at < since) return found
            if (card && placeInTime(card).at === at) found.push(card)
          }
          before = places.at(-1) ?? before
          if (found.length >= limit) return found
          if (places.length < wanted) break
        }
      }
      return found
    },
  }
}

/** Questions for the rows with these numbers, a block each. */
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

function feedPlace(entry: Entry): unknown[] {
  const { at, id } = placeInTime(entry)
  return [BigInt(entry.feedId), monthNumber(at), monthNumber(entry.seenAt), BigInt(at), BigInt(id)]
}

function hourPlace(entry: Entry): unknown[] {
  const { at, id } = placeInTime(entry)
  return [hourOf(at), dayOf(entry.seenAt), id % HOUR_PARTS, BigInt(at), BigInt(id)]
}

function isAtSamePlace(a: Entry, b: Entry): boolean {
  return placeInTime(a).at === placeInTime(b).at && a.seenAt === b.seenAt
}

function slotsOf(entry: Entry): [of: string, slot: number, arrived: number][] {
  const { at } = placeInTime(entry)
  return [
    [`f${entry.feedId}`, monthNumber(at), monthNumber(entry.seenAt)],
    [`y${new Date(at).getUTCFullYear()}`, hourOf(at), dayOf(entry.seenAt)],
  ]
}

function* yearsFrom(newest: Instant, oldest: Instant): Iterable<string> {
  const last = Math.max(FIRST_YEAR, new Date(oldest).getUTCFullYear())
  for (let year = new Date(newest).getUTCFullYear(); year >= last; year--) yield `y${year}`
}

/** Months since the year 0. */
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

/** Fingerprints by number and by band, copies by their primary, and the log of polls by feed and month; with the cards, a library's stacks. */
import { distance } from '../../dedup/index.ts'
import type { EntryId, Instant, Poll } from '../../model/index.ts'
import type { LibraryStacks, NearEntry } from '../../ports/index.ts'
import { blockOf, byBlock, createCards, dayOf, monthNumber } from './cards.ts'
import {
  COPIES_OF,
  DROP_BAND,
  DROP_SIGNATURE,
  FILE_BAND,
  FILE_COPY,
  FILE_POLL,
  FILE_PRIMARY,
  OF_BAND,
  POLLS_OF,
  PRIMARIES_OF,
  SIGN,
  SIGNATURES_OF,
} from './schema.ts'
import { microsOf, type Session } from './session.ts'

const BANDS = 4
const BAND_BITS = 64n / BigInt(BANDS)
/** A log is kept from when Freshet was first written on. */
const FIRST_MONTH = 2020 * 12

interface SignatureRow {
  id: bigint
  at: bigint
  simhash: bigint
  day: number
  signature: Buffer
}

export function createStacks(session: Session): LibraryStacks {
  const { ttl } = session
  const cards = createCards(session)

  async function signed(ids: readonly EntryId[]): Promise<Map<number, SignatureRow>> {
    const answers = await session.ask<SignatureRow>(SIGNATURES_OF, byBlock(ids))
    return new Map(answers.flat().map((row) => [Number(row.id), row]))
  }

  async function dropBands(rows: Iterable<SignatureRow>, at: Instant): Promise<void> {
    const gone = [...rows].flatMap(({ id, simhash, day }) =>
      bandsOf(BigInt.asUintN(64, simhash)).map((value, band) => [microsOf(at), band, value, day, id]),
    )
    await session.write(DROP_BAND, gone)
  }

  return {
    ...cards,

    async withdraw(ids, at) {
      const rows = await signed(ids)
      await cards.withdraw(ids, at)
      await dropBands(rows.values(), at)
      await session.write(
        DROP_SIGNATURE,
        ids.map((id) => [microsOf(at), blockOf(id), BigInt(id)]),
      )
    },

    async sign(given, at) {
      const before = await signed(given.map(({ id }) => id))
      const moved = given.flatMap(({ id, simhash }) => {
        const old = before.get(id)
        return old && (old.simhash !== BigInt.asIntN(64, simhash) || old.day !== dayOf(at)) ? [old] : []
      })
      await dropBands(moved, (at - 1) as Instant) // what keeps one of its bands keeps it
      const stamp = [microsOf(at), ttl]
      const bands = given.flatMap(({ id, at: saidAt, simhash }) =>
        bandsOf(simhash).map((value, band) => {
          return [band, value, dayOf(at), BigInt(id), BigInt(saidAt), BigInt.asIntN(64, simhash), ...stamp]
        }),
      )
      await session.write(FILE_BAND, bands)
      const rows = given.map(({ id, at: saidAt, simhash, signature }) => {
        const own = [BigInt(saidAt), BigInt.asIntN(64, simhash), dayOf(at), Buffer.from(signature)]
        return [blockOf(id), BigInt(id), ...own, ...stamp]
      })
      await session.write(SIGN, rows)
    },

    async signaturesOf(ids) {
      const rows = await signed(ids)
      return ids.map((id) => {
        const row = rows.get(id)
        if (!row) return undefined
        const { at, simhash, signature } = row
        return { id, at: Number(at) as Instant, simhash: BigInt.asUintN(64, simhash), signature }
      })
    },

    async near({ simhash, bits, since, until }) {
      const days = Array.from({ length: dayOf(until) - dayOf(since) + 1 }, (_, i) => dayOf(since) + i)
      const bands = bandsOf(simhash)
      const questions = days.flatMap((day) => bands.map((value, band) => [band, value, day]))
      const answers = await session.ask<{ id: bigint; at: bigint; simhash: bigint }>(OF_BAND, questions)
      const found = new Map<number, NearEntry>()
      for (const row of answers.flat()) {
        const apart = distance(BigInt.asUintN(64, row.simhash), simhash)
        const id = Number(row.id) as EntryId
        if (apart <= bits) found.set(id, { id, at: Number(row.at) as Instant, distance: apart })
      }
      return [...found.values()].sort((a, b) => a.distance - b.distance || a.at - b.at || a.id - b.id)
    },

    async fileCopies(copies, at) {
      const stamp = [microsOf(at), ttl]
      const rows = copies.map(({ primaryId, id, at: saidAt, distance: apart }) => {
        return [BigInt(primaryId), BigInt(id), BigInt(saidAt), apart, ...stamp]
      })
      await session.write(FILE_COPY, rows)
      await session.write(
        FILE_PRIMARY,
        copies.map(({ primaryId, id }) => [blockOf(id), BigInt(id), BigInt(primaryId), ...stamp]),
      )
    },

    async copiesOf(primaryId) {
      type Row = { id: bigint; at: bigint; distance: number }
      const [rows] = await session.ask<Row>(COPIES_OF, [[BigInt(primaryId)]])
      const ids = rows!.map(({ id }) => Number(id) as EntryId)
      const answers = await session.ask<{ id: bigint; primary_id: bigint }>(PRIMARIES_OF, byBlock(ids))
      const primaries = new Map(answers.flat().map(({ id, primary_id }) => [id, Number(primary_id)]))
      const own = rows!.filter(({ id }) => primaries.get(id) === primaryId)
      const copies = own.map(({ id, at, distance: apart }) => {
        return { id: Number(id) as EntryId, at: Number(at) as Instant, distance: apart }
      })
      return copies.sort((a, b) => a.at - b.at || a.id - b.id)
    },

    async filePolls(polls) {
      const rows = polls.map((poll) => {
        const { feedId, at } = poll
        return [BigInt(feedId), monthNumber(at), BigInt(at), JSON.stringify(poll), microsOf(at), ttl]
      })
      await session.write(FILE_POLL, rows)
    },

    async filedPolls({ feedId, since = 0 as Instant, until, limit }) {
      const found: Poll[] = []
      const oldest = Math.max(FIRST_MONTH, monthNumber(since))
      for (let month = monthNumber(until); month >= oldest && found.length < limit; month--) {
        const bounds = [BigInt(feedId), month, BigInt(until), BigInt(since), limit - found.length]
        const [rows] = await session.ask<{ poll: string }>(POLLS_OF, [bounds])
        found.push(...rows!.map(({ poll }) => JSON.parse(poll) as Poll))
      }
      return found
    },
  }
}

/** The 64 bits, sixteen at a time. */
function bandsOf(simhash: bigint): number[] {
  return Array.from({ length: BANDS }, (_, i) => Number(BigInt.asUintN(16, simhash >> (BigInt(i) * BAND_BITS))))
}

/** Content records: signatures by id and by band, copies by primary, and polls by feed and month; entry records are in entry-records.ts. */
import { distance } from '../../dedup/index.ts'
import type { EntryId, Instant, Poll } from '../../model/index.ts'
import type { ContentRecords, SimilarEntryId } from '../../ports/index.ts'
import { blockOf, byBlock, createEntryRecords, dayOf, monthNumber } from './entry-records.ts'
import {
  DELETE_BAND,
  DELETE_SIGNATURE,
  INSERT_BAND,
  INSERT_COPY,
  INSERT_POLL,
  INSERT_PRIMARY,
  INSERT_SIGNATURE,
  SELECT_BAND,
  SELECT_COPIES,
  SELECT_POLLS,
  SELECT_PRIMARIES,
  SELECT_SIGNATURES,
} from './schema.ts'
import { microsOf, type Session } from './session.ts'

const BANDS = 4
const BAND_BITS = 64n / BigInt(BANDS)
/** No poll is older. */
const FIRST_MONTH = 2020 * 12

interface SignatureRow {
  id: bigint
  at: bigint
  simhash: bigint
  day: number
  signature: Buffer
}

export function createContentRecords(session: Session): ContentRecords {
  const { ttl } = session
  const entryRecords = createEntryRecords(session)

  async function readSignatures(ids: readonly EntryId[]): Promise<Map<number, SignatureRow>> {
    const answers = await session.select<SignatureRow>(SELECT_SIGNATURES, byBlock(ids))
    return new Map(answers.flat().map((row) => [Number(row.id), row]))
  }

  async function deleteBands(rows: Iterable<SignatureRow>, at: Instant): Promise<void> {
    const bands = [...rows].flatMap(({ id, simhash, day }) =>
      bandsOf(BigInt.asUintN(64, simhash)).map((value, band) => [microsOf(at), band, value, day, id]),
    )
    await session.write(DELETE_BAND, bands)
  }

  return {
    ...entryRecords,

    async removeEntries(ids, at) {
      const rows = await readSignatures(ids)
      await entryRecords.removeEntries(ids, at)
      await deleteBands(rows.values(), at)
      await session.write(
        DELETE_SIGNATURE,
        ids.map((id) => [microsOf(at), blockOf(id), BigInt(id)]),
      )
    },

    async putSignatures(signatures, at) {
      const before = await readSignatures(signatures.map(({ id }) => id))
      const moved = signatures.flatMap(({ id, simhash }) => {
        const old = before.get(id)
        return old && (old.simhash !== BigInt.asIntN(64, simhash) || old.day !== dayOf(at)) ? [old] : []
      })
      await deleteBands(moved, (at - 1) as Instant) // earlier than `at`, so that bands that stay the same are not deleted
      const stamp = [microsOf(at), ttl]
      const bands = signatures.flatMap(({ id, at: recordedAt, simhash }) =>
        bandsOf(simhash).map((value, band) => {
          return [band, value, dayOf(at), BigInt(id), BigInt(recordedAt), BigInt.asIntN(64, simhash), ...stamp]
        }),
      )
      await session.write(INSERT_BAND, bands)
      const rows = signatures.map(({ id, at: recordedAt, simhash, signature }) => {
        const columns = [BigInt(recordedAt), BigInt.asIntN(64, simhash), dayOf(at), Buffer.from(signature)]
        return [blockOf(id), BigInt(id), ...columns, ...stamp]
      })
      await session.write(INSERT_SIGNATURE, rows)
    },

    async getSignatures(ids) {
      const rows = await readSignatures(ids)
      return ids.map((id) => {
        const row = rows.get(id)
        if (!row) return undefined
        const { at, simhash, signature } = row
        return { id, at: Number(at) as Instant, simhash: BigInt.asUintN(64, simhash), signature }
      })
    },

    async findSimilar({ simhash, bits, since, until }) {
      const days = Array.from({ length: dayOf(until) - dayOf(since) + 1 }, (_, i) => dayOf(since) + i)
      const bands = bandsOf(simhash)
      const parameters = days.flatMap((day) => bands.map((value, band) => [band, value, day]))
      const answers = await session.select<{ id: bigint; at: bigint; simhash: bigint }>(SELECT_BAND, parameters)
      const found = new Map<number, SimilarEntryId>()
      for (const row of answers.flat()) {
        const differingBits = distance(BigInt.asUintN(64, row.simhash), simhash)
        const id = Number(row.id) as EntryId
        if (differingBits <= bits) found.set(id, { id, at: Number(row.at) as Instant, distance: differingBits })
      }
      return [...found.values()].sort((a, b) => a.distance - b.distance || a.at - b.at || a.id - b.id)
    },

    async putCopies(copies, at) {
      const stamp = [microsOf(at), ttl]
      const rows = copies.map(({ primaryId, id, at: recordedAt, distance: bits }) => {
        return [BigInt(primaryId), BigInt(id), BigInt(recordedAt), bits, ...stamp]
      })
      await session.write(INSERT_COPY, rows)
      await session.write(
        INSERT_PRIMARY,
        copies.map(({ primaryId, id }) => [blockOf(id), BigInt(id), BigInt(primaryId), ...stamp]),
      )
    },

    async listCopies(primaryId) {
      type Row = { id: bigint; at: bigint; distance: number }
      const [rows] = await session.select<Row>(SELECT_COPIES, [[BigInt(primaryId)]])
      const ids = rows!.map(({ id }) => Number(id) as EntryId)
      const answers = await session.select<{ id: bigint; primary_id: bigint }>(SELECT_PRIMARIES, byBlock(ids))
      const primaries = new Map(answers.flat().map(({ id, primary_id }) => [id, Number(primary_id)]))
      const currentRows = rows!.filter(({ id }) => primaries.get(id) === primaryId)
      const copies = currentRows.map(({ id, at, distance: bits }) => {
        return { id: Number(id) as EntryId, at: Number(at) as Instant, distance: bits }
      })
      return copies.sort((a, b) => a.at - b.at || a.id - b.id)
    },

    async putPolls(polls) {
      const rows = polls.map((poll) => {
        const { feedId, at } = poll
        return [BigInt(feedId), monthNumber(at), BigInt(at), JSON.stringify(poll), microsOf(at), ttl]
      })
      await session.write(INSERT_POLL, rows)
    },

    async listPolls({ feedId, since = 0 as Instant, until, limit }) {
      const found: Poll[] = []
      const oldest = Math.max(FIRST_MONTH, monthNumber(since))
      for (let month = monthNumber(until); month >= oldest && found.length < limit; month--) {
        const bounds = [BigInt(feedId), month, BigInt(until), BigInt(since), limit - found.length]
        const [rows] = await session.select<{ poll: string }>(SELECT_POLLS, [bounds])
        found.push(...rows!.map(({ poll }) => JSON.parse(poll) as Poll))
      }
      return found
    },
  }
}

/** Splits 64 bits into four bands of 16. */
function bandsOf(simhash: bigint): number[] {
  return Array.from({ length: BANDS }, (_, i) => Number(BigInt.asUintN(16, simhash >> (BigInt(i) * BAND_BITS))))
}

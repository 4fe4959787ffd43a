/**
 * Content store on Apache Cassandra. Writes carry the time at which the content was recorded, so repeated or late writes change nothing,
 * and deleted content stays deleted unless it was written again since.
 */
import { HOUR, type Instant } from '../../model/index.ts'
import type { ContentAddress, ContentOwner, ContentStore, ContentText, ContentTextInfo } from '../../ports/index.ts'
import { parseClusterAddress } from './address.ts'
import { createContentRecords } from './content-records.ts'
import {
  DELETE_TEXT,
  DELETE_TEXT_HOUR,
  INSERT_TEXT_HOUR,
  INSERT_TEXT_PART,
  SELECT_TEXT_PARTS,
  SELECT_TEXTS_OF_HOUR,
  SHARDS,
} from './schema.ts'
import { microsOf, openCluster, type Session } from './session.ts'

const PART_BYTES = 64 * 1024

export async function openCassandraContentStore(url: string): Promise<ContentStore> {
  return createCassandraContentStore(await openCluster(parseClusterAddress(url)))
}

export function createCassandraContentStore(session: Session): ContentStore {
  const { ttl } = session

  return {
    ...createContentRecords(session),

    async putTexts(texts) {
      // The hour first: garbage collection would never find a text that is not listed under an hour.
      await session.write(
        INSERT_TEXT_HOUR,
        texts.map((text) => hourOf(text, ttl)),
      )
      await session.write(INSERT_TEXT_PART, texts.flatMap(partsOf(ttl)))
    },

    async getTexts(names) {
      const answers = await session.select<Part>(
        SELECT_TEXT_PARTS,
        names.map((name) => [name]),
      )
      return answers.map(joinParts)
    },

    async *textsOfHour(hour) {
      for (let shard = 0; shard < SHARDS; shard++) {
        for await (const row of session.walk<HourRow>(SELECT_TEXTS_OF_HOUR, [BigInt(hour), shard]))
          yield toContentKey(row)
      }
    },

    async dropTexts(texts) {
      await session.write(
        DELETE_TEXT,
        texts.map(({ address, at }) => [microsOf(at), address]),
      )
      await session.write(
        DELETE_TEXT_HOUR,
        texts.map(({ address, at }) => [microsOf(at), BigInt(startOfHour(at)), shardOf(address), address]),
      )
    },

    async health() {
      const { up, all, answers } = await session.checkHosts()
      if (answers) return { summary: `Cassandra, ${up} of ${all} hosts answer`, isHealthy: up === all }
      return { summary: `Cassandra does not answer; ${up} of ${all} hosts seem to be up`, isHealthy: false }
    },

    close: () => session.close(),
  }
}

function hourOf({ address, owner, at }: ContentText, ttl: number): unknown[] {
  return [BigInt(startOfHour(at)), shardOf(address), address, JSON.stringify(owner), BigInt(at), microsOf(at), ttl]
}

function partsOf(ttl: number): (text: ContentText) => unknown[][] {
  return ({ address, at, bytes }) => {
    const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
    return Array.from({ length: parts }, (_, part) => {
      const chunk = Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
      return [address, part, parts, chunk, microsOf(at), ttl]
    })
  }
}

interface Part {
  part: number
  parts: number
  bytes: Buffer
}

/** Undefined unless all parts are there: one may have expired before the others, or not arrived yet. */
function joinParts(rows: readonly Part[]): Uint8Array | undefined {
  if (rows.length === 0 || rows.length !== rows[0]!.parts) return undefined
  return Buffer.concat(rows.map(({ bytes }) => bytes))
}

interface HourRow {
  address: ContentAddress
  owner: string
  at: bigint
}

function toContentKey({ address, owner, at }: HourRow): ContentTextInfo {
  return { address, owner: JSON.parse(owner) as ContentOwner, at: Number(at) as Instant }
}

function shardOf(name: ContentAddress): number {
  return name.charCodeAt(name.lastIndexOf('/') + 1) % SHARDS
}

function startOfHour(at: Instant): Instant {
  return (at - (at % HOUR)) as Instant
}

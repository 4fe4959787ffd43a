/**
 * The library on Apache Cassandra. Writes carry the time at which a text was said, so that what comes again, or late, changes
 * nothing, and what was dropped stays dropped unless it was kept again since.
 */
import { HOUR, type Instant } from '../../model/index.ts'
import type { Library, LibraryText, ShelvedText, TextName, TextOwner } from '../../ports/index.ts'
import { clusterAddress } from './address.ts'
import { DROP_HOUR, DROP_TEXT, KEEP_HOUR, KEEP_PART, OF_HOUR, PARTS_OF, SHARDS } from './schema.ts'
import { microsOf, openCluster, type Session } from './session.ts'
import { createStacks } from './stacks.ts'

const PART_BYTES = 64 * 1024

export async function openCassandraLibrary(url: string): Promise<Library> {
  return libraryIn(await openCluster(clusterAddress(url)))
}

export function libraryIn(session: Session): Library {
  const { ttl } = session

  return {
    ...createStacks(session),

    async keep(texts) {
      // The hour first: a text that no hour names would never be found by the walk.
      await session.write(
        KEEP_HOUR,
        texts.map((text) => hourOf(text, ttl)),
      )
      await session.write(KEEP_PART, texts.flatMap(partsOf(ttl)))
    },

    async textsOf(names) {
      const answers = await session.ask<Part>(
        PARTS_OF,
        names.map((name) => [name]),
      )
      return answers.map(joined)
    },

    async *keptIn(hour) {
      for (let shard = 0; shard < SHARDS; shard++) {
        for await (const row of session.walk<HourRow>(OF_HOUR, [BigInt(hour), shard])) yield shelvedIn(row)
      }
    },

    async drop(texts) {
      await session.write(
        DROP_TEXT,
        texts.map(({ name, at }) => [microsOf(at), name]),
      )
      await session.write(
        DROP_HOUR,
        texts.map(({ name, at }) => [microsOf(at), BigInt(startOfHour(at)), shardOf(name), name]),
      )
    },

    async health() {
      const { up, all, answers } = await session.machines()
      if (answers) return { summary: `Cassandra, ${up} of ${all} machines answer`, isWell: up === all }
      return { summary: `Cassandra does not answer, ${up} of ${all} machines seem to run`, isWell: false }
    },

    close: () => session.close(),
  }
}

function hourOf({ name, owner, at }: LibraryText, ttl: number): unknown[] {
  return [BigInt(startOfHour(at)), shardOf(name), name, JSON.stringify(owner), BigInt(at), microsOf(at), ttl]
}

function partsOf(ttl: number): (text: LibraryText) => unknown[][] {
  return ({ name, at, bytes }) => {
    const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
    return Array.from({ length: parts }, (_, part) => {
      const piece = Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
      return [name, part, parts, piece, microsOf(at), ttl]
    })
  }
}

interface Part {
  part: number
  parts: number
  bytes: Buffer
}

/** Nothing unless all parts are there: one may have expired before the others, or come later. */
function joined(rows: readonly Part[]): Uint8Array | undefined {
  if (rows.length === 0 || rows.length !== rows[0]!.parts) return undefined
  return Buffer.concat(rows.map(({ bytes }) => bytes))
}

interface HourRow {
  name: TextName
  owner: string
  at: bigint
}

function shelvedIn({ name, owner, at }: HourRow): ShelvedText {
  return { name, owner: JSON.parse(owner) as TextOwner, at: Number(at) as Instant }
}

function shardOf(name: TextName): number {
  return name.charCodeAt(name.lastIndexOf('/') + 1) % SHARDS
}

function startOfHour(at: Instant): Instant {
  return (at - (at % HOUR)) as Instant
}

/** Feeds that people follow, with what is unread of each, which is never counted when it is asked for. */
import type { EntryId, FeedId, FolderCount, Instant, PersonId, SourceId, WaitingReading } from '../../../model/index.ts'
import type { NewReading } from '../../../ports/index.ts'
import type { ReadingMethods } from '../methods.ts'
import { feedsWithinSql, isWithin } from '../sql/conditions.ts'
import { folderKey } from '../sql/folder-key.ts'
import { READING_COLUMNS, type ReadingRow, type ReadsRow, readingOfRow, readsOfFeeds } from '../sql/reading-rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { addReadings, dropReadings, lockSchedules } from './reading-writer.ts'
import type { PostgresSession, RowAsker, Transaction } from './session.ts'

const SEPARATOR = ' / '

/** Readings that are added, renamed or told of in one transaction. */
const BITE = 500

/** Who was removed is nobody, though not all that was his is swept out yet. The person is $1. */
export const PERSON_IS_THERE = 'EXISTS (SELECT 1 FROM people p WHERE p.id = $1)'

export function readingMethods(session: PostgresSession): ReadingMethods {
  return {
    async follow(personId, wanted, at, unread) {
      const added: boolean[] = []
      for (let i = 0; i < wanted.length; i += BITE)
        added.push(
          ...(await session.write((tx) => followIn(tx, personId, wanted.slice(i, i + BITE), at, atMost(unread)))),
        )
      return added
    },

    async unfollow(personId, what) {
      const answers: { was: boolean; others: number }[] = []
      for (const one of what) {
        answers.push(
          await session.write(async (tx) => {
            if ('sourceId' in one) {
              const was = await tx.run('DELETE FROM waiting_readings WHERE person_id = $1 AND source_id = $2', [
                personId,
                one.sourceId,
              ])
              return { was: was > 0, others: await countIn(tx, 'waiting_readings', 'source_id', one.sourceId) }
            }
            await lockSchedules(tx, [one.feedId])
            const dropped = await dropReadings(tx, [{ person_id: personId, feed_id: one.feedId }])
            return { was: dropped.length > 0, others: await countIn(tx, 'readings', 'feed_id', one.feedId) }
          }),
        )
      }
      return answers
    },

    changeReading(personId, feedId, { title, folder }) {
      return session.write(async (tx) => {
        const changed = await tx.run(
          `UPDATE readings SET title = CASE WHEN $3 THEN $4 ELSE title END, folder = CASE WHEN $5 THEN $6 ELSE folder END,
           folder_key = CASE WHEN $5 THEN $7 ELSE folder_key END
           WHERE person_id = $1 AND feed_id = $2 AND ${PERSON_IS_THERE}`,
          [
            personId,
            feedId,
            title !== undefined,
            title ?? null,
            folder !== undefined,
            folder ?? null,
            folderKey(folder),
          ],
        )
        return changed > 0
      })
    },

    renameFolder(personId, from, to) {
      return session.write(async (tx) => {
        const rows = await tx.rows<ReadingRow>(
          `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $1 AND (folder = $2 OR starts_with(folder, $3)) FOR UPDATE`,
          [personId, from, from + SEPARATOR],
        )
        const moved = rows.map(({ feed_id, folder }) => {
          const below = (folder ?? '').slice(from.length + SEPARATOR.length)
          const name = [to, below].filter(Boolean).join(SEPARATOR) || null
          return [feed_id, name, folderKey(name)]
        })
        const { sql, values } = manyRows('g', ['feed_id bigint', 'folder text', 'folder_key text'], moved, 2)
        return tx.run(
          `UPDATE readings r SET folder = g.folder, folder_key = g.folder_key FROM ${sql}
           WHERE r.person_id = $1 AND r.feed_id = g.feed_id`,
          [personId, ...values],
        )
      })
    },

    async readings(personId, { folder, after = 0 as FeedId, limit }) {
      const rows = await session.rows<ReadingRow>(
        `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $1 AND feed_id > $2 AND ${PERSON_IS_THERE}
         ${inFolderSql(folder, 4)} ORDER BY feed_id LIMIT $3`,
        [personId, after, atMost(limit), ...inFolderValues(folder)],
      )
      return rows.map(readingOfRow)
    },

    async readingsOf(personId, ids) {
      const rows = await session.rows<ReadingRow>(
        `SELECT ${READING_COLUMNS} FROM readings WHERE person_id = $1 AND feed_id = ANY ($2::bigint[]) AND ${PERSON_IS_THERE}`,
        [personId, ids],
      )
      return inOrder(ids, rows, (row) => row.feed_id, readingOfRow)
    },

    async waitingReadings(personId, { after = 0, limit }) {
      const rows = await session.rows<Omit<ReadingRow, 'feed_id'> & { source_id: SourceId }>(
        `SELECT source_id, title, folder, added_at FROM waiting_readings
         WHERE person_id = $1 AND source_id > $2 AND ${PERSON_IS_THERE} ORDER BY source_id LIMIT $3`,
        [personId, after, atMost(limit)],
      )
      return rows.map(
        ({ source_id: sourceId, title, folder, added_at: addedAt }): WaitingReading => ({
          sourceId,
          ...(title !== null && { title }),
          ...(folder !== null && { folder }),
          addedAt,
        }),
      )
    },

    async folderCounts(personId) {
      const rows = await session.rows<{ folder: string | null; feeds: number; unread: number }>(
        `SELECT folder, count(*) AS feeds, sum(unread)::bigint AS unread FROM readings
         WHERE person_id = $1 AND ${PERSON_IS_THERE} GROUP BY folder ORDER BY folder IS NOT NULL, folder COLLATE "C"`,
        [personId],
      )
      return rows.map(({ folder, ...counts }): FolderCount => ({ ...(folder !== null && { folder }), ...counts }))
    },

    async standing(personId) {
      const [row] = await session.rows<{ feeds: number; unread: number; starred: number }>(
        `SELECT count(*) AS feeds, coalesce(sum(unread), 0)::bigint AS unread,
         (SELECT count(*) FROM stars s WHERE s.person_id = $1 AND ${PERSON_IS_THERE}
          AND NOT EXISTS (SELECT 1 FROM removals r WHERE r.feed_id = s.feed_id)) AS starred
         FROM readings WHERE person_id = $1 AND ${PERSON_IS_THERE}`,
        [personId],
      )
      return row!
    },

    async readersOf(ids) {
      const rows = await session.rows<{ readers: number }>(
        `SELECT (SELECT count(*) FROM readings r WHERE r.feed_id = t.id) AS readers
         FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) ORDER BY n`,
        [ids],
      )
      return rows.map(({ readers }) => readers)
    },

    async waitersOf(ids) {
      const rows = await session.rows<{ waiters: number }>(
        `SELECT (SELECT count(*) FROM waiting_readings w WHERE w.source_id = t.id) AS waiters
         FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) ORDER BY n`,
        [ids],
      )
      return rows.map(({ waiters }) => waiters)
    },

    async areWithin({ personId, reach }, ids) {
      const rows = await session.rows<{ within: boolean }>(
        `SELECT ${isWithin(reach, 't.id', '$2::bigint')} AS within
         FROM unnest($1::bigint[]) WITH ORDINALITY AS t (id, n) ORDER BY n`,
        [ids, personId],
      )
      return rows.map(({ within }) => within)
    },

    async feedsWithin({ personId, reach }, { hidden = false, after = 0 as FeedId, limit }) {
      const sql = feedsWithinSql(reach, hidden, { person: '$1::bigint', after: '$2::bigint', limit: '$3::bigint' })
      const rows = await session.rows<{ id: FeedId }>(sql, [personId, after, atMost(limit)])
      return rows.map(({ id }) => id)
    },

    async unwanted(limit) {
      const rows = await session.rows<{ feed_id: FeedId }>(
        `SELECT l.feed_id FROM left_feeds l JOIN feeds f ON f.id = l.feed_id WHERE f.listed IS NULL
         AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.feed_id = l.feed_id) LIMIT $1`,
        [atMost(limit)],
      )
      return rows.map(({ feed_id }) => feed_id)
    },

    async *everyFeedsReads(now) {
      for (let after = 0 as FeedId; ; ) {
        const rows = await session.rows<ReadsRow>(
          `SELECT feed_id, reads, read_at FROM readings WHERE feed_id IN
           (SELECT DISTINCT feed_id FROM readings WHERE feed_id > $1 ORDER BY feed_id LIMIT $2) ORDER BY feed_id`,
          [after, BITE],
        )
        yield* readsOfFeeds(rows, now)
        const last = rows.at(-1)
        if (!last) return
        after = last.feed_id
      }
    },
  }
}

async function followIn(
  tx: Transaction,
  personId: PersonId,
  wanted: NewReading[],
  at: Instant,
  unread: number,
): Promise<boolean[]> {
  const sourceIds = wanted.flatMap((one) => ('sourceId' in one ? [one.sourceId] : []))
  const sources = await tx.rows<{ id: SourceId; feed_id: FeedId | null }>(
    'SELECT id, feed_id FROM sources WHERE id = ANY ($1::bigint[]) ORDER BY id FOR SHARE',
    [sourceIds],
  )
  const feedOfSource = new Map(sources.map(({ id, feed_id }) => [id, feed_id]))
  const feedIds = wanted.map((one) => ('feedId' in one ? one.feedId : feedOfSource.get(one.sourceId)))
  const feeds = [...new Set(feedIds.flatMap((id) => id ?? []))]
  await lockSchedules(tx, feeds)
  const ends = await readUpTo(tx, feeds, unread)
  const firsts = new Map<FeedId, number>()
  feedIds.forEach((id, i) => {
    if (id && !firsts.has(id)) firsts.set(id, i)
  })
  const given = [...firsts].map(([feedId, i]) => {
    const { title, folder } = wanted[i]!
    return { personId, feedId, title: title ?? null, folder: folder ?? null, addedAt: at, upTo: ends.get(feedId)! }
  })
  const added = new Set((await addReadings(tx, given)).map(({ feed_id }) => feed_id))
  const answers: boolean[] = []
  for (const [i, one] of wanted.entries()) {
    const feedId = feedIds[i]
    if (feedId) answers.push(added.has(feedId) && firsts.get(feedId) === i)
    else answers.push(feedId === null && 'sourceId' in one && (await wait(tx, personId, one, at)))
  }
  return answers
}

async function wait(
  tx: Transaction,
  personId: PersonId,
  { sourceId, title, folder }: Extract<NewReading, { sourceId: SourceId }>,
  at: Instant,
): Promise<boolean> {
  const added = await tx.run(
    `INSERT INTO waiting_readings (person_id, source_id, title, folder, added_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [personId, sourceId, title || null, folder || null, at],
  )
  return added > 0
}

/** All entries up to this one are read, so that the newest so many are not. */
async function readUpTo(query: RowAsker, feeds: FeedId[], unread: number): Promise<Map<FeedId, EntryId>> {
  const rows = await query.rows<{ feed_id: FeedId; up_to: EntryId }>(
    `SELECT t.id AS feed_id, coalesce((SELECT e.id FROM entries e WHERE e.feed_id = t.id ORDER BY e.id DESC LIMIT 1 OFFSET $2), 0) AS up_to
     FROM unnest($1::bigint[]) AS t (id)`,
    [feeds, unread],
  )
  return new Map(rows.map(({ feed_id, up_to }) => [feed_id, up_to]))
}

async function countIn(query: RowAsker, table: string, column: string, id: number): Promise<number> {
  const [row] = await query.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${column} = $1`, [id])
  return row!.count
}

/** A condition on readings: in a folder or one below it; '': in none. `first` is the number of a parameter that is free. */
export function inFolderSql(folder: string | undefined, first: number): string {
  if (folder === undefined) return ''
  return folder === '' ? 'AND folder_key IS NULL' : `AND starts_with(folder_key, $${first})`
}

export function inFolderValues(folder: string | undefined): string[] {
  const key = folderKey(folder)
  return key === null ? [] : [key]
}

/** Feeds: added, changed, removed, found. */
import type { EntryId, FeedId } from '../../../model/index.ts'
import type { FeedQuery, Store } from '../../../ports/index.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { GroupWriter, Touched } from './group-writer.ts'
import { FEED_COLUMNS, type FeedRow, feedOf } from './rows.ts'
import { bounded, countFeed, inChunks, type Session } from './session.ts'

type FeedMethods = 'addFeeds' | 'feedsById' | 'feedAt' | 'changeFeed' | 'removeFeed' | 'feeds' | 'everyFeed'

export function feedQueries(session: Session, writer: FeedWriter, groups: GroupWriter): Pick<Store, FeedMethods> {
  const { db } = session
  const byId = db.prepare<[FeedId], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id = ?`,
  )
  const after = db.prepare<[number, number], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  )
  const dropEntriesFromIndex = db.prepare(
    'INSERT OR REPLACE INTO unindexed (entry_id) SELECT id FROM entries WHERE feed_id = ? ORDER BY id',
  )
  const dropVersions = db.prepare(
    'DELETE FROM entry_versions WHERE entry_id IN (SELECT id FROM entries WHERE feed_id = ?)',
  )
  const entriesOf = db.prepare<[FeedId], EntryId>('SELECT id FROM entries WHERE feed_id = ? ORDER BY id').pluck()
  const dropEntries = db.prepare('DELETE FROM entries WHERE feed_id = ?')
  const newestPoll = db.prepare<[FeedId], number | null>('SELECT last_poll FROM schedules WHERE feed_id = ?').pluck()
  const dropPoll = db.prepare<[number], number | null>('DELETE FROM polls WHERE place = ? RETURNING previous').pluck()
  const dropFeed = ['forgotten', 'sources', 'schedules', 'feed_hours'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE feed_id = ?`),
  )
  const dropPush = db.prepare("DELETE FROM pushes WHERE feed_id = ? AND state = 'waiting'")
  const endPush = db.prepare("UPDATE pushes SET state = 'ending', due_at = 0 WHERE feed_id = ? AND state = 'active'")
  dropFeed.push(dropPush, endPush)
  dropFeed.push(...['feed_leases', 'feeds'].map((table) => db.prepare(`DELETE FROM ${table} WHERE id = ?`)))

  return {
    addFeeds(feeds) {
      return session.write((tally) => feeds.map((feed) => writer.add(feed, tally)))
    },

    feedsById(ids) {
      return session.read(() =>
        ids.map((id) => {
          const row = byId.get(id)
          return row && feedOf(row)
        }),
      )
    },

    feedAt(url) {
      return session.read(() => writer.idOf(url))
    },

    changeFeed(id, change, schedule) {
      return session.write((tally) => {
        const there = change.url === undefined ? undefined : writer.idOf(change.url)
        if (there !== undefined && there !== id) return false
        return writer.change(id, change, schedule, tally)
      })
    },

    removeFeed(id) {
      return session.write((tally) => {
        const row = byId.get(id)
        if (!row) return false
        countFeed(tally, -1, { state: row.state, troubled: row.trouble !== null, polled: row.polled_at !== null })
        dropEntriesFromIndex.run(id)
        dropVersions.run(id)
        const touched: Touched = new Map()
        for (const entryId of entriesOf.all(id)) groups.remove(entryId, touched)
        groups.settle(touched)
        tally.entries -= dropEntries.run(id).changes
        for (let place = newestPoll.get(id); place; tally.polls--) {
          const previous = dropPoll.get(place)
          if (previous === undefined) break
          place = previous
        }
        for (const statement of dropFeed) statement.run(id)
        return true
      })
    },

    feeds(query) {
      return session.read(() => {
        const { sql, values } = feedsSql(query)
        return session.prepared<FeedRow>(sql).all(values).map(feedOf)
      })
    },

    async *everyFeed() {
      for await (const row of inChunks(
        session,
        (...bounds) => after.all(...bounds),
        (row) => row.id,
      ))
        yield feedOf(row)
    },
  }
}

/** One text for each combination of filters, so that few statements are prepared. */
function feedsSql({ state, folder, troubled, text, order, offset = 0, limit }: FeedQuery) {
  const conditions: string[] = []
  const values: unknown[] = []
  const where = (condition: string, ...value: unknown[]) => {
    conditions.push(condition)
    values.push(...value)
  }
  if (order === 'due') where("s.state = 'active'")
  if (state !== undefined) where('s.state = ?', state)
  if (folder !== undefined) where('f.folder = ?', folder)
  if (troubled) where('s.trouble IS NOT NULL')
  if (text) where('instr(f.haystack, ?) > 0', text.toLowerCase())
  const sql = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY ${order === 'due' ? 's.due_at, s.feed_id' : 'f.id'} LIMIT ? OFFSET ?`
  return { sql, values: [...values, bounded(limit), offset] }
}

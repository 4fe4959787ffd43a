/** Sources: addresses whose feed is still to be found, and what they led to. */
import type { Instant, LeaseToken, SourceId } from '../../../model/index.ts'
import type { Store } from '../../../ports/index.ts'
import { isSourceWithin } from '../sql/conditions.ts'
import { jsonOrNull, type SourceRow, sourceOf } from '../sql/rows.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { PollWriter } from './poll-writer.ts'
import type { ReadingWriter } from './reading-writer.ts'
import { bounded, type SqliteSession } from './session.ts'

type SourceMethods =
  | 'addSources'
  | 'sourceFound'
  | 'sourceFailed'
  | 'removeSource'
  | 'sources'
  | 'sourceAt'
  | 'sourcesById'

export function sourceQueries(
  session: SqliteSession,
  feedWriter: FeedWriter,
  writer: PollWriter,
  readings: ReadingWriter,
): Pick<Store, SourceMethods> {
  const { db } = session
  const byId = db.prepare<[SourceId], SourceRow>('SELECT * FROM sources WHERE id = ?')
  const byUrl = db.prepare<[string], SourceRow>('SELECT * FROM sources WHERE url = ?')
  const insert = db.prepare(
    `INSERT INTO sources (url, root, folder, credentials, about, listed, added_at, state, due_at, failures)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'looking', ?, 0)`,
  )
  const lookAgain = db.prepare<[Instant, string | null, SourceId]>(
    `UPDATE sources SET due_at = ?, credentials = coalesce(?, credentials) WHERE id = ? AND state = 'looking'`,
  )
  const found = db.prepare(
    `UPDATE sources SET state = 'found', feed_id = ?, others = ?, failures = 0, trouble = NULL, credentials = NULL WHERE id = ?`,
  )
  const failed = db.prepare(
    `UPDATE sources SET failures = failures + 1, trouble = ?, due_at = ?
     WHERE id = ? AND state = 'looking'`,
  )
  const endLease = db.prepare<[SourceId]>('DELETE FROM source_leases WHERE id = ?')
  const tokenOf = db.prepare<[SourceId], LeaseToken>('SELECT token FROM source_leases WHERE id = ?').pluck()
  const remove = db.prepare<[SourceId]>('DELETE FROM sources WHERE id = ?')

  /** Whoever shows no token is believed. */
  function isUnder(id: SourceId, lease: LeaseToken | undefined): boolean {
    return lease === undefined || tokenOf.get(id) === lease
  }

  return {
    addSources(sources) {
      return session.write((tally) =>
        sources.map(({ url, root, folder, credentials, about, listed, addedAt, dueAt }) => {
          const there = byUrl.get(url)
          if (there) {
            lookAgain.run(dueAt, jsonOrNull(credentials), there.id)
            return { id: there.id, added: false }
          }
          const { lastInsertRowid } = insert.run(
            url,
            root,
            folder ?? null,
            jsonOrNull(credentials),
            jsonOrNull(about),
            listed ? 1 : null,
            addedAt,
            dueAt,
          )
          tally.looking++
          return { id: Number(lastInsertRowid) as SourceId, added: true }
        }),
      )
    },

    sourceFound(id, { feed, schedule }, record, others = []) {
      return session.write((tally) => {
        const source = byId.get(id)
        if (!source || !isUnder(id, record.lease)) return undefined
        if (source.feed_id !== null) return { feedId: source.feed_id, added: false }
        const { polledAt: _, ...unpolled } = schedule
        const { id: feedId, added } = feedWriter.add({ feed, schedule: unpolled }, tally)
        const { lease: _lease, ...first } = record // it is the source's
        if (added) writer.poll(feedId, first, tally)
        readings.sourceFound(id, feedId)
        found.run(feedId, others.length > 0 ? JSON.stringify(others) : null, id)
        endLease.run(id)
        tally.looking--
        return { feedId, added }
      })
    },

    sourceFailed(id, failure, dueAt, lease) {
      return session.write(() => {
        if (!isUnder(id, lease)) return
        failed.run(jsonOrNull(failure), dueAt, id)
        endLease.run(id)
      })
    },

    removeSource(id) {
      return session.write((tally) => {
        if (byId.get(id)?.state === 'looking') tally.looking--
        endLease.run(id)
        readings.sourceRemoved(id)
        return remove.run(id).changes > 0
      })
    },

    sourcesById(ids) {
      return session.read(() =>
        ids.map((id) => {
          const row = byId.get(id)
          return row && sourceOf(row)
        }),
      )
    },

    sourceAt: (url) => session.read(() => byUrl.get(url)?.id),

    sources({ state, within, after = 0, limit }) {
      const rows = session.prepared<SourceRow>(
        `SELECT s.* FROM sources s WHERE s.id > $after ${state === undefined ? '' : 'AND s.state = $state'}
         ${within ? `AND ${isSourceWithin(within.reach, '$person')}` : ''} ORDER BY s.id LIMIT $limit`,
      )
      const values = {
        after,
        limit: bounded(limit),
        ...(state && { state }),
        ...(within && { person: within.personId }),
      }
      return session.read(() => rows.all(values).map(sourceOf))
    },
  }
}

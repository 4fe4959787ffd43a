/** Sources: addresses to find a feed for, and what was found. */
import { bucketOf, type FeedId, type LeaseToken, type SourceId } from '../../model/index.ts'
import type { NewFeed, NewSource, Store } from '../../ports/index.ts'
import { isSourceInReach } from './conditions.ts'
import { type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { jsonOrNull, type SourceRow, sourceOf } from './rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, firstOfEach, lastOfEach } from './values.ts'

type SourceMethods =
  | 'addSources'
  | 'recordSourceFound'
  | 'recordSourceFailed'
  | 'removeSource'
  | 'sources'
  | 'sourceAt'
  | 'sourcesById'

interface Added<Id> {
  id: Id
  added: boolean
}

interface IdAndUrl {
  id: SourceId
  url: string
}

type FirstPoll = Omit<Parameters<Store['recordSourceFound']>[2], 'lease'>

/** Writers of other tables that are affected when the feed of a source is found, or the source is removed. */
export interface SourceParts {
  addFeed(tx: SqlTransaction, feed: NewFeed): SqlWork<Added<FeedId>>
  recordPoll(tx: SqlTransaction, feedId: FeedId, record: FirstPoll): SqlWork<void>
  /** Users who waited for the feed now follow it. */
  followFound(tx: SqlTransaction, id: SourceId, feedId: FeedId): SqlWork<void>
  sourceRemoved(tx: SqlTransaction, id: SourceId): SqlWork<void>
}

/** Adds sources within the caller's transaction. Existing sources are looked for again. */
function createSourceAdder(dialect: Dialect): (tx: SqlTransaction, sources: NewSource[]) => SqlWork<Added<SourceId>[]> {
  const urlKey = dialect.textKey('url')
  const columns: TypedColumn[] = [
    'url text',
    'root text',
    'folder text',
    'credentials text',
    'about text',
    'listed smallint',
    'added_at bigint',
    'state text',
    'due_at bigint',
    'failures integer',
    ...urlKey.extraColumns,
    ...dialect.bucketColumn,
  ]
  const insert = `${insertRowsSql('sources', 'n', columns)} ON CONFLICT (${urlKey.column}) DO NOTHING`
  const update = `UPDATE sources SET due_at = g.due_at, credentials = coalesce(g.credentials, sources.credentials)
    FROM given g WHERE sources.${urlKey.column} = g.${urlKey.column} AND sources.state = 'looking'`
  const idsAt = `SELECT s.id, s.url FROM given g, sources s WHERE s.${urlKey.column} = g.${urlKey.column}`

  function rowOf(source: NewSource): unknown[] {
    const { url, root, folder = null, credentials, about, listed, addedAt, dueAt } = source
    return [
      url,
      root,
      folder,
      jsonOrNull(credentials),
      jsonOrNull(about),
      listed ? 1 : null,
      addedAt,
      'looking',
      dueAt,
      0,
      urlKey.keyOf(url),
      bucketOf(root),
    ]
  }

  function* idsOf(tx: SqlTransaction, sources: NewSource[]): SqlWork<[url: string, id: SourceId][]> {
    const keys = sources.map(({ url }) => [urlKey.keyOf(url)])
    const rows = yield* tx.each<IdAndUrl>(idsAt, [urlKey.typed], keys)
    return rows.map(({ url, id }) => [url, id])
  }

  /** Looks up addresses first, because in SQLite an insert that conflicts would use up an id. */
  function* addSources(tx: SqlTransaction, sources: NewSource[]): SqlWork<Added<SourceId>[]> {
    const distinct = firstOfEach(sources, urlOf)
    const ids = new Map(yield* idsOf(tx, distinct))
    const absent = distinct.filter(({ url }) => !ids.has(url))
    const inserted = yield* tx.insertEach<SourceId>(insert, 'sources.url', columns, absent.map(rowOf))
    const added = new Set(absent.filter((_, i) => inserted[i] !== undefined))
    tx.countChanges.looking += added.size
    absent.forEach(({ url }, i) => {
      if (inserted[i] !== undefined) ids.set(url, inserted[i])
    })
    if (added.size < absent.length) {
      for (const [url, id] of yield* idsOf(tx, absent)) ids.set(url, id) // another transaction added them meanwhile
    }
    const known = sources.filter((source) => !added.has(source))
    yield* tx.runEach(
      update,
      [urlKey.typed, 'due_at bigint', 'credentials text'],
      lastOfEach(known, urlOf).map(lookAgain),
    )
    return sources.map((source) => ({ id: ids.get(source.url)!, added: added.has(source) }))
  }

  function lookAgain({ url, dueAt, credentials }: NewSource): unknown[] {
    return [urlKey.keyOf(url), dueAt, jsonOrNull(credentials)]
  }

  return addSources
}

export function sourceMethods({ dialect, ...session }: SqlSession, parts: SourceParts): Pick<Store, SourceMethods> {
  const urlKey = dialect.textKey('url')
  const addSources = createSourceAdder(dialect)

  /** Undefined if the source does not exist or is under another lease. A caller without a token is trusted. */
  function* locked(tx: SqlTransaction, id: SourceId, lease: LeaseToken | undefined): SqlWork<SourceRow | undefined> {
    if (dialect.forUpdate) yield* tx.rows(`SELECT 1 FROM sources WHERE id = $1 ${dialect.forUpdate}`, [id])
    const row = yield* tx.row<SourceRow & { token: LeaseToken | null }>(
      'SELECT s.*, l.token FROM sources s LEFT JOIN source_leases l ON l.id = s.id WHERE s.id = $1',
      [id],
    )
    return row && (lease === undefined || lease === row.token) ? row : undefined
  }

  function endLease(tx: SqlTransaction, id: SourceId): SqlWork<number> {
    return tx.run('DELETE FROM source_leases WHERE id = $1', [id])
  }

  return {
    addSources: (sources) => session.write((tx) => addSources(tx, sources)),

    recordSourceFound(id, { feed, schedule }, record, others = []) {
      return session.write(function* (tx) {
        const source = yield* locked(tx, id, record.lease)
        if (!source) return undefined
        if (source.feed_id !== null) return { feedId: source.feed_id, added: false }
        const { polledAt: _, ...unpolled } = schedule
        const { id: feedId, added } = yield* parts.addFeed(tx, { feed, schedule: unpolled })
        const { lease: _lease, ...firstPoll } = record // the lease is the source's, not the feed's
        if (added) yield* parts.recordPoll(tx, feedId, firstPoll)
        yield* parts.followFound(tx, id, feedId)
        yield* tx.run(
          `UPDATE sources SET state = 'found', feed_id = $2, others = $3, failures = 0, trouble = NULL, credentials = NULL WHERE id = $1`,
          [id, feedId, others.length > 0 ? JSON.stringify(others) : null],
        )
        yield* endLease(tx, id)
        tx.countChanges.looking--
        return { feedId, added }
      })
    },

    recordSourceFailed(id, failure, dueAt, lease) {
      return session.write(function* (tx) {
        if (!(yield* locked(tx, id, lease))) return
        yield* tx.run(
          `UPDATE sources SET failures = failures + 1, trouble = $2, due_at = $3 WHERE id = $1 AND state = 'looking'`,
          [id, jsonOrNull(failure), dueAt],
        )
        yield* endLease(tx, id)
      })
    },

    removeSource(id) {
      return session.write(function* (tx) {
        const removed = yield* tx.row<SourceRow>('DELETE FROM sources WHERE id = $1 RETURNING state', [id])
        if (removed?.state === 'looking') tx.countChanges.looking--
        yield* endLease(tx, id)
        yield* parts.sourceRemoved(tx, id)
        return removed !== undefined
      })
    },

    async sourcesById(ids) {
      const rows = await session.rowOfEach<SourceRow>(
        'SELECT s.* FROM given g, sources s WHERE s.id = g.id',
        ['id bigint'],
        ids.map((id) => [id]),
      )
      return rows.map((row) => row && sourceOf(row))
    },

    async sourceAt(url) {
      const row = await session.row<{ id: SourceId }>(`SELECT id FROM sources WHERE ${urlKey.column} = $1`, [
        urlKey.keyOf(url),
      ])
      return row?.id
    },

    async sources({ state, within, after = 0, limit }) {
      const values: unknown[] = [after, atMost(limit)]
      const parameter = (value: unknown) => `$${values.push(value)}`
      const hasState = state === undefined ? '' : `AND s.state = ${parameter(state)}`
      const isSeen = within ? `AND ${isSourceInReach(within.reach, `CAST(${parameter(within.userId)} AS bigint)`)}` : ''
      const rows = await session.rows<SourceRow>(
        `SELECT s.* FROM sources s WHERE s.id > $1 ${hasState} ${isSeen} ORDER BY s.id LIMIT $2`,
        values,
      )
      return rows.map(sourceOf)
    },
  }
}

function urlOf({ url }: NewSource): string {
  return url
}

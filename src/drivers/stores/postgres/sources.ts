/** Sources: addresses whose feed is still to be found, and what they led to. */
import { bucketOf, type FeedId, type LeaseToken, type SourceId } from '../../../model/index.ts'
import type { NewSource, Store } from '../../../ports/index.ts'
import { isSourceWithin } from '../sql/conditions.ts'
import { jsonOrNull, keyHash, type SourceRow, sourceOf } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import { addFeedsIn } from './feed-writer.ts'
import { recordPollsIn } from './poll-writer.ts'
import { readersOfSource, sourcesRemoved } from './reading-writer.ts'
import type { PostgresSession, Transaction } from './session.ts'

type SourceMethods =
  | 'addSources'
  | 'sourceFound'
  | 'sourceFailed'
  | 'removeSource'
  | 'sources'
  | 'sourceAt'
  | 'sourcesById'

export function sourceMethods(session: PostgresSession): Pick<Store, SourceMethods> {
  return {
    addSources: (sources) => session.write((tx) => addSourcesIn(tx, sources)),

    sourceFound(id, { feed, schedule }, record, others = []) {
      return session.write(async (tx) => {
        const source = await locked(tx, id, record.lease)
        if (!source) return undefined
        if (source.feed_id !== null) return { feedId: source.feed_id, added: false }
        const { polledAt: _, ...unpolled } = schedule
        const [answer] = await addFeedsIn(tx, [{ feed, schedule: unpolled }])
        const { id: feedId, added } = answer!
        const { lease: _lease, ...first } = record // it is the source's
        if (added) await recordPollsIn(tx, [{ ...first, poll: { ...first.poll, feedId } }])
        await readersOfSource(tx, id, feedId)
        await tx.run(
          `UPDATE sources SET state = 'found', feed_id = $2, others = $3, failures = 0, trouble = NULL, credentials = NULL WHERE id = $1`,
          [id, feedId, others.length > 0 ? JSON.stringify(others) : null],
        )
        await endLease(tx, id)
        tx.tally.looking--
        return { feedId, added }
      })
    },

    sourceFailed(id, failure, dueAt, lease) {
      return session.write(async (tx) => {
        if (!(await locked(tx, id, lease))) return
        await tx.run(
          `UPDATE sources SET failures = failures + 1, trouble = $2, due_at = $3 WHERE id = $1 AND state = 'looking'`,
          [id, jsonOrNull(failure), dueAt],
        )
        await endLease(tx, id)
      })
    },

    removeSource(id) {
      return session.write(async (tx) => {
        const [gone] = await tx.rows<SourceRow>('DELETE FROM sources WHERE id = $1 RETURNING state', [id])
        if (gone?.state === 'looking') tx.tally.looking--
        await endLease(tx, id)
        await sourcesRemoved(tx, [id])
        return gone !== undefined
      })
    },

    async sourcesById(ids) {
      const rows = await session.rows<SourceRow>('SELECT * FROM sources WHERE id = ANY ($1::bigint[])', [ids])
      return inOrder(ids, rows, (row) => row.id, sourceOf)
    },

    async sourceAt(url) {
      const [row] = await session.rows<{ id: SourceId }>('SELECT id FROM sources WHERE url_hash = $1', [keyHash(url)])
      return row?.id
    },

    async sources({ state, within, after = 0, limit }) {
      const values: unknown[] = [after, atMost(limit)]
      const given = (value: unknown) => `$${values.push(value)}`
      const rows = await session.rows<SourceRow>(
        `SELECT s.* FROM sources s WHERE s.id > $1 ${state === undefined ? '' : `AND s.state = ${given(state)}`}
         ${within ? `AND ${isSourceWithin(within.reach, `${given(within.personId)}::bigint`)}` : ''} ORDER BY s.id LIMIT $2`,
        values,
      )
      return rows.map(sourceOf)
    },
  }
}

/** Undefined if it is gone, or under another lease; whoever shows no token is believed. */
async function locked(tx: Transaction, id: SourceId, lease: LeaseToken | undefined): Promise<SourceRow | undefined> {
  await tx.rows('SELECT 1 FROM sources WHERE id = $1 FOR UPDATE', [id])
  const [row] = await tx.rows<SourceRow & { token: LeaseToken | null }>(
    'SELECT s.*, l.token FROM sources s LEFT JOIN source_leases l ON l.id = s.id WHERE s.id = $1',
    [id],
  )
  return row && (lease === undefined || lease === row.token) ? row : undefined
}

async function endLease(tx: Transaction, id: SourceId): Promise<void> {
  await tx.run('DELETE FROM source_leases WHERE id = $1', [id])
}

interface Added {
  id: SourceId
  hash: string
  feed_id: FeedId | null
}

async function addSourcesIn(tx: Transaction, sources: NewSource[]): Promise<{ id: SourceId; added: boolean }[]> {
  if (sources.length === 0) return []
  const hashes = sources.map(({ url }) => String(keyHash(url)))
  const fresh = new Map<string, NewSource>()
  sources.forEach((source, i) => {
    if (!fresh.has(hashes[i]!)) fresh.set(hashes[i]!, source)
  })
  const rows = [...fresh].map(([hash, { url, root, folder, credentials, about, listed, addedAt, dueAt }]) => [
    url,
    hash,
    root,
    bucketOf(root),
    folder ?? null,
    jsonOrNull(credentials),
    jsonOrNull(about),
    listed ? 1 : null,
    addedAt,
    dueAt,
  ])
  const columns = 'url, url_hash, root, bucket, folder, credentials, about, listed, added_at, due_at'
  const { sql, values } = manyRows(
    'g',
    [
      'url text',
      'url_hash bigint',
      'root text',
      'bucket smallint',
      'folder text',
      'credentials text',
      'about text',
      'listed smallint',
      'added_at bigint',
      'due_at bigint',
    ],
    rows,
  )
  const inserted = await tx.rows<Added>(
    `INSERT INTO sources (${columns}, state, failures) SELECT ${columns}, 'looking', 0 FROM ${sql} ORDER BY n
     ON CONFLICT (url_hash) DO NOTHING RETURNING id, url_hash::text AS hash`,
    values,
  )
  tx.tally.looking += inserted.length
  const added = new Map(inserted.map(({ id, hash }) => [hash, id]))
  const again = sources.flatMap(({ dueAt, credentials }, i) => {
    const isFirst = fresh.get(hashes[i]!) === sources[i]
    return isFirst && added.has(hashes[i]!) ? [] : [[hashes[i], dueAt, jsonOrNull(credentials)]]
  })
  const there = await lookAgain(tx, again)
  return sources.map((source, i) => {
    const hash = hashes[i]!
    const mine = added.get(hash)
    return { id: mine ?? there.get(hash)!, added: mine !== undefined && fresh.get(hash) === source }
  })
}

/** Those that were there before, as they are told last. */
async function lookAgain(tx: Transaction, again: unknown[][]): Promise<Map<string, SourceId>> {
  if (again.length === 0) return new Map()
  const last = [...new Map(again.map((row) => [row[0], row])).values()]
  const { sql, values } = manyRows('g', ['url_hash bigint', 'due_at bigint', 'credentials text'], last)
  await tx.run(
    `UPDATE sources s SET due_at = g.due_at, credentials = coalesce(g.credentials, s.credentials) FROM ${sql}
     WHERE s.url_hash = g.url_hash AND s.state = 'looking'`,
    values,
  )
  const rows = await tx.rows<Added>(
    'SELECT id, url_hash::text AS hash FROM sources WHERE url_hash = ANY ($1::bigint[])',
    [last.map(([hash]) => hash)],
  )
  return new Map(rows.map(({ id, hash }) => [hash, id]))
}

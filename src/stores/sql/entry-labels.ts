/** Labels of users and the entries that have them. Entries with the reserved label `MUTED` are muted. */
import type { EntryId, FeedId, Instant, UserId } from '../../model/index.ts'
import { type EntryLabels, foldedLabel, type LabelChange, MAX_LABELS } from '../../ports/index.ts'
import { isNotRemovedSql, MUTED } from './conditions.ts'
import { type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import type { SqlReader, SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { USER_EXISTS } from './subscriptions.ts'

type LabelId = number

const ENTRY_LABELS: TypedColumn[] = [
  'user_id bigint',
  'entry_id bigint',
  'label_id bigint',
  'feed_id bigint',
  'sort_at bigint',
  'added_at bigint',
]
const ADD = `${insertRowsSql('entry_labels', 'entry_id', ENTRY_LABELS)} ON CONFLICT DO NOTHING`
const REMOVE = `DELETE FROM entry_labels AS x USING given g
  WHERE x.user_id = g.user_id AND x.entry_id = g.entry_id AND x.label_id = g.label_id`
const LABELS: TypedColumn[] = ['user_id bigint', 'label_id bigint', 'name text', 'folded_name text', 'added_at bigint']
const ADD_LABELS = insertRowsSql('labels', 'label_id', LABELS)

/** The labels and the muted state of each of these entries that has any. */
export function* labelsOfEntries(
  query: SqlReader,
  dialect: Dialect,
  user: UserId,
  ids: readonly EntryId[],
): SqlWork<Map<EntryId, { labels: string[]; muted: boolean }>> {
  const rows = yield* query.rows<{ entry_id: EntryId; name: string | null }>(
    `SELECT x.entry_id, l.name FROM entry_labels x LEFT JOIN labels l ON l.user_id = x.user_id AND l.label_id = x.label_id
     WHERE x.user_id = $1 AND ${dialect.isOneOf('x.entry_id', '$2', 'bigint')} ORDER BY l.folded_name`,
    [user, ids],
  )
  const found = new Map<EntryId, { labels: string[]; muted: boolean }>()
  for (const { entry_id: id, name } of rows) {
    const one = found.get(id) ?? { labels: [], muted: false }
    if (name === null) one.muted = true
    else one.labels.push(name)
    found.set(id, one)
  }
  return found
}

/** Adds labels to entries. Returns the entries that changed. */
function* addTo(
  tx: SqlTransaction,
  dialect: Dialect,
  user: UserId,
  ids: readonly EntryId[],
  labels: readonly LabelId[],
  at: Instant,
): SqlWork<Set<EntryId>> {
  const entries = yield* tx.rows<{ id: EntryId; feed_id: FeedId; sort_at: Instant }>(
    `SELECT e.id, e.feed_id, e.sort_at FROM ${dialect.list('$2')} CROSS JOIN entries e
     WHERE e.id = w.value AND ${USER_EXISTS} AND ${isNotRemovedSql('e')}`,
    [user, ids],
  )
  const existing = yield* pairsOf(tx, dialect, user, ids)
  const rows = entries.flatMap(({ id, feed_id, sort_at }) =>
    labels.filter((label) => !existing.has(`${id} ${label}`)).map((label) => [user, id, label, feed_id, sort_at, at]),
  )
  yield* tx.runEach(ADD, ENTRY_LABELS, rows)
  return new Set(rows.map(([, id]) => id as EntryId))
}

function* removeFrom(
  tx: SqlTransaction,
  dialect: Dialect,
  user: UserId,
  ids: readonly EntryId[],
  labels: readonly LabelId[],
): SqlWork<Set<EntryId>> {
  const existing = yield* pairsOf(tx, dialect, user, ids)
  const rows = ids.flatMap((id) =>
    labels.filter((label) => existing.has(`${id} ${label}`)).map((label) => [user, id, label]),
  )
  yield* tx.runEach(REMOVE, ENTRY_LABELS.slice(0, 3), rows)
  return new Set(rows.map(([, id]) => id as EntryId))
}

function* pairsOf(tx: SqlTransaction, dialect: Dialect, user: UserId, ids: readonly EntryId[]): SqlWork<Set<string>> {
  const rows = yield* tx.rows<{ entry_id: EntryId; label_id: LabelId }>(
    `SELECT entry_id, label_id FROM entry_labels WHERE user_id = $1 AND ${dialect.isOneOf('entry_id', '$2', 'bigint')}`,
    [user, ids],
  )
  return new Set(rows.map(({ entry_id, label_id }) => `${entry_id} ${label_id}`))
}

/** Returns the entries that changed, in the order of `ids`. */
export function* muteIn(
  tx: SqlTransaction,
  dialect: Dialect,
  user: UserId,
  ids: readonly EntryId[],
  muted: boolean,
  at: Instant,
): SqlWork<EntryId[]> {
  const changed = muted
    ? yield* addTo(tx, dialect, user, ids, [MUTED], at)
    : yield* removeFrom(tx, dialect, user, ids, [MUTED])
  return ids.filter((id) => changed.has(id))
}

/** Labels of a user by folded name. */
function* labelIds(query: SqlReader, user: UserId): SqlWork<Map<string, LabelId>> {
  const rows = yield* query.rows<{ label_id: LabelId; folded_name: string }>(
    'SELECT label_id, folded_name FROM labels WHERE user_id = $1',
    [user],
  )
  return new Map(rows.map(({ label_id, folded_name }) => [folded_name, label_id]))
}

export function entryLabelMethods(session: SqlSession): Omit<EntryLabels, 'muteEntries'> {
  const { dialect } = session

  /** Waits for other changes of the user's labels. False if the user is gone. */
  function* lock(tx: SqlTransaction, user: UserId): SqlWork<boolean> {
    return (yield* tx.row(`SELECT id FROM users WHERE id = $1 ${dialect.forUpdate}`, [user])) !== undefined
  }

  function* labelIn(
    tx: SqlTransaction,
    user: UserId,
    ids: EntryId[],
    { add = [], remove = [] }: LabelChange,
    at: Instant,
  ): SqlWork<EntryId[] | 'too-many-labels'> {
    if (!(yield* lock(tx, user))) return []
    const existing = yield* labelIds(tx, user)
    const names = new Map(add.map((name) => [foldedLabel(name), name]))
    const missing = [...names].filter(([folded]) => !existing.has(folded))
    if (missing.length > 0 && existing.size + missing.length > MAX_LABELS) return 'too-many-labels'
    let last = Math.max(MUTED, ...existing.values())
    const added = missing.map(([folded, name]) => {
      existing.set(folded, ++last)
      return [user, last, name, folded, at]
    })
    yield* tx.runEach(ADD_LABELS, LABELS, added)
    const idsOf = (folded: readonly string[]) => folded.flatMap((one) => existing.get(one) ?? [])
    const labeled = yield* addTo(tx, dialect, user, ids, idsOf([...names.keys()]), at)
    const unlabeled = yield* removeFrom(tx, dialect, user, ids, idsOf(remove.map(foldedLabel)))
    return ids.filter((id) => labeled.has(id) || unlabeled.has(id))
  }

  return {
    async labelsOf(user) {
      const rows = await session.rows<{ name: string; entries: number }>(
        `SELECT l.name, (SELECT count(*) FROM entry_labels x WHERE x.user_id = l.user_id AND x.label_id = l.label_id
           AND ${isNotRemovedSql('x')}) AS entries
         FROM labels l WHERE l.user_id = $1 AND ${USER_EXISTS} ORDER BY l.folded_name`,
        [user],
      )
      return rows.map(({ name, entries }) => ({ name, entries }))
    },

    labelEntries: (user, ids, change, at) => session.write((tx) => labelIn(tx, user, [...new Set(ids)], change, at)),

    renameLabel(user, from, to) {
      return session.write(function* (tx) {
        yield* lock(tx, user)
        const existing = yield* labelIds(tx, user)
        const id = existing.get(foldedLabel(from))
        if (id === undefined) return 'unknown'
        if (to === null) {
          yield* tx.run('DELETE FROM entry_labels WHERE user_id = $1 AND label_id = $2', [user, id])
          yield* tx.run('DELETE FROM labels WHERE user_id = $1 AND label_id = $2', [user, id])
          return 'done'
        }
        const other = existing.get(foldedLabel(to))
        if (other !== undefined && other !== id) return 'taken'
        yield* tx.run('UPDATE labels SET name = $3, folded_name = $4 WHERE user_id = $1 AND label_id = $2', [
          user,
          id,
          to,
          foldedLabel(to),
        ])
        return 'done'
      })
    },

    async hasMuted(user) {
      const row = await session.row(
        `SELECT 1 AS one FROM entry_labels WHERE user_id = $1 AND label_id = ${MUTED} LIMIT 1`,
        [user],
      )
      return row !== undefined
    },
  }
}

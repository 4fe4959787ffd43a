/** All that is in the file, as plain rows: out of it, and into an empty one. */
import { CARGO, type CargoKind, type CargoValue, type Ferry, type LastIds } from '../../ports/index.ts'
import {
  completed,
  DERIVED,
  FERRY_TABLE,
  filledByAnother,
  halfFilled,
  keysAt,
  keysOf,
  notEmpty,
  placeOf,
} from '../sql/cargo.ts'
import { countedThings } from '../sql/counted-things.ts'
import { contentInColumn } from '../sql/packed-content.ts'
import type { EntryRow } from '../sql/rows.ts'
import type { SqliteSession } from './session.ts'

/** Where a column says the same in other words: hashes have more digits than numbers of JavaScript. */
const READ_AS: { readonly [Kind in CargoKind]?: Record<string, string> } = {
  forgotten: { key_hash: 'CAST(key_hash AS TEXT)' },
  robots: { root: "coalesce(root, '')" },
}
const WRITTEN_AS: { readonly [Kind in CargoKind]?: Record<string, string> } = {
  forgotten: { key_hash: 'CAST(? AS INTEGER)' },
  robots: { root: "nullif(?, '')" },
}

/** Others have it as text. */
const CONTENT = CARGO.entries.indexOf('content')
type Content = EntryRow['content']

/** What a store that can be filled has none of. */
const EMPTY: readonly CargoKind[] = ['feeds', 'sources', 'entries', 'polls', 'passes', 'folders']

/** Tables whose ids are never given twice. */
const WITH_IDS = [
  'feeds',
  'sources',
  'entries',
  'articles',
  'groups',
  'people',
  'passes',
  'saved_searches',
  'feeds_out',
  'webhooks',
] as const satisfies readonly (keyof LastIds)[]

/** Who has no name stands in for who runs it, in every store; he does not make it full, and goes before others come. */
const NAMED = "SELECT 1 FROM people WHERE name <> ''"
const DROP_UNNAMED = "DELETE FROM people WHERE name = ''"

export function sqliteFerry(session: SqliteSession, close: () => Promise<void>): Ferry {
  const { db, file } = session

  function begun(): string | undefined {
    const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck().get(FERRY_TABLE)
    if (!isThere) return undefined
    return db.prepare<[], string>(`SELECT source FROM ${FERRY_TABLE} LIMIT 1`).pluck().get() ?? ''
  }

  return {
    name: file,

    size(kind) {
      return session.read(() => db.prepare<[], number>(`SELECT count(*) FROM ${kind}`).pluck().get() ?? 0)
    },

    unload(kind, after, limit) {
      return session.read(() => {
        const keys = keysOf(kind)
        const columns = CARGO[kind].map((name) => READ_AS[kind]?.[name] ?? name).join(', ')
        const behind = `(${keys.join(', ')}) > (${keys.map((key) => WRITTEN_AS[kind]?.[key] ?? '?').join(', ')})`
        const sql = `SELECT ${columns} FROM ${kind} ${after === undefined ? '' : `WHERE ${behind}`}
          ORDER BY ${keys.map((key) => `${kind}.${key}`).join(', ')} LIMIT ?`
        const values = after === undefined ? [limit] : [...keysAt(after), limit]
        const rows = db.prepare<unknown[], CargoValue[]>(sql).raw().all(values)
        if (kind === 'entries') for (const row of rows) row[CONTENT] = contentInColumn(row[CONTENT] as Content)
        const last = rows.length === limit ? rows.at(-1) : undefined
        return { rows, ...(last && { after: placeOf(kind, last) }) }
      })
    },

    lastIds() {
      return session.read(() => {
        const given = db.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck()
        const marks = db.prepare<[], number>('SELECT last FROM mark_changes').pluck().get() ?? 0
        return {
          ...Object.fromEntries(WITH_IDS.map((name) => [name, given.get(name) ?? 0])),
          mark_changes: marks,
        } as LastIds
      })
    },

    begin(from) {
      return session.write(() => {
        const source = begun()
        if (source !== undefined && source !== from) throw filledByAnother(file, source)
        if (source === undefined) {
          const isEmpty = EMPTY.every((kind) => db.prepare(`SELECT 1 FROM ${kind} LIMIT 1`).get() === undefined)
          if (!isEmpty || db.prepare(NAMED).get()) throw notEmpty(file)
          db.exec(DROP_UNNAMED)
          db.exec(`CREATE TABLE ${FERRY_TABLE} (kind TEXT PRIMARY KEY, after TEXT, source TEXT NOT NULL) WITHOUT ROWID`)
          db.prepare(`INSERT INTO ${FERRY_TABLE} VALUES ('', NULL, ?)`).run(from)
        }
        const rows = db
          .prepare<[], { kind: CargoKind; after: string | null }>(
            `SELECT kind, after FROM ${FERRY_TABLE} WHERE kind <> ''`,
          )
          .all()
        return new Map(rows.map(({ kind, after }) => [kind, after]))
      })
    },

    load(kind, rows, after) {
      return session.write(() => {
        const whole = completed(kind, rows, DERIVED[kind])
        const values = whole.names.map((name) => WRITTEN_AS[kind]?.[name] ?? '?').join(', ')
        const insert = db.prepare(`INSERT INTO ${kind} (${whole.names.join(', ')}) VALUES (${values})`)
        for (const row of whole.rows) insert.run(row)
        db.prepare(
          `INSERT INTO ${FERRY_TABLE} SELECT ?, ?, source FROM ${FERRY_TABLE} WHERE kind = ''
           ON CONFLICT (kind) DO UPDATE SET after = excluded.after`,
        ).run(kind, after)
      })
    },

    finish(lastIds) {
      return session.write(() => {
        db.exec(FOLLOWING)
        const sequence = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, $last) WHERE name = $name RETURNING seq')
        for (const name of WITH_IDS)
          if (!sequence.get({ name, last: lastIds[name] }))
            db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, lastIds[name])
        db.prepare('UPDATE mark_changes SET last = max(last, ?)').run(lastIds.mark_changes)
        db.exec(`DROP TABLE ${FERRY_TABLE}`)
      })
    },

    close,
  }
}

/** Throws if somebody has begun to fill it, and not yet ended. */
export function refuseHalfFilled({ db, file }: Pick<SqliteSession, 'db' | 'file'>): void {
  const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck().get(FERRY_TABLE)
  if (!isThere) return
  throw halfFilled(file, db.prepare<[], string>(`SELECT source FROM ${FERRY_TABLE} LIMIT 1`).pluck().get() ?? '')
}

const COUNTED = countedThings(
  (table) => `SELECT ifnull(sum(length(packed)), 0) FROM ${table}`,
  'unicode(substr(run, 1, 1))',
)

/** What follows from all that was loaded. */
const FOLLOWING = `
  UPDATE article_lines SET due_at = max(not_before_at, ifnull((SELECT min(a.due_at) FROM articles a
    WHERE a.root = article_lines.root AND a.due_at IS NOT NULL), 0));
  DELETE FROM counters;
  INSERT INTO counters (name, value) SELECT * FROM (
    ${COUNTED.map(([name, sql]) => `SELECT '${name}', (${sql})`).join(' UNION ALL ')});
  INSERT OR REPLACE INTO unindexed (entry_id) SELECT id FROM entries ORDER BY id DESC;
`

/**
 * Writes what feeds bring: entries that are new, say something else, are known by another key, or are told more of, and the pages
 * that they want. All feeds of a batch go in the same few statements, each feed once; their schedules are locked, so that
 * nobody else writes entries of theirs meanwhile.
 */
import { type EntryDraft, type EntryId, type FeedId, type Instant, sortAt } from '../../model/index.ts'
import { bodyBefore, KEPT_BODIES, KEPT_VERSIONS, type NewsRecord } from '../../ports/index.ts'
import type { ArticleWanted, Enlist } from './articles-enlisted.ts'
import { type Dialect, insertGiven, setGiven, type TypedColumn } from './dialect.ts'
import { type EntryKeys, SAID_COLUMNS } from './entry-keys.ts'
import { type BroughtInHour, countHours } from './feed-hours.ts'
import { dateColumns, wordColumns } from './news-columns.ts'
import { contentInColumn } from './packed-content.ts'
import { type EntryRow, keyHash } from './rows.ts'
import type { SqlTransaction, SqlWork } from './session.ts'
import { toLine } from './waiting-lines.ts'

/** What news change in other tables. */
export interface NewsParts {
  keys: EntryKeys
  enlist: Enlist
  /** So many entries of each feed are new. */
  arrived(tx: SqlTransaction, counts: [feedId: FeedId, count: number][]): SqlWork<void>
}

/** `month` is that of `arrivalMonth`. */
export type WriteNews = (tx: SqlTransaction, news: readonly NewsRecord[], month: number) => SqlWork<void>

interface KeyOfFeed {
  feedId: FeedId
  key: string
}

interface KeyedRow {
  id: EntryId
  seen_at: Instant
  title: string
  url: string | null
}

const KEY: TypedColumn[] = ['feed_id bigint', 'key_hash bigint']
const ID: TypedColumn[] = ['id bigint']
const VERSION: TypedColumn[] = ['entry_id bigint', 'until bigint', 'title text', 'url text', 'body text']
const KEEP_VERSION = insertGiven('entry_versions', 'n', VERSION)
const BODIES = 'SELECT e.id, e.content, e.summary FROM given g, entries e WHERE e.id = g.id'
const CHANGED: TypedColumn[] = ['sort_at bigint', 'changed_at bigint', ...SAID_COLUMNS]
const CHANGE = `UPDATE entries SET ${setGiven(CHANGED)} FROM given g WHERE entries.id = g.id`
const olderVersions = (only: string, kept: number) => `place IN (SELECT v.place FROM given g CROSS JOIN LATERAL
  (SELECT place FROM entry_versions WHERE entry_id = g.id ${only} ORDER BY place DESC LIMIT 1000000 OFFSET ${kept}) AS v)`
const DROP_VERSIONS = `DELETE FROM entry_versions WHERE ${olderVersions('', KEPT_VERSIONS)}`
const DROP_BODIES = `UPDATE entry_versions SET body = NULL WHERE ${olderVersions('AND body IS NOT NULL', KEPT_BODIES)}`
const COMPLETE = 'UPDATE entries SET extras = g.extras FROM given g WHERE entries.id = g.id AND entries.extras IS NULL'

export function createWriteNews(dialect: Dialect, { keys, enlist, arrived }: NewsParts): WriteNews {
  const { from, where } = keys.find
  const find = `SELECT e.id, e.seen_at, e.title, e.url FROM given g, ${from} WHERE ${where}` as const

  /** The entries of these keys, in their order. */
  function* findByKey(tx: SqlTransaction, all: readonly KeyOfFeed[]): SqlWork<(KeyedRow | undefined)[]> {
    if (all.length === 0) return []
    return yield* tx.rowOfEach<KeyedRow>(
      find,
      KEY,
      all.map(({ feedId, key }) => [feedId, keyHash(key)]),
    )
  }

  function* wait(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void> {
    for (const line of ['unindexed', 'unplaced'] as const) yield* toLine(tx, dialect, line, ids)
  }

  /** One after the other, as they are told; then written all at once. */
  function* rekey(tx: SqlTransaction, news: readonly NewsRecord[]): SqlWork<void> {
    const all = news.flatMap(({ feedId, rekeyed = [] }) => rekeyed.map((one) => ({ feedId, ...one })))
    if (all.length === 0) return
    const name = (feedId: FeedId, key: string) => `${feedId} ${key}`
    const named = all.flatMap(({ feedId, from, to }) => [
      { feedId, key: from },
      { feedId, key: to },
    ])
    const found = yield* findByKey(tx, named)
    const held = new Map(named.map(({ feedId, key }, i) => [name(feedId, key), found[i]?.id]))
    const moves = new Map<EntryId, { feedId: FeedId; key: string }>()
    for (const { feedId, from, to } of all) {
      const id = held.get(name(feedId, from))
      if (id === undefined || held.get(name(feedId, to)) !== undefined) continue
      held.set(name(feedId, from), undefined)
      held.set(name(feedId, to), id)
      moves.set(id, { feedId, key: to })
    }
    yield* keys.rekey(
      tx,
      [...moves].map(([id, { feedId, key }]) => [id, feedId, key, keyHash(key)]),
    )
  }

  /** What they said before is kept; the oldest of that goes. */
  function* change(tx: SqlTransaction, news: readonly NewsRecord[]): SqlWork<void> {
    const all = news.flatMap(({ feedId, at, changed }) =>
      changed.map((draft) => ({ feedId, key: draft.key, at, draft })),
    )
    if (all.length === 0) return
    const found = yield* findByKey(tx, all)
    const changes = new Map<EntryId, { old: KeyedRow; at: Instant; draft: EntryDraft }>()
    all.forEach(({ at, draft }, i) => {
      const old = found[i]
      if (old) changes.set(old.id, { old, at, draft })
    })
    const ids = [...changes.keys()]
    const rows = ids.map((id) => [id])
    const bodies = yield* tx.each<Pick<EntryRow, 'id' | 'content' | 'summary'>>(BODIES, ID, rows)
    const said = new Map(bodies.map((row) => [row.id, { ...row, content: contentInColumn(row.content) }]))
    yield* tx.runEach(
      KEEP_VERSION,
      VERSION,
      [...changes.values()].map(({ old: { id, title, url }, at, draft }) => {
        return [id, at, title, url, bodyBefore(said.get(id) ?? {}, draft) ?? null]
      }),
    )
    yield* tx.runEach(
      CHANGE,
      [...CHANGED, 'id bigint'],
      [...changes.values()].map(({ old, at, draft }) => {
        return [sortAt(draft, old.seen_at), at, ...dateColumns(draft), ...wordColumns(draft), old.id]
      }),
    )
    yield* tx.runEach(DROP_VERSIONS, ID, rows)
    yield* tx.runEach(DROP_BODIES, ID, rows)
    yield* wait(tx, ids)
  }

  function* complete(tx: SqlTransaction, news: readonly NewsRecord[]): SqlWork<void> {
    const all = news.flatMap(({ feedId, completed = [] }) => completed.map((one) => ({ feedId, ...one })))
    if (all.length === 0) return
    const found = yield* findByKey(tx, all)
    const given = all.flatMap(({ extras }, i): [EntryId, string][] =>
      found[i] ? [[found[i].id, JSON.stringify(extras)]] : [],
    )
    const isCompleted = yield* tx.changeEach(COMPLETE, 'entries.id', ['id bigint', 'extras text'], given)
    yield* toLine(
      tx,
      dialect,
      'unindexed',
      given.flatMap(([id], i) => (isCompleted[i] ? [id] : [])),
    )
  }

  function* pagesOf(tx: SqlTransaction, news: readonly NewsRecord[]): SqlWork<[FeedId, ArticleWanted][]> {
    const all = news.flatMap(({ feedId, at, pages = [] }) =>
      pages.map(({ key, ...page }) => ({ feedId, key, page: { ...page, at } })),
    )
    const found = yield* findByKey(tx, all)
    return all.flatMap(({ feedId, page }, i): [FeedId, ArticleWanted][] =>
      found[i] ? [[feedId, { entryId: found[i].id, ...page }]] : [],
    )
  }

  return function* writeNews(tx, news, month) {
    const brought = new Map<FeedId, BroughtInHour>(news.map(({ feedId, at }) => [feedId, { at, entries: 0, pages: 0 }]))
    yield* rekey(tx, news)
    const fresh = news.flatMap(({ feedId, at, fresh }) => fresh.map((draft) => freshColumns(feedId, draft, at)))
    const added = yield* keys.add(tx, fresh, month)
    yield* arrived(tx, added)
    for (const [feedId, count] of added) {
      brought.get(feedId)!.entries = count
      tx.tally.entries += count
    }
    yield* change(tx, news)
    yield* complete(tx, news)
    const wanted = yield* pagesOf(tx, news)
    const areDue = yield* enlist(
      tx,
      wanted.map(([, page]) => page),
    )
    wanted.forEach(([feedId], i) => {
      if (areDue[i]) brought.get(feedId)!.pages++
    })
    yield* countHours(tx, brought)
  }
}

function freshColumns(feedId: FeedId, draft: EntryDraft, at: Instant): unknown[] {
  return [feedId, keyHash(draft.key), sortAt(draft, at), at, ...dateColumns(draft), ...wordColumns(draft)]
}

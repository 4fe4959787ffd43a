/**
 * Writes the entries of polls: new, changed, rekeyed and completed entries, and the articles they want. All feeds of a batch share a few
 * statements, with each feed at most once. Their schedules are locked, so no other transaction writes their entries at the same time.
 */
import { type EntryDraft, type EntryId, type FeedId, type Instant, sortAt } from '../../model/index.ts'
import { type EntriesRecord, MAX_BODIES, MAX_VERSIONS, previousBody } from '../../ports/index.ts'
import { assignmentsSql, type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { dateColumns, textColumns } from './entry-columns.ts'
import { ENTRY_CONTENT_COLUMNS, type EntryKeys } from './entry-keys.ts'
import { addHourlyCounts, type HourlyCounts } from './feed-hours.ts'
import { unpackEntryContent } from './packed-content.ts'
import { enqueueEntries } from './pending-work.ts'
import { type EntryRow, keyHash } from './rows.ts'
import type { SqlTransaction, SqlWork } from './session.ts'
import type { DatedArticleToFetch, WantArticles } from './wanted-articles.ts'

/** Writers of other tables that new entries affect. */
export interface EntryWriterParts {
  keys: EntryKeys
  wantArticles: WantArticles
  /** Adds the number of new entries of each feed to the unread counts. */
  countNewEntries(tx: SqlTransaction, counts: [feedId: FeedId, count: number][]): SqlWork<void>
}

/** `month`: the result of `arrivalMonth`. */
export type WriteEntries = (tx: SqlTransaction, news: readonly EntriesRecord[], month: number) => SqlWork<void>

interface KeyOfFeed {
  feedId: FeedId
  key: string
}

interface EntryKeyRow {
  id: EntryId
  seen_at: Instant
  title: string
  url: string | null
}

const KEY: TypedColumn[] = ['feed_id bigint', 'key_hash bigint']
const ID: TypedColumn[] = ['id bigint']
const VERSION: TypedColumn[] = ['entry_id bigint', 'until bigint', 'title text', 'url text', 'body text']
const KEEP_VERSION = insertRowsSql('entry_versions', 'n', VERSION)
const BODIES = 'SELECT e.id, e.content, e.summary FROM given g, entries e WHERE e.id = g.id'
const CHANGED: TypedColumn[] = ['sort_at bigint', 'changed_at bigint', ...ENTRY_CONTENT_COLUMNS]
const CHANGE = `UPDATE entries SET ${assignmentsSql(CHANGED)} FROM given g WHERE entries.id = g.id`
const olderVersions = (only: string, limit: number) => `place IN (SELECT v.place FROM given g CROSS JOIN LATERAL
  (SELECT place FROM entry_versions WHERE entry_id = g.id ${only} ORDER BY place DESC LIMIT 1000000 OFFSET ${limit}) AS v)`
const DROP_VERSIONS = `DELETE FROM entry_versions WHERE ${olderVersions('', MAX_VERSIONS)}`
const DROP_BODIES = `UPDATE entry_versions SET body = NULL WHERE ${olderVersions('AND body IS NOT NULL', MAX_BODIES)}`
const COMPLETE = 'UPDATE entries SET extras = g.extras FROM given g WHERE entries.id = g.id AND entries.extras IS NULL'

export function createWriteEntries(
  dialect: Dialect,
  { keys, wantArticles, countNewEntries }: EntryWriterParts,
): WriteEntries {
  const { from, where } = keys.find
  const find = `SELECT e.id, e.seen_at, e.title, e.url FROM given g, ${from} WHERE ${where}` as const

  /** Finds entries by key, in the order of `all`. */
  function* findByKey(tx: SqlTransaction, items: readonly KeyOfFeed[]): SqlWork<(EntryKeyRow | undefined)[]> {
    if (items.length === 0) return []
    return yield* tx.rowOfEach<EntryKeyRow>(
      find,
      KEY,
      items.map(({ feedId, key }) => [feedId, keyHash(key)]),
    )
  }

  function* enqueueAll(tx: SqlTransaction, ids: readonly EntryId[]): SqlWork<void> {
    for (const queue of ['unindexed', 'ungrouped'] as const) yield* enqueueEntries(tx, dialect, queue, ids)
  }

  /** Applies the changes of keys one after the other, then writes them all at once. */
  function* rekey(tx: SqlTransaction, news: readonly EntriesRecord[]): SqlWork<void> {
    const items = news.flatMap(({ feedId, keyChanges = [] }) => keyChanges.map((one) => ({ feedId, ...one })))
    if (items.length === 0) return
    const name = (feedId: FeedId, key: string) => `${feedId} ${key}`
    const keysToFind = items.flatMap(({ feedId, from, to }) => [
      { feedId, key: from },
      { feedId, key: to },
    ])
    const found = yield* findByKey(tx, keysToFind)
    const idByName = new Map(keysToFind.map(({ feedId, key }, i) => [name(feedId, key), found[i]?.id]))
    const moves = new Map<EntryId, { feedId: FeedId; key: string }>()
    for (const { feedId, from, to } of items) {
      const id = idByName.get(name(feedId, from))
      if (id === undefined || idByName.get(name(feedId, to)) !== undefined) continue
      idByName.set(name(feedId, from), undefined)
      idByName.set(name(feedId, to), id)
      moves.set(id, { feedId, key: to })
    }
    yield* keys.rekey(
      tx,
      [...moves].map(([id, { feedId, key }]) => [id, feedId, key, keyHash(key)]),
    )
  }

  /** Keeps the previous version of each changed entry and drops the oldest versions. */
  function* change(tx: SqlTransaction, news: readonly EntriesRecord[]): SqlWork<void> {
    const items = news.flatMap(({ feedId, at, changed }) =>
      changed.map((draft) => ({ feedId, key: draft.key, at, draft })),
    )
    if (items.length === 0) return
    const found = yield* findByKey(tx, items)
    const changes = new Map<EntryId, { old: EntryKeyRow; at: Instant; draft: EntryDraft }>()
    items.forEach(({ at, draft }, i) => {
      const old = found[i]
      if (old) changes.set(old.id, { old, at, draft })
    })
    const ids = [...changes.keys()]
    const rows = ids.map((id) => [id])
    const bodies = yield* tx.each<Pick<EntryRow, 'id' | 'content' | 'summary'>>(BODIES, ID, rows)
    const textBefore = new Map(bodies.map((row) => [row.id, { ...row, content: unpackEntryContent(row.content) }]))
    yield* tx.runEach(
      KEEP_VERSION,
      VERSION,
      [...changes.values()].map(({ old: { id, title, url }, at, draft }) => {
        return [id, at, title, url, previousBody(textBefore.get(id) ?? {}, draft) ?? null]
      }),
    )
    yield* tx.runEach(
      CHANGE,
      [...CHANGED, 'id bigint'],
      [...changes.values()].map(({ old, at, draft }) => {
        return [sortAt(draft, old.seen_at), at, ...dateColumns(draft), ...textColumns(draft), old.id]
      }),
    )
    yield* tx.runEach(DROP_VERSIONS, ID, rows)
    yield* tx.runEach(DROP_BODIES, ID, rows)
    yield* enqueueAll(tx, ids)
  }

  function* complete(tx: SqlTransaction, news: readonly EntriesRecord[]): SqlWork<void> {
    const items = news.flatMap(({ feedId, completed = [] }) => completed.map((one) => ({ feedId, ...one })))
    if (items.length === 0) return
    const found = yield* findByKey(tx, items)
    const extrasById = items.flatMap(({ extras }, i): [EntryId, string][] =>
      found[i] ? [[found[i].id, JSON.stringify(extras)]] : [],
    )
    const isCompleted = yield* tx.changeEach(COMPLETE, 'entries.id', ['id bigint', 'extras text'], extrasById)
    yield* enqueueEntries(
      tx,
      dialect,
      'unindexed',
      extrasById.flatMap(([id], i) => (isCompleted[i] ? [id] : [])),
    )
  }

  function* pagesOf(tx: SqlTransaction, news: readonly EntriesRecord[]): SqlWork<[FeedId, DatedArticleToFetch][]> {
    const items = news.flatMap(({ feedId, at, articles = [] }) =>
      articles.map(({ key, ...page }) => ({ feedId, key, page: { ...page, at } })),
    )
    const found = yield* findByKey(tx, items)
    return items.flatMap(({ feedId, page }, i): [FeedId, DatedArticleToFetch][] =>
      found[i] ? [[feedId, { entryId: found[i].id, ...page }]] : [],
    )
  }

  return function* writeEntries(tx, news, month) {
    const counts = new Map<FeedId, HourlyCounts>(news.map(({ feedId, at }) => [feedId, { at, entries: 0, pages: 0 }]))
    yield* rekey(tx, news)
    const fresh = news.flatMap(({ feedId, at, fresh }) => fresh.map((draft) => freshColumns(feedId, draft, at)))
    const added = yield* keys.add(tx, fresh, month)
    yield* countNewEntries(tx, added)
    for (const [feedId, count] of added) {
      counts.get(feedId)!.entries = count
      tx.countChanges.entries += count
    }
    yield* change(tx, news)
    yield* complete(tx, news)
    const wantedArticles = yield* pagesOf(tx, news)
    const areDue = yield* wantArticles(
      tx,
      wantedArticles.map(([, page]) => page),
    )
    wantedArticles.forEach(([feedId], i) => {
      if (areDue[i]) counts.get(feedId)!.pages++
    })
    yield* addHourlyCounts(tx, counts)
  }
}

function freshColumns(feedId: FeedId, draft: EntryDraft, at: Instant): unknown[] {
  return [feedId, keyHash(draft.key), sortAt(draft, at), at, ...dateColumns(draft), ...textColumns(draft)]
}

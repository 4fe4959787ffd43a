/**
 * Articles that entries point at: which are fetched for them, and which are no longer waited for. All wants of a transaction are
 * dealt with together: what they are about is loaded and locked, `articles/lifecycle` says of one after the other what becomes of
 * it, and that is written at once. If somebody else adds one of the pages at the same moment, all of it begins anew.
 */

import { GIVEN_UP } from '../../articles/lifecycle/remove-article.ts'
import { enlisted, type NewArticle } from '../../articles/lifecycle/want-article.ts'
import type { ArticleId, ArticleLife, Bucket, EntryId, Instant } from '../../model/index.ts'
import type { ArticleToFetch } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { type ArticleLines, type LineChanges, noLineChanges } from './article-lines.ts'
import type { ArticleInHand, ArticleWriter } from './article-writer.ts'
import { type Dialect, insertGiven, type TypedColumn } from './dialect.ts'
import { keyHash } from './rows.ts'
import { onceMore, type SqlSession, type SqlTransaction, type SqlWork } from './session.ts'
import { countArticle } from './tally.ts'
import { toLine } from './waiting-lines.ts'

export type ArticleWanted = ArticleToFetch & { at: Instant }

/** Within a transaction, once what they are about is written: which of them are to be fetched for that. */
export type Enlist = (tx: SqlTransaction, wants: readonly ArticleWanted[]) => SqlWork<boolean[]>

interface Added {
  hash: bigint
  article: NewArticle
}

/** What the wants have come to, while one after the other is dealt with. Ids below 0 are given when they are written. */
interface Batch {
  newsAt: Map<EntryId, Instant>
  links: Map<EntryId, ArticleId>
  /** By the hashes of addresses under which they are known. */
  byHash: Map<bigint, ArticleId>
  byId: Map<ArticleId, ArticleInHand>
  /** Of entries, those that they had before; not locked. */
  linked: Map<ArticleId, ArticleInHand>
  added: Map<ArticleId, Added>
  changed: Set<ArticleId>
  relinked: Map<EntryId, ArticleId>
  left: Set<ArticleId>
  more: EntryId[]
  lines: LineChanges
}

interface EntryRow {
  id: EntryId
  sort_at: Instant
  article_id: ArticleId | null
}

/** Under the address that was asked for, as whom that turned out to be, else where a page that was read is. */
const KNOWN = `SELECT coalesce(
    (SELECT coalesce(a.same_as, a.id) FROM articles a WHERE a.url_hash = g.hash),
    (SELECT a.id FROM articles a WHERE a.page_hash = g.hash AND a.state = 'read' ORDER BY a.id LIMIT 1)
  ) AS id FROM given g` as const

const ADDED: TypedColumn[] = [
  'url_hash bigint',
  'state text',
  'wanted_at bigint',
  'news_at bigint',
  'due_at bigint',
  'failures integer',
  'reads integer',
  'root text',
  'url text',
]
const ADD = `${insertGiven('articles', 'n', ADDED)} ON CONFLICT (url_hash) DO NOTHING`
const LINK: TypedColumn[] = ['entry_id bigint', 'article_id bigint']
const RELINK = `${insertGiven('article_entries', 'entry_id', LINK)}
  ON CONFLICT (entry_id) DO UPDATE SET article_id = excluded.article_id`

export function createEnlist(dialect: Dialect, lines: ArticleLines, writer: ArticleWriter): Enlist {
  const entries = `SELECT e.id, e.sort_at, l.article_id FROM given g, entries e LEFT JOIN article_entries l ON l.entry_id = e.id
    WHERE e.id = g.id ${dialect.locked('KEY SHARE OF e')}`

  function* load(tx: SqlTransaction, wants: readonly ArticleWanted[]): SqlWork<Batch> {
    const ids = [...new Set(wants.map(({ entryId }) => entryId))]
    const rows = yield* tx.each<EntryRow>(
      entries,
      ['id bigint'],
      ids.map((id) => [id]),
    )
    const links = new Map(rows.flatMap(({ id, article_id }) => (article_id === null ? [] : [[id, article_id]])))
    const hashes = [...new Set(wants.map(({ url }) => keyHash(url)))]
    const known = yield* tx.rowOfEach<{ id: ArticleId | null }>(
      KNOWN,
      ['hash bigint'],
      hashes.map((hash) => [hash]),
    )
    const byHash = new Map(hashes.flatMap((hash, i) => (known[i]?.id ? [[hash, known[i].id]] : [])))
    const byId = yield* writer.locked(tx, byHash.values())
    const others = [...links.values()].filter((id) => !byId.has(id))
    return {
      newsAt: new Map(rows.map(({ id, sort_at }) => [id, sort_at])),
      links,
      byHash,
      byId,
      linked: yield* writer.byId(tx, others),
      added: new Map(),
      changed: new Set(),
      relinked: new Map(),
      left: new Set(),
      more: [],
      lines: noLineChanges(),
    }
  }

  /** Their ids, by those that they had meanwhile. A later want may have changed what is to be added. */
  function* addArticles(tx: SqlTransaction, { added, byId }: Batch): SqlWork<Map<ArticleId, ArticleId>> {
    const rows = [...added].map(([id, { hash }]) => [hash, ...addedColumns(byId.get(id)!.life)])
    const ids = yield* tx.insertEach<ArticleId>(ADD, 'articles.url', ADDED, rows)
    if (ids.includes(undefined)) throw onceMore('somebody else has just added one of the pages')
    for (const { article } of added.values()) countArticle(tx.tally, 1, article.state)
    return new Map([...added.keys()].map((id, i) => [id, ids[i]!]))
  }

  return function* enlist(tx, wants) {
    if (wants.length === 0) return []
    const batch = yield* load(tx, wants)
    const toFetch = wants.map((want) => enlistOne(batch, want))
    const { byId, changed, relinked, left, more } = batch
    const named = yield* addArticles(tx, batch)
    yield* writer.write(
      tx,
      [...changed].filter((id) => id > 0).map((id) => byId.get(id)!),
    )
    yield* tx.runEach(
      RELINK,
      LINK,
      [...relinked].map(([entryId, id]) => [entryId, named.get(id) ?? id]),
    )
    yield* writer.letGo(tx, new Set([...left].filter((id) => id > 0)), batch.lines)
    for (const line of ['unindexed', 'unplaced'] as const) yield* toLine(tx, dialect, line, more)
    yield* lines.change(tx, batch.lines)
    return toFetch
  }
}

/** Whether it is to be fetched for that. */
function enlistOne(batch: Batch, { entryId, at, ...page }: ArticleWanted): boolean {
  const { byHash, byId, links } = batch
  const news = batch.newsAt.get(entryId)
  if (news === undefined) return false
  const hash = keyHash(page.url)
  const knownId = byHash.get(hash)
  const held = knownId === undefined ? undefined : byId.get(knownId)
  const linkedTo = links.get(entryId)
  const linked = linkedTo === undefined ? undefined : (byId.get(linkedTo) ?? batch.linked.get(linkedTo))?.life
  const after = enlisted({ known: held?.life, linked }, page, news, at)
  const id = after.added ? ((-1 - batch.added.size) as ArticleId) : knownId!
  if (after.added) {
    batch.added.set(id, { hash, article: after.added })
    byHash.set(hash, id)
    byId.set(id, { life: { ...after.added, id }, textPlace: null, pagePlace: null })
  }
  if (held && after.changed) {
    byId.set(id, { ...held, life: after.changed })
    batch.changed.add(id)
  }
  if (after.added || after.changed) settle(batch.lines, byId.get(id)!.life.root, page.bucket)
  if (after.relink) {
    if (linkedTo !== undefined) batch.left.add(linkedTo)
    links.set(entryId, id)
    batch.relinked.set(entryId, id)
  }
  if (after.hasMore) batch.more.push(entryId)
  return after.toFetch
}

function settle({ settled }: LineChanges, root: string, bucket: Bucket | undefined): void {
  if (bucket !== undefined || !settled.has(root)) settled.set(root, bucket)
}

function addedColumns({ state, wantedAt, newsAt, dueAt, failures, reads, root, url }: ArticleLife): unknown[] {
  return [state, wantedAt, newsAt, dueAt ?? null, failures, reads, root, url]
}

export function articleWants(
  session: SqlSession,
  { lines, writer, enlist }: { lines: ArticleLines; writer: ArticleWriter; enlist: Enlist },
): Pick<ArticleMethods, 'enlistArticles' | 'delistArticles'> {
  return {
    async enlistArticles(wants, at) {
      const dated = wants.map((want) => ({ ...want, at }))
      await session.write((tx) => enlist(tx, dated))
    },

    delistArticles(feedId) {
      return session.write(function* (tx) {
        const entries = yield* tx.rows<{ id: EntryId }>(
          `SELECT e.id FROM entries e JOIN article_entries l ON l.entry_id = e.id JOIN articles a ON a.id = l.article_id
           WHERE e.feed_id = $1 AND a.state = $2`,
          [feedId, GIVEN_UP],
        )
        const changes = noLineChanges()
        yield* writer.unlinkEntries(
          tx,
          entries.map(({ id }) => id),
          changes,
        )
        yield* lines.change(tx, changes)
      })
    },
  }
}

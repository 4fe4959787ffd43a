/**
 * Links entries to the articles they want, and queues articles to be fetched. All wanted articles of a transaction are handled together:
 * existing rows are loaded and locked, `articles/lifecycle` is applied to one after the other, and all changes are written at once. If
 * another transaction adds one of the articles at the same time, the whole transaction is retried.
 */
import { UNWANTED_STATE } from '../../articles/lifecycle/remove-article.ts'
import { afterWanted, type NewArticle } from '../../articles/lifecycle/want-article.ts'
import type { ArticleId, ArticleLife, ArticleState, Bucket, EntryId, Instant } from '../../model/index.ts'
import type { ArticleToFetch } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { type ArticleQueueChanges, type ArticleQueues, noQueueChanges } from './article-queues.ts'
import { type ArticleWriter, countStateChange, type LoadedArticle } from './article-writer.ts'
import { countArticle } from './count-changes.ts'
import { type Dialect, insertRowsSql, type TypedColumn } from './dialect.ts'
import { enqueueEntries } from './pending-work.ts'
import { keyHash } from './rows.ts'
import { retryTransactionError, type SqlSession, type SqlTransaction, type SqlWork } from './session.ts'

export type DatedArticleToFetch = ArticleToFetch & { at: Instant }

/** Runs within a transaction, after the entries are written. Returns which of the articles are to be fetched. */
export type WantArticles = (tx: SqlTransaction, wants: readonly DatedArticleToFetch[]) => SqlWork<boolean[]>

interface Added {
  hash: bigint
  article: NewArticle
}

/** Accumulated changes. Negative ids are temporary; real ids are assigned on insert. */
interface Batch {
  newsAt: Map<EntryId, Instant>
  links: Map<EntryId, ArticleId>
  /** By the hash of an address under which the article is known. */
  byHash: Map<bigint, ArticleId>
  byId: Map<ArticleId, LoadedArticle>
  /** Articles that entries pointed at before; not locked. */
  previousById: Map<ArticleId, LoadedArticle>
  added: Map<ArticleId, Added>
  changed: Set<ArticleId>
  relinked: Map<EntryId, ArticleId>
  unlinked: Set<ArticleId>
  toEnqueue: EntryId[]
  /** Before and after. */
  stateChanges: [ArticleState, ArticleState][]
  queueChanges: ArticleQueueChanges
}

interface EntryRow {
  id: EntryId
  sort_at: Instant
  article_id: ArticleId | null
}

/** Finds an article by its requested address, following aliases, else by the final address of a page that was read. */
const FIND_EXISTING = `SELECT coalesce(
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
const ADD = `${insertRowsSql('articles', 'n', ADDED)} ON CONFLICT (url_hash) DO NOTHING`
const LINK: TypedColumn[] = ['entry_id bigint', 'article_id bigint']
const RELINK = `${insertRowsSql('article_entries', 'entry_id', LINK)}
  ON CONFLICT (entry_id) DO UPDATE SET article_id = excluded.article_id`

export function createWantArticles(dialect: Dialect, queues: ArticleQueues, writer: ArticleWriter): WantArticles {
  const entries = `SELECT e.id, e.sort_at, l.article_id FROM given g, entries e LEFT JOIN article_entries l ON l.entry_id = e.id
    WHERE e.id = g.id ${dialect.lockFor('KEY SHARE OF e')}`

  function* load(tx: SqlTransaction, wants: readonly DatedArticleToFetch[]): SqlWork<Batch> {
    const ids = [...new Set(wants.map(({ entryId }) => entryId))]
    const rows = yield* tx.each<EntryRow>(
      entries,
      ['id bigint'],
      ids.map((id) => [id]),
    )
    const links = new Map(rows.flatMap(({ id, article_id }) => (article_id === null ? [] : [[id, article_id]])))
    const hashes = [...new Set(wants.map(({ url }) => keyHash(url)))]
    const existingIds = yield* tx.rowOfEach<{ id: ArticleId | null }>(
      FIND_EXISTING,
      ['hash bigint'],
      hashes.map((hash) => [hash]),
    )
    const byHash = new Map(hashes.flatMap((hash, i) => (existingIds[i]?.id ? [[hash, existingIds[i].id]] : [])))
    const byId = yield* writer.loadLocked(tx, byHash.values())
    const unlockedIds = [...links.values()].filter((id) => !byId.has(id))
    return {
      newsAt: new Map(rows.map(({ id, sort_at }) => [id, sort_at])),
      links,
      byHash,
      byId,
      previousById: yield* writer.load(tx, unlockedIds),
      added: new Map(),
      changed: new Set(),
      relinked: new Map(),
      unlinked: new Set(),
      toEnqueue: [],
      stateChanges: [],
      queueChanges: noQueueChanges(),
    }
  }

  /** Returns real ids by temporary ids. Reads from `byId`, because a later want may have changed an article to be added. */
  function* addArticles(tx: SqlTransaction, { added, byId }: Batch): SqlWork<Map<ArticleId, ArticleId>> {
    const rows = [...added].map(([id, { hash }]) => [hash, ...addedColumns(byId.get(id)!.life)])
    const ids = yield* tx.insertEach<ArticleId>(ADD, 'articles.url', ADDED, rows)
    if (ids.includes(undefined)) throw retryTransactionError('another transaction added one of the articles')
    for (const { article } of added.values()) countArticle(tx.countChanges, 1, article.state)
    return new Map([...added.keys()].map((id, i) => [id, ids[i]!]))
  }

  return function* wantArticles(tx, wants) {
    if (wants.length === 0) return []
    const batch = yield* load(tx, wants)
    const toFetch = wants.map((want) => wantOne(batch, want))
    const { byId, changed, relinked, unlinked, toEnqueue } = batch
    for (const [before, after] of batch.stateChanges) countStateChange(tx, before, after)
    const idByTemporaryId = yield* addArticles(tx, batch)
    yield* writer.write(
      tx,
      [...changed].filter((id) => id > 0).map((id) => byId.get(id)!),
    )
    yield* tx.runEach(
      RELINK,
      LINK,
      [...relinked].map(([entryId, id]) => [entryId, idByTemporaryId.get(id) ?? id]),
    )
    yield* writer.removeUnreferenced(tx, new Set([...unlinked].filter((id) => id > 0)), batch.queueChanges)
    for (const queue of ['unindexed', 'ungrouped'] as const) yield* enqueueEntries(tx, dialect, queue, toEnqueue)
    yield* queues.apply(tx, batch.queueChanges)
    return toFetch
  }
}

/** True if the article is to be fetched for this entry. */
function wantOne(batch: Batch, { entryId, at, ...page }: DatedArticleToFetch): boolean {
  const { byHash, byId, links } = batch
  const news = batch.newsAt.get(entryId)
  if (news === undefined) return false
  const hash = keyHash(page.url)
  const knownId = byHash.get(hash)
  const existing = knownId === undefined ? undefined : byId.get(knownId)
  const linkedTo = links.get(entryId)
  const linked = linkedTo === undefined ? undefined : (byId.get(linkedTo) ?? batch.previousById.get(linkedTo))?.life
  const after = afterWanted({ known: existing?.life, linked }, page, news, at)
  const id = after.added ? ((-1 - batch.added.size) as ArticleId) : knownId!
  if (after.added) {
    batch.added.set(id, { hash, article: after.added })
    byHash.set(hash, id)
    byId.set(id, { life: { ...after.added, id }, textPosition: null, pagePosition: null })
  }
  if (existing && after.changed) {
    byId.set(id, { ...existing, life: after.changed })
    batch.changed.add(id)
    if (id > 0) batch.stateChanges.push([existing.life.state, after.changed.state])
  }
  if (after.added || after.changed) refreshQueue(batch.queueChanges, byId.get(id)!.life.root, page.bucket)
  if (after.relink) {
    if (linkedTo !== undefined) batch.unlinked.add(linkedTo)
    links.set(entryId, id)
    batch.relinked.set(entryId, id)
  }
  if (after.hasMore) batch.toEnqueue.push(entryId)
  return after.toFetch
}

function refreshQueue({ refreshed }: ArticleQueueChanges, root: string, bucket: Bucket | undefined): void {
  if (bucket !== undefined || !refreshed.has(root)) refreshed.set(root, bucket)
}

function addedColumns({ state, wantedAt, newsAt, dueAt, failures, reads, root, url }: ArticleLife): unknown[] {
  return [state, wantedAt, newsAt, dueAt ?? null, failures, reads, root, url]
}

export function wantedArticleMethods(
  session: SqlSession,
  { queues, writer, wantArticles }: { queues: ArticleQueues; writer: ArticleWriter; wantArticles: WantArticles },
): Pick<ArticleMethods, 'queueArticles' | 'cancelArticles'> {
  return {
    async queueArticles(wants, at) {
      const dated = wants.map((want) => ({ ...want, at }))
      await session.write((tx) => wantArticles(tx, dated))
    },

    cancelArticles(feedId) {
      return session.write(function* (tx) {
        const entries = yield* tx.rows<{ id: EntryId }>(
          `SELECT e.id FROM entries e JOIN article_entries l ON l.entry_id = e.id JOIN articles a ON a.id = l.article_id
           WHERE e.feed_id = $1 AND a.state = $2`,
          [feedId, UNWANTED_STATE],
        )
        const changes = noQueueChanges()
        yield* writer.unlinkEntries(
          tx,
          entries.map(({ id }) => id),
          changes,
        )
        yield* queues.apply(tx, changes)
      })
    },
  }
}

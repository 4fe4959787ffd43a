/**
 * Articles that entries point at: which are fetched for them, and which are no longer waited for. All wants of a transaction are
 * dealt with together: what they are about is loaded and locked, `articles/life` says of one after the other what becomes of
 * it, and that is written at once. If somebody else adds one of the pages at the same moment, all of it begins anew.
 */
import { enlisted, type NewArticle } from '../../../articles/life/enlisted.ts'
import { GIVEN_UP } from '../../../articles/life/let-go.ts'
import type { ArticleId, ArticleLife, Bucket, EntryId, Instant } from '../../../model/index.ts'
import type { ArticleToFetch } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { keyHash } from '../sql/rows.ts'
import { countArticle } from '../sql/tally.ts'
import { changeLines, noLineChanges } from './article-lines.ts'
import { type ArticleInHand, IN_HAND_COLUMNS, inHand, letGo, unlinkEntries, writeArticles } from './article-writer.ts'
import { manyRows } from './columns.ts'
import { onceMore } from './once-more.ts'
import type { PostgresSession, Transaction } from './session.ts'
import { toLine } from './waiting-lines.ts'

export type ArticleWanted = ArticleToFetch & { at: Instant }

/** Articles by the hashes of addresses under which they are known; ids below 0 are given when they are written. */
interface Known {
  byHash: Map<string, ArticleId>
  byId: Map<ArticleId, ArticleInHand>
}

type Row = Parameters<typeof inHand>[0] & { asked: string }

/** Under the address that was asked for, as whom that turned out to be, else where a page that was read is. */
async function knownAt(tx: Transaction, hashes: readonly string[]): Promise<Known> {
  const rows = await tx.rows<Row>(
    `SELECT h.hash::text AS asked, ${IN_HAND_COLUMNS} FROM unnest($1::bigint[]) AS h (hash) CROSS JOIN LATERAL (
       SELECT coalesce(
         (SELECT coalesce(same_as, id) FROM articles WHERE url_hash = h.hash),
         (SELECT id FROM articles WHERE page_hash = h.hash AND state = 'read' ORDER BY id LIMIT 1)
       ) AS id
     ) AS found JOIN articles a ON a.id = found.id ORDER BY a.id FOR UPDATE OF a`,
    [hashes],
  )
  return {
    byHash: new Map(rows.map(({ asked, id }) => [asked, id])),
    byId: new Map(rows.map((row) => [row.id, inHand(row)])),
  }
}

/** Within a transaction, once what they are about is written: which of them are to be fetched for that. */
export async function enlist(tx: Transaction, wants: readonly ArticleWanted[]): Promise<boolean[]> {
  if (wants.length === 0) return []
  const entryIds = [...new Set(wants.map(({ entryId }) => entryId))]
  const entries = await tx.rows<{ id: EntryId; sort_at: Instant; article_id: ArticleId | null }>(
    `SELECT e.id, e.sort_at, l.article_id FROM entries e LEFT JOIN article_entries l ON l.entry_id = e.id
     WHERE e.id = ANY ($1::bigint[]) FOR KEY SHARE OF e`,
    [entryIds],
  )
  const newsAt = new Map(entries.map(({ id, sort_at }) => [id, sort_at]))
  const links = new Map(entries.flatMap(({ id, article_id }) => (article_id === null ? [] : [[id, article_id]])))
  const known = await knownAt(tx, [...new Set(wants.map(({ url }) => String(keyHash(url))))])
  const lives = await articlesById(tx, new Set(links.values()))
  const work = { added: new Map<ArticleId, Added>(), changed: new Set<ArticleId>(), more: [] as EntryId[] }
  const relinked = new Map<EntryId, ArticleId>()
  const left = new Set<ArticleId>()
  const lines = noLineChanges()
  const settle = (root: string, bucket: Bucket | undefined) => {
    if (bucket !== undefined || !lines.settled.has(root)) lines.settled.set(root, bucket)
  }

  const toFetch = wants.map(({ entryId, at, ...page }): boolean => {
    const news = newsAt.get(entryId)
    if (news === undefined) return false
    const hash = String(keyHash(page.url))
    const knownId = known.byHash.get(hash)
    const held = knownId === undefined ? undefined : known.byId.get(knownId)
    const linkedTo = links.get(entryId)
    const linked = linkedTo === undefined ? undefined : (known.byId.get(linkedTo) ?? lives.get(linkedTo))?.life
    const after = enlisted({ known: held?.life, linked }, page, news, at)
    const id = after.added ? ((-1 - work.added.size) as ArticleId) : knownId!
    if (after.added) {
      work.added.set(id, { hash, article: after.added })
      known.byHash.set(hash, id)
      known.byId.set(id, { life: { ...after.added, id }, textPlace: null, pagePlace: null })
    }
    if (held && after.changed) {
      known.byId.set(id, { ...held, life: after.changed })
      work.changed.add(id)
    }
    if (after.added || after.changed) settle(known.byId.get(id)!.life.root, page.bucket)
    if (after.relink) {
      if (linkedTo !== undefined) left.add(linkedTo)
      links.set(entryId, id)
      relinked.set(entryId, id)
    }
    if (after.hasMore) work.more.push(entryId)
    return after.toFetch
  })

  const named = await addArticles(tx, known, work.added)
  const changed = [...work.changed].filter((id) => id > 0).map((id) => known.byId.get(id)!)
  await writeArticles(tx, changed)
  await link(tx, relinked, named)
  await letGo(tx, new Set([...left].filter((id) => id > 0)), lines)
  for (const line of ['unindexed', 'unplaced'] as const) await toLine(tx, line, work.more)
  await changeLines(tx, lines)
  return toFetch
}

/** As they are now; only the articles of the wanted pages are locked. */
async function articlesById(tx: Transaction, ids: ReadonlySet<ArticleId>): Promise<Map<ArticleId, ArticleInHand>> {
  if (ids.size === 0) return new Map()
  const rows = await tx.rows<Parameters<typeof inHand>[0]>(
    `SELECT ${IN_HAND_COLUMNS} FROM articles a WHERE a.id = ANY ($1::bigint[])`,
    [[...ids]],
  )
  return new Map(rows.map((row) => [row.id, inHand(row)]))
}

interface Added {
  hash: string
  article: NewArticle
}

/** Their ids, by those that they had meanwhile. A later want may have changed what is to be added. */
async function addArticles(
  tx: Transaction,
  known: Known,
  added: ReadonlyMap<ArticleId, Added>,
): Promise<Map<ArticleId, ArticleId>> {
  if (added.size === 0) return new Map()
  const rows = manyRows(
    'a',
    [
      'url_hash bigint',
      'state text',
      'wanted_at bigint',
      'news_at bigint',
      'due_at bigint',
      'failures integer',
      'reads integer',
      'root text',
      'url text',
    ],
    [...added].map(([id, { hash }]) => [hash, ...addedColumns(known.byId.get(id)!.life)]),
  )
  const written = await tx.rows<{ id: ArticleId; hash: string }>(
    `INSERT INTO articles (url_hash, state, wanted_at, news_at, due_at, failures, reads, root, url)
     SELECT url_hash, state, wanted_at, news_at, due_at, failures, reads, root, url FROM ${rows.sql} ORDER BY n
     ON CONFLICT (url_hash) DO NOTHING RETURNING id, url_hash::text AS hash`,
    rows.values,
  )
  if (written.length < added.size) throw onceMore('somebody else has just added one of the pages')
  const ids = new Map(written.map(({ id, hash }) => [hash, id]))
  for (const { article } of added.values()) countArticle(tx.tally, 1, article.state)
  return new Map([...added].map(([id, { hash }]) => [id, ids.get(hash)!]))
}

function addedColumns({ state, wantedAt, newsAt, dueAt, failures, reads, root, url }: ArticleLife): unknown[] {
  return [state, wantedAt, newsAt, dueAt ?? null, failures, reads, root, url]
}

async function link(
  tx: Transaction,
  relinked: ReadonlyMap<EntryId, ArticleId>,
  named: ReadonlyMap<ArticleId, ArticleId>,
): Promise<void> {
  if (relinked.size === 0) return
  const rows = manyRows(
    'l',
    ['entry_id bigint', 'article_id bigint'],
    [...relinked].map(([entryId, id]) => [entryId, named.get(id) ?? id]),
  )
  await tx.run(
    `INSERT INTO article_entries (entry_id, article_id) SELECT entry_id, article_id FROM ${rows.sql} ORDER BY entry_id
     ON CONFLICT (entry_id) DO UPDATE SET article_id = excluded.article_id`,
    rows.values,
  )
}

export function articleWants(session: PostgresSession): Pick<ArticleMethods, 'enlistArticles' | 'delistArticles'> {
  return {
    async enlistArticles(wants, at) {
      await session.write((tx) =>
        enlist(
          tx,
          wants.map((want) => ({ ...want, at })),
        ),
      )
    },

    delistArticles(feedId) {
      return session.write(async (tx) => {
        const entries = await tx.rows<{ id: EntryId }>(
          `SELECT e.id FROM entries e JOIN article_entries l ON l.entry_id = e.id JOIN articles a ON a.id = l.article_id
           WHERE e.feed_id = $1 AND a.state = $2`,
          [feedId, GIVEN_UP],
        )
        const lines = noLineChanges()
        await unlinkEntries(
          tx,
          entries.map(({ id }) => id),
          lines,
        )
        await changeLines(tx, lines)
      })
    },
  }
}

/** Articles: what came of their fetches, how they are found, and how they are forgotten. */
import type { ArticleId, EntryId, FeedId, Instant, StoredArticle } from '../../../model/index.ts'
import type { ArticleRecord } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import type { ArticleLines } from './article-lines.ts'
import { ARTICLE_COLUMNS, ARTICLES, type ArticleRow, articleOf, contentOf, packContent } from './article-rows.ts'
import { diskUsageIn } from './disk-usage.ts'
import type { Packed } from './packing.ts'
import { createPages, type PackedPage, type Patterns } from './pages.ts'
import { isKept } from './removals.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOf, jsonOrNull, keyHash } from './rows.ts'
import { bounded, inChunks, type Session } from './session.ts'

interface PackedArticle {
  content: Packed
  page?: PackedPage
}

const EVER: Instant = -Number.MAX_SAFE_INTEGER

export function articleQueries(session: Session, lines: ArticleLines): ArticleMethods {
  const { db } = session
  const pages = createPages(session)
  const byId = db.prepare<[ArticleId], ArticleRow>(`SELECT ${ARTICLE_COLUMNS} FROM ${ARTICLES} WHERE a.id = ?`)
  const ofEntry = db.prepare<[EntryId], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM article_entries e JOIN ${ARTICLES} WHERE a.id = e.article_id AND e.entry_id = ?`,
  )
  const atPage = db.prepare<[bigint], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM ${ARTICLES} WHERE a.page_hash = ? AND a.state = 'read' ORDER BY a.id`,
  )
  const entriesOf = db.prepare<[ArticleId], EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM article_entries l JOIN entries e ON e.id = l.entry_id
     WHERE l.article_id = ? AND ${isKept('e')} ORDER BY e.id`,
  )
  const texts = db.prepare<[ArticleId], Pick<ArticleRow, 'codec' | 'packed'>>(
    'SELECT codec, packed FROM article_texts WHERE article_id = ?',
  )
  const after = db.prepare<[number, Instant, number], ArticleRow>(
    `SELECT ${ARTICLE_COLUMNS} FROM articles a JOIN article_texts t ON t.article_id = a.id
     WHERE a.id > ? AND a.fetched_at >= ? ORDER BY a.id LIMIT ?`,
  )

  const read = db.prepare(
    `UPDATE articles SET state = 'read', due_at = NULL, failures = 0, trouble = NULL, tried_at = $at, fetched_at = $at,
     reads = reads + 1, hops = 0, page_url = $pageUrl, page_hash = $pageHash, no_archive = $noArchive WHERE id = $id`,
  )
  const same = db.prepare(
    `UPDATE articles SET state = 'same', due_at = NULL, failures = 0, trouble = NULL, tried_at = $at, fetched_at = NULL,
     page_url = $pageUrl, page_hash = NULL, no_archive = NULL, same_as = $sameAs WHERE id = $id`,
  )
  const failed = db.prepare(
    `UPDATE articles SET state = $state, due_at = $dueAt, failures = failures + 1, trouble = $trouble, tried_at = $at
     WHERE id = $id`,
  )
  const elsewhere = db.prepare('UPDATE articles SET led_to = $to, hops = hops + 1, root = $root WHERE id = $id')
  const newer = db.prepare('UPDATE articles SET news_at = max(news_at, ?) WHERE id = ?')
  const moveEntries = db.prepare('UPDATE article_entries SET article_id = ? WHERE article_id = ?')
  const moveAliases = db.prepare('UPDATE articles SET same_as = ? WHERE same_as = ?')
  const dropText = db.prepare<[ArticleId]>('DELETE FROM article_texts WHERE article_id = ?')
  const insertText = db.prepare('INSERT INTO article_texts (article_id, fetched_at, codec, packed) VALUES (?, ?, ?, ?)')
  const toLine = (line: 'unindexed' | 'unplaced') =>
    db.prepare<[ArticleId]>(
      `INSERT OR REPLACE INTO ${line} (entry_id) SELECT entry_id FROM article_entries WHERE article_id = ? ORDER BY entry_id`,
    )
  const reindex = toLine('unindexed')
  /** The text is compared with others' from now on. When it is forgotten, what was found by it stays. */
  const placeAgain = toLine('unplaced')
  const oldTexts = db
    .prepare<[Instant, number], ArticleId>(
      'SELECT article_id FROM article_texts WHERE fetched_at < ? ORDER BY fetched_at, article_id LIMIT ?',
    )
    .pluck()
  const pageBytes = db.prepare<[], number>('SELECT page_bytes FROM article_counters').pluck()

  /** Text, facts and page; the entries have to be indexed anew. */
  function forgetContent(id: ArticleId): void {
    dropText.run(id)
    pages.drop(id)
    reindex.run(id)
  }

  /** Whatever takes long, before the transaction. */
  async function pack({ result }: ArticleRecord, patterns: Patterns): Promise<PackedArticle | undefined> {
    if (result.kind !== 'read') return undefined
    const { facts, content, page } = result
    return {
      content: await packContent({ facts, ...content }),
      ...(page && { page: await pages.pack(page, content.html, patterns) }),
    }
  }

  function write({ id, at, lease, lineDueAt, result }: ArticleRecord, packed: PackedArticle | undefined): boolean {
    const old = byId.get(id)
    if (!old || old.state === 'same' || (old.tried_at !== null && old.tried_at >= at)) return false
    if (!lines.isUnder(old.root, lease)) return false
    switch (result.kind) {
      case 'read': {
        const { pageUrl, noArchive } = result
        const { content, page } = packed!
        const place = { pageUrl: pageUrl === old.url ? '' : pageUrl, pageHash: keyHash(pageUrl) }
        read.run({ id, at, ...place, noArchive: noArchive ? 1 : null })
        dropText.run(id)
        insertText.run(id, at, content.codec, content.packed)
        if (page) pages.write(id, page)
        else pages.drop(id)
        reindex.run(id)
        placeAgain.run(id)
        break
      }
      case 'same': {
        const { sameAs, pageUrl } = result
        if (sameAs === id || byId.get(sameAs)?.state !== 'read') return false
        same.run({ id, at, pageUrl, sameAs })
        dropText.run(id)
        pages.drop(id)
        moveEntries.run(sameAs, id)
        moveAliases.run(sameAs, id)
        newer.run(old.news_at, sameAs)
        reindex.run(sameAs)
        placeAgain.run(sameAs)
        break
      }
      case 'elsewhere':
        if (old.led_to === result.to) return false
        elsewhere.run({ id, to: result.to, root: result.root })
        lines.settle(result.root)
        break
      case 'failed': {
        const { failure, dueAt = null } = result
        const wasRead = old.state === 'read'
        if (result.state === 'refused' && old.packed !== null) forgetContent(id)
        const last = wasRead && result.state === 'failed' ? 'read' : result.state
        const state = dueAt === null ? last : wasRead ? 'read' : 'waiting'
        failed.run({ id, at, state, dueAt, trouble: jsonOrNull(failure) })
      }
    }
    lines.release(old.root, lineDueAt)
    return true
  }

  function found(row: ArticleRow | undefined): StoredArticle | undefined {
    return row && articleOf(row)
  }

  return {
    ...lines.methods,

    async recordArticles(records) {
      const patterns: Patterns = new Map()
      const packed: (PackedArticle | undefined)[] = []
      for (const record of records) packed.push(await pack(record, patterns))
      return session.write(() => records.map((record, i) => write(record, packed[i])))
    },

    articlesById: (ids) => session.read(() => ids.map((id) => found(byId.get(id)))),
    articlesOfEntries: (ids) => session.read(() => ids.map((id) => found(ofEntry.get(id)))),
    articlesAt: (pageUrls) => session.read(() => pageUrls.flatMap((url) => atPage.all(keyHash(url)).map(articleOf))),
    entriesOfArticles: (ids) => session.read(() => ids.map((id) => entriesOf.all(id).map(entryOf))),

    articleTexts(ids) {
      return session.read(() =>
        ids.map((id) => {
          const row = texts.get(id)
          if (!row) return undefined
          const { text, html } = contentOf(row)
          return { text, html }
        }),
      )
    },

    rawPage: (id) => session.read(() => pages.get(id)),

    async *everyArticle({ feedId, since = EVER }) {
      const rows = inChunks(
        session,
        (last, limit) => after.all(last, since, limit).map((row) => ({ row, entries: entriesOf.all(row.id) })),
        ({ row }) => row.id,
      )
      for await (const { row, entries } of rows) {
        if (entries.length === 0) continue // its feed was removed
        if (feedId !== undefined && !entries.some((entry) => entry.feed_id === (feedId as FeedId))) continue
        const { text, html } = contentOf(row)
        yield { article: articleOf(row), text, html, entryIds: entries.map(({ id }) => id) }
      }
    },

    forgetPages: (before, limit) => session.writeBite(() => pages.dropBefore(before, limit)),

    shrinkPages(bytes, limit) {
      return session.writeBite(() => {
        let dropped = 0
        while (dropped < limit && (pageBytes.get() ?? 0) > bytes) {
          if (pages.dropOldest() === 0) break
          dropped++
        }
        return dropped
      })
    },

    forgetArticles(before, limit) {
      return session.writeBite(() => {
        const ids = oldTexts.all(before, bounded(limit))
        for (const id of ids) forgetContent(id)
        return ids.length
      })
    },

    diskUsage: () => diskUsageIn(session),
  }
}

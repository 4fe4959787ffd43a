/**
 * What was read of articles: facts and text, packed together, and the page as it came; and the entries that wait for the search
 * index and for their place when that changes. What becomes of it `articles/life` says.
 */
import type { ContentChange } from '../../../articles/life/after-fetch.ts'
import type { ArticleId, ArticleResult, Instant } from '../../../model/index.ts'
import { packContent } from '../sql/article-rows.ts'
import type { Packed } from '../sql/packing.ts'
import type { PackedPage, Patterns } from '../sql/page-packing.ts'
import type { CountTally } from '../sql/tally.ts'
import type { Pages } from './pages.ts'
import type { SqliteSession } from './session.ts'

export interface PackedArticle {
  content: Packed
  page?: PackedPage
}

/** Each within a transaction, but for `pack`. */
export interface ArticleContents {
  /** Whatever takes long; undefined if there is nothing to write. */
  pack(result: ArticleResult, patterns: Patterns): Promise<PackedArticle | undefined>
  change(
    id: ArticleId,
    change: ContentChange,
    tally: CountTally,
    fetched?: { at: Instant; packed: PackedArticle },
  ): void
  /** Its entries wait. */
  announce(id: ArticleId, change: ContentChange): void
  /** The article is gone. */
  dropAll(id: ArticleId, tally: CountTally): void
}

export function createArticleContents({ db }: SqliteSession, pages: Pages): ArticleContents {
  const insertText = db.prepare('INSERT INTO article_texts (article_id, fetched_at, codec, packed) VALUES (?, ?, ?, ?)')
  const removeText = db
    .prepare<[ArticleId], number>('DELETE FROM article_texts WHERE article_id = ? RETURNING length(packed)')
    .pluck()
  const toLine = (line: 'unindexed' | 'unplaced') =>
    db.prepare<[ArticleId]>(
      `INSERT OR REPLACE INTO ${line} (entry_id) SELECT entry_id FROM article_entries WHERE article_id = ? ORDER BY entry_id`,
    )
  const index = toLine('unindexed')
  const place = toLine('unplaced')

  function dropText(id: ArticleId, tally: CountTally): void {
    tally.textBytes -= removeText.get(id) ?? 0
  }

  return {
    async pack(result, patterns) {
      if (result.kind !== 'read') return undefined
      const { facts, content, page } = result
      return {
        content: await packContent({ facts, ...content }),
        ...(page && { page: await pages.pack(page, content.html, patterns) }),
      }
    },

    change(id, { text, page }, tally, fetched) {
      if (text !== 'keep') dropText(id, tally)
      if (text === 'write' && fetched) {
        const { codec, packed } = fetched.packed.content
        insertText.run(id, fetched.at, codec, packed)
        tally.textBytes += packed.length
      }
      if (page === 'drop') pages.drop(id, tally)
      if (page === 'write' && fetched?.packed.page) pages.write(id, fetched.packed.page, tally)
    },

    announce(id, { reindex, placeAgain }) {
      if (reindex) index.run(id)
      if (placeAgain) place.run(id)
    },

    dropAll(id, tally) {
      dropText(id, tally)
      pages.drop(id, tally)
    },
  }
}

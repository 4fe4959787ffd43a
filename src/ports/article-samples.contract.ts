/** Sample articles for the store contract. */

import { address } from '../model/address.fixture.ts'
import type { ArticleId, EntryId, Instant, RawPage, StoredArticle } from '../model/index.ts'
import type { ArticleRecord, ArticleToFetch, Store } from './index.ts'

/** The page `https://ROOT.example/PATH`. */
export function want(entryId: EntryId, root: string, path = 'page'): ArticleToFetch {
  return { entryId, url: address(`https://${root}.example/${path}`), root: `${root}.example` }
}

export async function articleOf(store: Store, entryId: EntryId): Promise<StoredArticle> {
  const [article] = await store.articlesOfEntries([entryId])
  if (!article) throw new Error(`entry ${entryId} has no article`)
  return article
}

export function rawPage(at: Instant, words: string): RawPage {
  return {
    url: address('https://x.example/page'),
    at,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', server: 'täst' },
    body: Buffer.from(`<!doctype html><title>${words}</title>\xff`, 'latin1'),
  }
}

interface Read {
  pageUrl?: string
  queueDueAt?: Instant
  text?: string
  words?: number
  noArchive?: true
  page?: RawPage
}

/** A read page; by default, its original is stored, too. */
export function readArticle(id: ArticleId, at: Instant, more: Read = {}): ArticleRecord {
  const { pageUrl = `https://x.example/${id}`, queueDueAt = at, text = `text of ${id}`, words = 3, noArchive } = more
  return {
    id,
    at,
    queueDueAt,
    result: {
      kind: 'read',
      pageUrl: address(pageUrl),
      facts: { title: `title of ${id}`, words },
      content: { text, html: `<p>${text}</p>` },
      ...(noArchive ? { noArchive } : { page: more.page ?? rawPage(at, text) }),
    },
  }
}

export function sameArticle(id: ArticleId, at: Instant, sameAs: ArticleId): ArticleRecord {
  return { id, at, queueDueAt: at, result: { kind: 'same', sameAs, pageUrl: address(`https://x.example/${sameAs}`) } }
}

/** Without `dueAt`, it failed permanently. */
export function failedArticle(
  id: ArticleId,
  at: Instant,
  more: { dueAt?: Instant; state?: 'failed' | 'refused' } = {},
): ArticleRecord {
  const failure = { kind: 'http', status: 404 } as const
  return { id, at, queueDueAt: at, result: { kind: 'failed', failure, state: 'failed', ...more } }
}

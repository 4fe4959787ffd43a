/** Fetches the page of an entry because a user asks for it: queued before all others, within the limits of its host. */
import { requestedDueAt } from '../../articles/index.ts'
import { bucketOf, type EntryId, type Instant, MINUTE, type Millis, type WebAddress } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Roles } from '../../ports/index.ts'
import type { ArticleRequestResult } from '../crawler.ts'
import { articleToFetch } from './articles-to-fetch.ts'

/** The minimum interval between two requests of a page that users ask for. */
const REQUEST_GAP_MS: Millis = MINUTE
/** A page that was read is not worth another request for a while. */
const FRESH_MS: Millis = 10 * MINUTE

/** Undefined if there is no such entry. `freeAt`: when the host of an address is free. */
export async function requestArticle(
  id: EntryId,
  { catalogue, articleCatalogue, feedRegistry }: Pick<Roles, 'catalogue' | 'articleCatalogue' | 'feedRegistry'>,
  freeAt: (url: WebAddress, now: Instant) => Instant | Promise<Instant>,
  now: Instant,
): Promise<ArticleRequestResult | undefined> {
  const [[entry], [article]] = await Promise.all([
    catalogue.entriesById([id]),
    articleCatalogue.articlesOfEntries([id]),
  ])
  if (!entry) return undefined
  const fetchUrl = article?.ledTo?.url ?? article?.url
  const page = article
    ? { url: article.url, root: article.root, bucket: bucketOf(rootOf(fetchUrl!)) }
    : articleToFetch(entry)
  if (!page) return { kind: 'no-link' }
  if (article?.state === 'read' && (article.fetchedAt ?? 0) > now - FRESH_MS) {
    const [text] = await articleCatalogue.articleTexts([article.id])
    if (text) return { kind: 'stored' }
  }
  const dueAt = article ? requestedDueAt(article, REQUEST_GAP_MS, now) : now
  await feedRegistry.queueArticles([{ entryId: id, ...page, requested: { afterMs: REQUEST_GAP_MS } }], now)
  const [queued] = await articleCatalogue.articlesOfEntries([id])
  if (!queued) return undefined // the entry was removed meanwhile
  const hostAt = await freeAt(fetchUrl ?? page.url, now)
  if (Math.max(dueAt, hostAt) <= now) return { kind: 'queued', articleId: queued.id, dueAt: now }
  const why =
    hostAt > dueAt ? 'its site was visited a moment ago, or asked for a pause' : 'it was requested a moment ago'
  return { kind: 'queued', articleId: queued.id, dueAt: Math.max(dueAt, hostAt), why }
}

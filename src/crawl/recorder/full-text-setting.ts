/** What happens to pages when a person says of a feed, or of all, whether they are wanted. */
import type { FeedId, Instant, PagePreference } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { type ArticlePolicy, newestEntries, pageToFetch, wantsPages } from './articles-to-fetch.ts'

/** Pages of a feed's newest entries are fetched from now on; or those that wait are no longer waited for. */
export async function afterPreference(
  { catalogue, subscriptions }: Pick<Roles, 'catalogue' | 'subscriptions'>,
  feedId: FeedId,
  policy: ArticlePolicy | undefined,
  at: Instant,
): Promise<void> {
  const [held] = await catalogue.feedsById([feedId])
  if (!held || !policy) return
  if (preferenceOf(held.feed.articles, policy) === 'never') return subscriptions.delistArticles(feedId)
  const entries = await catalogue.entries({ feedId, limit: policy.backlog })
  if (!wantsPages(held.feed, entries, policy)) return
  const pages = newestEntries(entries, policy.backlog, at).flatMap((entry) => {
    const page = pageToFetch(entry)
    return page ? [{ entryId: entry.id, ...page }] : []
  })
  await subscriptions.enlistArticles(pages, at)
}

/** Pages that wait from a time when they were wanted, of feeds that follow the general word. */
export async function dropUnwanted(
  { catalogue, subscriptions }: Pick<Roles, 'catalogue' | 'subscriptions'>,
  policy: ArticlePolicy | undefined,
): Promise<void> {
  if (policy && policy.preference !== 'never') return
  if ((await catalogue.counts()).articles.waiting === 0) return
  for await (const { feed } of catalogue.everyFeed())
    if (preferenceOf(feed.articles, policy) === 'never') await subscriptions.delistArticles(feed.id)
}

function preferenceOf(ofFeed: PagePreference | undefined, policy: ArticlePolicy | undefined): PagePreference {
  return policy ? (ofFeed ?? policy.preference) : 'never'
}

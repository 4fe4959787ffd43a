/** Applies the setting whether the articles of a feed, or of all feeds, are fetched. */
import type { ArticlePreference, FeedId, Instant } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { type ArticlePolicy, articleToFetch, newestEntries, wantsArticles } from './articles-to-fetch.ts'

/** Queues the articles of a feed's newest entries, or removes the waiting ones. */
export async function applyFullTextSetting(
  { catalogue, feedRegistry }: Pick<Roles, 'catalogue' | 'feedRegistry'>,
  feedId: FeedId,
  policy: ArticlePolicy | undefined,
  at: Instant,
): Promise<void> {
  const [scheduled] = await catalogue.feedsById([feedId])
  if (!scheduled || !policy) return
  if (settingOf(scheduled.feed.articles, policy) === 'never') return feedRegistry.cancelArticles(feedId)
  const entries = await catalogue.entries({ feedId, limit: policy.backlog })
  if (!wantsArticles(scheduled.feed, entries, policy)) return
  const articles = newestEntries(entries, policy.backlog, at).flatMap((entry) => {
    const page = articleToFetch(entry)
    return page ? [{ entryId: entry.id, ...page }] : []
  })
  await feedRegistry.queueArticles(articles, at)
}

/** Removes waiting articles that are no longer wanted, of feeds that follow the default setting. */
export async function dropUnwantedArticles(
  { catalogue, feedRegistry }: Pick<Roles, 'catalogue' | 'feedRegistry'>,
  policy: ArticlePolicy | undefined,
): Promise<void> {
  if (policy && policy.preference !== 'never') return
  if ((await catalogue.counts()).articles.waiting === 0) return
  for await (const { feed } of catalogue.everyFeed())
    if (settingOf(feed.articles, policy) === 'never') await feedRegistry.cancelArticles(feed.id)
}

function settingOf(ownSetting: ArticlePreference | undefined, policy: ArticlePolicy | undefined): ArticlePreference {
  return policy ? (ownSetting ?? policy.preference) : 'never'
}

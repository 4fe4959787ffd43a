/** What happens to pages when a person says of a feed, or of all, whether they are wanted. */
import type { FeedId, Instant, PagePreference } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { type ArticlePolicy, newestOf, wantOf, wantsPages } from './pages-to-fetch.ts'

/** Pages of a feed's newest entries are fetched from now on; or those that wait are no longer waited for. */
export async function afterPreference(
  store: Store,
  feedId: FeedId,
  policy: ArticlePolicy | undefined,
  at: Instant,
): Promise<void> {
  const [held] = await store.feedsById([feedId])
  if (!held || !policy) return
  if (wishOf(held.feed.articles, policy) === 'never') return store.unwantArticles(feedId)
  const entries = await store.entries({ feedId, limit: policy.backlog })
  if (!wantsPages(held.feed, entries, policy)) return
  const wants = newestOf(entries, policy.backlog, at).flatMap((entry) => {
    const want = wantOf(entry)
    return want ? [{ entryId: entry.id, ...want }] : []
  })
  await store.wantArticles(wants, at)
}

/** Pages that wait from a time when they were wanted, of feeds that follow the general word. */
export async function dropUnwanted(store: Store, policy: ArticlePolicy | undefined): Promise<void> {
  if (policy && policy.wish !== 'never') return
  if ((await store.counts()).articles.waiting === 0) return
  for await (const { feed } of store.everyFeed())
    if (wishOf(feed.articles, policy) === 'never') await store.unwantArticles(feed.id)
}

function wishOf(ofFeed: PagePreference | undefined, policy: ArticlePolicy | undefined): PagePreference {
  return policy ? (ofFeed ?? policy.wish) : 'never'
}

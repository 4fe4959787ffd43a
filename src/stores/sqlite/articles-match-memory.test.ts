/** Compares articles in SQLite with the memory store, for random actions. */
import fc from 'fast-check'
import { it } from 'vitest'
import type { ArticleId, EntryId, FeedId } from '../../model/index.ts'
import { failedArticle, readArticle, sameArticle, want } from '../../ports/article-samples.contract.ts'
import { all, draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { compareWithMemory, type StoreAction } from './matches-memory.fixture.ts'

// Few distinct values, so that actions interact.
const host = fc.constantFrom('x', 'y')
const path = fc.constantFrom('1', '2', '3')
const articleId = fc.integer({ min: 1, max: 4 }) as fc.Arbitrary<ArticleId>
const delay = fc.integer({ min: -20, max: 40 })
const limit = fc.constantFrom(1, 2, 10)
const again = { afterMs: 3, most: 3 }

/** A feed with entries that have article pages, some of which are the same. */
const begin: StoreAction = async (store, now) => {
  await store.addFeeds([newFeed('a')])
  const fresh = ['1', '2', '3', '4'].map((key) => draft(key, { publishedAt: now - Number(key) }))
  const articles = fresh.map(({ key }) => ({ key, ...page(key === '4' ? 'y' : 'x', key) }))
  await store.recordPolls([record(1 as FeedId, now, { fresh, articles })])
}

function page(root: string, path: string) {
  const { url, root: domain } = want(0 as EntryId, root, path)
  return { url, root: domain, again }
}

const deed: fc.Arbitrary<StoreAction> = fc.oneof(
  // Entry ids may differ between stores, so entries are chosen by rank.
  fc.tuple(fc.nat(3), host, path, fc.boolean()).map(([rank, root, path, isAgain]): StoreAction => {
    return async (store, now) => {
      const entry = (await all(store.everyEntry({})))[rank]
      if (!entry) return
      const wanted = want(entry.id, root, path)
      await store.queueArticles([isAgain ? { ...wanted, again } : wanted], now)
    }
  }),
  fc.tuple(limit, delay).map(([limit, ms]): StoreAction => {
    return (store, now) => store.leaseDueArticles(now, limit, now + Math.max(1, ms))
  }),
  fc.tuple(articleId, fc.option(delay)).map(([id, ms]): StoreAction => {
    return (store) => store.releaseLeases([{ kind: 'article', id, ...(ms !== null && { dueAt: START + ms }) }])
  }),
  fc.array(fc.tuple(articleId, host, path, fc.boolean(), delay), { maxLength: 3 }).map((reads): StoreAction => {
    return (store, now) =>
      store.recordArticles(
        reads.map(([id, root, path, noArchive, ms]) =>
          readArticle(id, now, {
            pageUrl: want(0 as EntryId, root, path).url,
            queueDueAt: START + ms,
            ...(noArchive && { noArchive }),
          }),
        ),
      )
  }),
  fc.tuple(articleId, articleId).map(([id, other]): StoreAction => {
    return (store, now) => store.recordArticles([sameArticle(id, now, other)])
  }),
  fc.tuple(articleId, host, path, delay).map(([id, root, path, ms]): StoreAction => {
    const { url, root: line } = want(0 as EntryId, root, path)
    const result = { kind: 'elsewhere', to: url, root: line } as const
    return (store, now) => store.recordArticles([{ id, at: now, queueDueAt: START + ms, result }])
  }),
  fc.tuple(articleId, fc.option(delay), fc.boolean()).map(([id, ms, refused]): StoreAction => {
    const last = refused ? { state: 'refused' as const } : ms === null ? {} : { dueAt: START + ms }
    return (store, now) => store.recordArticles([failedArticle(id, now, last)])
  }),
  fc.tuple(delay, limit, fc.boolean()).map(([ms, limit, whole]): StoreAction => {
    return (store, now) => (whole ? store.forget('articles', now + ms, limit) : store.forget('pages', now + ms, limit))
  }),
  fc.constantFrom('1', '2', '5').map((key): StoreAction => {
    return (store, now) => {
      const entries = [draft(key, { title: `at ${now}` })]
      const articles = [{ key, ...page('x', key) }]
      return store.recordPolls([record(1 as FeedId, now, { fresh: entries, changed: entries, articles })])
    }
  }),
  fc.tuple(delay, limit).map(
    ([ms, limit]): StoreAction =>
      (store, now) =>
        store.forget('entries', now + ms, limit),
  ),
  limit.map(
    (limit): StoreAction =>
      async (store) =>
        store.markIndexed((await store.unindexed(limit)).positions),
  ),
  fc.constant<StoreAction>((store) => store.removeFeed(1 as FeedId)),
)

it('answers like the memory store for any actions on articles', async () => {
  const alike = fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), (deeds) =>
    compareWithMemory([begin, ...deeds]),
  )
  await fc.assert(alike, { numRuns: 150 })
})

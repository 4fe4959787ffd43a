/** Articles, held against the memory store. */
import fc from 'fast-check'
import { it } from 'vitest'
import type { ArticleId, EntryId, FeedId } from '../../model/index.ts'
import { failedArticle, readArticle, sameArticle, want } from '../../ports/article-samples.contract.ts'
import { all, draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { type Deed, holdAgainstMemory } from './like-memory.fixture.ts'

// Few of everything, so that deeds meet.
const host = fc.constantFrom('x', 'y')
const path = fc.constantFrom('1', '2', '3')
const articleId = fc.integer({ min: 1, max: 4 }) as fc.Arbitrary<ArticleId>
const delay = fc.integer({ min: -20, max: 40 })
const limit = fc.constantFrom(1, 2, 10)
const again = { afterMs: 3, most: 3 }

/** A feed with entries that have pages, some of them the same. */
const begin: Deed = async (store, now) => {
  await store.addFeeds([newFeed('a')])
  const fresh = ['1', '2', '3', '4'].map((key) => draft(key, { publishedAt: now - Number(key) }))
  const pages = fresh.map(({ key }) => ({ key, ...page(key === '4' ? 'y' : 'x', key) }))
  await store.recordPolls([record(1 as FeedId, now, { fresh, pages })])
}

function page(root: string, path: string) {
  const { url, root: domain } = want(0 as EntryId, root, path)
  return { url, root: domain, again }
}

const deed: fc.Arbitrary<Deed> = fc.oneof(
  // Ids of entries may differ from store to store, so that what is wanted is named by its rank.
  fc.tuple(fc.nat(3), host, path, fc.boolean()).map(([rank, root, path, isAgain]): Deed => {
    return async (store, now) => {
      const entry = (await all(store.everyEntry({})))[rank]
      if (!entry) return
      const wanted = want(entry.id, root, path)
      await store.enlistArticles([isAgain ? { ...wanted, again } : wanted], now)
    }
  }),
  fc.tuple(limit, delay).map(([limit, ms]): Deed => {
    return (store, now) => store.takeDueArticles(now, limit, now + Math.max(1, ms))
  }),
  fc.tuple(articleId, fc.option(delay)).map(([id, ms]): Deed => {
    return (store) => store.handBackArticles([{ id, ...(ms !== null && { dueAt: START + ms }) }])
  }),
  fc.array(fc.tuple(articleId, host, path, fc.boolean(), delay), { maxLength: 3 }).map((reads): Deed => {
    return (store, now) =>
      store.recordArticles(
        reads.map(([id, root, path, noArchive, ms]) =>
          readArticle(id, now, {
            pageUrl: want(0 as EntryId, root, path).url,
            lineDueAt: START + ms,
            ...(noArchive && { noArchive }),
          }),
        ),
      )
  }),
  fc.tuple(articleId, articleId).map(([id, other]): Deed => {
    return (store, now) => store.recordArticles([sameArticle(id, now, other)])
  }),
  fc.tuple(articleId, host, path, delay).map(([id, root, path, ms]): Deed => {
    const { url, root: line } = want(0 as EntryId, root, path)
    const result = { kind: 'elsewhere', to: url, root: line } as const
    return (store, now) => store.recordArticles([{ id, at: now, lineDueAt: START + ms, result }])
  }),
  fc.tuple(articleId, fc.option(delay), fc.boolean()).map(([id, ms, refused]): Deed => {
    const last = refused ? { state: 'refused' as const } : ms === null ? {} : { dueAt: START + ms }
    return (store, now) => store.recordArticles([failedArticle(id, now, last)])
  }),
  fc.tuple(delay, limit, fc.boolean()).map(([ms, limit, whole]): Deed => {
    return (store, now) => (whole ? store.forgetArticles(now + ms, limit) : store.forgetPages(now + ms, limit))
  }),
  fc.constantFrom('1', '2', '5').map((key): Deed => {
    return (store, now) => {
      const entries = [draft(key, { title: `at ${now}` })]
      const pages = [{ key, ...page('x', key) }]
      return store.recordPolls([record(1 as FeedId, now, { fresh: entries, changed: entries, pages })])
    }
  }),
  fc.tuple(delay, limit).map(
    ([ms, limit]): Deed =>
      (store, now) =>
        store.forgetEntries(now + ms, limit),
  ),
  limit.map(
    (limit): Deed =>
      async (store) =>
        store.indexed((await store.unindexed(limit)).marks),
  ),
  fc.constant<Deed>((store) => store.removeFeed(1 as FeedId)),
)

it('answers as the memory store does, whatever is done to articles', async () => {
  const alike = fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), (deeds) =>
    holdAgainstMemory([begin, ...deeds]),
  )
  await fc.assert(alike, { numRuns: 150 })
})

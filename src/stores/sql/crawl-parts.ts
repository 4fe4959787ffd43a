/** Creates the writers for crawl data of one store. */
import { type ArticleParts, createArticleParts } from './article-parts.ts'
import type { EntryKeys } from './entry-keys.ts'
import { createWriteEntries, type EntryWriterParts } from './entry-writer.ts'
import { createFeedWriter, type FeedWriter } from './feed-writer.ts'
import { createGroupWriter, type GroupWriter } from './group-writer.ts'
import type { Months } from './months.ts'
import { createPollWriter, type PollWriter } from './poll-writer.ts'
import type { RemovalParts } from './retention.ts'
import type { SqlSession } from './session.ts'
import type { SourceParts } from './sources.ts'

/** Parts that differ between stores, and the writer of user data. */
interface CrawlOptions {
  keys: EntryKeys
  months: Months
  subscriptions: Pick<EntryWriterParts, 'countNewEntries'> &
    RemovalParts['subscriptions'] & { sourceFound: SourceParts['followFound'] }
}

interface CrawlParts extends CrawlOptions {
  feeds: FeedWriter
  groups: GroupWriter
  articles: ArticleParts
  polls: PollWriter
  sources: SourceParts
}

export function createCrawlParts({ dialect }: SqlSession, options: CrawlOptions): CrawlParts {
  const { keys, subscriptions } = options
  const feeds = createFeedWriter(dialect)
  const articles = createArticleParts(dialect)
  const { wantArticles } = articles
  const writeEntries = createWriteEntries(dialect, {
    keys,
    wantArticles,
    countNewEntries: subscriptions.countNewEntries,
  })
  const polls = createPollWriter(dialect, feeds, writeEntries)
  return {
    ...options,
    feeds,
    groups: createGroupWriter(dialect),
    articles,
    polls,
    sources: {
      *addFeed(tx, feed) {
        return (yield* feeds.add(tx, [feed]))[0]!
      },
      *recordPoll(tx, feedId, record) {
        yield* polls.recordPolls(tx, [{ ...record, poll: { ...record.poll, feedId } }])
      },
      followFound: subscriptions.sourceFound,
      sourceRemoved: (tx, id) => subscriptions.sourcesRemoved(tx, [id]),
    },
  }
}

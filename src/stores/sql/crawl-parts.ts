/** The writers of what a crawl brings and takes away, put together for one store. */
import { type ArticleParts, createArticleParts } from './article-parts.ts'
import type { EntryKeys } from './entry-keys.ts'
import { createWriteNews, type NewsParts } from './entry-writer.ts'
import { createFeedWriter, type FeedWriter } from './feed-writer.ts'
import type { RemovalParts } from './forgetting.ts'
import { createGroupWriter, type GroupWriter } from './group-writer.ts'
import type { Months } from './months.ts'
import { createPollWriter, type PollWriter } from './poll-writer.ts'
import type { SqlSession } from './session.ts'
import type { SourceParts } from './sources.ts'

/** What differs between the stores, and what belongs to users. */
interface CrawlOptions {
  keys: EntryKeys
  months: Months
  readings: Pick<NewsParts, 'arrived'> & RemovalParts['readings'] & { sourceFound: SourceParts['followFound'] }
}

interface CrawlParts extends CrawlOptions {
  feeds: FeedWriter
  groups: GroupWriter
  articles: ArticleParts
  polls: PollWriter
  sources: SourceParts
}

export function createCrawlParts({ dialect }: SqlSession, options: CrawlOptions): CrawlParts {
  const { keys, readings } = options
  const feeds = createFeedWriter(dialect)
  const articles = createArticleParts(dialect)
  const { enlist } = articles
  const writeNews = createWriteNews(dialect, { keys, enlist, arrived: readings.arrived })
  const polls = createPollWriter(dialect, feeds, writeNews)
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
        yield* polls.polls(tx, [{ ...record, poll: { ...record.poll, feedId } }])
      },
      followFound: readings.sourceFound,
      sourceRemoved: (tx, id) => readings.sourcesRemoved(tx, [id]),
    },
  }
}

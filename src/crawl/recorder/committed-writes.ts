/**
 * Writes polls and articles, and repeats writes while the store fails transiently. A failed write may have taken effect; then its repetition
 * is void, since the lease has ended. In that case the stored state shows whether the write was this one. So every committed write is
 * reported as recorded, and is announced and counted once.
 */
import type {
  ArticleCatalogue,
  ArticleRecord,
  Catalogue,
  PollRecord,
  PollResults,
  RecordResult,
} from '../../ports/index.ts'
import { type RetryTransient, runRetried } from '../retried-steps.ts'

export interface CommittedWrites {
  recordPolls(records: PollRecord[]): Promise<RecordResult[]>
  recordArticles(records: ArticleRecord[]): Promise<boolean[]>
}

export interface CommittedWritesParts {
  pollResults: Pick<PollResults, 'recordPolls' | 'recordArticles'>
  catalogue: Pick<Catalogue, 'feedsById'>
  articleCatalogue: Pick<ArticleCatalogue, 'articlesById'>
  retryTransient: RetryTransient
}

export function createCommittedWrites(parts: CommittedWritesParts): CommittedWrites {
  const { pollResults, catalogue, articleCatalogue, retryTransient } = parts

  return {
    async recordPolls(records) {
      const { answer, isRepeated } = await runRetried(retryTransient, 'record polls', () =>
        pollResults.recordPolls(records),
      )
      if (!isRepeated || !answer.includes('void')) return answer
      const ids = records.map(({ poll }) => poll.feedId)
      const scheduled = await retryTransient('read feeds', () => catalogue.feedsById(ids))
      const isCommitted = (i: number) => scheduled[i]?.schedule.polledAt === records[i]!.poll.at
      return answer.map((result, i) => (result === 'void' && isCommitted(i) ? 'recorded' : result))
    },

    async recordArticles(records) {
      const write = () => pollResults.recordArticles(records)
      const { answer, isRepeated } = await runRetried(retryTransient, 'record articles', write)
      if (!isRepeated || !answer.includes(false)) return answer
      const ids = records.map(({ id }) => id)
      const articles = await retryTransient('read articles', () => articleCatalogue.articlesById(ids))
      return answer.map((result, i) => result || articles[i]?.triedAt === records[i]!.at)
    },
  }
}

/**
 * Writes of polls and pages that are repeated until the store takes them. A write that failed may have taken effect; repeated, it is
 * void, for its lease has ended. Then what the store has tells whether it was ours: so whatever is committed is answered as such, and
 * is announced and counted once.
 */
import type { ArticleCatalogue, ArticleRecord, Catalogue, Ledger, PollRecord, Recorded } from '../../ports/index.ts'
import { type RetryTransient, repeated } from '../retried-steps.ts'

export interface CommittedWrites {
  polls(records: PollRecord[]): Promise<Recorded[]>
  pages(records: ArticleRecord[]): Promise<boolean[]>
}

export interface CommittedWritesParts {
  ledger: Pick<Ledger, 'recordPolls' | 'recordArticles'>
  catalogue: Pick<Catalogue, 'feedsById'>
  articleCatalogue: Pick<ArticleCatalogue, 'articlesById'>
  retryTransient: RetryTransient
}

export function createCommittedWrites(parts: CommittedWritesParts): CommittedWrites {
  const { ledger, catalogue, articleCatalogue, retryTransient } = parts

  return {
    async polls(records) {
      const { answer, isRepeated } = await repeated(retryTransient, 'record polls', () => ledger.recordPolls(records))
      if (!isRepeated || !answer.includes('void')) return answer
      const ids = records.map(({ poll }) => poll.feedId)
      const held = await retryTransient('read feeds', () => catalogue.feedsById(ids))
      const isOurs = (i: number) => held[i]?.schedule.polledAt === records[i]!.poll.at
      return answer.map((one, i) => (one === 'void' && isOurs(i) ? 'recorded' : one))
    },

    async pages(records) {
      const write = () => ledger.recordArticles(records)
      const { answer, isRepeated } = await repeated(retryTransient, 'record pages', write)
      if (!isRepeated || !answer.includes(false)) return answer
      const ids = records.map(({ id }) => id)
      const articles = await retryTransient('read articles', () => articleCatalogue.articlesById(ids))
      return answer.map((one, i) => one || articles[i]?.triedAt === records[i]!.at)
    },
  }
}

import { policies, types } from 'cassandra-driver'
import { expect, test } from 'vitest'
import { askingAnother } from './another.ts'

const { RetryPolicy } = policies.retry
const QUORUM = types.consistencies.localQuorum

test.each([
  ['says that too few of the others are there', 'onUnavailable', [2, 1]],
  ['waited in vain for the others when it read', 'onReadTimeout', [1, 2, true]],
  ['waited in vain for the others when it wrote', 'onWriteTimeout', [1, 2, 'SIMPLE']],
] as const)('another machine is asked where one %s, and one more, and then no more', (_, name, words) => {
  const policy = askingAnother(new RetryPolicy())
  const decided = (nbRetry: number) => {
    const decide = policy[name] as (...words: unknown[]) => policies.retry.DecisionInfo
    return decide({ query: '', nbRetry, executionOptions: {} }, QUORUM, ...words)
  }
  const usual = new RetryPolicy()
  for (const tried of [0, 1]) expect(decided(tried)).toEqual(usual.retryResult(QUORUM, false))
  expect(decided(2)).toEqual(usual.rethrowResult())
})

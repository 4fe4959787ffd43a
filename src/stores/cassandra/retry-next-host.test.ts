import { policies, types } from 'cassandra-driver'
import { expect, test } from 'vitest'
import { retryOnNextHost } from './retry-next-host.ts'

const { RetryPolicy } = policies.retry
const QUORUM = types.consistencies.localQuorum

test.each([
  ['reports too few replicas', 'onUnavailable', [2, 1]],
  ['times out on a read', 'onReadTimeout', [1, 2, true]],
  ['times out on a write', 'onWriteTimeout', [1, 2, 'SIMPLE']],
] as const)('tries two more hosts when one %s, and then gives up', (_, name, details) => {
  const policy = retryOnNextHost(new RetryPolicy())
  const decided = (nbRetry: number) => {
    const decide = policy[name] as (...details: unknown[]) => policies.retry.DecisionInfo
    return decide({ query: '', nbRetry, executionOptions: {} }, QUORUM, ...details)
  }
  const defaultPolicy = new RetryPolicy()
  for (const attempts of [0, 1]) expect(decided(attempts)).toEqual(defaultPolicy.retryResult(QUORUM, false))
  expect(decided(2)).toEqual(defaultPolicy.rethrowResult())
})

/**
 * Retry policy: if a host reports that too few replicas answer it, the next host is tried, because the first may be the only one that is
 * cut off from its peers. The driver's own policy gives up then, although all our statements are idempotent.
 */
import type { policies } from 'cassandra-driver'

type Retry = policies.retry.RetryPolicy

/** After the first attempt: three copies are on three hosts. */
const MAX_RETRIES = 2

/** Extends the driver's own policy, which already tries another host if one cannot be reached or is overloaded. */
export function retryOnNextHost(policy: Retry): Retry {
  const retryNextHost: Retry['onUnavailable'] = ({ nbRetry }, consistency) =>
    nbRetry < MAX_RETRIES ? policy.retryResult(consistency, false) : policy.rethrowResult()
  return Object.assign(policy, {
    onUnavailable: retryNextHost,
    onReadTimeout: retryNextHost,
    onWriteTimeout: retryNextHost,
  })
}

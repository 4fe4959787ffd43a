/**
 * What is done when the machine that was asked says that too few of the others answer it: another is asked. It may be the only one that
 * is cut off from its peers. Left to itself the driver gives up then, although every statement of ours may be sent twice.
 */
import type { policies } from 'cassandra-driver'

type Retry = policies.retry.RetryPolicy

/** Besides the first: of three copies there is one on each of three machines. */
const MOST_OTHERS = 2

/** `usual` is the driver's own, which goes on to another machine already where one cannot be reached or is overloaded. */
export function askingAnother(usual: Retry): Retry {
  const another: Retry['onUnavailable'] = ({ nbRetry }, consistency) =>
    nbRetry < MOST_OTHERS ? usual.retryResult(consistency, false) : usual.rethrowResult()
  return Object.assign(usual, { onUnavailable: another, onReadTimeout: another, onWriteTimeout: another })
}

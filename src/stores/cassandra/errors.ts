/** Errors of a cluster: which are retried at once, and how the others are reported. */
import { StoreError } from '../../ports/index.ts'

const NETWORK = ['NoHostAvailableError', 'OperationTimedOutError', 'ResponseError', 'BusyConnectionError']
/** The driver's message, which is all that distinguishes it from an internal error. */
const UNCONNECTED = 'No connection available'
const MAX_ATTEMPTS = 3

/**
 * Retries if a host has no connection. A new statement is first prepared on a host that the driver believes to be up. If the connections of
 * that host have just been lost, the driver gives up, and tries the next host only when it is called again.
 */
export async function retryUnconnected<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isUnconnected(error)) throw error
    }
  }
}

/** A StoreError if the network or the cluster is the cause; otherwise the error itself. */
export function clusterError(error: unknown, action: string, cluster: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const isRefused = error.name === 'AuthenticationError'
  if (!isRefused && !NETWORK.includes(error.name) && !isUnconnected(error)) return error
  const hint = isRefused
    ? 'Check user and password.'
    : 'Check that enough of its hosts are up and reachable. No data is lost; requests are retried.'
  const [summary] = error.message.split('\n') // the driver appends a stack trace
  const isTransient = !isRefused
  return new StoreError('no-access', `could not ${action} ${cluster}: ${summary}`, hint, { cause: error, isTransient })
}

function isUnconnected(error: unknown): boolean {
  return error instanceof Error && (error.message === UNCONNECTED || 'isSocketError' in error)
}

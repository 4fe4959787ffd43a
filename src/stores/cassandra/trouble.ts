/** What goes wrong with a cluster: what is tried again at once, and how the rest is told. */
import { StoreError } from '../../ports/index.ts'

const NETWORK = ['NoHostAvailableError', 'OperationTimedOutError', 'ResponseError', 'BusyConnectionError']
/** In the driver's own words, which are all that tells it from a mistake of ours. */
const UNCONNECTED = 'No connection available'
const TRIES = 3

/**
 * A statement that is sent for the first time is prepared first, by a machine that the driver believes to run. If its connections have just
 * been lost, the driver gives up, and begins with the next machine only when it is asked again.
 */
export async function whereConnected<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isUnconnected(error)) throw error
    }
  }
}

/** A StoreError if the world is to blame; else the error as it was. */
export function clusterTrouble(error: unknown, doing: string, where: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const isRefused = error.name === 'AuthenticationError'
  if (!isRefused && !NETWORK.includes(error.name) && !isUnconnected(error)) return error
  const hint = isRefused
    ? 'See that user and password are right.'
    : 'See that enough of its machines run and can be reached; nothing is lost by waiting.'
  const [what] = error.message.split('\n') // the driver adds where in the code it was
  const isPassing = !isRefused
  return new StoreError('no-access', `could not ${doing} ${where}: ${what}`, hint, { cause: error, isPassing })
}

function isUnconnected(error: unknown): boolean {
  return error instanceof Error && (error.message === UNCONNECTED || 'isSocketError' in error)
}

/**
 * The lifetime of one request. It is ended by the caller, the total time limit or the limit of a phase, and every stage (lookup,
 * connection, response, body) is notified in the same way and releases its resources.
 */
import type { Millis } from '../model/index.ts'
import { inSeconds, NetError } from './net-error.ts'

export interface Lifetime {
  /** Returns a function that removes the listener. Late listeners are called at once. */
  onEnd(listener: (trouble: NetError) => void): () => void
  /** Ends the lifetime unless the returned function is called within `ms`. `what`: what did not come. */
  limit(ms: Millis, what: string): () => void
  /** Settles like `promise`, or rejects when the lifetime ends. */
  race<T>(promise: Promise<T>): Promise<T>
  end(trouble: NetError): void
  /** Throws if it is too late to send anything: a due timer may not have fired yet. */
  check(): void
  /** The request is over: removes the timer and the listener on the caller's signal. */
  release(): void
}

export function beginLifetime(totalMs: Millis, signal?: AbortSignal, isLate: () => boolean = () => false): Lifetime {
  const listeners = new Set<(trouble: NetError) => void>()
  let ended: NetError | undefined

  function end(error: NetError): void {
    if (ended) return
    ended = error
    for (const listener of [...listeners]) listener(error)
  }

  function onEnd(listener: (trouble: NetError) => void): () => void {
    if (ended) listener(ended)
    else listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function limit(ms: Millis, what: string): () => void {
    return startTimer(ms, () => end(new NetError('timeout', `no ${what} within ${inSeconds(ms)}`)))
  }

  const abort = () => end(new NetError('unreachable', 'the request was aborted'))
  const stopTotal = limit(totalMs, 'complete response')
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()

  return {
    onEnd,
    limit,
    race: (promise) =>
      new Promise((resolve, reject) => {
        const removeListener = onEnd(reject)
        promise.then(resolve, reject).finally(removeListener)
      }),
    end,
    check() {
      if (isLate()) end(new NetError('unreachable', 'the deadline had passed before the request was sent'))
      if (ended) throw ended
    },
    release() {
      stopTotal()
      signal?.removeEventListener('abort', abort)
    },
  }
}

const LATE_MS = 50

/**
 * A timer that fires late was blocked by our own work, and so was the processing of received data: the delay is added to the limit, at
 * most doubling it. Returns a function that stops it.
 */
function startTimer(ms: Millis, onTimeout: () => void): () => void {
  let endsAt = performance.now() + ms
  let grace = ms
  let timer = setTimeout(check, ms)

  function check(): void {
    const late = Math.min(grace, performance.now() - endsAt)
    if (late < LATE_MS) {
      onTimeout()
      return
    }
    grace -= late
    endsAt = performance.now() + late
    timer = setTimeout(check, late)
  }

  return () => clearTimeout(timer)
}

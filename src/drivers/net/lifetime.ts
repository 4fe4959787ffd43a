/**
 * How long one request may live. A single thing ends it, be it the caller, the total limit or the limit of a phase, and
 * every stage (name, connection, answer, body) hears of it in the same way and lets go of what it holds.
 */
import type { Millis } from '../../model/index.ts'
import { inSeconds, NetTrouble } from './trouble.ts'

export interface Lifetime {
  /** Returns how to stop listening. Who comes too late is told at once. */
  onEnd(listener: (trouble: NetTrouble) => void): () => void
  /** Ends the life unless the function it returns is called within `ms`. `what` is what did not come. */
  limit(ms: Millis, what: string): () => void
  /** Settles as `promise` does, but no later than the life ends. */
  race<T>(promise: Promise<T>): Promise<T>
  end(trouble: NetTrouble): void
  /** Throws if it is too late to say anything: a timer that should have ended it may still be on its way. */
  check(): void
  /** The request is over: takes down the timer and the ear at the caller's signal. */
  release(): void
}

export function beginLifetime(totalMs: Millis, signal?: AbortSignal, isLate: () => boolean = () => false): Lifetime {
  const listeners = new Set<(trouble: NetTrouble) => void>()
  let ended: NetTrouble | undefined

  function end(trouble: NetTrouble): void {
    if (ended) return
    ended = trouble
    for (const listener of [...listeners]) listener(trouble)
  }

  function onEnd(listener: (trouble: NetTrouble) => void): () => void {
    if (ended) listener(ended)
    else listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function limit(ms: Millis, what: string): () => void {
    return startTimer(ms, () => end(new NetTrouble('timeout', `no ${what} within ${inSeconds(ms)}`)))
  }

  const giveUp = () => end(new NetTrouble('unreachable', 'the request was given up'))
  const stopTotal = limit(totalMs, 'whole answer')
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()

  return {
    onEnd,
    limit,
    race: (promise) =>
      new Promise((resolve, reject) => {
        const letGo = onEnd(reject)
        promise.then(resolve, reject).finally(letGo)
      }),
    end,
    check() {
      if (isLate()) end(new NetTrouble('unreachable', 'it was too late to ask'))
      if (ended) throw ended
    },
    release() {
      stopTotal()
      signal?.removeEventListener('abort', giveUp)
    },
  }
}

const LATE_MS = 50

/**
 * A timer that comes late was held up by our own work, and so was what the server has sent meanwhile: it gets that time back,
 * though never more than it had. Returns how to stop it.
 */
function startTimer(ms: Millis, ring: () => void): () => void {
  let endsAt = performance.now() + ms
  let grace = ms
  let timer = setTimeout(check, ms)

  function check(): void {
    const late = Math.min(grace, performance.now() - endsAt)
    if (late < LATE_MS) {
      ring()
      return
    }
    grace -= late
    endsAt = performance.now() + late
    timer = setTimeout(check, late)
  }

  return () => clearTimeout(timer)
}

/**
 * What an operator should look at: failed logins, and a proxy that does not seem to be trusted. No secret is ever told: of a login the
 * name of the account, if there is one, and the address that it came from.
 */
import type { BlockList } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { type HintedError, type Instant, MINUTE, setBounded } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { isTrustedPeer, peerOf } from './client-address.ts'

export type ServerWarning =
  /** `failures`: how many since the last warning of this client, which is given once a minute at most. */
  | { kind: 'failed-login'; by: 'password' | 'token'; client: string; name?: string; failures: number }
  | { kind: 'untrusted-proxy'; peer: string }
  /** The store did not answer a request; told once a minute at most. */
  | { kind: 'store-outage'; words: string; hint: string }

type Failure = Omit<Extract<ServerWarning, { kind: 'failed-login' }>, 'kind' | 'failures'>

const MOST_CLIENTS = 10_000

/** Tells of failures, of each client and account once a minute at most. */
export function createFailureReports(
  clock: Clock,
  onWarning: (warning: ServerWarning) => void,
): (failure: Failure) => void {
  const recent = new Map<string, { toldAt: Instant; untold: number }>()
  return (failure) => {
    const key = `${failure.by} ${failure.name ?? ''} ${failure.client}`
    const { toldAt, untold } = recent.get(key) ?? { toldAt: Number.NEGATIVE_INFINITY, untold: 0 }
    const isDue = clock.now() - toldAt >= MINUTE
    const seen = isDue ? { toldAt: clock.now(), untold: 0 } : { toldAt, untold: untold + 1 }
    setBounded(recent, key, seen, MOST_CLIENTS)
    if (isDue) onWarning({ kind: 'failed-login', ...failure, failures: untold + 1 })
  }
}

/** Every request fails while the store is away; one line a minute says so. */
export function createOutageReports(
  clock: Clock,
  onWarning: (warning: ServerWarning) => void,
): (error: HintedError) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return ({ message, hint }) => {
    if (clock.now() - toldAt < MINUTE) return
    toldAt = clock.now()
    onWarning({ kind: 'store-outage', words: message, hint })
  }
}

/** A proxy that is not trusted makes all its clients one: they are slowed together, and the log names none of them. Told once. */
export function warnAboutProxies(
  trusted: BlockList | undefined,
  onWarning: (warning: ServerWarning) => void,
): MiddlewareHandler {
  let isTold = false
  return async (c, next) => {
    if (!isTold && c.req.header('x-forwarded-for') !== undefined && !isTrustedPeer(c, trusted)) {
      isTold = true
      onWarning({ kind: 'untrusted-proxy', peer: peerOf(c) })
    }
    await next()
  }
}

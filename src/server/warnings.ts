/**
 * Warnings for the operator: failed logins, an untrusted proxy, store outages. They contain no secrets: of a login only the name of an
 * existing account, and the client's address.
 */
import type { BlockList } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { type HintedError, type Instant, MINUTE, setBounded } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { isTrustedPeer, peerOf } from './client-address.ts'

export type ServerWarning =
  /** `failures` is the number since the last warning about this client. Sent at most once a minute. */
  | { kind: 'failed-login'; by: 'password' | 'code' | 'token'; client: string; name?: string; failures: number }
  /** The OpenID Connect provider does not answer, or an answer was refused. Sent at most once a minute. */
  | { kind: 'oidc'; words: string }
  | { kind: 'untrusted-proxy'; peer: string }
  /** The store did not answer a request. Sent at most once a minute. */
  | { kind: 'store-outage'; words: string; hint: string }

type Failure = Omit<Extract<ServerWarning, { kind: 'failed-login' }>, 'kind' | 'failures'>

const MAX_CLIENTS = 10_000

/** Reports failures, at most once a minute for each client and account. */
export function createFailureReports(
  clock: Clock,
  onWarning: (warning: ServerWarning) => void,
): (failure: Failure) => void {
  const recent = new Map<string, { reportedAt: Instant; suppressed: number }>()
  return (failure) => {
    const key = `${failure.by} ${failure.name ?? ''} ${failure.client}`
    const { reportedAt, suppressed } = recent.get(key) ?? { reportedAt: Number.NEGATIVE_INFINITY, suppressed: 0 }
    const isDue = clock.now() - reportedAt >= MINUTE
    const seen = isDue ? { reportedAt: clock.now(), suppressed: 0 } : { reportedAt, suppressed: suppressed + 1 }
    setBounded(recent, key, seen, MAX_CLIENTS)
    if (isDue) onWarning({ kind: 'failed-login', ...failure, failures: suppressed + 1 })
  }
}

/** Reports store outages, at most once a minute, because every request fails during one. */
export function createOutageReports(
  clock: Clock,
  onWarning: (warning: ServerWarning) => void,
): (error: HintedError) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return ({ message, hint }) => {
    if (clock.now() - reportedAt < MINUTE) return
    reportedAt = clock.now()
    onWarning({ kind: 'store-outage', words: message, hint })
  }
}

/** Warns once about an untrusted proxy, whose clients all share one rate limit and one address in the log. */
export function warnAboutProxies(
  trusted: BlockList | undefined,
  onWarning: (warning: ServerWarning) => void,
): MiddlewareHandler {
  let hasWarned = false
  return async (c, next) => {
    if (!hasWarned && c.req.header('x-forwarded-for') !== undefined && !isTrustedPeer(c, trusted)) {
      hasWarned = true
      onWarning({ kind: 'untrusted-proxy', peer: peerOf(c) })
    }
    await next()
  }
}

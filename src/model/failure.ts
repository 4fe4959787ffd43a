/** Failures of the outside world, and their descriptions for users. */
import type { Millis } from './time.ts'

export type Failure =
  | { kind: FailureKind; detail?: string }
  /** The server answered with an error status. */
  | { kind: 'http'; status: number; retryAfterMs?: Millis; detail?: string }

export type FailureKind = keyof typeof SENTENCES

const SENTENCES = {
  unreachable: 'the server could not be reached',
  timeout: 'the server took too long to answer',
  'too-large': 'the response is too large',
  'broken-body': 'the response was truncated or could not be decoded',
  redirects: 'too many redirects',
  'forbidden-address': 'the address is not allowed',
  'forbidden-by-robots': 'robots.txt forbids it',
  'forbidden-by-page': 'the page forbids archiving',
  'not-a-feed': 'the response is not a feed',
  'not-a-page': 'the response is not a page',
  'no-feed-found': 'no feed was found there',
  'hub-refused': 'the hub refused the subscription',
  'hub-silent': 'the hub did not confirm the subscription',
  internal: 'an internal error occurred',
}

const STATUSES: Record<number, string> = {
  400: 'bad request',
  401: 'login required',
  403: 'forbidden',
  404: 'not found',
  410: 'gone',
  429: 'too many requests',
  500: 'server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

/** What the operator can do. Only for private networks, which have to be allowed; retrying does not help. */
export function failureHint({ kind, detail = '' }: { kind: string; detail?: string }): string | undefined {
  const [, address] = kind === 'forbidden-address' ? (OWN_ADDRESS.exec(detail) ?? []) : []
  if (!address) return undefined
  return `if it is your own machine, allow its network: --allow-networks ${address}/${address.includes(':') ? 128 : 32}`
}

/** `192.168.1.5 is a private address`, `nas.example resolves to fd00::5, a private address`; failures stored by version 0.1 have `leads to`. */
const OWN_ADDRESS = /(?:^|: |(?:leads|resolves) to )([\d.]+|[\da-f.]*:[\da-f:.]*)(?:%\w+)?(?: is|,) [a-z ]*address/i

/** A sentence without a full stop. */
export function describeFailure(failure: Failure): string {
  const summary =
    failure.kind === 'http'
      ? `the server answered ${failure.status}${STATUSES[failure.status] ? ` (${STATUSES[failure.status]})` : ''}`
      : SENTENCES[failure.kind]
  return failure.detail ? `${summary}: ${failure.detail}` : summary
}

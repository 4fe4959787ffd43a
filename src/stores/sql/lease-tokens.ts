/** Generates lease tokens that are unique across all processes and restarts. */
import { randomBytes } from 'node:crypto'
import type { LeaseToken } from '../../model/index.ts'

export type NewToken = () => LeaseToken

export function createLeaseTokens(): NewToken {
  const opening = randomBytes(9).toString('base64url')
  let last = 0
  return () => `${opening}.${(++last).toString(36)}` as LeaseToken
}

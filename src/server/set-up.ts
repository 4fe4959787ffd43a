/**
 * Creation of the first account on a server that other machines can reach. Until then all requests require a login. The operator gets an
 * address with a random secret, valid for one hour and one account.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashOfSecret, newSecret } from '../credentials/index.ts'
import { HOUR, type Instant, type Millis } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'

export const SET_UP_MS: Millis = HOUR

export interface SetUp {
  /** From now on all requests require a login. Returns the secret. */
  start(): string
  hasStarted(): boolean
  /** Undefined if the secret is wrong, expired or in use. Call `end` with whether the account was created. */
  redeem(secret: string): { end(isMade: boolean): void } | undefined
}

export function createSetUp(clock: Clock): SetUp {
  let pending: { hash: Uint8Array; until: Instant } | undefined
  let hasBegun = false
  return {
    start() {
      const secret = newSecret()
      pending = { hash: hashOfSecret(secret), until: clock.now() + SET_UP_MS }
      hasBegun = true
      return secret
    },
    hasStarted: () => hasBegun,
    redeem(secret) {
      const current = pending
      if (!current || clock.now() >= current.until || !timingSafeEqual(hashOfSecret(secret), current.hash))
        return undefined
      pending = undefined
      return {
        end(isMade) {
          if (!isMade) pending = current
        },
      }
    },
  }
}

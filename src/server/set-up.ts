/**
 * The first account of a server that others can reach. Until there is one nobody may do anything there, but who runs the server is
 * told an address, once, at which it is made: with a secret that nobody guesses, for an hour, and for one account.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashOfSecret, newSecret } from '../credentials/index.ts'
import { HOUR, type Instant, type Millis } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'

export const SET_UP_MS: Millis = HOUR

export interface SetUp {
  /** From now on nobody may do anything without an account. Answers the secret. */
  begin(): string
  hasBegun(): boolean
  /** Undefined if the secret is wrong, too old, or in use. Whoever has it says with `end` whether the account was made. */
  take(secret: string): { end(isMade: boolean): void } | undefined
}

export function createSetUp(clock: Clock): SetUp {
  let waiting: { hash: Uint8Array; until: Instant } | undefined
  let hasBegun = false
  return {
    begin() {
      const secret = newSecret()
      waiting = { hash: hashOfSecret(secret), until: clock.now() + SET_UP_MS }
      hasBegun = true
      return secret
    },
    hasBegun: () => hasBegun,
    take(secret) {
      const held = waiting
      if (!held || clock.now() >= held.until || !timingSafeEqual(hashOfSecret(secret), held.hash)) return undefined
      waiting = undefined
      return {
        end(isMade) {
          if (!isMade) waiting = held
        },
      }
    },
  }
}

/** Users, and the tokens with which programs and browsers act for them. */
import type { Instant } from './time.ts'

export type PersonId = number & { readonly of: 'person' }
export type PassId = number & { readonly of: 'pass' }

/** Each includes the previous ones. read: everything but secrets. write: feeds and settings. admin: users and the server itself. */
export const ALLOWANCES = ['read', 'write', 'admin'] as const

export type Allowance = (typeof ALLOWANCES)[number]

export interface Person {
  readonly id: PersonId
  /** Unique, ignoring case. */
  name: string
  allows: Allowance
  addedAt: Instant
}

/**
 * Only a hash of its secret is stored, and each kind is valid for its purpose only. token: an API token, valid until revoked.
 * session: a browser login. fever: the key of a Fever client. google-reader: the login of a Google Reader client. corpus: an API
 * token that reads all public feeds, and no user data.
 */
export interface Pass {
  readonly id: PassId
  personId: PersonId
  kind: 'token' | 'session' | 'fever' | 'google-reader' | 'corpus'
  /** Chosen by its owner: the program or browser it is for. */
  name: string
  /** Never more than the user's own. */
  allows: Allowance
  addedAt: Instant
  usedAt?: Instant
  endsAt?: Instant
}

export function includesAllowance(has: Allowance, needed: Allowance): boolean {
  return ALLOWANCES.indexOf(has) >= ALLOWANCES.indexOf(needed)
}

export function lesserOf(a: Allowance, b: Allowance): Allowance {
  return includesAllowance(a, b) ? b : a
}

/** Who may ask: people, and the passes by which a program or a browser speaks for one. */
import type { Instant } from './time.ts'

export type PersonId = number & { readonly of: 'person' }
export type PassId = number & { readonly of: 'pass' }

/** Each includes those before it. read: everything but secrets. write: feeds and what is wanted of them. admin: people, and the program itself. */
export const ALLOWANCES = ['read', 'write', 'admin'] as const

export type Allowance = (typeof ALLOWANCES)[number]

export interface Person {
  readonly id: PersonId
  /** Unique, whatever the case of its letters. */
  name: string
  allows: Allowance
  addedAt: Instant
}

/**
 * What proves it is kept as a hash only, and it counts for its own purpose alone. token: of a program that speaks our API or one whose
 * protocol takes such tokens, until it is revoked. session: of a browser, until it ends. fever: the key of a program that speaks Fever.
 * google-reader: what a program got that logged in by the Google Reader API. corpus: of a program that reads the whole crawl but private feeds,
 * and nothing of its owner's.
 */
export interface Pass {
  readonly id: PassId
  personId: PersonId
  kind: 'token' | 'session' | 'fever' | 'google-reader' | 'corpus'
  /** What its owner calls it: for which program, or which browser it is. */
  name: string
  /** Never more than the person's own. */
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

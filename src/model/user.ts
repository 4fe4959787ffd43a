/** Users, and the tokens with which programs and browsers act for them. */
import type { Instant } from './time.ts'

export type UserId = number & { readonly of: 'user' }
export type CredentialId = number & { readonly of: 'credential' }

/** Each includes the previous ones. read: everything but secrets. write: feeds and settings. admin: users and the server itself. */
export const ACCESS_SCOPES = ['read', 'write', 'admin'] as const

/** How a user signed in to a session. */
export const SIGN_IN_METHODS = ['password', 'oidc', 'passkey'] as const

export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

export type AccessScope = (typeof ACCESS_SCOPES)[number]

export interface User {
  readonly id: UserId
  /** Unique, ignoring case. */
  name: string
  scope: AccessScope
  addedAt: Instant
}

/**
 * Only a hash of its secret is stored, and each kind is valid for its purpose only. token: an API token, valid until revoked.
 * session: a browser login. identity: an account at an OpenID Connect provider, with which the user signs in. fever: the key of a Fever client. google-reader: the login of a Google Reader client. corpus: an API
 * token that reads all public feeds, and no user data.
 */
export interface Credential {
  readonly id: CredentialId
  userId: UserId
  kind: 'token' | 'session' | 'identity' | 'fever' | 'google-reader' | 'corpus'
  /** Chosen by its owner: the program or browser it is for. */
  name: string
  /** Never more than the user's own. */
  scope: AccessScope
  addedAt: Instant
  usedAt?: Instant
  endsAt?: Instant
  /** Of sessions. */
  method?: SignInMethod
  /** Of sessions: the address of the client that signed in. */
  address?: string
}

export function includesScope(has: AccessScope, needed: AccessScope): boolean {
  return ACCESS_SCOPES.indexOf(has) >= ACCESS_SCOPES.indexOf(needed)
}

export function lesserScope(a: AccessScope, b: AccessScope): AccessScope {
  return includesScope(a, b) ? b : a
}

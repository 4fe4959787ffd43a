/** User accounts, and the credentials with which programs and browsers act for them. */
import type { Credential, CredentialId, Instant, User, UserId } from '../model/index.ts'

/** What a value that can be used once is for. `used-code`: a code that must not be accepted again. */
export type OneTimePurpose = 'oidc' | 'passkey' | 'used-code'

/** Values of a purpose beyond this number replace those that end first: anybody can start to sign in. */
export const MAX_ONE_TIME_VALUES = 10_000

export interface OneTimeValue {
  purpose: OneTimePurpose
  hash: Uint8Array
  value: string
  endsAt: Instant
}

/** `last-admin`: nothing was changed, because no other admin would be left. */
export type UserChangeResult = 'done' | 'gone' | 'last-admin'

export interface Users {
  /**
   * The user for requests that need no account: the oldest account. Before any account exists, this is an unnamed user, who is not in
   * `allUsers` and becomes the first account with all their data.
   */
  firstUser(): Promise<UserId>
  /** In the order of addition. */
  allUsers(): Promise<User[]>
  /** With the password hash. Ignores the case of the name. */
  userByName(name: string): Promise<(User & { password: string }) | undefined>
  /**
   * Returns undefined if the name is taken. Adding the second account moves the titles and folders of the only user from the feeds, which
   * all users share from then on, to that user's subscriptions.
   */
  addUser(user: Omit<User, 'id'> & { password: string }): Promise<UserId | undefined>
  /** Checks in the same transaction that an admin is left. */
  changeUser(id: UserId, change: Partial<Pick<User, 'scope'> & { password: string }>): Promise<UserChangeResult>
  /** Also removes all credentials and data of the user. Large amounts are left to `sweepRemoved` and are invisible meanwhile. */
  removeUser(id: UserId): Promise<UserChangeResult>
  addCredential(credential: Omit<Credential, 'id'>, hash: Uint8Array): Promise<CredentialId>
  /** The credential with this hash and its user, unless it has expired at `now`. Records the time of use, rounded to the minute. */
  credentialByHash(hash: Uint8Array, now: Instant): Promise<{ credential: Credential; user: User } | undefined>
  /** In the order of addition, without those that have expired at `now`. */
  credentialsOf(id: UserId, now: Instant): Promise<Credential[]>
  /**
   * Removes one credential of the user, or all except one, as after a password change. Identities are only removed by their id. Returns the
   * number of removed credentials.
   */
  removeCredentials(
    userId: UserId,
    which: { id: CredentialId } | { except?: CredentialId | undefined },
  ): Promise<number>
  /** Stores a value until it is taken or ends. Returns false if there is one with this hash that has not ended at `now`. */
  addOneTimeValue(value: OneTimeValue, now: Instant): Promise<boolean>
  /** Removes and returns the value, so that of several callers one gets it; undefined if there is none, or if it has ended at `now`. */
  takeOneTimeValue(purpose: OneTimePurpose, hash: Uint8Array, now: Instant): Promise<string | undefined>
}

/** User accounts, and the credentials with which programs and browsers act for them. */
import type { Credential, CredentialId, Instant, User, UserId } from '../model/index.ts'

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
  /** Removes one credential of the user, or all except one, as after a password change. Returns the number of removed credentials. */
  removeCredentials(
    userId: UserId,
    which: { id: CredentialId } | { except?: CredentialId | undefined },
  ): Promise<number>
}

/**
 * Small JSON values of users, by kind and key: what a feature remembers for a user and only looks up as a whole, such as where a recording
 * was stopped. Data that is queried by its content has tables of its own.
 */
import { type Instant, MAX_RULES, type UserId } from '../model/index.ts'

/** Each kind with the most values that a user can have. Beyond it, those that changed longest ago are removed. */
export const USER_VALUE_KINDS = {
  /** Position in a recording, by entry id. */
  playback: 5000,
  /** What the user's ranking has learned and how the user adjusted it: a single value. */
  ranking: 1,
  /** What the user did with an entry, by entry id. */
  interaction: 5000,
  /** Folders that were created empty or renamed, by the number that feed readers know. */
  folder: 1000,
  /** Rule by its id. */
  rule: MAX_RULES,
  /** The second factor of logins that is active, and one that is being added. Stored encrypted. */
  secondFactor: 2,
  /** Passkey by the id of its credential. */
  passkey: 20,
  /** How far the rules were applied, and what they matched: a single value. */
  ruleProgress: 1,
  /** The pair of keys that signs push messages, and the key that signs links in e-mails. */
  notificationKeys: 2,
  /** A browser that receives notifications, by a random id. */
  pushDevice: 20,
  /** How far new results of a saved search were notified, by the id of the search. */
  searchNotification: 500,
  /** An entry that is to be notified, by its id. */
  notification: 500,
  /** An entry that was notified, by its id. */
  notified: 1000,
  /** A message for a device, by device and tag. */
  pushMessage: 200,
  /** How many notifications a user got in this hour: a single value. */
  notificationCount: 1,
  /** When digests are made, and of what: a single value. */
  digestSettings: 1,
  /** Which digest was made last, and whether it is still to be sent: a single value. */
  digestProgress: 1,
  /** A digest, by the day that it was made for. */
  digest: 30,
  /** The e-mail address, and whether it is confirmed: a single value. */
  mailAddress: 1,
  /** Destination by its id. Its string `secrets` is encrypted by the store. */
  destination: 100,
  /** Entry on its way to a destination, by both. */
  sendJob: 1000,
  /** Entry that was sent, or failed to be, by entry and destination. */
  sendResult: 200,
} as const

/** Kinds whose values are encrypted in the store. */
export const SECRET_USER_VALUE_KINDS: ReadonlySet<UserValueKind> = new Set<UserValueKind>([
  'notificationKeys',
  'pushDevice',
  'mailAddress',
])

export type UserValueKind = keyof typeof USER_VALUE_KINDS

/** Characters of a value as JSON. Callers stay below it. */
export const MAX_USER_VALUE_LENGTH = 262_144

export interface UserValue {
  key: string
  value: unknown
  changedAt: Instant
}

export interface UserValueChange {
  key: string
  /** Undefined removes it. */
  value: unknown
}

/** Most recently changed first. `keys`: only these. `changedBefore`: only what changed before this instant, for further pages. */
export interface UserValueQuery {
  keys?: readonly string[]
  changedBefore?: Instant
  limit: number
}

export interface UserValues {
  userValues(userId: UserId, kind: UserValueKind, query: UserValueQuery): Promise<UserValue[]>
  /** The last write of a key wins. Skips users that are gone. */
  putUserValues(userId: UserId, kind: UserValueKind, changes: readonly UserValueChange[], at: Instant): Promise<void>
  /** Of all users. */
  everyUserValue(kind: UserValueKind): AsyncIterable<UserValue & { userId: UserId }>
}

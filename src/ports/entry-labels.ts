/**
 * Labels that users give to entries, and entries that they muted. Labels stay when a feed is unfollowed, as stars do. Muted entries are
 * read, and in no list, search or count unless asked for. Methods with a `userId` only read and change the data of this user.
 */
import type { EntryId, Instant, UserId } from '../model/index.ts'

/** Labels per user. */
export const MAX_LABELS = 500

export interface LabelCount {
  name: string
  /** Number of entries with this label. */
  entries: number
}

export interface LabelChange {
  /** Names, unique ignoring case. Labels that do not exist are created. */
  add?: readonly string[]
  remove?: readonly string[]
}

export interface EntryLabels {
  /** Ordered by name, ignoring case. */
  labelsOf(userId: UserId): Promise<LabelCount[]>
  /**
   * Returns the entries that changed, in their order. Changes nothing if the user would have too many labels. Retention keeps labeled
   * entries; removing their feed deletes them.
   */
  labelEntries(userId: UserId, ids: EntryId[], change: LabelChange, at: Instant): Promise<EntryId[] | 'too-many-labels'>
  renameLabel(userId: UserId, from: string, to: string): Promise<'renamed' | 'taken' | 'unknown'>
  /** Also removes it from its entries. Returns false if it does not exist. */
  removeLabel(userId: UserId, name: string): Promise<boolean>
  /** Returns the entries that changed. Muting also marks entries as read. */
  muteEntries(userId: UserId, ids: EntryId[], muted: boolean, at: Instant): Promise<EntryId[]>
  hasMuted(userId: UserId): Promise<boolean>
}

/** Normalizes a name, so that no two labels of a user differ only in case. */
export function foldedLabel(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

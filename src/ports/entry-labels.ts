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
  /** With null, removes the label, also from its entries. Changes nothing if another label has the new name, or if there is no such label. */
  renameLabel(userId: UserId, from: string, to: string | null): Promise<'done' | 'taken' | 'unknown'>
  /** Returns the entries that changed. Muting also marks entries as read. */
  muteEntries(userId: UserId, ids: EntryId[], muted: boolean, at: Instant): Promise<EntryId[]>
  hasMuted(userId: UserId): Promise<boolean>
}

/** Normalizes a name, so that no two labels of a user differ only in case. */
export function foldedLabel(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

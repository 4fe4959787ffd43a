/** Copies and stories, for whoever only reads. */
import type {
  EntryId,
  FeedId,
  FeedScope,
  Group,
  GroupId,
  GroupLevel,
  GroupMove,
  HourOfEntries,
  Instant,
  Member,
  Statistics,
} from '../model/index.ts'

export interface GroupQuery {
  level: GroupLevel
  /** Something was said in it then or later. */
  since?: Instant
  leastSize?: number
  /** recent: where something was said last. large: those with most members; then recent. */
  order: 'recent' | 'large'
  /** The last group of the answer before. */
  after?: Pick<Group, 'id' | 'size' | 'lastAt'>
  limit: number
}

export interface GroupCatalogue {
  /** In the order of `ids`; undefined for those that are gone. */
  groupsById(ids: GroupId[]): Promise<(Group | undefined)[]>
  /** In the order of `ids`; undefined for entries that are alone. */
  groupsOfEntries(ids: EntryId[], level: GroupLevel): Promise<(Group | undefined)[]>
  /** The same, as members. */
  membersById(ids: EntryId[], level: GroupLevel): Promise<(Member | undefined)[]>
  groups(query: GroupQuery): Promise<Group[]>
  /** In the order in which they said it. */
  members(id: GroupId, limit: number): Promise<Member[]>
  /** How an entry has moved, oldest first; only so many are kept. */
  moves(id: EntryId): Promise<GroupMove[]>
  /** What these feeds always say, in their order, or all of them together; undefined where nothing is kept. It goes with its feed. */
  habits(feedIds: FeedId[]): Promise<(Uint8Array | undefined)[]>
  /**
   * Looks through what was said since then, in short transactions: what comes meanwhile may or may not be in it. `within`: as if no other
   * feeds were there.
   */
  statistics(since: Instant, within?: FeedScope): Promise<Statistics>
  /**
   * What these feeds said since then, by hour, oldest first; hours without entries are left out. In short transactions, too. `within`: a copy
   * of something out of sight is none.
   */
  entriesByHour(feedIds: readonly FeedId[], since: Instant, within?: FeedScope): Promise<HourOfEntries[]>
}

/** Read access to groups of copies and stories, and to statistics. */
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
  /** Its newest entry is not older than this. */
  since?: Instant
  minSize?: number
  /** recent: by newest entry. large: by number of members, then recent. */
  order: 'recent' | 'large'
  /** The last group of the previous result. */
  after?: Pick<Group, 'id' | 'size' | 'lastAt'>
  limit: number
}

export interface GroupCatalogue {
  /** In the order of `ids`; undefined for those that are gone. */
  groupsById(ids: GroupId[]): Promise<(Group | undefined)[]>
  /** In the order of `ids`; undefined for entries without a group. */
  groupsOfEntries(ids: EntryId[], level: GroupLevel): Promise<(Group | undefined)[]>
  /** The entries as members of their groups, in the order of `ids`; undefined for entries without a group. */
  membersById(ids: EntryId[], level: GroupLevel): Promise<(Member | undefined)[]>
  groups(query: GroupQuery): Promise<Group[]>
  /** Ordered by date. */
  members(id: GroupId, limit: number): Promise<Member[]>
  /** The moves of an entry between groups, oldest first. At most `MAX_MOVES` are stored. */
  moves(id: EntryId): Promise<GroupMove[]>
  /** The packed boilerplate of these feeds (or of `ALL_FEEDS`), in their order; undefined if none is stored. Deleted with its feed. */
  feedBoilerplate(feedIds: FeedId[]): Promise<(Uint8Array | undefined)[]>
  /**
   * Computes statistics since then, in short transactions: entries that arrive meanwhile may or may not be included. `within`: computed as
   * if no other feeds existed.
   */
  statistics(since: Instant, within?: FeedScope): Promise<Statistics>
  /**
   * Counts the entries of these feeds since then by hour, oldest first, without empty hours. Runs in short transactions. `within`: copies
   * of entries outside the scope do not count as copies.
   */
  entriesByHour(feedIds: readonly FeedId[], since: Instant, within?: FeedScope): Promise<HourOfEntries[]>
}

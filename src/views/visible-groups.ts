/**
 * Restricts copies and stories to their visible members, with size and dates of these alone. Groups with fewer than two visible members
 * are hidden.
 */
import type { EntryId, Group, GroupId, GroupLevel, Member } from '../model/index.ts'
import type { GroupCatalogue, GroupQuery } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'

/** Members of one group that are checked, the earliest ones. */
const MAX_MEMBERS = 1000
/** For callers who see few feeds: how many of their newest entries are searched for groups. For callers who see most feeds: how many groups. */
const MAX_ENTRIES = 10_000
const MAX_GROUPS = 2000
const PAGE = 1000
/** Groups that are restricted at once: a store in threads gets their queries in one message. */
const AT_ONCE = 50

type GroupMethods =
  | 'groupsById'
  | 'groupsOfEntries'
  | 'membersById'
  | 'groups'
  | 'members'
  | 'moves'
  | 'statistics'
  | 'entriesByHour'

export function visibleGroups(
  { catalogue, groupCatalogue, readerState }: VisibleParts,
  visibility: FeedVisibility,
): Pick<GroupCatalogue, GroupMethods> {
  const { scope } = visibility

  async function visibleEntryIds(ids: readonly EntryId[]): Promise<ReadonlySet<EntryId>> {
    const feeds = await catalogue.feedsOfEntries([...ids])
    const visible = await visibility.filterVisible(feeds)
    return new Set(ids.filter((_, i) => feeds[i] !== undefined && visible.has(feeds[i])))
  }

  /** In chronological order; similarity to hidden members is left out. */
  async function visibleMembers(id: GroupId): Promise<Member[]> {
    const members = await groupCatalogue.members(id, MAX_MEMBERS)
    const visible = await visibleEntryIds(members.map(({ entryId }) => entryId))
    return members.filter(({ entryId }) => visible.has(entryId)).map((member) => redactLikeness(member, visible))
  }

  async function restrictGroup(group: Group): Promise<Group | undefined> {
    const members = await visibleMembers(group.id)
    const [first] = members
    if (!first || members.length < 2) return undefined
    const dates = members.map(({ at }) => at)
    return {
      ...group,
      primaryId: members.some(({ entryId }) => entryId === group.primaryId) ? group.primaryId : first.entryId,
      size: members.length,
      distanceSum: members.reduce((sum, { distance }) => sum + distance, 0),
      firstAt: Math.min(...dates),
      lastAt: Math.max(...dates),
    }
  }

  /** Each group once. */
  async function restrictGroups(groups: readonly (Group | undefined)[]): Promise<(Group | undefined)[]> {
    const distinct = [...new Map(groups.flatMap((group) => (group ? [[group.id, group] as const] : []))).values()]
    const restricted = new Map<GroupId, Group | undefined>()
    for (let i = 0; i < distinct.length; i += AT_ONCE) {
      const some = distinct.slice(i, i + AT_ONCE)
      for (const [n, group] of (await Promise.all(some.map(restrictGroup))).entries())
        restricted.set(some[n]!.id, group)
    }
    return groups.map((group) => group && restricted.get(group.id))
  }

  const groupsOfEntries: GroupCatalogue['groupsOfEntries'] = async (ids, level) => {
    const visible = await visibleEntryIds(ids)
    const groups = await groupCatalogue.groupsOfEntries(ids, level)
    return restrictGroups(ids.map((id, i) => (visible.has(id) ? groups[i] : undefined)))
  }

  /** For callers who see few feeds: the groups of their newest visible entries. */
  async function groupsOfNewest(level: GroupLevel): Promise<Group[]> {
    const found = new Map<GroupId, Group>()
    let checked = 0
    for (let after: EntryId | undefined; checked < MAX_ENTRIES; ) {
      const { arrivals, nextAfter } = await readerState.arrivalsFor(scope.userId, {
        reach: scope.reach,
        order: 'newest',
        limit: PAGE,
        ...(after !== undefined && { after }),
      })
      const groups = await groupCatalogue.groupsOfEntries(
        arrivals.map(({ id }) => id),
        level,
      )
      for (const group of groups) if (group) found.set(group.id, group)
      checked += arrivals.length
      if (nextAfter === undefined) break
      after = nextAfter
    }
    return (await restrictGroups([...found.values()])).filter((group) => group !== undefined)
  }

  async function groupsOfFewFeeds({
    level,
    since = 0,
    minSize = 2,
    order,
    after,
    limit,
  }: GroupQuery): Promise<Group[]> {
    const before = order === 'large' ? largerFirst : laterFirst
    const matching = (await groupsOfNewest(level)).filter(({ size, lastAt }) => size >= minSize && lastAt >= since)
    return matching
      .sort(before)
      .filter((group) => !after || before(after as Group, group) < 0)
      .slice(0, limit)
  }

  /** In the order of all groups; continues after the last group of the previous page, found by its id. */
  async function groupsOfMostFeeds({ minSize = 2, limit, after, ...query }: GroupQuery): Promise<Group[]> {
    const found: Group[] = []
    let [last] = after ? await groupCatalogue.groupsById([after.id]) : []
    for (let checked = 0; checked < MAX_GROUPS && found.length < limit; ) {
      const page = await groupCatalogue.groups({ ...query, minSize, limit, ...(last && { after: last }) })
      for (const group of await restrictGroups(page)) if (group && group.size >= minSize) found.push(group)
      checked += page.length
      last = page.at(-1)
      if (!last || page.length < limit) break
    }
    return found.slice(0, limit)
  }

  return {
    groupsById: async (ids) => restrictGroups(await groupCatalogue.groupsById(ids)),
    groupsOfEntries,
    async membersById(ids, level) {
      const members = await groupCatalogue.membersById(ids, level)
      const likeIds = members.flatMap((member) => member?.likeId ?? [])
      const visible = await visibleEntryIds([...ids, ...likeIds])
      return members.map((member) =>
        member && visible.has(member.entryId) ? redactLikeness(member, visible) : undefined,
      )
    },
    groups: (query) =>
      scope.reach === 'shared' || scope.reach === 'public' ? groupsOfMostFeeds(query) : groupsOfFewFeeds(query),
    async members(id, limit) {
      const members = await visibleMembers(id)
      return members.length > 1 ? members.slice(0, limit) : []
    },
    async moves(id) {
      return (await visibleEntryIds([id])).has(id) ? groupCatalogue.moves(id) : []
    },
    statistics: (since) => groupCatalogue.statistics(since, scope),
    async entriesByHour(feedIds, since) {
      const visible = await visibility.filterVisible(feedIds)
      return groupCatalogue.entriesByHour(
        feedIds.filter((id) => visible.has(id)),
        since,
        scope,
      )
    },
  }
}

function redactLikeness(member: Member, visible: ReadonlySet<EntryId>): Member {
  const { likeId, likeness: _, reason: __, ...alone } = member
  return likeId === undefined || visible.has(likeId) ? member : alone
}

function laterFirst(a: Group, b: Group): number {
  return b.lastAt - a.lastAt || b.id - a.id
}

function largerFirst(a: Group, b: Group): number {
  return b.size - a.size || laterFirst(a, b)
}

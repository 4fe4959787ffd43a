/**
 * Copies and stories as one caller sees them: made of the members in sight alone, with their number and dates. Of one that has fewer than two of
 * them nothing is known.
 */
import type { EntryId, Group, GroupId, GroupLevel, Member } from '../model/index.ts'
import type { GroupCatalogue, GroupQuery } from '../ports/index.ts'
import type { FeedVisibility, VisibleParts } from './feed-visibility.ts'

/** Members of one group that are looked at, the earliest. */
const MOST_MEMBERS = 1000
/** Callers who see few feeds: how many of their newest entries are searched for groups. Callers who see most: how many groups. */
const MOST_ENTRIES = 10_000
const MOST_GROUPS = 2000
const PAGE = 1000

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
  { catalogue, groupCatalogue, readership }: VisibleParts,
  sight: FeedVisibility,
): Pick<GroupCatalogue, GroupMethods> {
  const { scope } = sight

  async function seenEntries(ids: readonly EntryId[]): Promise<ReadonlySet<EntryId>> {
    const feeds = await catalogue.feedsOfEntries([...ids])
    const seen = await sight.filterVisible(feeds)
    return new Set(ids.filter((_, i) => feeds[i] !== undefined && seen.has(feeds[i])))
  }

  /** In the order of time; what they are like is told only of members in sight. */
  async function membersOf(id: GroupId): Promise<Member[]> {
    const members = await groupCatalogue.members(id, MOST_MEMBERS)
    const seen = await seenEntries(members.map(({ entryId }) => entryId))
    return members.filter(({ entryId }) => seen.has(entryId)).map((member) => likeSeen(member, seen))
  }

  async function groupOf(group: Group): Promise<Group | undefined> {
    const members = await membersOf(group.id)
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
  async function asSeen(groups: readonly (Group | undefined)[]): Promise<(Group | undefined)[]> {
    const known = new Map<GroupId, Group | undefined>()
    for (const group of groups) if (group && !known.has(group.id)) known.set(group.id, await groupOf(group))
    return groups.map((group) => group && known.get(group.id))
  }

  const groupsOfEntries: GroupCatalogue['groupsOfEntries'] = async (ids, level) => {
    const seen = await seenEntries(ids)
    const groups = await groupCatalogue.groupsOfEntries(ids, level)
    return asSeen(ids.map((id, i) => (seen.has(id) ? groups[i] : undefined)))
  }

  /** Of who sees few feeds: the groups of the newest entries in sight. */
  async function groupsOfNewest(level: GroupLevel): Promise<Group[]> {
    const found = new Map<GroupId, Group>()
    let looked = 0
    for (let after: EntryId | undefined; looked < MOST_ENTRIES; ) {
      const { arrivals, goesOnAfter } = await readership.arrivalsFor(scope.personId, {
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
      looked += arrivals.length
      if (goesOnAfter === undefined) break
      after = goesOnAfter
    }
    return (await asSeen([...found.values()])).filter((group) => group !== undefined)
  }

  async function someOfFew({ level, since = 0, leastSize = 2, order, after, limit }: GroupQuery): Promise<Group[]> {
    const before = order === 'large' ? largerFirst : laterFirst
    const fitting = (await groupsOfNewest(level)).filter(({ size, lastAt }) => size >= leastSize && lastAt >= since)
    return fitting
      .sort(before)
      .filter((group) => !after || before(after as Group, group) < 0)
      .slice(0, limit)
  }

  /** In the order of all groups; where the answer before ended is known by that group's id. */
  async function someOfMost({ leastSize = 2, limit, after, ...query }: GroupQuery): Promise<Group[]> {
    const found: Group[] = []
    let [last] = after ? await groupCatalogue.groupsById([after.id]) : []
    for (let looked = 0; looked < MOST_GROUPS && found.length < limit; ) {
      const page = await groupCatalogue.groups({ ...query, leastSize, limit, ...(last && { after: last }) })
      for (const group of await asSeen(page)) if (group && group.size >= leastSize) found.push(group)
      looked += page.length
      last = page.at(-1)
      if (!last || page.length < limit) break
    }
    return found.slice(0, limit)
  }

  return {
    groupsById: async (ids) => asSeen(await groupCatalogue.groupsById(ids)),
    groupsOfEntries,
    async membersById(ids, level) {
      const members = await groupCatalogue.membersById(ids, level)
      const likes = members.flatMap((member) => member?.likeId ?? [])
      const seen = await seenEntries([...ids, ...likes])
      return members.map((member) => (member && seen.has(member.entryId) ? likeSeen(member, seen) : undefined))
    },
    groups: (query) => (scope.reach === 'shared' || scope.reach === 'public' ? someOfMost(query) : someOfFew(query)),
    async members(id, limit) {
      const members = await membersOf(id)
      return members.length > 1 ? members.slice(0, limit) : []
    },
    async moves(id) {
      return (await seenEntries([id])).has(id) ? groupCatalogue.moves(id) : []
    },
    statistics: (since) => groupCatalogue.statistics(since, scope),
    async entriesByHour(feedIds, since) {
      const seen = await sight.filterVisible(feedIds)
      return groupCatalogue.entriesByHour(
        feedIds.filter((id) => seen.has(id)),
        since,
        scope,
      )
    },
  }
}

function likeSeen(member: Member, seen: ReadonlySet<EntryId>): Member {
  const { likeId, likeness: _, reason: __, ...alone } = member
  return likeId === undefined || seen.has(likeId) ? member : alone
}

function laterFirst(a: Group, b: Group): number {
  return b.lastAt - a.lastAt || b.id - a.id
}

function largerFirst(a: Group, b: Group): number {
  return b.size - a.size || laterFirst(a, b)
}

/** Copies and stories with their entries, and the lineage of texts, for the API and the command line. */
import type {
  EntryShape,
  FollowerShape,
  GroupShape,
  GroupsOfEntryShape,
  LineageShape,
  MemberShape,
  StatisticsShape,
} from '../api/index.ts'
import { lineage, type Saying } from '../dedup/index.ts'
import { plainText } from '../feeds/index.ts'
import {
  type Entry,
  type EntryId,
  type FeedId,
  GROUP_LEVELS,
  type Group,
  type GroupId,
  type Instant,
  type Member,
} from '../model/index.ts'
import type { GroupQuery } from '../ports/index.ts'
import type { Catalogues } from './entry-texts.ts'
import { entriesWithTitles, feedTitles, type ListOptions } from './find-entries.ts'
import { groupShape, memberShape, moveShape } from './shapes/group.ts'
import { statisticsShape } from './shapes/statistics.ts'

/** Members per group; each is compared with another one word by word. */
const MAX_MEMBERS = 100
/** Characters of a text to compare, from its beginning. */
const MAX_TEXT = 3000
/** Feeds listed in statistics. */
const MAX_FEEDS = 100

export async function groupsWithPrimaries(
  query: GroupQuery,
  from: Catalogues,
  options: Pick<ListOptions, 'withExcerpts'> = {},
): Promise<GroupShape[]> {
  const groups = await from.groupCatalogue.groups(query)
  const primaries = await loadEntries(
    groups.map(({ primaryId }) => primaryId),
    from,
    options,
  )
  return groups.map((group) => groupShape(group, primaries.get(group.primaryId)?.shape))
}

/** A group with its members in chronological order; undefined if it does not exist. */
export async function groupDetails(
  id: GroupId,
  from: Catalogues,
): Promise<{ group: GroupShape; members: MemberShape[]; more: boolean } | undefined> {
  const [group] = await from.groupCatalogue.groupsById([id])
  if (!group) return undefined
  const { members, more, entries } = await membersOf(group, from)
  const shapes = members.flatMap((member) => {
    const entry = entries.get(member.entryId)
    return entry ? [memberShape(member, entry.shape)] : []
  })
  return { group: groupShape(group, entries.get(group.primaryId)?.shape), members: shapes, more }
}

/** The groups of an entry, and its membership in each; undefined if the entry does not exist. */
export async function groupsOfEntry(id: EntryId, from: Catalogues): Promise<GroupsOfEntryShape | undefined> {
  const [entry] = await from.catalogue.entriesById([id])
  if (!entry) return undefined
  const [shape] = await entriesWithTitles([entry], from)
  const groups = await Promise.all(
    GROUP_LEVELS.map(async (level) => {
      const [group] = await from.groupCatalogue.groupsOfEntries([id], level)
      const [member] = await from.groupCatalogue.membersById([id], level)
      if (!group || !member) return {}
      const primaries = await loadEntries([group.primaryId], from)
      return {
        [level]: { group: groupShape(group, primaries.get(group.primaryId)?.shape), as: memberShape(member, shape!) },
      }
    }),
  )
  return { ...Object.assign({}, ...groups), moves: (await from.groupCatalogue.moves(id)).map(moveShape) }
}

/** The first publication of an entry's text, and the entries that repeat it; undefined if the entry does not exist. */
export async function lineageOfEntry(id: EntryId, from: Catalogues): Promise<LineageShape | undefined> {
  const [entry] = await from.catalogue.entriesById([id])
  if (!entry) return undefined
  const moves = (await from.groupCatalogue.moves(id)).map(moveShape)
  const [group] = await from.groupCatalogue.groupsOfEntries([id], 'copy')
  if (!group) {
    const [first] = await entriesWithTitles([entry], from)
    return { first: first!, followers: [], more: false, moves }
  }
  const { members, more, entries } = await membersOf(group, from)
  const present = members.flatMap((member): MemberEntry[] => {
    const one = entries.get(member.entryId)
    return one ? [{ member, ...one }] : []
  })
  const byId = new Map(present.map((one) => [one.entry.id as number, one]))
  const articles = await articlesIn(present, from)
  const { first, followers } = lineage(present.map((one) => textOfMember(one, articles.get(one.entry.id))))!
  return {
    group: groupShape(group, entries.get(group.primaryId)?.shape),
    first: byId.get(first.id)!.shape,
    followers: followers.map(({ saying, afterMs, from, distance, title, summary }): FollowerShape => {
      const { member, shape } = byId.get(saying.id)!
      return { ...memberShape(member, shape), afterMs, from, distanceFrom: distance, title, text: summary }
    }),
    more,
    moves,
  }
}

export async function statisticsWithTitles(since: Instant, from: Catalogues): Promise<StatisticsShape> {
  const statistics = await from.groupCatalogue.statistics(since)
  const byFeed = statistics.byFeed.slice(0, MAX_FEEDS)
  const ids = byFeed.map(({ feedId }) => feedId)
  const titles = await feedTitles(ids, from)
  return statisticsShape({ ...statistics, byFeed }, since, (feedId) => titles.get(feedId as FeedId))
}

interface MemberEntry {
  member: Member
  entry: Entry
  shape: EntryShape
}

/** Article texts of members that were compared by their article, except noarchive articles. */
async function articlesIn(present: MemberEntry[], from: Catalogues): Promise<Map<EntryId, string>> {
  const ids = present.filter(({ member }) => member.comparedBy === 'article').map(({ entry }) => entry.id)
  const articles = await from.articleCatalogue.articlesOfEntries(ids)
  const texts = await Promise.all(
    articles.map(async (article) =>
      article && !article.noArchive ? (await from.articleCatalogue.articleTexts([article.id]))[0] : undefined,
    ),
  )
  return new Map(ids.flatMap((id, i) => (texts[i] ? [[id, texts[i].text]] : [])))
}

function textOfMember({ member, entry, shape }: MemberEntry, article: string | undefined): Saying {
  const text = article ?? plainText((entry.content ?? entry.summary ?? '').slice(0, 2 * MAX_TEXT))
  return {
    id: entry.id,
    at: member.at,
    title: entry.title,
    text: text.slice(0, MAX_TEXT),
    ...(shape.feedTitle && { source: shape.feedTitle }),
  }
}

async function membersOf(group: Group, from: Catalogues) {
  const members = await from.groupCatalogue.members(group.id, MAX_MEMBERS)
  const entries = await loadEntries([group.primaryId, ...members.map(({ entryId }) => entryId)], from)
  return { members, more: group.size > members.length, entries }
}

async function loadEntries(
  ids: EntryId[],
  from: Catalogues,
  options: Pick<ListOptions, 'withExcerpts'> = {},
): Promise<Map<EntryId, { entry: Entry; shape: EntryShape }>> {
  const entries = (await from.catalogue.entriesById([...new Set(ids)])).filter((entry) => entry !== undefined)
  const shapes = await entriesWithTitles(entries, from, options)
  return new Map(entries.map((entry, i) => [entry.id, { entry, shape: shapes[i]! }]))
}

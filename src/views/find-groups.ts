/** Copies and stories as the API and the command line give them: with the entries they are made of, and who said what first. */
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
import { type Catalogues, entriesWithTitles, feedTitles } from './find-entries.ts'
import { groupShape, memberShape, moveShape } from './shapes/group.ts'
import { statisticsShape } from './shapes/statistics.ts'

/** Of one group; each is laid beside another word by word. */
const MOST_MEMBERS = 100
/** Characters of a text; what is compared is its beginning. */
const LONGEST_TEXT = 3000
/** Feeds that statistics name. */
const MOST_FEEDS = 100

export async function groupsWithPrimaries(query: GroupQuery, from: Catalogues): Promise<GroupShape[]> {
  const groups = await from.groupCatalogue.groups(query)
  const primaries = await entriesBy(
    groups.map(({ primaryId }) => primaryId),
    from,
  )
  return groups.map((group) => groupShape(group, primaries.get(group.primaryId)?.shape))
}

/** A group with its members in the order of time; undefined if there is none. */
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

/** The groups that an entry belongs to, and as what; undefined if there is no such entry. */
export async function groupsOfEntry(id: EntryId, from: Catalogues): Promise<GroupsOfEntryShape | undefined> {
  const [entry] = await from.catalogue.entriesById([id])
  if (!entry) return undefined
  const [shape] = await entriesWithTitles([entry], from)
  const groups = await Promise.all(
    GROUP_LEVELS.map(async (level) => {
      const [group] = await from.groupCatalogue.groupsOfEntries([id], level)
      const [member] = await from.groupCatalogue.membersById([id], level)
      if (!group || !member) return {}
      const primaries = await entriesBy([group.primaryId], from)
      return {
        [level]: { group: groupShape(group, primaries.get(group.primaryId)?.shape), as: memberShape(member, shape!) },
      }
    }),
  )
  return { ...Object.assign({}, ...groups), moves: (await from.groupCatalogue.moves(id)).map(moveShape) }
}

/** Who said first what this entry says, and who repeats it; undefined if there is no such entry. */
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
  const told = members.flatMap((member): MemberWithEntry[] => {
    const one = entries.get(member.entryId)
    return one ? [{ member, ...one }] : []
  })
  const byId = new Map(told.map((one) => [one.entry.id as number, one]))
  const articles = await articlesIn(told, from)
  const { first, followers } = lineage(told.map((one) => sayingOf(one, articles.get(one.entry.id))))!
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
  const byFeed = statistics.byFeed.slice(0, MOST_FEEDS)
  const ids = byFeed.map(({ feedId }) => feedId)
  const titles = await feedTitles(ids, from)
  return statisticsShape({ ...statistics, byFeed }, since, (feedId) => titles.get(feedId as FeedId))
}

interface MemberWithEntry {
  member: Member
  entry: Entry
  shape: EntryShape
}

/** The texts of those that were compared by them; but pages that ask not to be shown from a copy are not quoted, either. */
async function articlesIn(told: MemberWithEntry[], from: Catalogues): Promise<Map<EntryId, string>> {
  const ids = told.filter(({ member }) => member.comparedBy === 'article').map(({ entry }) => entry.id)
  const articles = await from.articleCatalogue.articlesOfEntries(ids)
  const texts = await Promise.all(
    articles.map(async (article) =>
      article && !article.noArchive ? (await from.articleCatalogue.articleTexts([article.id]))[0] : undefined,
    ),
  )
  return new Map(ids.flatMap((id, i) => (texts[i] ? [[id, texts[i].text]] : [])))
}

function sayingOf({ member, entry, shape }: MemberWithEntry, article: string | undefined): Saying {
  const text = article ?? plainText((entry.content ?? entry.summary ?? '').slice(0, 2 * LONGEST_TEXT))
  return {
    id: entry.id,
    at: member.at,
    title: entry.title,
    text: text.slice(0, LONGEST_TEXT),
    ...(shape.feedTitle && { source: shape.feedTitle }),
  }
}

async function membersOf(group: Group, from: Catalogues) {
  const members = await from.groupCatalogue.members(group.id, MOST_MEMBERS)
  const entries = await entriesBy([group.primaryId, ...members.map(({ entryId }) => entryId)], from)
  return { members, more: group.size > members.length, entries }
}

async function entriesBy(ids: EntryId[], from: Catalogues): Promise<Map<EntryId, { entry: Entry; shape: EntryShape }>> {
  const entries = (await from.catalogue.entriesById([...new Set(ids)])).filter((entry) => entry !== undefined)
  const shapes = await entriesWithTitles(entries, from)
  return new Map(entries.map((entry, i) => [entry.id, { entry, shape: shapes[i]! }]))
}

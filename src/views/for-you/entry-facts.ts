/** What the ranking knows about entries: facts of the entries themselves, and how many visible feeds report their stories. */
import { contentWords } from '../../dedup/index.ts'
import { type Entry, type EntryId, type GroupId, recordingOf, sortAt } from '../../model/index.ts'
import type { EntryFacts } from '../../ranking/index.ts'
import type { Catalogues } from '../entry-texts.ts'

/** Members of a story that are counted. */
const MAX_MEMBERS = 50
const MAX_TITLE_WORDS = 12

export interface EntryWithFacts {
  id: EntryId
  facts: EntryFacts
  /** Entries with the same group report the same story, or are copies of one text. */
  storyId: GroupId | undefined
}

/** In the order of the entries. `stores`: as the user sees them, so that hidden feeds are not counted. */
export async function entriesWithFacts(
  entries: readonly Entry[],
  stores: Pick<Catalogues, 'groupCatalogue' | 'catalogue'>,
): Promise<EntryWithFacts[]> {
  const storyIds = await storiesOf(
    entries.map(({ id }) => id),
    stores,
  )
  const outlets = await outletsOf(new Set(storyIds.filter((id) => id !== undefined)), stores)
  return entries.map((entry, i) => {
    const storyId = storyIds[i]
    const facts = factsOf(entry, (storyId !== undefined && outlets.get(storyId)) || 1)
    return { id: entry.id, facts, storyId }
  })
}

function factsOf(entry: Entry, outlets: number): EntryFacts {
  const { feedId, author, tags, category, language, title, content, summary, media, seenAt } = entry
  const kind = recordingOf(media)?.kind
  return {
    feedId,
    publishedAt: sortAt(entry, seenAt),
    author,
    tags,
    titleWords: contentWords(title, MAX_TITLE_WORDS),
    category,
    language,
    outlets,
    characters: (content ?? summary ?? '').length,
    media: kind === 'audio' || kind === 'video' ? kind : undefined,
  }
}

/** The group of stories of each entry, else that of its copies. */
async function storiesOf(
  ids: EntryId[],
  { groupCatalogue }: Pick<Catalogues, 'groupCatalogue'>,
): Promise<(GroupId | undefined)[]> {
  const [stories, copies] = await Promise.all([
    groupCatalogue.groupsOfEntries(ids, 'story'),
    groupCatalogue.groupsOfEntries(ids, 'copy'),
  ])
  return ids.map((_, i) => (stories[i] ?? copies[i])?.id)
}

/** Different feeds among the members of each group. */
async function outletsOf(
  groupIds: ReadonlySet<GroupId>,
  { groupCatalogue, catalogue }: Pick<Catalogues, 'groupCatalogue' | 'catalogue'>,
): Promise<Map<GroupId, number>> {
  const ids = [...groupIds]
  const members = await Promise.all(ids.map((id) => groupCatalogue.members(id, MAX_MEMBERS)))
  const entryIds = members.flat().map(({ entryId }) => entryId)
  const feeds = await catalogue.feedsOfEntries(entryIds)
  const feedOf = new Map(entryIds.map((id, i) => [id, feeds[i]]))
  return new Map(ids.map((id, i) => [id, new Set(members[i]!.map(({ entryId }) => feedOf.get(entryId))).size]))
}

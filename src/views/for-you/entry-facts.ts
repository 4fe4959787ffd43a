/**
 * What the ranking knows about entries: facts of the entries themselves, how many visible feeds report their stories, and whether the user
 * has read another report.
 */
import { contentWords } from '../../dedup/index.ts'
import { type Entry, type EntryId, type GroupId, recordingOf, sortAt, type UserId } from '../../model/index.ts'
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

type FactStores = Pick<Catalogues, 'groupCatalogue' | 'catalogue' | 'readerState'>

/**
 * In the order of the entries. `stores`: as the user sees them, so that hidden feeds are not counted. `reader`: whose read reports of the same
 * stories count; without one, none.
 */
export async function entriesWithFacts(
  entries: readonly Entry[],
  stores: FactStores,
  reader?: UserId,
): Promise<EntryWithFacts[]> {
  const storyIds = await storiesOf(
    entries.map(({ id }) => id),
    stores,
  )
  const stories = await reportsOf(new Set(storyIds.filter((id) => id !== undefined)), stores, reader)
  return entries.map((entry, i) => {
    const storyId = storyIds[i]
    const story = storyId === undefined ? undefined : stories.get(storyId)
    const isKnownStory = story?.readIds.some((id) => id !== entry.id) ?? false
    return { id: entry.id, facts: { ...factsOf(entry, story?.outlets ?? 1), isKnownStory }, storyId }
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

/** Different feeds among the members of each group, and the members that the reader has read. */
async function reportsOf(
  groupIds: ReadonlySet<GroupId>,
  { groupCatalogue, catalogue, readerState }: FactStores,
  reader: UserId | undefined,
): Promise<Map<GroupId, { outlets: number; readIds: EntryId[] }>> {
  const ids = [...groupIds]
  const members = await Promise.all(ids.map((id) => groupCatalogue.members(id, MAX_MEMBERS)))
  const entryIds = members.flat().map(({ entryId }) => entryId)
  const [feeds, states] = await Promise.all([
    catalogue.feedsOfEntries(entryIds),
    reader === undefined ? [] : readerState.entryStates(reader, entryIds),
  ])
  const feedOf = new Map(entryIds.map((id, i) => [id, feeds[i]]))
  const read = new Set(entryIds.filter((_, i) => states[i]?.read))
  return new Map(
    ids.map((id, i) => {
      const entries = members[i]!.map(({ entryId }) => entryId)
      const outlets = new Set(entries.map((entryId) => feedOf.get(entryId))).size
      return [id, { outlets, readIds: entries.filter((entryId) => read.has(entryId)) }]
    }),
  )
}

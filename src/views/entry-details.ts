/** All that is known of one entry: what it says and said before, its article, and how many repeat it. */
import type { EntryDetailsShape } from '../api/index.ts'
import type { EntryId, PersonId } from '../model/index.ts'
import { articleOfEntry } from './article-of-entry.ts'
import { boilerplateFilters } from './boilerplate.ts'
import { type Catalogues, feedTitlesOfEntries } from './find-entries.ts'
import { entryDetailsShape } from './shapes/entry.ts'

/** Undefined if there is no such entry. */
export async function entryDetails(
  id: EntryId,
  from: Catalogues,
  reader?: PersonId,
): Promise<EntryDetailsShape | undefined> {
  const { catalogue, articleCatalogue, groupCatalogue } = from
  const [entry] = await catalogue.entriesById([id])
  if (!entry) return undefined
  const [names, versions, article, [copies], own, [marks]] = await Promise.all([
    feedTitlesOfEntries([entry], from, reader),
    catalogue.versions(id),
    articleOfEntry(articleCatalogue, id),
    groupCatalogue.groupsOfEntries([id], 'copy'),
    boilerplateFilters([entry], from),
    reader === undefined ? [] : from.readership.marksOf(reader, [id]),
  ])
  const { feedId } = entry
  const about = { feedTitle: names.get(feedId), versions, article, copies, own: own.get(feedId), marks }
  return entryDetailsShape(entry, about)
}

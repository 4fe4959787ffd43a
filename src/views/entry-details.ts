/** Everything known about one entry: its text, earlier versions, article and number of copies. */
import type { EntryDetailsShape } from '../api/index.ts'
import type { EntryId, UserId } from '../model/index.ts'
import { articleOfEntry } from './article-of-entry.ts'
import { boilerplateFilters } from './boilerplate.ts'
import type { Catalogues } from './entry-texts.ts'
import { feedTitlesOfEntries } from './find-entries.ts'
import { entryDetailsShape } from './shapes/entry.ts'

/** Undefined if there is no such entry. */
export async function entryDetails(
  id: EntryId,
  stores: Catalogues,
  reader?: UserId,
): Promise<EntryDetailsShape | undefined> {
  const { catalogue, groupCatalogue } = stores
  const [entry] = await catalogue.entriesById([id])
  if (!entry) return undefined
  const [titles, versions, article, [copies], filters, [state]] = await Promise.all([
    feedTitlesOfEntries([entry], stores, reader),
    catalogue.versions(id),
    articleOfEntry(stores, entry, { reader }),
    groupCatalogue.groupsOfEntries([id], 'copy'),
    boilerplateFilters([entry], stores),
    reader === undefined ? [] : stores.readerState.entryStates(reader, [id]),
  ])
  const { feedId } = entry
  const context = {
    feedTitle: titles.get(feedId),
    versions,
    article,
    copies,
    boilerplate: filters.get(feedId),
    state,
  }
  return entryDetailsShape(entry, context)
}

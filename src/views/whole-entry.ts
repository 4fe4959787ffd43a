/** All that is known of one entry: what it says and said before, its article, and how many repeat it. */
import type { WholeEntryShape } from '../api/index.ts'
import type { EntryId, PersonId } from '../model/index.ts'
import { articleOfEntry } from './article-of-entry.ts'
import { type Catalogues, feedNames } from './find-entries.ts'
import { ownWordsOf } from './own-words.ts'
import { wholeEntryShape } from './shapes/entry.ts'

/** Undefined if there is no such entry. */
export async function wholeEntry(
  id: EntryId,
  from: Catalogues,
  reader?: PersonId,
): Promise<WholeEntryShape | undefined> {
  const { catalogue, articleCatalogue, groupCatalogue } = from
  const [entry] = await catalogue.entriesById([id])
  if (!entry) return undefined
  const [names, versions, article, [copies], own, [marks]] = await Promise.all([
    feedNames([entry], from, reader),
    catalogue.versions(id),
    articleOfEntry(articleCatalogue, id),
    groupCatalogue.groupsOfEntries([id], 'copy'),
    ownWordsOf([entry], from),
    reader === undefined ? [] : from.readership.marksOf(reader, [id]),
  ])
  const { feedId } = entry
  const about = { feedTitle: names.get(feedId), versions, article, copies, own: own.get(feedId), marks }
  return wholeEntryShape(entry, about)
}

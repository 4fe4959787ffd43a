/** Makes what has come searchable: entries wait in a line of the store, and are put into the index, or dropped from it, in chunks. */
import type { Lines, Search, SearchDocument, Unindexed } from '../../ports/index.ts'
import { isOfStore, type Wall } from '../error-boundary.ts'
import type { Analysis } from './analysis.ts'
import { isUnavailable } from './analysis-thread.ts'
import { createChunkSize } from './chunk-size.ts'

const PUT_CHARACTERS = 500_000 // are put into the index in one transaction

export interface IndexerParts {
  lines: Lines
  search: Search
  analysis: Pick<Analysis, 'documents'>
  wall: Wall
}

/** Puts what changed into the search index, of so many entries. True if there may be more. An entry that cannot be put there is not found. */
export type IndexChunk = (size: number) => Promise<boolean>

export function createIndexer({ lines, search, analysis, wall }: IndexerParts): IndexChunk {
  const chunkSize = createChunkSize()

  /** Undefined if the analysis could not make any, because of one of them. */
  async function documentsOf(changes: Unindexed[]): Promise<SearchDocument[] | undefined> {
    try {
      const { documents, mistakes } = await analysis.documents(changes)
      for (const { doing, error } of mistakes) wall.report(doing, error)
      return documents
    } catch (error) {
      if (isUnavailable(error)) throw error
      wall.report(`reading ${changes.length} entries for the index`, error)
      return undefined
    }
  }

  return async (size) => {
    const { marks, changes } = await lines.unindexed(chunkSize.of(size))
    if (changes.length === 0) return false
    const documents = await documentsOf(changes)
    if (!documents && changes.length > 1) chunkSize.oneByOne(changes.length)
    else {
      for (const some of portions(documents ?? [])) await put(some, search, wall)
      const gone = changes.flatMap(({ id, entry }) => (entry ? [] : [id]))
      if (gone.length > 0) await search.drop(gone)
      await lines.indexed(marks)
    }
    return true
  }
}

/** Together; if the index refuses that, one by one. */
async function put(documents: SearchDocument[], search: Search, wall: Wall): Promise<void> {
  try {
    await search.put(documents)
  } catch (error) {
    if (isOfStore(error)) throw error
    for (const one of documents) await wall.guarded(`putting entry ${one.id} into the index`, () => search.put([one]))
  }
}

/** Long texts take long. */
function portions(documents: SearchDocument[]): SearchDocument[][] {
  const all: SearchDocument[][] = []
  let left = 0
  for (const document of documents) {
    if (left <= 0) {
      all.push([])
      left = PUT_CHARACTERS
    }
    all.at(-1)!.push(document)
    left -= document.text.length
  }
  return all
}

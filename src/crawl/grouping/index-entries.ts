/** Keeps the search index up to date: adds and removes the entries that wait in a queue of the store, in chunks. */
import type { PendingWork, Search, SearchDocument, UnindexedEntry } from '../../ports/index.ts'
import { type ErrorBoundary, isStoreError } from '../error-boundary.ts'
import type { Analysis } from './analysis.ts'
import { isUnavailable } from './analysis-thread.ts'
import { createChunkSize } from './chunk-size.ts'

const MAX_CHARACTERS = 500_000 // per transaction of the index

export interface SearchIndexerParts {
  pendingWork: PendingWork
  search: Search
  analysis: Pick<Analysis, 'documents'>
  errorBoundary: ErrorBoundary
}

/** Indexes the changes of at most `size` entries. Returns how many, and whether there may be more. An entry that cannot be indexed is skipped. */
export type IndexChunk = (size: number) => Promise<{ indexed: number; hasMore: boolean }>

export function createSearchIndexer({ pendingWork, search, analysis, errorBoundary }: SearchIndexerParts): IndexChunk {
  const chunkSize = createChunkSize()

  /** Undefined if the analysis failed on one of the entries. */
  async function documentsOf(changes: UnindexedEntry[]): Promise<SearchDocument[] | undefined> {
    try {
      const { documents, errors } = await analysis.documents(changes)
      for (const { doing, error } of errors) errorBoundary.report(doing, error)
      return documents
    } catch (error) {
      if (isUnavailable(error)) throw error
      errorBoundary.report(`reading ${changes.length} entries for the index`, error)
      return undefined
    }
  }

  return async (size) => {
    const { positions, changes, hasMore } = await pendingWork.unindexed(chunkSize.of(size))
    if (changes.length === 0) return { indexed: 0, hasMore: false }
    const documents = await documentsOf(changes)
    if (!documents && changes.length > 1) {
      chunkSize.oneByOne(changes.length)
      return { indexed: 0, hasMore: true }
    }
    for (const chunk of chunksOf(documents ?? [])) await put(chunk, search, errorBoundary)
    const removed = changes.flatMap(({ id, entry }) => (entry ? [] : [id]))
    if (removed.length > 0) await search.drop(removed)
    await pendingWork.markIndexed(positions)
    return { indexed: changes.length, hasMore }
  }
}

/** Adds documents together; if that fails, one by one. */
async function put(documents: SearchDocument[], search: Search, errorBoundary: ErrorBoundary): Promise<void> {
  try {
    await search.put(documents)
  } catch (error) {
    if (isStoreError(error)) throw error
    for (const document of documents)
      await errorBoundary.guard(`indexing entry ${document.id}`, () => search.put([document]))
  }
}

/** Limits the characters per transaction, since long texts take long. */
function chunksOf(documents: SearchDocument[]): SearchDocument[][] {
  const chunks: SearchDocument[][] = []
  let capacity = 0
  for (const document of documents) {
    if (capacity <= 0) {
      chunks.push([])
      capacity = MAX_CHARACTERS
    }
    chunks.at(-1)!.push(document)
    capacity -= document.text.length
  }
  return chunks
}

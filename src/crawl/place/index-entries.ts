/** Makes what has come searchable: entries wait in a line of the store, and are put into the index, or dropped from it, in chunks. */
import { plainText } from '../../markup/index.ts'
import { type Entry, sortAt, UNCATEGORIZED, UNKNOWN_LANGUAGE } from '../../model/index.ts'
import {
  createStretch,
  hostOf,
  type Lines,
  type Search,
  type SearchDocument,
  searchedPart,
  type Unindexed,
} from '../../ports/index.ts'
import { isOfStore, type Wall } from '../wall.ts'

const PUT_CHARACTERS = 500_000 // are put into the index in one transaction
const LONGEST_TEXT = 100_000 // characters of one entry that are searched
/** And of these so many: as many as an ordinary text of that length has, and no more of one that is noise, or has a word for each letter. */
const MOST_WORDS = { words: 20_000, different: 5000 }

export interface Indexing {
  lines: Lines
  search: Search
  wall: Wall
}

/** Puts what changed into the search index, of so many entries. True if there may be more. An entry that cannot be put there is not found. */
export async function indexChunk({ lines, search, wall }: Indexing, size: number): Promise<boolean> {
  const { marks, changes } = await lines.unindexed(size)
  if (changes.length === 0) return false
  const documents: SearchDocument[] = []
  const stretch = createStretch()
  for (const { id, entry, ...read } of changes) {
    await wall.guarded(`reading entry ${id} for the index`, () => entry && documents.push(documentOf(entry, read)))
    if (stretch.isOver()) await stretch.pause()
  }
  for (const some of portions(documents)) await put(some, search, wall)
  const gone = changes.flatMap(({ id, entry }) => (entry ? [] : [id]))
  if (gone.length > 0) await search.drop(gone)
  await lines.indexed(marks)
  return true
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

/** An article's text says all that its entry does, and more; where there is none, the feed's own words. Behind it, tags. */
function documentOf(
  entry: Entry,
  { text: article, authors = [] }: Pick<Unindexed, 'text' | 'authors'>,
): SearchDocument {
  const { id, feedId, title, summary, content, seenAt, tags = [], people = [], author, url, language, category } = entry
  const text = (article ?? plainText((content ?? summary ?? '').slice(0, LONGEST_TEXT))).slice(0, LONGEST_TEXT)
  const host = url === undefined ? undefined : hostOf(url)
  return {
    id,
    feedId,
    at: sortAt(entry, seenAt),
    title,
    text: [searchedPart(text, MOST_WORDS), ...tags].join('\n'),
    names: [...new Set([author ?? '', ...people.map(({ name }) => name ?? ''), ...authors])].filter(Boolean),
    language: language ?? UNKNOWN_LANGUAGE,
    category: category ?? UNCATEGORIZED,
    ...(host && { host }),
  }
}

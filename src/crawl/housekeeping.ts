/** What a crawl does for its store in quiet moments, in bites small enough that no poll waits for them. */
import { plainText } from '../feeds/index.ts'
import { DAY, type Entry, type Millis } from '../model/index.ts'
import type { Clock, Search, SearchDocument, Store } from '../ports/index.ts'
import { WINDOWS_KEPT } from './place-index.ts'
import { isOfStore, type Wall } from './wall.ts'

export interface Retention {
  /** For how long entries keep what they say; 0: for ever. */
  keepEntriesMs: Millis
  /** For how long the log of polls is kept; 0: for ever. */
  keepPollsMs: Millis
  /** For how long the texts of articles are kept, and the pages as they came; 0 or absent: for ever. */
  keepArticlesMs?: Millis
  keepPagesMs?: Millis
  /** So much room pages may take, packed; 0 or absent: any. */
  maxPageBytes?: number
  /** What entries are recognised by is kept as long as they may be compared. */
  groupWindowMs: Millis
}

const BITE = 200
const INDEX_BITE = 50 // their texts are all held at once
const PUT_CHARACTERS = 200_000 // are put into the index at once; some milliseconds of work, like the bites
const KEEP_ROBOTS_MS = 60 * DAY // longer than a site may be unreachable before we take it that it has none
const LONGEST_TEXT = 100_000 // characters of one entry that are searched

export interface Indexing {
  store: Store
  search: Search
  wall: Wall
}

/** Puts what changed into the search index. True if there may be more. An entry that cannot be put there is not found. */
export async function indexBite({ store, search, wall }: Indexing): Promise<boolean> {
  const { upTo, changes } = await store.unindexed(INDEX_BITE)
  if (changes.length === 0) return false
  const documents: SearchDocument[] = []
  for (const { id, entry, text } of changes)
    await wall.guarded(`reading entry ${id} for the index`, () => entry && documents.push(documentOf(entry, text)))
  for (const some of portions(documents)) await put(some, search, wall)
  await search.drop(changes.flatMap(({ id, entry }) => (entry ? [] : [id])))
  await store.indexed(upTo)
  return changes.length === INDEX_BITE
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

/** Forgets what is older than it need be, and pages that take too much room. True if there may be more. */
export async function retentionBite(
  { store, clock }: { store: Store; clock: Clock },
  { keepEntriesMs, keepPollsMs, keepArticlesMs = 0, keepPagesMs = 0, maxPageBytes = 0, groupWindowMs }: Retention,
): Promise<boolean> {
  const now = clock.now()
  const forgotten = [
    keepEntriesMs > 0 ? await store.forgetEntries(now - keepEntriesMs, BITE) : 0,
    keepPollsMs > 0 ? await store.forgetPolls(now - keepPollsMs, BITE) : 0,
    keepArticlesMs > 0 ? await store.forgetArticles(now - keepArticlesMs, BITE) : 0,
    keepPagesMs > 0 ? await store.forgetPages(now - keepPagesMs, BITE) : 0,
    await store.forgetSignatures(now - WINDOWS_KEPT * groupWindowMs, BITE),
    await store.forgetRobots(now - KEEP_ROBOTS_MS, BITE),
    maxPageBytes > 0 ? await store.shrinkPages(maxPageBytes, BITE) : 0,
  ]
  return forgotten.includes(BITE)
}

/** An article's text says all that its entry does, and more; where there is none, the feed's own words. */
function documentOf({ id, title, summary, content }: Entry, article: string | undefined): SearchDocument {
  return {
    id,
    title,
    text: (article ?? plainText((content ?? summary ?? '').slice(0, LONGEST_TEXT))).slice(0, LONGEST_TEXT),
  }
}

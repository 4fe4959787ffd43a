/** What a crawl does for its store in quiet moments, in bites small enough that no poll waits for them. */
import { plainText } from '../../feeds/index.ts'
import { DAY, type Entry, type Millis } from '../../model/index.ts'
import type { Clock, Search, SearchDocument, Store } from '../../ports/index.ts'
import { WINDOWS_KEPT } from '../place/place-index.ts'
import { isOfStore, type Wall } from '../wall.ts'

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

const PUT_CHARACTERS = 100_000 // are put into the index at once; some milliseconds of work, like the bites
const DROPPED = 50 // are dropped from it at once: the places of each one's words have to be found
const KEEP_ROBOTS_MS = 60 * DAY // longer than a site may be unreachable before we take it that it has none
const MOST_ROBOTS_BYTES = 100_000_000 // of all sites together; half a million of the usual kind
const LONGEST_TEXT = 100_000 // characters of one entry that are searched

export interface Indexing {
  store: Store
  search: Search
  wall: Wall
}

/** Puts what changed into the search index, of so many entries. True if there may be more. An entry that cannot be put there is not found. */
export async function indexBite({ store, search, wall }: Indexing, size: number): Promise<boolean> {
  const { upTo, changes } = await store.unindexed(size)
  if (changes.length === 0) return false
  const documents: SearchDocument[] = []
  for (const { id, entry, text } of changes)
    await wall.guarded(`reading entry ${id} for the index`, () => entry && documents.push(documentOf(entry, text)))
  for (const some of portions(documents)) await put(some, search, wall)
  const gone = changes.flatMap(({ id, entry }) => (entry ? [] : [id]))
  for (let from = 0; from < gone.length; from += DROPPED) await search.drop(gone.slice(from, from + DROPPED))
  await store.indexed(upTo)
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

/** Takes out what is left of feeds that were removed. True if there may be more. */
export async function sweepBite({ store }: { store: Store }, size: number): Promise<boolean> {
  return (await store.sweepRemoved(size)) > 0
}

/** Forgets what is older than it need be, and pages that take too much room. True if there may be more. */
export async function retentionBite(
  { store, clock }: { store: Store; clock: Clock },
  { keepEntriesMs, keepPollsMs, keepArticlesMs = 0, keepPagesMs = 0, maxPageBytes = 0, groupWindowMs }: Retention,
  size: number,
): Promise<boolean> {
  const now = clock.now()
  const forgotten = [
    keepEntriesMs > 0 ? await store.forgetEntries(now - keepEntriesMs, size) : 0,
    keepPollsMs > 0 ? await store.forgetPolls(now - keepPollsMs, size) : 0,
    keepArticlesMs > 0 ? await store.forgetArticles(now - keepArticlesMs, size) : 0,
    keepPagesMs > 0 ? await store.forgetPages(now - keepPagesMs, size) : 0,
    await store.forgetSignatures(now - WINDOWS_KEPT * groupWindowMs, size),
    await store.forgetRobots(now - KEEP_ROBOTS_MS, size),
    await store.shrinkRobots(MOST_ROBOTS_BYTES, size),
    maxPageBytes > 0 ? await store.shrinkPages(maxPageBytes, size) : 0,
  ]
  return forgotten.includes(size)
}

/** An article's text says all that its entry does, and more; where there is none, the feed's own words. */
function documentOf(entry: Entry, article: string | undefined): SearchDocument {
  const { id, feedId, title, summary, content, publishedAt, seenAt } = entry
  return {
    id,
    feedId,
    at: Math.min(publishedAt ?? seenAt, seenAt),
    title,
    text: (article ?? plainText((content ?? summary ?? '').slice(0, LONGEST_TEXT))).slice(0, LONGEST_TEXT),
  }
}

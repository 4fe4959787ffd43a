/** What a crawl does for its store in quiet moments, in bites small enough that no poll waits for them. */
import { plainText } from '../feeds/index.ts'
import { DAY, type Entry, type Millis } from '../model/index.ts'
import type { Clock, Search, SearchDocument, Store } from '../ports/index.ts'
import { WINDOWS_KEPT } from './place-index.ts'

export interface Retention {
  /** For how long entries keep what they say; 0: for ever. */
  keepEntriesMs: Millis
  /** For how long the log of polls is kept; 0: for ever. */
  keepPollsMs: Millis
  /** What entries are recognised by is kept as long as they may be compared. */
  groupWindowMs: Millis
}

const BITE = 500
const KEEP_ROBOTS_MS = 60 * DAY // longer than a site may be unreachable before we take it that it has none
const LONGEST_TEXT = 100_000 // characters of one entry that are searched

/** Puts what changed into the search index. True if there may be more. */
export async function indexBite({ store, search }: { store: Store; search: Search }): Promise<boolean> {
  const { upTo, changes } = await store.unindexed(BITE)
  if (changes.length === 0) return false
  await search.put(changes.flatMap(({ entry }) => (entry ? [documentOf(entry)] : [])))
  await search.drop(changes.flatMap(({ id, entry }) => (entry ? [] : [id])))
  await store.indexed(upTo)
  return changes.length === BITE
}

/** Forgets what is older than it need be. True if there may be more. */
export async function retentionBite(
  { store, clock }: { store: Store; clock: Clock },
  { keepEntriesMs, keepPollsMs, groupWindowMs }: Retention,
): Promise<boolean> {
  const now = clock.now()
  const entries = keepEntriesMs > 0 ? await store.forgetEntries(now - keepEntriesMs, BITE) : 0
  const polls = keepPollsMs > 0 ? await store.forgetPolls(now - keepPollsMs, BITE) : 0
  const robots = await store.forgetRobots(now - KEEP_ROBOTS_MS, BITE)
  const signatures = await store.forgetSignatures(now - WINDOWS_KEPT * groupWindowMs, BITE)
  return [entries, polls, robots, signatures].includes(BITE)
}

function documentOf({ id, title, summary, content }: Entry): SearchDocument {
  return { id, title, text: plainText((content ?? summary ?? '').slice(0, LONGEST_TEXT)) }
}

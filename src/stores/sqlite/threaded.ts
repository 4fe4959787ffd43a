/**
 * The SQLite store in threads of its own, so that no query keeps the event loop waiting:
 *
 * - store:  the only connection that writes, and what the crawl reads
 * - reader: lists that users ask for, on a snapshot of their own: they wait for no write, and no write waits for them
 * - search: searches, statistics, exports: whatever may take long
 *
 * Readers start with the first call and end when nobody has asked for a while. The lock that makes this process the owner of the file
 * (owner.ts) is held here, so that a store thread that crashes and is started again stays the owner.
 */
import { type Instant, MINUTE, type Millis, type ThreadStatus } from '../../model/index.ts'
import { type Search, type Store, StoreError } from '../../ports/index.ts'
import {
  createThreadClient,
  PRIORITY,
  type Priority,
  remoteObject,
  type ThreadClientOptions,
  type ThreadFailure,
} from '../../runtime/index.ts'
import { takeOwnership } from './open-file.ts'
import type { StoreThreadData } from './store-thread.ts'

export interface ThreadedSqliteOptions {
  file: string
  now: () => Instant
  owner?: { url?: string }
  /** After which a read of users is given up. */
  longestReadMs?: Millis
  /** For tests of crashes; else the one beside this module. */
  threadModule?: string
}

export interface ThreadedSqliteStore {
  /** For the crawl: everything in the store thread. */
  store: Store
  /** For users: what reads goes to the readers. Closed with `store`. */
  serving: Store
  search: Search
  announce(url: string): Promise<void>
  threads(): ThreadStatus[]
}

const STORE_THREAD = new URL(`./store-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href
const IDLE_MS = 10 * MINUTE // a thread takes some tenths of a second to start, which somebody who opens the page waits for
const LONGEST_READ_MS = 30_000
const STORE_MEMORY_MB = 512

/** Methods that answer an AsyncIterable. */
const STREAMED = [
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'everyArticle',
  'everyPush',
  'everyFeedsReads',
  'pollsToForget',
  'signatures',
] as const satisfies readonly (keyof Store)[]

const QUICK_READS = new Set<string>([
  'feedsById',
  'feedAt',
  'feeds',
  'feedIds',
  'sourcesById',
  'entryCounts',
  'sources',
  'sourceAt',
  'entriesById',
  'feedsOfEntries',
  'entries',
  'listEntries',
  'versions',
  'polls',
  'pushesOf',
  'restingHosts',
  'counts',
  'newestEntryId',
  'articlesById',
  'articlesOfEntries',
  'entriesOfArticles',
  'feedsOfArticles',
  'articleTexts',
  'rawPage',
  'groupsById',
  'groupsOfEntries',
  'membersById',
  'groups',
  'members',
  'moves',
  'habits',
  'readings',
  'readingsOf',
  'waitingReadings',
  'standing',
  'readersOf',
  'feedsWithin',
  'marksOf',
  'entriesFor',
  'arrivalsFor',
  'people',
  'personNamed',
  'passesOf',
  'savedSearches',
  'feedsOut',
  'webhooks',
  'dueWebhooks',
  'nextWebhookAt',
] satisfies (keyof Store)[])

/** What is asked at the start and every few seconds: to answer it, a reader that does not run is not started. */
const TINY_READS = new Set<string>([
  'counts',
  'newestEntryId',
  'people',
  'webhooks',
  'dueWebhooks',
  'nextWebhookAt',
] satisfies (keyof Store)[])

const LONG_READS = new Set<string>([
  'diskUsage',
  'statistics',
  'entriesByHour',
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'everyArticle',
  'everyPush',
  'everyFeedsReads',
] satisfies (keyof Store)[])

const RESULTS = new Set<string>([
  'recordPolls',
  'recordNews',
  'recordArticles',
  'sourceFound',
  'sourceFailed',
] satisfies (keyof Store)[])

const LEASES = new Set<string>([
  'takeDue',
  'takeThese',
  'takeDueArticles',
  'handBack',
  'handBackArticles',
  'nextDue',
  'duePushes',
] satisfies (keyof Store)[])

const BACKGROUND = new Set<string>([
  'unindexed',
  'indexed',
  'unplaced',
  'place',
  'goOver',
  'placeAgain',
  'signatures',
  'forgetEntries',
  'packEntries',
  'forgetPolls',
  'pollsToForget',
  'forgetArticles',
  'forgetPages',
  'shrinkPages',
  'forgetSignatures',
  'forgetRobots',
  'shrinkRobots',
  'sweepRemoved',
  'put',
  'drop',
  'tidy',
] satisfies (keyof Store | keyof Search)[])

/** Throws a StoreError if the file cannot be used. */
export async function openThreadedSqliteStore({
  file: named,
  now,
  owner,
  longestReadMs = LONGEST_READ_MS,
  threadModule = STORE_THREAD,
}: ThreadedSqliteOptions): Promise<ThreadedSqliteStore> {
  const { file, release } = takeOwnership(named)
  const thread = (name: string, data: StoreThreadData, more: Partial<ThreadClientOptions>) =>
    createThreadClient({
      name,
      module: threadModule,
      open: 'openStoreThread',
      data,
      failed: failureOf(file, data.mode),
      ...more,
    })
  const writing = { memoryMb: STORE_MEMORY_MB, lastCall: { target: 'store', method: 'close' } }
  const reading = { callTimeoutMs: longestReadMs, idleMs: IDLE_MS, resend: true }
  const writer = thread('store', { file, mode: 'write', now: now(), ...(owner?.url && { url: owner.url }) }, writing)
  const reader = thread('reader', { file, mode: 'read', now: now() }, reading)
  const searcher = thread('search', { file, mode: 'read', now: now() }, reading)
  const { store: methods = [], search: searchMethods = [] } = await writer.start().catch((error) => {
    release()
    throw error
  })
  const forCrawl = (method: string) => ({ thread: writer, priority: priorityOf(method) })
  const forUsers = (method: string) => {
    if (TINY_READS.has(method) && !reader.status().isRunning) return forCrawl(method)
    if (QUICK_READS.has(method)) return { thread: reader, priority: PRIORITY.normal }
    return LONG_READS.has(method) ? { thread: searcher, priority: PRIORITY.normal } : forCrawl(method)
  }
  const forSearch = (method: string) =>
    method === 'find' ? { thread: searcher, priority: PRIORITY.normal } : forCrawl(method)
  async function close(): Promise<void> {
    try {
      await Promise.all([reader.close(), searcher.close()])
      await writer.close()
    } finally {
      release()
    }
  }
  return {
    store: { ...remoteObject<Store>({ target: 'store', methods, streams: STREAMED, route: forCrawl }), close },
    serving: { ...remoteObject<Store>({ target: 'store', methods, streams: STREAMED, route: forUsers }), close },
    search: remoteObject<Search>({ target: 'search', methods: searchMethods, streams: [], route: forSearch }),
    announce: async (url) => void (await writer.call('owner', 'announce', [url])),
    threads: () => [writer, reader, searcher].map((client) => client.status()),
  }
}

function priorityOf(method: string): Priority {
  if (RESULTS.has(method)) return PRIORITY.results
  if (LEASES.has(method)) return PRIORITY.leases
  return BACKGROUND.has(method) ? PRIORITY.background : PRIORITY.normal
}

/** A store thread that crashes again and again ends the process; one that reads harms nobody else, and is started again. */
function failureOf(file: string, mode: StoreThreadData['mode']) {
  return ({ kind, detail }: ThreadFailure): StoreError =>
    new StoreError('no-access', `could not use ${file}: ${detail}`, 'Try again later.', {
      isPassing: kind !== 'closed' && (kind !== 'broken' || mode === 'read'),
    })
}

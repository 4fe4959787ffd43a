/**
 * Runs the SQLite store in threads, so that no query blocks the event loop:
 *
 * - store:  the only connection that writes, and what the crawl reads
 * - reader: lists for users, each on a snapshot: they wait for no write, and no write waits for them
 * - search: searches, statistics and exports, which may take long
 *
 * Reading threads start with the first call and end when they have been idle for a while. This module holds the ownership lock of the file
 * (owner.ts), so the process stays the owner when the store thread crashes and is restarted.
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
  /** Timeout of reads for users. */
  maxReadMs?: Millis
  /** For tests of crashes. Defaults to the module beside this one. */
  threadModule?: string
}

export interface ThreadedSqliteStore {
  /** For the crawl: everything in the store thread. */
  store: Store
  /** For users: reads go to the reading threads. Closed with `store`. */
  serving: Store
  search: Search
  announce(url: string): Promise<void>
  threads(): ThreadStatus[]
}

const STORE_THREAD = new URL(`./store-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href
const IDLE_MS = 10 * MINUTE // a thread takes some tenths of a second to start, which delays the page that needs it
const MAX_READ_MS = 30_000
const STORE_MEMORY_MB = 512

/** Methods that return an AsyncIterable. */
const STREAM_METHODS = [
  'everyFeed',
  'everyEntry',
  'everyPoll',
  'everyArticle',
  'everyHubSubscription',
  'everyFeedReads',
  'everyUserValue',
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
  'newestEntryDates',
  'sources',
  'sourceAt',
  'entriesById',
  'feedsOfEntries',
  'entries',
  'listEntries',
  'versions',
  'polls',
  'hubSubscriptionsOf',
  'restingHosts',
  'counts',
  'newestEntryId',
  'articlesById',
  'articlesOfEntries',
  'entriesOfArticles',
  'articleTexts',
  'rawPage',
  'groupsById',
  'groupsOfEntries',
  'membersById',
  'groups',
  'members',
  'moves',
  'feedBoilerplate',
  'subscriptionsOf',
  'followedFeeds',
  'subscriptionsTo',
  'pendingSubscriptions',
  'readerCounts',
  'followerCounts',
  'feedsWithin',
  'entryStates',
  'entriesFor',
  'arrivalsFor',
  'labelsOf',
  'hasMuted',
  'allUsers',
  'userByName',
  'credentialsOf',
  'sharedItems',
  'userValues',
  'dueWebhooks',
  'nextWebhookAt',
] satisfies (keyof Store)[])

/** Reads at startup and every few seconds: they do not start the reader thread. */
const TINY_READS = new Set<string>([
  'counts',
  'newestEntryId',
  'allUsers',
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
  'everyHubSubscription',
  'everyFeedReads',
] satisfies (keyof Store)[])

const RESULTS = new Set<string>([
  'recordPolls',
  'recordEntries',
  'recordArticles',
  'recordSourceFound',
  'recordSourceFailed',
] satisfies (keyof Store)[])

const LEASES = new Set<string>([
  'leaseDue',
  'leaseThese',
  'leaseDueArticles',
  'releaseLeases',
  'nextDue',
  'dueHubSubscriptions',
] satisfies (keyof Store)[])

const BACKGROUND = new Set<string>([
  'unindexed',
  'markIndexed',
  'ungrouped',
  'recordGroups',
  'settleGroups',
  'regroupSince',
  'signatures',
  'forget',
  'trim',
  'compressEntries',
  'pollsToForget',
  'sweepRemoved',
  'put',
  'drop',
  'tidy',
] satisfies (keyof Store | keyof Search)[])

/** Throws a StoreError if the file cannot be used. */
export async function openThreadedSqliteStore({
  file: path,
  now,
  owner,
  maxReadMs = MAX_READ_MS,
  threadModule = STORE_THREAD,
}: ThreadedSqliteOptions): Promise<ThreadedSqliteStore> {
  const { file, release } = takeOwnership(path)
  const thread = (name: string, data: StoreThreadData, more: Partial<ThreadClientOptions>) =>
    createThreadClient({
      name,
      module: threadModule,
      open: 'openStoreThread',
      data,
      failed: createFailure(file, data.mode),
      ...more,
    })
  const writing = { memoryMb: STORE_MEMORY_MB, lastCall: { target: 'store', method: 'close' } }
  const reading = { callTimeoutMs: maxReadMs, idleMs: IDLE_MS, resend: true }
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
    store: { ...remoteObject<Store>({ target: 'store', methods, streams: STREAM_METHODS, route: forCrawl }), close },
    serving: { ...remoteObject<Store>({ target: 'store', methods, streams: STREAM_METHODS, route: forUsers }), close },
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

/** A writing thread that keeps crashing ends the process. A reading thread is restarted. */
function createFailure(file: string, mode: StoreThreadData['mode']) {
  return ({ kind, detail }: ThreadFailure): StoreError =>
    new StoreError('no-access', `could not use ${file}: ${detail}`, 'Try again later.', {
      isTransient: kind !== 'closed' && (kind !== 'broken' || mode === 'read'),
    })
}

/**
 * The composition root of one process: creates a crawl with its store, queue, fetcher and clock.
 *
 *                    controller   fetcher   store   queue        clock
 *   crawl            yes          yes       write   in-process   system
 *   read-only store  -            -         read    -            system
 *
 * store-at.ts opens the store, and fleet/ the processes of a fleet.
 */
import { randomBytes } from 'node:crypto'
import { systemClock } from '../clocks/system-clock.ts'
import {
  type AnalysisThread,
  createAnalysisThread,
  createCrawler,
  createDocumentReader,
  createFetcher,
  READER_MODULE,
  type RunningCrawler,
} from '../crawl/index.ts'
import { type Millis, SECOND, type ThreadStatus } from '../model/index.ts'
import { createHttpNet } from '../net/http-net.ts'
import {
  type Clock,
  type ContentStore,
  type Net,
  type Roles,
  rolesOf,
  type Search,
  type Store,
  StoreError,
} from '../ports/index.ts'
import { createInProcessQueue } from '../queues/in-process.ts'
import { createThread } from '../runtime/function-thread.ts'
import { type Archive, openArchive } from './archive.ts'
import type { Config } from './config.ts'
import { limitsOf } from './goals.ts'
import { loadLanguageOf } from './load-language-of.ts'
import { memberName } from './member-name.ts'
import { isServer, openStoreAt } from './store-at.ts'
import { userAgent } from './version.ts'

export interface OpenStore
  extends Pick<
    Roles,
    | 'catalogue'
    | 'articleCatalogue'
    | 'groupCatalogue'
    | 'pollMarket'
    | 'users'
    | 'readerState'
    | 'sharing'
    | 'userValues'
    | 'pollResults'
    | 'leadership'
  > {
  search: Search
  /** The content store, if there is one. Closed together with the store. */
  contentStore?: ContentStore
  clock: Clock
  /** Reports entries of other processes. Absent if no other process can write. */
  onNewEntries?: (listener: () => void) => () => void
  /** Threads of the store, if it has any. */
  threads?: () => ThreadStatus[]
  close(): Promise<void>
}

/** A store that is opened for reading. */
export interface ReadOnlyStore extends OpenStore {
  /** The URL of the crawl that owns the store, or last owned it. */
  ownerUrl(): string | undefined
}

export interface Crawl extends OpenStore {
  store: Store
  crawler: RunningCrawler
  /** Stores the URL of this process, for others that find the store in use. */
  announce(url: string): void | Promise<void>
  /** Lets tasks in flight finish, releases the leases of the rest, and closes everything. */
  close(graceMs?: Millis): Promise<void>
}

/** Replacements for tests and the demo. */
export interface Overrides {
  clock?: Clock
  net?: Net
  random?: () => number
}

export interface OpenCrawlOptions {
  /** False for short commands, which use no threads for the store and the analysis. */
  isLongRunning?: boolean
}

const GRACE_MS = 10 * SECOND
/** Batches what arrives within this time: a crawl at 100 polls/s wakes up 10 times a second. */
const BATCH_MS = 100

export async function openCrawl(
  config: Config,
  overrides: Overrides = {},
  { isLongRunning = true }: OpenCrawlOptions = {},
): Promise<Crawl> {
  const clock = overrides.clock ?? systemClock()
  const archive = config.archive ? await openArchive(config, clock) : undefined
  const {
    store,
    serving = store,
    search,
    contentStore,
    announce,
    onNewEntries,
    threads,
  } = await openStoreAt(config, {
    mode: 'write',
    now: clock.now,
    isLongRunning,
    encryptExisting: true,
  })
  const net = overrides.net ?? httpNet(config, archive)
  const queue = createInProcessQueue({ concurrency: config.concurrency, gatherMs: BATCH_MS })
  const thread = createThread({ module: READER_MODULE })
  const analysis = isLongRunning ? analysisThread(config) : undefined
  const documents = createDocumentReader({ thread })
  queue.serve(createFetcher({ net, clock, obeyRobots: config.robots, ...documents }))
  const crawler = createCrawler({
    store,
    search,
    ...(analysis && { analysis: analysis.analysis }),
    queue,
    clock,
    ...crawlSettings(config, overrides),
    ...(isServer(config.store) && { ownerName: memberName(config) }), // other processes may share it
    read: documents.read,
  })
  return {
    ...rolesOf(serving),
    store,
    search,
    clock,
    crawler,
    ...(contentStore && { contentStore }),
    ...(analysis && { threads: () => [...(threads?.() ?? []), analysis.status()] }),
    announce,
    ...(onNewEntries && { onNewEntries }),
    async close(graceMs = GRACE_MS) {
      try {
        await crawler.stop(graceMs)
        await archive?.close()
      } finally {
        // Also after an error: open resources would keep the process alive.
        await Promise.all([net.close(), thread.close(), analysis?.close()])
        await store.close()
      }
    },
  }
}

/** A store in memory needs no thread. */
function analysisThread(config: Config): AnalysisThread | undefined {
  return config.store === ':memory:' ? undefined : createAnalysisThread({ groupMemoryBytes: config.groupMemory })
}

/** The settings of a crawl, in one process or in a fleet. */
export function crawlSettings(config: Config, overrides: Pick<Overrides, 'random'> = {}) {
  return {
    ...budgetSettings(config, overrides),
    ...newFeedSettings(config),
    ...groupingSettings(config),
    ...retentionSettings(config),
    knownBy: config.dedupeBy,
    concurrency: config.concurrency,
    gapMs: config.hostGap,
    leaseMs: config.lease,
    gatherMs: BATCH_MS,
    isExempt: createExemption(config.hostGapExcept),
    obeyRobots: config.robots,
    ...(config.publicUrl && { push: { publicUrl: config.publicUrl, newSecret } }),
    loadLanguageOf,
  }
}

export function budgetSettings(config: Config, overrides: Pick<Overrides, 'random'> = {}) {
  return { random: overrides.random ?? Math.random, limits: limitsOf(config), pollsPerDay: config.budget }
}

/** Settings for new feeds. */
export function newFeedSettings(config: Config) {
  return {
    strategy: config.strategy,
    articles: { preference: config.articles, backlog: config.articleBacklog },
  }
}

export function groupingSettings(config: Config) {
  return {
    copies: config.copies,
    stories: config.stories,
    ...(config.copyThreshold > 0 && { copyThreshold: config.copyThreshold }),
    ...(config.storyThreshold > 0 && { storyThreshold: config.storyThreshold }),
    groupWindowMs: config.groupWindow,
    groupMemoryBytes: config.groupMemory,
  }
}

export function retentionSettings(config: Config) {
  return {
    keepEntriesMs: config.keepEntries,
    keepPollsMs: config.keepPolls,
    keepArticlesMs: config.keepArticles,
    keepPagesMs: config.keepPages,
    maxPageBytes: config.maxPagesSize,
  }
}

/** Matches the given names and their subdomains: `localhost` also matches `gazette.localhost`. */
export function createExemption(names: readonly string[]): (root: string) => boolean {
  const normalizedNames = names.map((name) => (name.includes(':') ? `[${name}]` : name.toLowerCase()))
  return (root) => normalizedNames.some((name) => root === name || root.endsWith(`.${name}`))
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** For commands that change the store without crawling. Throws `in-use` while another process writes. */
export async function openStore(config: Config): Promise<OpenStore> {
  const clock = systemClock()
  const { store, search, contentStore } = await openStoreAt(config, { mode: 'write', now: clock.now })
  return { ...rolesOf(store), search, clock, ...(contentStore && { contentStore }), close: () => store.close() }
}

/** For commands that change existing data: throws if the store does not exist. A store of an older version is upgraded. */
export async function openExistingStore(config: Config): Promise<OpenStore> {
  try {
    await (await openForReading(config)).close()
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') throw error
  }
  return openStore(config)
}

/** For commands that only read. Works while a crawl is running, and never writes. */
export async function openForReading(config: Config): Promise<ReadOnlyStore> {
  const clock = systemClock()
  const { store, search, contentStore, ownerUrl } = await openStoreAt(config, { mode: 'read', now: clock.now })
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(contentStore && { contentStore }),
    ownerUrl,
    close: () => store.close(),
  }
}

export function httpNet(config: Config, archive?: Archive): Net {
  return createHttpNet({
    userAgent: userAgent(config.contact),
    allowNetworks: [...config.allowNetworks],
    maxBytes: config.maxBody,
    timeouts: { totalMs: config.timeout },
    proxy: { http: config.httpProxy, https: config.httpsProxy, bypass: config.proxyExcept },
    ...(config.dnsServers.length > 0 && { dnsServers: [...config.dnsServers] }),
    ...(archive && { onExchange: archive.write }),
  })
}

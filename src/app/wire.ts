/**
 * What is plugged in where. The only file that knows the modes:
 *
 *            controller   terminal   store            queue        clock
 *   crawl    yes          yes        write            in-process   system
 *   reading  -            -          read             -            system
 *
 * Which store, its address says (store-at.ts).
 */
import { randomBytes } from 'node:crypto'
import { systemClock } from '../clocks/system-clock.ts'
import {
  type AnalysisThread,
  createAnalysisThread,
  createCrawler,
  createDocumentReader,
  createTerminal,
  READING_MODULE,
  type RunningCrawler,
} from '../crawl/index.ts'
import { type Millis, SECOND, type ThreadStatus } from '../model/index.ts'
import { createHttpNet } from '../net/http-net.ts'
import {
  type Clock,
  type Library,
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
    | 'marketBook'
    | 'people'
    | 'readership'
    | 'handouts'
    | 'ledger'
    | 'leadership'
  > {
  search: Search
  /** Beside the store, where there is one; closed together with it. */
  library?: Library
  clock: Clock
  /** Of the store, where other processes may write entries into it. */
  onNews?: (heard: () => void) => () => void
  /** Of the store, where it has any. */
  threads?: () => ThreadStatus[]
  close(): Promise<void>
}

/** By somebody who only looks. */
export interface Looking extends OpenStore {
  /** Where the API of the crawl that owns the store listens, or did when it ran. */
  ownerUrl(): string | undefined
}

export interface Crawl extends OpenStore {
  store: Store
  crawler: RunningCrawler
  /** Tells others who find the store in use where its owner listens. */
  announce(url: string): void | Promise<void>
  /** Lets work under way finish, hands back the rest, closes everything. */
  close(graceMs?: Millis): Promise<void>
}

/** Parts of the world that a demonstration or a test puts in the place of the real ones. */
export interface Overrides {
  clock?: Clock
  net?: Net
  random?: () => number
}

export interface CrawlOpening {
  /** False for a short command, which does all in process; else the store and the analysis run in threads. */
  lasting?: boolean
}

const GRACE_MS = 10 * SECOND
/** Batches what arrives within this time: a crawl at 100 polls/s wakes up 10 times a second. */
const GATHER_MS = 100

export async function openCrawl(
  config: Config,
  world: Overrides = {},
  { lasting = true }: CrawlOpening = {},
): Promise<Crawl> {
  const clock = world.clock ?? systemClock()
  const archive = config.archive ? await openArchive(config, clock) : undefined
  const {
    store,
    serving = store,
    search,
    library,
    announce,
    onNews,
    threads,
  } = await openStoreAt(config, {
    mode: 'write',
    now: clock.now,
    lasting,
    encryptExisting: true,
  })
  const net = world.net ?? httpNet(config, archive)
  const queue = createInProcessQueue({ concurrency: config.concurrency, gatherMs: GATHER_MS })
  const thread = createThread({ module: READING_MODULE })
  const analysis = lasting ? analysisThread(config) : undefined
  const documents = createDocumentReader({ thread })
  queue.serve(createTerminal({ net, clock, obeyRobots: config.robots, ...documents }))
  const crawler = createCrawler({
    store,
    search,
    ...(analysis && { analysis: analysis.analysis }),
    queue,
    clock,
    ...crawlSettings(config, world),
    ...(isServer(config.store) && { ownerName: memberName(config) }), // others may share it
    read: documents.read,
  })
  return {
    ...rolesOf(serving),
    store,
    search,
    clock,
    crawler,
    ...(library && { library }),
    ...(analysis && { threads: () => [...(threads?.() ?? []), analysis.status()] }),
    announce,
    ...(onNews && { onNews }),
    async close(graceMs = GRACE_MS) {
      try {
        await crawler.stop(graceMs)
        await archive?.close()
      } finally {
        // Whatever went wrong before: what is left open would keep the process alive.
        await Promise.all([net.close(), thread.close(), analysis?.close()])
        await store.close()
      }
    },
  }
}

/** A store in memory, as in tests and demonstrations of a moment, needs none. */
function analysisThread(config: Config): AnalysisThread | undefined {
  return config.store === ':memory:' ? undefined : createAnalysisThread({ groupMemoryBytes: config.groupMemory })
}

/** What a crawl is told by its settings, whatever it is plugged into. */
export function crawlSettings(config: Config, world: Pick<Overrides, 'random'> = {}) {
  return {
    ...budgetSettings(config, world),
    ...addingSettings(config),
    ...groupingSettings(config),
    ...retentionSettings(config),
    knownBy: config.dedupeBy,
    concurrency: config.concurrency,
    gapMs: config.hostGap,
    leaseMs: config.lease,
    gatherMs: GATHER_MS,
    isExempt: exempt(config.hostGapExcept),
    obeyRobots: config.robots,
    ...(config.publicUrl && { push: { publicUrl: config.publicUrl, newSecret } }),
    loadLanguageOf,
  }
}

export function budgetSettings(config: Config, world: Pick<Overrides, 'random'> = {}) {
  return { random: world.random ?? Math.random, limits: limitsOf(config), pollsPerDay: config.budget }
}

/** How feeds are treated that are added. */
export function addingSettings(config: Config) {
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

/** Roots that are named, or stand below a name that is: `localhost` is for `gazette.localhost`, too. */
export function exempt(names: readonly string[]): (root: string) => boolean {
  const own = names.map((name) => (name.includes(':') ? `[${name}]` : name.toLowerCase()))
  return (root) => own.some((name) => root === name || root.endsWith(`.${name}`))
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** For commands that change something in the store without crawling. Throws `in-use` while somebody else writes. */
export async function openStore(config: Config): Promise<OpenStore> {
  const clock = systemClock()
  const { store, search, library } = await openStoreAt(config, { mode: 'write', now: clock.now })
  return { ...rolesOf(store), search, clock, ...(library && { library }), close: () => store.close() }
}

/** For commands that change what is there: a store that is not there is not made, but missed. One of an older version is brought up to date. */
export async function openStoreThere(config: Config): Promise<OpenStore> {
  try {
    await (await openForReading(config)).close()
  } catch (error) {
    if (error instanceof StoreError && error.trouble === 'missing') throw error
  }
  return openStore(config)
}

/** For commands that only look: works beside a running crawl, and never writes. */
export async function openForReading(config: Config): Promise<Looking> {
  const clock = systemClock()
  const { store, search, library, ownerUrl } = await openStoreAt(config, { mode: 'read', now: clock.now })
  return { ...rolesOf(store), search, clock, ...(library && { library }), ownerUrl, close: () => store.close() }
}

export function httpNet(config: Config, archive?: Archive): Net {
  return createHttpNet({
    userAgent: userAgent(config.contact),
    allowNetworks: [...config.allowNetworks],
    maxBytes: config.maxBody,
    timeouts: { totalMs: config.timeout },
    proxy: { http: config.httpProxy, https: config.httpsProxy, except: config.proxyExcept },
    ...(config.dnsServers.length > 0 && { dnsServers: [...config.dnsServers] }),
    ...(archive && { onExchange: archive.write }),
  })
}

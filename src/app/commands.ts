/**
 * Changes that the command line makes, through the API client. They go to the remote server of --server, to the running crawl that owns
 * the local store, to a fleet, or to a crawl that is opened for the command. Callers do not need to know which.
 */
import type { FetchSettingsInput, PollShape, SourceShape, SubscriptionShape } from '../api/index.ts'
import { type Client, ifThere } from '../client/index.ts'
import type { Address, FeedEditInput, RunningCrawler } from '../crawl/index.ts'
import type { ReaderData } from '../feeds/index.ts'
import {
  type FeedId,
  failureHint,
  mayShareCredentials,
  type PollingGoals,
  SECOND,
  type SourceId,
} from '../model/index.ts'
import { type Overrides, openCrawl } from './composition.ts'
import type { Config } from './config.ts'
import { openFleetServer } from './fleet/index.ts'
import { mapErrors } from './map-errors.ts'
import { type OpenedClient, openInProcess, openOwner, openRemote } from './open-client.ts'
import { sendReaderData } from './send-reader-data.ts'

export type AddResult =
  | { kind: 'feed'; url: string; feedId: number; feedUrl: string; title: string; added: boolean; others: string[] }
  /** Its feed was not found. With `dueAt`, the address is kept and discovery runs again then. */
  | { kind: 'not-found'; url: string; sourceId: number; words: string; hint?: string; dueAt?: string }
  /** A running crawl is still looking for its feed. */
  | { kind: 'looking'; url: string; sourceId: number }
  | { kind: 'refused'; url: string; reason: string }

export type PollNowResult =
  | { kind: 'polled'; poll: PollShape }
  | { kind: 'later'; dueAt: string; why?: string | undefined }

export type FetchArticleResult =
  /** It was read, or the page has a recent text. */
  | { kind: 'done' }
  /** A running crawl fetches it later than this command waits. */
  | { kind: 'later'; dueAt?: string | undefined; why?: string | undefined }

export interface AddRequest {
  /** Add all feeds of a site, not only the best one. */
  all: boolean
  /** Keep addresses without a feed, and look for it again later. */
  keep: boolean
  progress: (done: number, of: number) => void
}

export type Commands = Awaited<ReturnType<typeof openCommands>>

/** Polls feeds and discovers the feeds of sources now, in this process. Calls `onSettled` for each finished source. */
type PerformNow = (
  targets: { sources: number[]; feeds: number[] },
  signal: AbortSignal,
  onSettled?: (sourceId: number) => void,
) => Promise<void>

/** Fetches the requested article of an entry now, in this process. */
type FetchNow = (entryId: number, signal: AbortSignal) => Promise<void>

export async function openCommands(config: Config, overrides: Overrides = {}) {
  const { opened, performNow, fetchNow } = await openForChanges(config, overrides)
  return mapErrors(createCommands(opened, performNow, fetchNow), opened.explain)
}

async function openForChanges(
  config: Config,
  overrides: Overrides,
): Promise<{ opened: OpenedClient; performNow?: PerformNow; fetchNow?: FetchNow }> {
  const remote = await openRemote(config)
  if (remote) return { opened: remote }
  if (config.queue) return { opened: await openInProcess(config, await openFleetServer(config, () => {}, overrides)) }
  try {
    const crawl = await openCrawl(config, overrides, { isLongRunning: false })
    const { crawler } = crawl
    return {
      opened: await openInProcess(config, crawl),
      performNow: createPerformNow(crawler),
      fetchNow: createFetchNow(crawler),
    }
  } catch (error) {
    return { opened: await openOwner(config, error) }
  }
}

/** The crawl isolates internal errors, so that other feeds go on. Here they are thrown, because the command is all that runs. */
function createPerformNow(crawler: RunningCrawler): PerformNow {
  return async ({ sources, feeds }, signal, onSettled = () => {}) => {
    const internalErrors: unknown[] = []
    const stop = crawler.onEvent((event) => {
      if (event.kind === 'internal-error') internalErrors.push(event.error)
      if (event.kind === 'found' || event.kind === 'not-found') onSettled(event.sourceId)
    })
    await crawler.pollSelected({ sources: sources as SourceId[], feeds: feeds as FeedId[] }, signal)
    stop()
    if (internalErrors.length > 0) throw internalErrors[0]
  }
}

function createFetchNow(crawler: RunningCrawler): FetchNow {
  return async (entryId, signal) => {
    let isSettled = false
    const stop = crawler.onEvent((event) => {
      if (event.kind === 'article' && event.links.some((link) => link.entryId === entryId)) isSettled = true
    })
    await crawler.fetchRequested(() => isSettled, signal)
    stop()
  }
}

/** Without `performNow` and `fetchNow`, a running crawl does the work. */
function createCommands({ client, close }: OpenedClient, performNow?: PerformNow, fetchNow?: FetchNow) {
  const exists = async (answer: Promise<unknown>) => (await ifThere(answer.then(() => true))) ?? false

  /** Returns results in the order of `addresses`. */
  async function subscribe(addresses: Address[]): Promise<SubscriptionShape[]> {
    const all: SubscriptionShape[] = []
    for (const batch of splitIntoRequests(addresses)) {
      const { results } = await client.addFeeds({ body: { addresses: batch } })
      all.push(...results)
    }
    return all
  }

  const removeSource = (id: number) => exists(client.removeSource({ params: { id } }))
  const setState = (id: number, state: 'active' | 'paused') =>
    exists(client.editFeed({ params: { id }, body: { state } }))

  return {
    /** Whether a running crawl does the work. */
    isRunning: performNow === undefined,
    /** Adds addresses without fetching them. */
    subscribe,
    /** Adds addresses, and waits until the feeds of sites are discovered. */
    async add(addresses: Address[], { all, keep, progress }: AddRequest, signal: AbortSignal): Promise<AddResult[]> {
      const subscriptions = await subscribe(addresses)
      const ids = new Set(subscriptions.flatMap((one) => (one.kind === 'source' ? [one.sourceId] : [])))
      const lookedFor = await waitForDiscovery(client, ids, { progress, signal, performNow })
      if (all) await subscribe(otherFeedsOf([...lookedFor.sources.values()], addresses))
      const added = await Promise.all(subscriptions.map((one) => toAddResult(client, one, lookedFor, !performNow)))
      return keep ? added : removeFailed(added, subscriptions, removeSource)
    },
    /** Imports data of another reader. Sends it in parts. */
    importReaderData: (data: ReaderData, isDryRun: boolean, progress: AddRequest['progress']) =>
      sendReaderData(client, data, isDryRun, progress),
    edit: (id: number, edit: FeedEditInput & { fetching?: FetchSettingsInput | null }) =>
      exists(client.editFeed({ params: { id }, body: edit })),
    want: async (folder: string, wants: PollingGoals) =>
      void (await client.setFolderGoals({ params: { folder }, body: wants })),
    /** Groups the entries of the window again. Returns how many, and whether it is finished. */
    async regroup(signal: AbortSignal): Promise<{ entries: number; done: boolean }> {
      const { waiting: entries } = await client.regroupEntries()
      await performNow?.(NO_TARGETS, signal)
      return { entries, done: performNow !== undefined && !signal.aborted }
    },
    /** Groups waiting entries, as after an interruption. A running crawl does that by itself. */
    async groupWaiting(signal: AbortSignal): Promise<{ done: boolean }> {
      await performNow?.(NO_TARGETS, signal)
      return { done: performNow !== undefined && !signal.aborted }
    },
    pause: (id: number) => setState(id, 'paused'),
    resume: (id: number) => setState(id, 'active'),
    remove: (id: number) => exists(client.removeFeed({ params: { id } })),
    /** Undefined if there is no such feed. */
    async poll(id: number, signal: AbortSignal): Promise<PollNowResult | undefined> {
      const answer = await ifThere(client.pollFeed({ params: { id } }))
      if (!answer || answer.why || !performNow) return answer && { kind: 'later', ...answer }
      await performNow({ sources: [], feeds: [id] }, signal)
      const [poll] = (await client.listPolls({ query: { feed: id, limit: 1 } })).polls
      return poll && { kind: 'polled', poll }
    },
    /** Fetches the page of an entry before all others, and waits for it. Undefined if there is no such entry. */
    async fetchArticle(id: number, signal: AbortSignal): Promise<FetchArticleResult | undefined> {
      const answer = await ifThere(client.fetchArticle({ params: { id } }))
      if (!answer) return undefined
      if (answer.state === 'read') return { kind: 'done' }
      if (fetchNow) await fetchNow(id, signal)
      else if (!(await waitForArticle(client, id, signal)))
        return { kind: 'later', dueAt: answer.dueAt, why: answer.why }
      return { kind: 'done' }
    },
    close,
  }
}

const MAX_ARTICLE_WAIT_MS = 30 * SECOND

/** Waits until a running crawl has read the page, or failed to. Returns whether it did. */
async function waitForArticle(client: Client, id: number, signal: AbortSignal): Promise<boolean> {
  const stateOf = async () => (await ifThere(client.getArticle({ params: { id } }))) ?? { state: 'waiting' as const }
  const before = await stateOf()
  for (let waitedMs = 0; waitedMs < MAX_ARTICLE_WAIT_MS && !signal.aborted; waitedMs += CHECK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
    const article = await stateOf()
    if (article.state === 'failed' || article.state === 'refused') return true
    if (article.state === 'read' && (before.state !== 'read' || article.fetchedAt !== before.fetchedAt)) return true
    if (
      article.state === 'waiting' &&
      'failures' in article &&
      'failures' in before &&
      article.failures > before.failures
    )
      return true
  }
  return false
}

const NO_TARGETS = { sources: [], feeds: [] }

const MAX_WAIT_MS = 60 * SECOND // for discovery by a running crawl
const CHECK_EVERY_MS = 200

/** The API accepts 1,000 addresses and 1 MB per request; half of the bytes leaves room. */
const MAX_ADDRESSES = 1000
const MAX_BYTES = 500_000

/** Splits addresses into lists that fit into one request each. */
function* splitIntoRequests(addresses: Address[]): Generator<Address[]> {
  let [batch, bytes]: [Address[], number] = [[], 0]
  for (const address of addresses) {
    const bytesOfAddress = Buffer.byteLength(JSON.stringify(address))
    if (batch.length === MAX_ADDRESSES || (batch.length > 0 && bytes + bytesOfAddress > MAX_BYTES)) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(address)
    bytes += bytesOfAddress
  }
  if (batch.length > 0) yield batch
}

interface DiscoveredSources {
  sources: ReadonlyMap<number, SourceShape>
  /** Sources whose feed was known before. */
  knownIds: ReadonlySet<number>
}

/** Waits until discovery of each source has succeeded or failed. */
async function waitForDiscovery(
  client: Client,
  ids: ReadonlySet<number>,
  {
    progress,
    signal,
    performNow,
  }: Pick<AddRequest, 'progress'> & { signal: AbortSignal; performNow: PerformNow | undefined },
): Promise<DiscoveredSources> {
  const sources = new Map<number, SourceShape>()
  async function lookUp(wantedIds: Iterable<number>): Promise<void> {
    for (const id of wantedIds) {
      const source = await ifThere(client.getSource({ params: { id } }))
      if (source) sources.set(id, source)
    }
  }

  await lookUp(ids)
  const knownIds = new Set([...ids].filter((id) => sources.get(id)?.feedId !== undefined))
  let pending = [...ids].filter((id) => !knownIds.has(id))
  if (performNow) {
    const settled = new Set<number>()
    await performNow({ sources: pending, feeds: [] }, signal, (id) =>
      progress(knownIds.size + settled.add(id).size, ids.size),
    )
    await lookUp(pending)
    return { sources, knownIds }
  }
  for (let waitedMs = 0; ; waitedMs += CHECK_EVERY_MS) {
    pending = pending.filter((id) => !isSettled(sources.get(id)))
    progress(ids.size - pending.length, ids.size)
    if (pending.length === 0 || waitedMs >= MAX_WAIT_MS || signal.aborted) return { sources, knownIds }
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
    await lookUp(pending)
  }
}

function isSettled(source: SourceShape | undefined): boolean {
  return source?.feedId !== undefined || source?.trouble !== undefined
}

async function toAddResult(
  client: Client,
  one: SubscriptionShape,
  { sources, knownIds }: DiscoveredSources,
  isRunning: boolean,
): Promise<AddResult> {
  if (one.kind === 'refused') return one
  const { url } = one
  if (one.kind === 'feed') return feedResult(one.feedId, one.added)
  const source = sources.get(one.sourceId)
  if (source?.feedId !== undefined) return feedResult(source.feedId, one.added || !knownIds.has(source.id), source)
  const isOver = isSettled(source) || !isRunning
  return source && isOver ? notFoundResult(source) : { kind: 'looking', url, sourceId: one.sourceId }

  async function feedResult(feedId: number, isNew: boolean, { addedAt = '', others = [] }: Partial<SourceShape> = {}) {
    const feed = (await ifThere(client.getFeed({ params: { id: feedId } })))?.feed
    // A new address may lead to a feed that exists already.
    const added = isNew && !(feed && feed.addedAt < addedAt)
    return { kind: 'feed' as const, url, feedId, feedUrl: feed?.url ?? url, title: feed?.title ?? '', added, others }
  }
}

/** Removes new addresses whose feed was not found. */
function removeFailed(
  added: AddResult[],
  subscriptions: SubscriptionShape[],
  removeSource: (id: number) => Promise<boolean>,
): Promise<AddResult[]> {
  return Promise.all(
    added.map(async (one, i) => {
      const subscription = subscriptions[i]
      if (one.kind !== 'not-found' || subscription?.kind !== 'source' || !subscription.added) return one
      await removeSource(one.sourceId)
      const { dueAt: _, ...forgotten } = one
      return forgotten
    }),
  )
}

/** Further feeds of the added sites, with the login that the user gave for the same origin. */
function otherFeedsOf(sources: SourceShape[], addresses: Address[]): Address[] {
  const urls = sources.flatMap(({ others = [] }) => others)
  return urls.map((url): Address => {
    const { credentials } = addresses.find((one) => one.credentials && mayShareCredentials(one.url, url)) ?? {}
    return { url, kind: 'feed', ...(credentials && { credentials }) }
  })
}

/** With a hint, the user has to act first, so the result has no date. */
function notFoundResult({ id, url, trouble, dueAt }: Pick<SourceShape, 'id' | 'url' | 'trouble' | 'dueAt'>): AddResult {
  const hint = trouble && failureHint({ kind: trouble.kind, detail: trouble.words })
  return {
    kind: 'not-found',
    url,
    sourceId: id,
    words: trouble?.words ?? 'it was not looked at yet',
    ...(hint ? { hint } : dueAt && { dueAt }),
  }
}

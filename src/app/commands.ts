/**
 * What the command line changes, asked through the API client: of the remote server that is named, of the running crawl that owns the local
 * store, or of a crawl that is opened for this and closed again. Callers need not know which.
 */
import type { PollShape, SourceShape, SubscriptionShape } from '../api/index.ts'
import { type Client, ifThere } from '../client/index.ts'
import type { Address, RunningCrawler, WrittenEdit } from '../crawl/index.ts'
import { type FeedId, failureHint, mayShareCredentials, SECOND, type SourceId, type Wants } from '../model/index.ts'
import type { Config } from './config.ts'
import { openFront } from './fleet.ts'
import { mapErrors } from './map-errors.ts'
import { type OpenedClient, openInProcess, openOwner, openRemote } from './open-client.ts'
import { type Overrides, openCrawl } from './wire.ts'

export type Added =
  | { kind: 'feed'; url: string; feedId: number; feedUrl: string; title: string; added: boolean; others: string[] }
  /** Its feed was not found; with a `dueAt`, it is kept and looked for again then. */
  | { kind: 'not-found'; url: string; sourceId: number; words: string; hint?: string; dueAt?: string }
  /** A running crawl has taken it over and is still looking. */
  | { kind: 'looking'; url: string; sourceId: number }
  | { kind: 'refused'; url: string; reason: string }

export type PolledNow = { kind: 'polled'; poll: PollShape } | { kind: 'later'; dueAt: string; why?: string | undefined }

export interface AddRequest {
  /** Take all feeds of a site, not only the best. */
  all: boolean
  /** Keep addresses whose feed was not found, and look for it again later. */
  keep: boolean
  progress: (done: number, of: number) => void
}

export type Commands = Awaited<ReturnType<typeof openCommands>>

/** Polls feeds and looks for the feeds of sources now, in this process. Calls `onSettled` with each source that was looked at. */
type PerformNow = (
  what: { sources: number[]; feeds: number[] },
  signal: AbortSignal,
  onSettled?: (sourceId: number) => void,
) => Promise<void>

export async function openCommands(config: Config, world: Overrides = {}) {
  const { opened, performNow } = await openForChanges(config, world)
  return mapErrors(createCommands(opened, performNow), opened.explain)
}

async function openForChanges(
  config: Config,
  world: Overrides,
): Promise<{ opened: OpenedClient; performNow?: PerformNow }> {
  const remote = await openRemote(config)
  if (remote) return { opened: remote }
  if (config.queue) return { opened: await openInProcess(config, await openFront(config, () => {}, world)) }
  try {
    const crawl = await openCrawl(config, world, { lasting: false })
    return { opened: await openInProcess(config, crawl), performNow: performedBy(crawl.crawler) }
  } catch (error) {
    return { opened: await openOwner(config, error) }
  }
}

/** A mistake of ours is reported by the crawl and harms no other feed; here there is no other. */
function performedBy(crawler: RunningCrawler): PerformNow {
  return async ({ sources, feeds }, signal, onSettled = () => {}) => {
    const mistakes: unknown[] = []
    const stop = crawler.onEvent((event) => {
      if (event.kind === 'mistake') mistakes.push(event.error)
      if (event.kind === 'found' || event.kind === 'not-found') onSettled(event.sourceId)
    })
    await crawler.perform({ sources: sources as SourceId[], feeds: feeds as FeedId[] }, signal)
    stop()
    if (mistakes.length > 0) throw mistakes[0]
  }
}

/** Without `performNow`, a running crawl does what is asked. */
function createCommands({ client, close }: OpenedClient, performNow?: PerformNow) {
  const isThere = async (answer: Promise<unknown>) => (await ifThere(answer.then(() => true))) ?? false

  /** Answers in the order of `addresses`. */
  async function subscribe(addresses: Address[]): Promise<SubscriptionShape[]> {
    const all: SubscriptionShape[] = []
    for (const batch of requestsOf(addresses)) {
      const { results } = await client.addFeeds({ body: { addresses: batch } })
      all.push(...results)
    }
    return all
  }

  const removeSource = (id: number) => isThere(client.removeSource({ params: { id } }))
  const setState = (id: number, state: 'active' | 'paused') =>
    isThere(client.editFeed({ params: { id }, body: { state } }))

  return {
    /** Whether a running crawl does what is asked. */
    isRunning: performNow === undefined,
    /** Subscribes, and looks at none of the addresses yet. */
    subscribe,
    /** Subscribes, and waits until the feeds of addresses that are not feeds themselves have been looked for. */
    async add(addresses: Address[], { all, keep, progress }: AddRequest, signal: AbortSignal): Promise<Added[]> {
      const subscriptions = await subscribe(addresses)
      const ids = new Set(subscriptions.flatMap((one) => (one.kind === 'source' ? [one.sourceId] : [])))
      const lookedFor = await lookForFeeds(client, ids, { progress, signal, performNow })
      if (all) await subscribe(othersOf([...lookedFor.sources.values()], addresses))
      const added = await Promise.all(subscriptions.map((one) => resultOf(client, one, lookedFor, !performNow)))
      return keep ? added : forgetFailed(added, subscriptions, removeSource)
    },
    edit: (id: number, edit: WrittenEdit) => isThere(client.editFeed({ params: { id }, body: edit })),
    want: async (folder: string, wants: Wants) =>
      void (await client.setFolderGoals({ params: { folder }, body: wants })),
    /** Groups the entries of the window anew. Answers how many, and whether that is done. */
    async regroup(signal: AbortSignal): Promise<{ entries: number; done: boolean }> {
      const { waiting: entries } = await client.regroupEntries()
      await performNow?.(NOTHING, signal)
      return { entries, done: performNow !== undefined && !signal.aborted }
    },
    /** Groups what still waits, as after an interruption; a running crawl does so by itself. */
    async groupWaiting(signal: AbortSignal): Promise<{ done: boolean }> {
      await performNow?.(NOTHING, signal)
      return { done: performNow !== undefined && !signal.aborted }
    },
    pause: (id: number) => setState(id, 'paused'),
    resume: (id: number) => setState(id, 'active'),
    remove: (id: number) => isThere(client.removeFeed({ params: { id } })),
    /** Undefined if there is no such feed. */
    async poll(id: number, signal: AbortSignal): Promise<PolledNow | undefined> {
      const soon = await ifThere(client.pollFeed({ params: { id } }))
      if (!soon || soon.why || !performNow) return soon && { kind: 'later', ...soon }
      await performNow({ sources: [], feeds: [id] }, signal)
      const [poll] = (await client.listPolls({ query: { feed: id, limit: 1 } })).polls
      return poll && { kind: 'polled', poll }
    },
    close,
  }
}

const NOTHING = { sources: [], feeds: [] }

const PATIENCE_MS = 60 * SECOND // for the running crawl to find what it was asked to find
const LOOK_EVERY_MS = 200

/** As many as the API takes in one request, and half of the bytes. */
const MOST_ADDRESSES = 1000
const MOST_BYTES = 500_000

/** Lists that each fit into one request. */
function* requestsOf(addresses: Address[]): Generator<Address[]> {
  let [batch, bytes]: [Address[], number] = [[], 0]
  for (const address of addresses) {
    const own = Buffer.byteLength(JSON.stringify(address))
    if (batch.length === MOST_ADDRESSES || (batch.length > 0 && bytes + own > MOST_BYTES)) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(address)
    bytes += own
  }
  if (batch.length > 0) yield batch
}

interface LookedFor {
  sources: ReadonlyMap<number, SourceShape>
  /** Those whose feed had been found before. */
  knownIds: ReadonlySet<number>
}

/** Waits until the feed of each source is found, or known not to be found for now. */
async function lookForFeeds(
  client: Client,
  ids: ReadonlySet<number>,
  {
    progress,
    signal,
    performNow,
  }: Pick<AddRequest, 'progress'> & { signal: AbortSignal; performNow: PerformNow | undefined },
): Promise<LookedFor> {
  const sources = new Map<number, SourceShape>()
  async function lookUp(wanted: Iterable<number>): Promise<void> {
    for (const id of wanted) {
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
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    pending = pending.filter((id) => !isSettled(sources.get(id)))
    progress(ids.size - pending.length, ids.size)
    if (pending.length === 0 || waitedMs >= PATIENCE_MS || signal.aborted) return { sources, knownIds }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    await lookUp(pending)
  }
}

function isSettled(source: SourceShape | undefined): boolean {
  return source?.feedId !== undefined || source?.trouble !== undefined
}

async function resultOf(
  client: Client,
  one: SubscriptionShape,
  { sources, knownIds }: LookedFor,
  isRunning: boolean,
): Promise<Added> {
  if (one.kind === 'refused') return one
  const { url } = one
  if (one.kind === 'feed') return feedResult(one.feedId, one.added)
  const source = sources.get(one.sourceId)
  if (source?.feedId !== undefined) return feedResult(source.feedId, one.added || !knownIds.has(source.id), source)
  const isOver = isSettled(source) || !isRunning
  return source && isOver ? notFound(source) : { kind: 'looking', url, sourceId: one.sourceId }

  async function feedResult(feedId: number, isNew: boolean, { addedAt = '', others = [] }: Partial<SourceShape> = {}) {
    const feed = (await ifThere(client.getFeed({ params: { id: feedId } })))?.feed
    // An address may be new and lead to a feed that is not.
    const added = isNew && !(feed && feed.addedAt < addedAt)
    return { kind: 'feed' as const, url, feedId, feedUrl: feed?.url ?? url, title: feed?.title ?? '', added, others }
  }
}

/** Unless they are to be kept, addresses that led nowhere, and were new, are as if they had never been given. */
function forgetFailed(
  added: Added[],
  subscriptions: SubscriptionShape[],
  removeSource: (id: number) => Promise<boolean>,
): Promise<Added[]> {
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

/** Further feeds of the sites that were given; with the login that was given for the same origin. */
function othersOf(sources: SourceShape[], given: Address[]): Address[] {
  const urls = sources.flatMap(({ others = [] }) => others)
  return urls.map((url): Address => {
    const { credentials } = given.find((one) => one.credentials && mayShareCredentials(one.url, url)) ?? {}
    return { url, kind: 'feed', ...(credentials && { credentials }) }
  })
}

/** Where somebody has to do something first, no date is promised. */
function notFound({ id, url, trouble, dueAt }: Pick<SourceShape, 'id' | 'url' | 'trouble' | 'dueAt'>): Added {
  const hint = trouble && failureHint({ kind: trouble.kind, detail: trouble.words })
  return {
    kind: 'not-found',
    url,
    sourceId: id,
    words: trouble?.words ?? 'it was not looked at yet',
    ...(hint ? { hint } : dueAt && { dueAt }),
  }
}

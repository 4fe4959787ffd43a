/**
 * Where the command line asks for changes. If nobody runs on the store, it is opened for what is asked for and
 * closed again; if a crawl is running there, that crawl is asked through its API, as is a server elsewhere that is named. Whoever asks
 * need not know which.
 */
import type { PollShape, SourceShape, SubscriptionShape } from '../api/index.ts'
import { type Client, ifThere } from '../client/index.ts'
import type { Address, CrawlEvent, Crawler, RunningCrawler, WrittenEdit } from '../crawl/index.ts'
import { type FeedId, failureHint, mayShareCredentials, SECOND, type SourceId, type Wants } from '../model/index.ts'
import { troubleWithStrategy } from '../polling/index.ts'
import { StoreError } from '../ports/index.ts'
import { pollShape, sourceShape, takenInWords, troubleShape } from '../views/index.ts'
import { addressGiven, InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { type FleetFront, openFront } from './fleet.ts'
import { localClient } from './local-key.ts'
import { personMeant } from './person-meant.ts'
import { serverMeant } from './server-client.ts'
import { type Crawl, type OpenStore, type Overrides, openCrawl } from './wire.ts'

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

export interface Commands {
  /** Whether a crawl runs on the store, and does what is asked for. */
  isRunning: boolean
  /** Takes the addresses over and looks at none of them yet. */
  subscribe(addresses: Address[]): Promise<SubscriptionShape[]>
  /** Subscribes, and waits until the feeds of addresses that are not feeds themselves have been looked for. */
  add(addresses: Address[], how: AddRequest, signal: AbortSignal): Promise<Added[]>
  edit(feedId: number, edit: WrittenEdit): Promise<boolean>
  want(folder: string, wants: Wants): Promise<void>
  /** Groups what was said within the window anew; answers of how many entries, and whether that is done. */
  placeAgain(signal: AbortSignal): Promise<{ entries: number; done: boolean }>
  /** Places what waits, as after an interruption; a crawl that is running does so by itself. */
  placeWaiting(signal: AbortSignal): Promise<{ done: boolean }>
  pause(feedId: number): Promise<boolean>
  resume(feedId: number): Promise<boolean>
  remove(feedId: number): Promise<boolean>
  removeSource(sourceId: number): Promise<boolean>
  /** Undefined: there is no such feed. */
  poll(feedId: number, signal: AbortSignal): Promise<PolledNow | undefined>
  close(): Promise<void>
}

export async function openCommands(config: Config, world: Overrides = {}): Promise<Commands> {
  const far = await serverMeant(config)
  if (far) return remoteDesk(far.client)
  if (config.queue) {
    const front = await openFront(config, () => {}, world)
    return fleetDesk({ ...front, crawler: await forPerson(front, config) })
  }
  try {
    const crawl = await openCrawl(config, world)
    return ownDesk({ ...crawl, crawler: await forPerson(crawl, config) })
  } catch (error) {
    if (error instanceof StoreError && error.trouble === 'in-use' && error.ownerUrl)
      return remoteDesk(await localClient(config, error.ownerUrl))
    throw error
  }
}

/** What is followed is followed by who is meant. */
async function forPerson<Kind extends Crawler>(
  { crawler, people, close }: Pick<OpenStore, 'people' | 'close'> & { crawler: Kind },
  config: Config,
): Promise<Kind> {
  if (config.person === '') return crawler
  const personId = await personMeant(config, people).catch(async (error) => {
    await close()
    throw error
  })
  return {
    ...crawler,
    subscribe: (addresses, how) => crawler.subscribe(addresses, { personId, ...how }),
    async edit(id, { title, folder, ...shared }) {
      const own = {
        ...(title !== undefined && { title: title || null }),
        ...(folder !== undefined && { folder: folder || null }),
      }
      if (Object.keys(own).length > 0 && !(await crawler.editReading(personId, id, own))) return false
      return Object.keys(shared).length > 0 ? crawler.edit(id, shared) : true
    },
  }
}

function ownDesk({
  crawler,
  catalogue,
  close,
}: Pick<Crawl, 'catalogue' | 'close'> & { crawler: Crawler & Pick<RunningCrawler, 'perform'> }): Commands {
  /** A mistake of ours is reported by the crawl and harms no other feed; here there is no other. */
  async function perform(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void> {
    const mistakes: unknown[] = []
    const stop = crawler.onEvent((event) => event.kind === 'mistake' && mistakes.push(event.error))
    await crawler.perform(what, signal)
    stop()
    if (mistakes.length > 0) throw mistakes[0]
  }

  return {
    isRunning: false,
    subscribe: (addresses) => crawler.subscribe(addresses),
    async add(addresses, { all, keep, progress }, signal) {
      const subscriptions = await crawler.subscribe(addresses)
      const sources = subscriptions.flatMap((one) => (one.kind === 'source' ? [one.sourceId] : []))
      const settled = new Map<number, Added>()
      const stop = crawler.onEvent((event) => {
        const added = addedBy(event)
        if (added) settled.set(added.sourceId, added.added)
        if (added) progress(settled.size, sources.length)
      })
      await perform({ sources, feeds: [] }, signal)
      stop()
      if (all) await crawler.subscribe(othersOf([...settled.values()], addresses))
      const added = await Promise.all(
        subscriptions.map(async (one): Promise<Added> => {
          if (one.kind === 'refused') return one
          if (one.kind === 'feed') {
            const [held] = await catalogue.feedsById([one.feedId])
            return feedAdded(one.url, one.feedId, held?.feed.url ?? one.url, held?.feed.title ?? '', one.added)
          }
          return settled.get(one.sourceId) ?? stillThere(one.url, one.sourceId)
        }),
      )
      return keep ? added : forgetFailed(added, subscriptions, (id) => crawler.removeSource(id as SourceId))

      /** Nothing was done: it had been found before, or its server rests. */
      async function stillThere(url: string, sourceId: SourceId): Promise<Added> {
        const [source] = await catalogue.sourcesById([sourceId])
        const [held] = source?.feedId ? await catalogue.feedsById([source.feedId]) : []
        if (held) return feedAdded(url, held.feed.id, held.feed.url, held.feed.title, false)
        return source ? notFound(sourceShape(source)) : { kind: 'looking', url, sourceId }
      }
    },
    async edit(id, edit) {
      if (edit.strategy !== undefined) strategyKnown(edit.strategy)
      const { url: written, ...rest } = edit
      const { kind: _, ...given } = written === undefined ? { kind: undefined } : addressGiven(written)
      const edited = await crawler.edit(id as FeedId, { ...given, ...rest })
      if (typeof edited === 'object') throw new InputError(...takenInWords(edited))
      return edited
    },
    want: crawler.want,
    async placeAgain(signal) {
      const entries = await crawler.placeAgain()
      await perform({ sources: [], feeds: [] }, signal)
      return { entries, done: !signal.aborted }
    },
    async placeWaiting(signal) {
      await perform({ sources: [], feeds: [] }, signal)
      return { done: !signal.aborted }
    },
    pause: (id) => crawler.pause(id as FeedId),
    resume: (id) => crawler.resume(id as FeedId),
    remove: (id) => crawler.remove(id as FeedId),
    removeSource: (id) => crawler.removeSource(id as SourceId),
    async poll(id, signal) {
      const feedId = id as FeedId
      const soon = await crawler.pollNow(feedId)
      if (!soon) return undefined
      if (soon.why) return { kind: 'later', dueAt: new Date(soon.dueAt).toISOString(), why: soon.why }
      await perform({ sources: [], feeds: [feedId] }, signal)
      const [poll] = await catalogue.polls({ feedId, limit: 1 })
      return poll && { kind: 'polled', poll: pollShape(poll) }
    },
    close,
  }
}

/** A fleet is told; whoever owns the hosts does it. */
function fleetDesk({ crawler, catalogue, close }: FleetFront): Commands {
  const sourceNow = async (id: number) => {
    const [source] = await catalogue.sourcesById([id as SourceId])
    return source && sourceShape(source)
  }
  return {
    ...ownDesk({ crawler: { ...crawler, perform: async () => {} }, catalogue, close }),
    isRunning: true,
    async add(addresses, { all, keep, progress }, signal) {
      const subscriptions = await crawler.subscribe(addresses)
      const sources = new Set(subscriptions.flatMap((one) => (one.kind === 'source' ? [one.sourceId] : [])))
      const settled = await waitForSources(sourceNow, sources, progress, signal)
      if (all) await crawler.subscribe(othersOf([...settled.values()], addresses))
      const added = await Promise.all(
        subscriptions.map(async (one): Promise<Added> => {
          if (one.kind === 'refused') return one
          const source = one.kind === 'source' ? settled.get(one.sourceId) : undefined
          if (one.kind === 'source' && !source) return { kind: 'looking', url: one.url, sourceId: one.sourceId }
          if (source && source.feedId === undefined) return notFound(source)
          const id = one.kind === 'feed' ? one.feedId : ((source?.feedId ?? 0) as FeedId)
          const [held] = await catalogue.feedsById([id])
          return feedAdded(one.url, id, held?.feed.url ?? one.url, held?.feed.title ?? '', one.added, source?.others)
        }),
      )
      return keep ? added : forgetFailed(added, subscriptions, (id) => crawler.removeSource(id as SourceId))
    },
    placeAgain: async () => ({ entries: await crawler.placeAgain(), done: false }),
    placeWaiting: async () => ({ done: false }),
    async poll(id) {
      const soon = await crawler.pollNow(id as FeedId)
      return soon && { kind: 'later', dueAt: new Date(soon.dueAt).toISOString(), why: soon.why }
    },
  }
}

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

function remoteDesk(client: Client): Commands {
  const done = async (answer: Promise<unknown>) => (await ifThere(answer.then(() => true))) ?? false

  /** Answers in the order of `addresses`. */
  async function subscribe(addresses: Address[]): Promise<SubscriptionShape[]> {
    const all: SubscriptionShape[] = []
    for (const batch of requestsOf(addresses)) {
      const { results } = await client.addFeeds({ body: { addresses: batch } })
      all.push(...results)
    }
    return all
  }

  const removeSource = (id: number) => done(client.removeSource({ params: { id } }))

  return {
    isRunning: true,
    subscribe,
    async add(addresses, { all, keep, progress }, signal) {
      const subscriptions = await subscribe(addresses)
      const sources = new Set(subscriptions.flatMap((one) => (one.kind === 'source' ? [one.sourceId] : [])))
      const sourceNow = (id: number) => ifThere(client.getSource({ params: { id } }))
      const settled = await waitForSources(sourceNow, sources, progress, signal)
      if (all) await subscribe(othersOf([...settled.values()], addresses))
      const added = await Promise.all(
        subscriptions.map(async (one): Promise<Added> => {
          if (one.kind === 'refused') return one
          const source = one.kind === 'source' ? settled.get(one.sourceId) : undefined
          if (one.kind === 'source' && !source) return { kind: 'looking', url: one.url, sourceId: one.sourceId }
          if (source && source.feedId === undefined) return notFound(source)
          const id = one.kind === 'feed' ? one.feedId : (source?.feedId ?? 0)
          const feed = (await ifThere(client.getFeed({ params: { id } })))?.feed
          // The address may be new and lead to a feed that is not.
          const added = one.added && !(feed && source && feed.addedAt < source.addedAt)
          return feedAdded(one.url, id, feed?.url ?? one.url, feed?.title ?? '', added, source?.others)
        }),
      )
      return keep ? added : forgetFailed(added, subscriptions, removeSource)
    },
    edit: (id, edit) => done(client.editFeed({ params: { id }, body: edit })),
    want: async (folder, wants) => void (await client.wantOfFolder({ params: { folder }, body: wants })),
    placeAgain: async () => ({ entries: (await client.placeAgain()).waiting, done: false }),
    placeWaiting: async () => ({ done: false }),
    pause: (id) => done(client.editFeed({ params: { id }, body: { state: 'paused' } })),
    resume: (id) => done(client.editFeed({ params: { id }, body: { state: 'active' } })),
    remove: (id) => done(client.removeFeed({ params: { id } })),
    removeSource,
    async poll(id) {
      const soon = await ifThere(client.pollFeed({ params: { id } }))
      return soon && { kind: 'later', ...soon }
    },
    close: async () => {},
  }
}

async function waitForSources(
  sourceNow: (id: number) => Promise<SourceShape | undefined>,
  wanted: ReadonlySet<number>,
  progress: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<Map<number, SourceShape>> {
  const settled = new Map<number, SourceShape>()
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    for (const id of wanted) {
      if (settled.has(id)) continue
      const source = await sourceNow(id)
      if (source && (source.feedId !== undefined || source.trouble)) settled.set(id, source)
    }
    progress(settled.size, wanted.size)
    if (settled.size === wanted.size) break
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return settled
}

function strategyKnown(name: string): void {
  const trouble = troubleWithStrategy(name)
  if (trouble) throw new InputError(trouble.message, trouble.hint)
}

function addedBy(event: CrawlEvent): { sourceId: number; added: Added } | undefined {
  if (event.kind === 'found') {
    const { url, sourceId, feedId, feedUrl, title, added, others } = event
    return { sourceId, added: { kind: 'feed', url, feedId, feedUrl, title, added, others } }
  }
  if (event.kind !== 'not-found') return undefined
  const { url, sourceId, failure } = event
  const dueAt = new Date(event.dueAt).toISOString()
  return { sourceId, added: notFound({ id: sourceId, url, trouble: troubleShape(failure), dueAt }) }
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

function feedAdded(
  url: string,
  feedId: number,
  feedUrl: string,
  title: string,
  added: boolean,
  others: string[] = [],
): Added {
  return { kind: 'feed', url, feedId, feedUrl, title, added, others }
}

/** Further feeds of the sites that were given; with the login that was given for the same origin. */
function othersOf(settled: (Added | SourceShape)[], given: Address[]): Address[] {
  const urls = settled.flatMap((one) => ('others' in one ? (one.others ?? []) : []))
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

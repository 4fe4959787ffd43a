/**
 * A small fixture for tests of the server and the page: a memory store filled by hand and a crawler without network access that only
 * changes the store. Its clock stands still.
 */

import { createDashboardServices } from '../src/app/dashboard-services.ts'
import { createPageFolder } from '../src/app/page-folder.ts'
import { defaultConfig } from '../src/app/read-config.ts'
import { createSteppedClock } from '../src/clocks/index.ts'
import type { Activity, CrawlEvent, Crawler } from '../src/crawl/index.ts'
import { importEntries } from '../src/crawl/lifecycle/import-entries.ts'
import { address } from '../src/model/address.fixture.ts'
import {
  type EntryDraft,
  type Failure,
  type FeedId,
  HOUR,
  type Instant,
  MINUTE,
  type PollResult,
  type Schedule,
  type SourceId,
  sortPosition,
  UNCATEGORIZED,
  UNKNOWN_LANGUAGE,
} from '../src/model/index.ts'
import { type Clock, hostOf, type NewFeed, rolesOf, type Store } from '../src/ports/index.ts'
import { LIMITS, strategyNamed } from '../src/scheduling/index.ts'
import { createMemorySearch } from '../src/search/index.ts'
import { createServer, type ServerParts } from '../src/server/index.ts'
import { createMemoryStore } from '../src/stores/index.ts'
import { findResponseMismatch } from './openapi-response.ts'

const getPageFolder = createPageFolder()
const UNREACHABLE = { ok: false, failure: { kind: 'unreachable' } } as const

const INITIAL_UNREAD = 30
export const NOW = Date.parse('2026-03-14T09:26:53Z')

/** A feed of the fixture; times count back from NOW. */
export interface FixtureFeed {
  url: string
  title: string
  folder?: string
  dueInMs?: number
  trouble?: Failure
  failures?: number
  entries?: (Partial<EntryDraft> & { title: string; agoMs: number })[]
}

export function createServerFixture(changes: Partial<ServerParts> = {}) {
  const clock = createSteppedClock(NOW)
  const store = createMemoryStore()
  const search = createMemorySearch()
  const activity: Activity = {
    startedAt: NOW - 3 * HOUR,
    inFlight: [],
    totals: {
      polls: 12,
      notModified: 7,
      failures: 1,
      fresh: 9,
      changed: 1,
      bytes: 48_000,
      gaps: 0,
      articles: 5,
      articleFailures: 1,
      internalErrors: 0,
    },
    internalErrors: [],
  }
  const listeners = new Set<(event: CrawlEvent) => void>()
  const crawler = createFakeCrawler(store, clock, activity, listeners)
  const emit = (event: CrawlEvent) => {
    for (const listener of listeners) listener(event)
  }
  const dashboard = createDashboardServices(
    defaultConfig(),
    { ...rolesOf(store), pollResults: store, clock },
    { get: async () => UNREACHABLE, post: async () => UNREACHABLE, close: async () => {} },
  )
  const server = createServer({
    dashboard,
    ...rolesOf(store),
    search,
    clock,
    crawler,
    limits: LIMITS,
    version: '0.1.0',
    getPageFolder,
    host: '127.0.0.1',
    ...changes,
  })

  /** Every response in tests is checked against the OpenAPI document. */
  const request = server.app.request.bind(server.app)
  server.app.request = async (input, init, ...rest) => {
    const response = await request(input, init, ...rest)
    const path = new URL(String(input), 'http://localhost').pathname
    const trouble = await findResponseMismatch(init?.method ?? 'GET', path, response)
    if (trouble) throw new Error(trouble)
    return response
  }

  async function addFeed(feedSpec: FixtureFeed): Promise<FeedId> {
    const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([
      newFeed(feedSpec.url, feedSpec.title, feedSpec.folder),
    ])
    const { title, folder } = feedSpec
    await store.follow(await store.firstUser(), [{ feedId: id, title, ...(folder && { folder }) }], NOW, 0)
    const { entries = [], trouble, failures = trouble ? 1 : 0, dueInMs = 10 * MINUTE } = feedSpec
    const polledAt = NOW - 4 * MINUTE
    const readAt = trouble ? NOW - 5 * HOUR : polledAt
    const fresh = entries.map(({ agoMs, ...draft }) => ({ key: draft.title, publishedAt: NOW - agoMs, ...draft }))
    const schedule = { ...newSchedule(readAt), polledAt: readAt, succeededAt: readAt }
    const read: PollResult = { kind: 'read', fresh: fresh.length, changed: 0, window: fresh.length, gap: false }
    await record(store, id, readAt, read, schedule, fresh)
    if (trouble) {
      const failed = { ...schedule, dueAt: NOW + dueInMs, polledAt, failures, trouble }
      await record(store, id, polledAt, { kind: 'failed', failure: trouble }, failed)
    } else await store.changeFeed(id, {}, { dueAt: NOW + dueInMs })
    return id
  }

  /** Replaces the poll log by hourly polls from now on; every fifth finds an entry. */
  async function pollBy(strategy: string, id: FeedId, times: number): Promise<void> {
    await store.forget('polls', NOW, 100)
    const { learn, begin } = strategyNamed(strategy)
    let memory = begin()
    for (let i = 0; i < times; i++) {
      const at = NOW + i * HOUR
      const fresh = i % 5 === 4 ? 1 : 0
      memory = learn(memory, { at, window: [], fresh })
      const schedule = { ...newSchedule(at + HOUR), strategy, memory, polledAt: at, succeededAt: at }
      await record(store, id, at, { kind: 'read', fresh, changed: 0, window: 9, gap: false }, schedule)
    }
  }

  async function findFeed(id: SourceId, url: string, title: string): Promise<void> {
    const feed = newFeed(url, title)
    const result: PollResult = { kind: 'read', fresh: 0, changed: 0, window: 0, gap: false }
    const poll = { feedId: 0 as FeedId, at: NOW, tookMs: 120, bytes: 4096, conditional: true, result }
    await store.recordSourceFound(id, feed, { poll, schedule: feed.schedule, fresh: [], changed: [] })
  }

  /** Indexes new entries, as the indexer does. */
  async function index(): Promise<void> {
    const { positions, changes: news } = await store.unindexed(10_000)
    const documents = news.flatMap(({ id, entry }) => {
      if (!entry) return []
      const { feedId, title, author, url, language = UNKNOWN_LANGUAGE, category = UNCATEGORIZED } = entry
      const host = url === undefined ? undefined : hostOf(url)
      const { at } = sortPosition(entry)
      const text = entry.summary ?? ''
      return [{ id, feedId, at, title, text, names: author ? [author] : [], language, category, ...(host && { host }) }]
    })
    await search.put(documents)
    await store.markIndexed(positions)
  }

  return { ...server, store, search, clock, crawler, activity, emit, addFeed, findFeed, pollBy, index }
}

function createFakeCrawler(
  store: Store,
  clock: Clock,
  activity: Activity,
  listeners: Set<(event: CrawlEvent) => void>,
): Crawler {
  const change = (id: FeedId, state: 'active' | 'paused') => store.changeFeed(id, { state })
  return {
    subscribe: (addresses, { userId } = {}) =>
      Promise.all(
        addresses.map(async ({ url, kind, title = '', folder }) => {
          if (!URL.canParse(url)) return { kind: 'refused' as const, url, reason: 'it is no address of the web' }
          if (kind === 'feed') {
            const [answer] = await store.addFeeds([newFeed(url, title, folder)])
            const who = userId ?? (await store.firstUser())
            const about = { ...(title && { title }), ...(folder && { folder }) }
            await store.follow(who, [{ feedId: answer!.id, ...about }], NOW, INITIAL_UNREAD)
            return { kind: 'feed' as const, url, feedId: answer!.id, added: answer!.added }
          }
          const source = { url: address(url), root: new URL(url).hostname, addedAt: NOW, dueAt: NOW }
          const [answer] = await store.addSources([source])
          const who = userId ?? (await store.firstUser())
          await store.follow(who, [{ sourceId: answer!.id, ...(folder && { folder }) }], NOW, INITIAL_UNREAD)
          return { kind: 'source' as const, url, sourceId: answer!.id, added: answer!.added }
        }),
      ),
    follow: (userId, feedIds) =>
      store.follow(
        userId,
        feedIds.map((feedId) => ({ feedId })),
        NOW,
        INITIAL_UNREAD,
      ),
    async unsubscribe(userId, targets) {
      const results = await store.unfollow(userId, targets)
      for (const [i, { wasFollowed, otherFollowers }] of results.entries()) {
        const target = targets[i]!
        if (wasFollowed && otherFollowers === 0)
          await ('feedId' in target ? store.removeFeed(target.feedId) : store.removeSource(target.sourceId))
      }
      return results.map(({ wasFollowed }) => wasFollowed)
    },
    renameFolder: (userId, from, to) => store.renameFolder(userId, from, to),
    editSubscription: (userId, feedId, change) => store.changeSubscription(userId, feedId, change),
    importEntries: (userId, feedId, entries, how) =>
      importEntries(userId, feedId, entries, how, { ...rolesOf(store), clock }),
    regroupEntries: () => store.regroupSince(0),
    async pollNow(id) {
      const exists = await store.changeFeed(id, {}, { dueAt: NOW + 20_000 })
      return exists ? { dueAt: NOW + 20_000, why: 'its site was visited a moment ago' } : undefined
    },
    async requestArticle(id) {
      const [entry] = await store.entriesById([id])
      if (!entry) return undefined
      if (entry.url === undefined) return { kind: 'no-link' }
      const url = address(entry.url)
      await store.queueArticles(
        [{ entryId: id, url, root: new URL(url).hostname, requested: { afterMs: 60_000 } }],
        NOW,
      )
      const [article] = await store.articlesOfEntries([id])
      return { kind: 'queued', articleId: article!.id, dueAt: NOW }
    },
    edit: async (id, { title, wants, articles, fetching }) =>
      store.changeFeed(id, {
        ...(title !== undefined && { title }),
        ...(wants && { wants }),
        ...(articles && { articles }),
        ...(fetching !== undefined && { fetching }),
      }),
    setFolderPreferences: (folder, wants) => store.changePollSettings({ folder, goals: wants }),
    setBudget: (pollsPerDay) => store.changePollSettings({ pollsPerDay }),
    pause: (id) => change(id, 'paused'),
    resume: (id) => change(id, 'active'),
    remove: (id) => store.removeFeed(id),
    removeSource: (id) => store.removeSource(id),
    activity: () => activity,
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function newFeed(url: string, title: string, folder?: string): NewFeed {
  const { hostname, origin } = new URL(url)
  const feed = {
    url: address(url),
    root: hostname,
    title,
    siteUrl: address(`${origin}/`),
    format: 'atom' as const,
    ...(folder !== undefined && { folder }),
    validators: {},
    subscribers: 1,
    state: 'active' as const,
    addedAt: NOW - 24 * HOUR,
  }
  return { feed, schedule: newSchedule(NOW) }
}

function newSchedule(dueAt: Instant): Schedule {
  return { strategy: 'fix', memory: new Uint8Array(0), dueAt, failures: 0 }
}

function record(
  store: Store,
  feedId: FeedId,
  at: Instant,
  result: PollResult,
  schedule: Schedule,
  fresh: EntryDraft[] = [],
) {
  const poll = { feedId, at, tookMs: 120, bytes: 4096, conditional: true, result }
  return store.recordPolls([{ poll, schedule, fresh, changed: [] }])
}

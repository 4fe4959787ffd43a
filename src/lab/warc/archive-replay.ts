/**
 * Replays an archive: processes the archived responses with the current code, and compares the result with the
 * store's. That shows the effect of a code change or an upgrade on real history.
 *
 * A fetcher uses a Net that answers from the archive, and a recorder writes to an in-memory store, at the dates of the
 * log. A feed's state before its first archived poll comes from the store. Not compared is what the archive lacks:
 * entries from hubs, polls whose exchange is missing; and due dates that depend on random numbers, users, hubs or
 * other feeds of a site, or on a feed's time before the archive.
 */

import type { ArchivedExchange } from '../../archive/index.ts'
import type { LanguageDetector } from '../../articles/index.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { createErrorBoundary, createFetcher, createRecorder, feedToAdd } from '../../crawl/index.ts'
import {
  type ArticleFacts,
  type ArticleId,
  type ArticleText,
  type Entry,
  type FeedId,
  type Instant,
  MINUTE,
  type Millis,
  type Outcome,
  type Poll,
  type RobotsRecord,
  type ScheduledFeed,
  SECOND,
  type Task,
  type WebAddress,
  webAddress,
} from '../../model/index.ts'
import {
  type ArticleCatalogue,
  type Catalogue,
  type Net,
  type NetAnswer,
  type NetRedirect,
  type PollMarket,
  rolesOf,
} from '../../ports/index.ts'
import { termsOf, valueOfNearestFolder } from '../../scheduling/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import {
  articleDifferences,
  type Difference,
  type DifferenceKind,
  entryDifferences,
  formatDate,
  summarizeResult,
} from './differences.ts'
import { type ArchivedRedirects, createRedirectChains } from './redirect-chains.ts'

export interface ArchiveReplayParts {
  /** In archive order. */
  exchanges: AsyncIterable<ArchivedExchange>
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  pollMarket: PollMarket
  limits: { minMs: Millis; maxMs: Millis }
  knownBy: 'key' | 'title'
  loadLanguageOf?: () => Promise<LanguageDetector>
  onProgress?: (exchanges: number) => void
  signal?: AbortSignal
}

export interface ArchiveFindings {
  exchanges: number
  /** Number of compared items; `polls` and `due` count feeds' polls, `articles` pages. */
  compared: { polls: number; entries: number; articles: number; due: number }
  /** Number of differences by kind. */
  differing: Record<DifferenceKind, number>
  /** Exchanges without a counterpart in the store: robots.txt, probes, removed feeds and pages. */
  unmatched: number
  /** The first of them. */
  differences: Difference[]
}

const MAX_DIFFERENCES = 10_000
const MAX_POLLS_PER_FEED = 10_000 // of one feed; the newest
const SLACK_MS: Millis = 2 * SECOND // polls are dated by the crawl's clock, exchanges by the machine's
const MAX_FETCH_MS: Millis = 5 * MINUTE
const NO_ROBOTS: RobotsRecord = { found: 'none', robots: { rules: [] }, fetchedAt: 0, until: Number.MAX_SAFE_INTEGER }

/** A recorded feed and its replay. */
interface ReplayedFeed {
  scheduled: ScheduledFeed
  /** Its id in the in-memory store. */
  id: FeedId
  /** Oldest first. */
  polls: Poll[]
  /** For each replayed poll, its time and whether the result was the same. */
  played: Map<Instant, boolean>
  firstAt: Instant
}

interface KnownPage {
  id: ArticleId
  fetchedAt: Instant
}

export async function replayArchive(parts: ArchiveReplayParts): Promise<ArchiveFindings> {
  const { exchanges, catalogue, articleCatalogue, pollMarket, limits, onProgress, signal } = parts
  const findings = createFindings()
  const store = createMemoryStore()
  const clock = createSteppedClock(0)
  const folders = (await pollMarket.pollSettings()).folderGoals
  const schedules = new Map<FeedId, ScheduledFeed>()
  const failed = (_task: Task, error: unknown) => Promise.reject(error)
  const recorder = createRecorder({
    ...rolesOf(store),
    clock,
    errorBoundary: createErrorBoundary({ clock, emit: () => {} }),
    quarantine: failed,
    terms: () => termsNow,
    strategy: 'fixed:1h',
    knownBy: parts.knownBy,
    random: () => 0,
    queueDueAt: (_, at) => at,
    ...(parts.loadLanguageOf && { loadLanguageOf: parts.loadLanguageOf }),
    emit: () => {},
  })
  let termsNow = termsOf({ subscribers: 1 }, undefined, limits, 0)
  let answer: NetAnswer | undefined
  const fetcher = createFetcher({ net: netOf(() => answer), clock, obeyRobots: 'guesses' })
  const never = new AbortController().signal

  const feeds = new Map<string, FeedId>()
  for await (const scheduled of catalogue.everyFeed()) {
    feeds.set(scheduled.feed.url, scheduled.feed.id)
    schedules.set(scheduled.feed.id, scheduled)
  }
  const pages = await pagesIn(catalogue)
  const replayed = new Map<FeedId, ReplayedFeed>()

  async function startReplay(feedId: FeedId, at: Instant): Promise<ReplayedFeed> {
    const existing = replayed.get(feedId)
    if (existing) return existing
    const scheduled = schedules.get(feedId)!
    const { url, title, addedAt, subscribers, folder, wants, titlePrefix } = scheduled.feed
    const settings = { ...(folder && { folder }), ...(wants && { wants }), ...(titlePrefix && { titlePrefix }) }
    const added = feedToAdd({ url, title, addedAt, subscribers, ...settings }, scheduled.schedule.strategy, addedAt)
    const [addedFeed] = await store.addFeeds([added])
    const polls = (await catalogue.polls({ feedId, limit: MAX_POLLS_PER_FEED })).reverse()
    const replayedFeed: ReplayedFeed = { scheduled, id: addedFeed!.id, polls, played: new Map(), firstAt: at }
    await remember(replayedFeed)
    replayed.set(feedId, replayedFeed)
    return replayedFeed
  }

  /** The entries that the feed had before. */
  async function remember({ scheduled, id, firstAt }: ReplayedFeed): Promise<void> {
    for await (const entry of catalogue.everyEntry({ feedId: scheduled.feed.id }))
      if (entry.seenAt < firstAt)
        await store.recordEntries([{ feedId: id, at: entry.seenAt, fresh: [entry], changed: [] }])
    const [first] = await store.entries({ feedId: id, limit: 1 })
    if (first) await store.changeFeed(id, {}, { succeededAt: firstAt - 1 })
  }

  async function playPoll(feedId: FeedId, exchange: ArchivedExchange, arrived: ArchivedRedirects): Promise<boolean> {
    const scheduled = schedules.get(feedId)!
    const polls =
      replayed.get(feedId)?.polls ?? (await catalogue.polls({ feedId, limit: MAX_POLLS_PER_FEED })).reverse()
    const played = replayed.get(feedId)?.played
    const poll = pollAt(
      polls.filter(({ at, occasion }) => occasion !== 'older' && !played?.has(at)),
      arrived.beganAt,
    )
    if (!poll) return false
    const replayedFeed = await startReplay(feedId, poll.at)
    const [now] = await store.feedsById([replayedFeed.id])
    if (!now) return false
    const isBlind = exchange.status === 304 && !now.feed.validators.etag && !now.feed.validators.lastModified
    if (isBlind) return true // the referenced response is not in the archive
    termsNow = termsOf(
      scheduled.feed,
      valueOfNearestFolder(folders, scheduled.feed.folder),
      limits,
      scheduled.schedule.because?.price ?? 0,
    )
    await clock.advanceTo(Math.max(clock.now(), poll.at))
    answer = answerOf(exchange, arrived.redirects)
    const outcome = await fetcher(taskFor(now, poll), never)
    await recorder.record([{ ...outcome, at: poll.at, tookMs: poll.tookMs, bytes: poll.bytes }], new Set())
    const [line] = await store.polls({ feedId: replayedFeed.id, limit: 1 })
    if (line?.at !== poll.at) return true // the target of a redirect waits in another host's queue
    const [recorded, replayedResult] = [summarizeResult(poll.result), summarizeResult(line.result)]
    replayedFeed.played.set(poll.at, recorded === replayedResult)
    findings.compared.polls++
    const about = { feedId, url: scheduled.feed.url, of: 'poll' }
    if (recorded !== replayedResult)
      findings.add({ kind: 'poll', at: poll.at, ...about, was: recorded, is: replayedResult })
    return true
  }

  async function playPage(page: KnownPage, exchange: ArchivedExchange, url: WebAddress): Promise<void> {
    const [article] = await articleCatalogue.articlesById([page.id])
    const [text] = await articleCatalogue.articleTexts([page.id])
    if (!article || !text) return
    answer = answerOf(exchange, [])
    const task: Task = { kind: 'article', articleId: page.id, url, robots: NO_ROBOTS, gapMs: 0 }
    const { result } = await fetcher(task, never)
    findings.compared.articles++
    const about = { at: exchange.at, url }
    const now = readIn(result)
    if (now)
      for (const difference of articleDifferences({ ...text, facts: article.facts }, now, about))
        findings.add(difference)
    else if (result.kind === 'failed')
      findings.add({ kind: 'text', ...about, of: 'page', was: 'read', is: `failed: ${result.failure.kind}` })
  }

  const ways = createRedirectChains()
  for await (const exchange of exchanges) {
    signal?.throwIfAborted()
    onProgress?.(++findings.exchanges)
    const arrived = ways.follow(exchange)
    if (!arrived) continue
    const feedId = feeds.get(arrived.from) ?? feeds.get(exchange.url)
    const page = pages.get(arrived.from) ?? pages.get(exchange.url)
    const url = webAddress(exchange.url)
    const isPage = page && url && exchange.status === 200 && isWithin(page.fetchedAt, arrived.beganAt, MAX_FETCH_MS)
    if (feedId !== undefined && (await playPoll(feedId, exchange, arrived))) continue
    if (isPage) await playPage(page, exchange, url)
    else findings.unmatched++
  }

  const firstOfRoot = oldestOfRoots(schedules.values())
  for (const replayedFeed of replayed.values()) {
    await compareEntries(replayedFeed, catalogue, store, findings)
    const [now] = await store.feedsById([replayedFeed.id])
    if (now)
      compareDue(
        replayedFeed,
        now,
        firstOfRoot.get(replayedFeed.scheduled.feed.root) === replayedFeed.scheduled.feed.id,
        findings,
      )
  }
  return findings.result()
}

type Collected = ReturnType<typeof createFindings>

function createFindings() {
  const found: ArchiveFindings = {
    exchanges: 0,
    compared: { polls: 0, entries: 0, articles: 0, due: 0 },
    differing: { poll: 0, entry: 0, date: 0, text: 0, due: 0 },
    unmatched: 0,
    differences: [],
  }
  return Object.assign(found, {
    add(difference: Difference): void {
      found.differing[difference.kind]++
      if (found.differences.length < MAX_DIFFERENCES) found.differences.push(difference)
    },
    result(): ArchiveFindings {
      const { exchanges, compared, differing, unmatched, differences } = found
      return { exchanges, compared, differing, unmatched, differences }
    },
  })
}

/** Articles that were read, by the addresses that may have been requested. */
async function pagesIn(catalogue: Catalogue): Promise<Map<string, KnownPage>> {
  const pages = new Map<string, KnownPage>()
  for await (const { article } of catalogue.everyArticle({})) {
    if (article.fetchedAt === undefined) continue
    const page = { id: article.id, fetchedAt: article.fetchedAt }
    for (const url of [article.pageUrl, article.url]) if (url) pages.set(url, page)
  }
  return pages
}

/** The poll during which the request was made; of two close ones, the nearer. */
function pollAt(polls: Poll[], beganAt: Instant): Poll | undefined {
  const distance = ({ at }: Poll) => Math.abs(beganAt - at)
  return polls
    .filter(({ at, tookMs }) => isWithin(at, beganAt, tookMs))
    .reduce<Poll | undefined>(
      (nearest, candidate) => (nearest && distance(nearest) <= distance(candidate) ? nearest : candidate),
      undefined,
    )
}

function isWithin(at: Instant, beganAt: Instant, lengthMs: Millis): boolean {
  return beganAt >= at - SLACK_MS && beganAt <= at + lengthMs + SLACK_MS
}

/** A poll like the logged one: with the feed's current validators, if that one had any. */
function taskFor({ feed }: ScheduledFeed, poll: Poll): Task {
  const { id, url, bodyHash, windowHash, subscribers, validators } = feed
  return {
    kind: 'poll',
    feedId: id,
    url,
    validators: poll.conditional ? validators : {},
    subscribers,
    gapMs: 0,
    ...(bodyHash && { bodyHash }),
    ...(windowHash && { windowHash }),
    ...((poll.unconditionalFor === 'audit' || poll.unconditionalFor === 'lies') && {
      unconditionalFor: poll.unconditionalFor,
    }),
    ...(poll.occasion === 'manual' && { isManual: true as const }),
  }
}

function netOf(answer: () => NetAnswer | undefined): Net {
  return {
    get: async () => answer() ?? { ok: false, failure: { kind: 'unreachable' } },
    post: () => Promise.reject(new Error('an archive takes no forms')),
    close: async () => {},
  }
}

function answerOf({ url, status, headers, body, wireBytes }: ArchivedExchange, redirects: NetRedirect[]): NetAnswer {
  const address = webAddress(url)
  if (!address) return { ok: false, failure: { kind: 'unreachable' } }
  return { ok: true, status, url: address, redirects, headers, body, wireBytes }
}

function readIn(result: Outcome['result']): (ArticleText & { facts: ArticleFacts }) | undefined {
  return result.kind === 'page' ? result.reading : undefined
}

/** Compares the entries of replayed polls: presence and content. */
async function compareEntries(
  { scheduled, id, played }: ReplayedFeed,
  catalogue: Catalogue,
  store: Catalogue,
  findings: Collected,
): Promise<void> {
  const about = { feedId: scheduled.feed.id, url: scheduled.feed.url }
  const now = new Map<string, Entry>()
  for await (const entry of store.everyEntry({ feedId: id })) now.set(entry.key, entry)
  const isSettled = ({ changedAt }: Entry) => changedAt === undefined || played.has(changedAt)
  for await (const recordedEntry of catalogue.everyEntry({ feedId: scheduled.feed.id })) {
    const entry = now.get(recordedEntry.key)
    now.delete(recordedEntry.key)
    if (!played.has(recordedEntry.seenAt) || !isSettled(recordedEntry)) continue
    findings.compared.entries++
    if (entry)
      for (const difference of entryDifferences(recordedEntry, entry, { ...scheduled.feed, feedId: scheduled.feed.id }))
        findings.add(difference)
    else
      findings.add({
        kind: 'entry',
        at: recordedEntry.seenAt,
        ...about,
        of: `"${recordedEntry.title}"`,
        was: 'there',
        is: 'missing',
      })
  }
  // Entries missing in the store may have been deleted: reported only if the poll itself differs.
  for (const { seenAt, title } of now.values())
    if (played.get(seenAt) === false)
      findings.add({ kind: 'entry', at: seenAt, ...about, of: `"${title}"`, was: 'missing', is: 'there' })
}

function compareDue(
  { scheduled, polls, played }: ReplayedFeed,
  now: ScheduledFeed,
  isFirst: boolean,
  findings: Collected,
): void {
  const { schedule, feed } = scheduled
  const isWhole =
    polls.length < MAX_POLLS_PER_FEED && polls.every(({ at, result }) => result.kind === 'failed' || played.has(at))
  const lastAt = polls.at(-1)?.at
  const isOurs = ['strategy', 'min-interval', 'max-interval', 'server', 'publisher'].includes(
    schedule.because?.by ?? '',
  )
  const isByPoll = lastAt !== undefined && schedule.polledAt === lastAt && schedule.failures === 0 && !feed.followUp
  if (!isWhole || !isByPoll || !isOurs || !isFirst || feed.state !== 'active') return
  findings.compared.due++
  if (now.schedule.dueAt === schedule.dueAt) return
  const [recordedDue, replayedDue] = [formatDate(schedule.dueAt), formatDate(now.schedule.dueAt)]
  findings.add({
    kind: 'due',
    at: lastAt,
    feedId: feed.id,
    url: feed.url,
    of: 'next poll',
    was: recordedDue,
    is: replayedDue,
  })
}

/** The oldest feed of each site: others learn from it. */
function oldestOfRoots(feeds: Iterable<ScheduledFeed>): Map<string, FeedId> {
  const oldest = new Map<string, FeedId>()
  for (const { feed } of feeds) if ((oldest.get(feed.root) ?? feed.id) >= feed.id) oldest.set(feed.root, feed.id)
  return oldest
}

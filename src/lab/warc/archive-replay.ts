/**
 * The flight recorder, played back: what was fetched then, read and reconciled and learnt from by the code of today, beside what
 * the store recorded. Whoever changes the code finds out what that would have made of his own past; whoever upgrades, too.
 *
 * A terminal asks a Net that answers with the exchange of the archive, and a recorder writes to a store in memory, at the
 * dates of the log. What a feed had before its first poll in the archive is taken from the store. Not compared is what the archive does
 * not have: entries that hubs brought, polls whose exchange is missing; and due dates where chance, a person, a hub or the
 * other feeds of a site had a say, or the archive has not the feed's whole life.
 */

import type { ArchivedExchange } from '../../archive/index.ts'
import type { LanguageOf } from '../../articles/index.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { createRecorder, createTerminal, createWall, feedToAdd } from '../../crawl/index.ts'
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
  type MarketBook,
  type Net,
  type NetAnswer,
  type NetRedirect,
  rolesOf,
} from '../../ports/index.ts'
import { ofNearestFolder, termsOf } from '../../scheduling/index.ts'
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
  /** In the order in which they were archived. */
  exchanges: AsyncIterable<ArchivedExchange>
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  marketBook: MarketBook
  limits: { minMs: Millis; maxMs: Millis }
  knownBy: 'key' | 'title'
  loadLanguageOf?: () => Promise<LanguageOf>
  tell?: (exchanges: number) => void
  signal?: AbortSignal
}

export interface ArchiveFindings {
  exchanges: number
  /** How many of each were compared; `polls` and `due` are of feeds, `articles` are pages. */
  compared: { polls: number; entries: number; articles: number; due: number }
  /** How many differ, by kind. */
  differing: Record<DifferenceKind, number>
  /** Exchanges that belong to nothing in the store: robots.txt, guesses, feeds and pages that were removed. */
  unmatched: number
  /** The first of them. */
  differences: Difference[]
}

const MOST_TOLD = 10_000
const MOST_POLLS = 10_000 // of one feed; the newest
const SLACK_MS: Millis = 2 * SECOND // a poll is dated by the clock of the crawl, an exchange by the machine's
const LONGEST_FETCH_MS: Millis = 5 * MINUTE
const NO_ROBOTS: RobotsRecord = { found: 'none', robots: { rules: [] }, fetchedAt: 0, until: Number.MAX_SAFE_INTEGER }

/** A feed as it was, and as it becomes again. */
interface Replayed {
  held: ScheduledFeed
  /** In the store in memory. */
  id: FeedId
  /** Oldest first. */
  polls: Poll[]
  /** Of the polls that were played back, when they were and whether they came to the same. */
  played: Map<Instant, boolean>
  firstAt: Instant
}

interface KnownPage {
  id: ArticleId
  fetchedAt: Instant
}

export async function replayArchive(parts: ArchiveReplayParts): Promise<ArchiveFindings> {
  const { exchanges, catalogue, articleCatalogue, marketBook, limits, tell, signal } = parts
  const findings = createFindings()
  const store = createMemoryStore()
  const clock = createSteppedClock(0)
  const folders = await marketBook.folders()
  const schedules = new Map<FeedId, ScheduledFeed>()
  const failed = (_task: Task, error: unknown) => Promise.reject(error)
  const recorder = createRecorder({
    ...rolesOf(store),
    clock,
    wall: createWall({ clock, emit: () => {} }),
    setAside: failed,
    terms: () => termsNow,
    strategy: 'fixed:1h',
    knownBy: parts.knownBy,
    random: () => 0,
    lineDueAt: (_, at) => at,
    ...(parts.loadLanguageOf && { loadLanguageOf: parts.loadLanguageOf }),
    emit: () => {},
  })
  let termsNow = termsOf({ subscribers: 1 }, undefined, limits, 0)
  let answer: NetAnswer | undefined
  const terminal = createTerminal({ net: netOf(() => answer), clock, obeyRobots: 'guesses' })
  const never = new AbortController().signal

  const feeds = new Map<string, FeedId>()
  for await (const held of catalogue.everyFeed()) {
    feeds.set(held.feed.url, held.feed.id)
    schedules.set(held.feed.id, held)
  }
  const pages = await pagesIn(catalogue)
  const replayed = new Map<FeedId, Replayed>()

  async function begun(feedId: FeedId, at: Instant): Promise<Replayed> {
    const known = replayed.get(feedId)
    if (known) return known
    const held = schedules.get(feedId)!
    const { url, title, addedAt, subscribers, folder, wants, titlePrefix } = held.feed
    const wanted = { ...(folder && { folder }), ...(wants && { wants }), ...(titlePrefix && { titlePrefix }) }
    const added = feedToAdd({ url, title, addedAt, subscribers, ...wanted }, held.schedule.strategy, addedAt)
    const [taken] = await store.addFeeds([added])
    const polls = (await catalogue.polls({ feedId, limit: MOST_POLLS })).reverse()
    const one: Replayed = { held, id: taken!.id, polls, played: new Map(), firstAt: at }
    await remember(one)
    replayed.set(feedId, one)
    return one
  }

  /** What the feed had shown before. */
  async function remember({ held, id, firstAt }: Replayed): Promise<void> {
    for await (const entry of catalogue.everyEntry({ feedId: held.feed.id }))
      if (entry.seenAt < firstAt)
        await store.recordNews([{ feedId: id, at: entry.seenAt, fresh: [entry], changed: [] }])
    const [first] = await store.entries({ feedId: id, limit: 1 })
    if (first) await store.changeFeed(id, {}, { succeededAt: firstAt - 1 })
  }

  async function playPoll(feedId: FeedId, exchange: ArchivedExchange, arrived: ArchivedRedirects): Promise<boolean> {
    const held = schedules.get(feedId)!
    const polls = replayed.get(feedId)?.polls ?? (await catalogue.polls({ feedId, limit: MOST_POLLS })).reverse()
    const played = replayed.get(feedId)?.played
    const poll = pollAt(
      polls.filter(({ at, occasion }) => occasion !== 'older' && !played?.has(at)),
      arrived.beganAt,
    )
    if (!poll) return false
    const one = await begun(feedId, poll.at)
    const [now] = await store.feedsById([one.id])
    if (!now) return false
    const isBlind = exchange.status === 304 && !now.feed.validators.etag && !now.feed.validators.lastModified
    if (isBlind) return true // the answer to which it refers is not in the archive
    termsNow = termsOf(held.feed, ofNearestFolder(folders, held.feed.folder), limits, held.schedule.because?.price ?? 0)
    await clock.advanceTo(Math.max(clock.now(), poll.at))
    answer = answerOf(exchange, arrived.redirects)
    const outcome = await terminal(taskFor(now, poll), never)
    await recorder.record([{ ...outcome, at: poll.at, tookMs: poll.tookMs, bytes: poll.bytes }], new Set())
    const [line] = await store.polls({ feedId: one.id, limit: 1 })
    if (line?.at !== poll.at) return true // what a redirect led to is another host's turn
    const [was, is] = [summarizeResult(poll.result), summarizeResult(line.result)]
    one.played.set(poll.at, was === is)
    findings.compared.polls++
    const about = { feedId, url: held.feed.url, of: 'poll' }
    if (was !== is) findings.add({ kind: 'poll', at: poll.at, ...about, was, is })
    return true
  }

  async function playPage(page: KnownPage, exchange: ArchivedExchange, url: WebAddress): Promise<void> {
    const [article] = await articleCatalogue.articlesById([page.id])
    const [text] = await articleCatalogue.articleTexts([page.id])
    if (!article || !text) return
    answer = answerOf(exchange, [])
    const task: Task = { kind: 'article', articleId: page.id, url, robots: NO_ROBOTS, gapMs: 0 }
    const { result } = await terminal(task, never)
    findings.compared.articles++
    const about = { at: exchange.at, url }
    const now = readIn(result)
    if (now) for (const one of articleDifferences({ ...text, facts: article.facts }, now, about)) findings.add(one)
    else if (result.kind === 'failed')
      findings.add({ kind: 'text', ...about, of: 'page', was: 'read', is: `failed: ${result.failure.kind}` })
  }

  const ways = createRedirectChains()
  for await (const exchange of exchanges) {
    signal?.throwIfAborted()
    tell?.(++findings.exchanges)
    const arrived = ways.follow(exchange)
    if (!arrived) continue
    const feedId = feeds.get(arrived.from) ?? feeds.get(exchange.url)
    const page = pages.get(arrived.from) ?? pages.get(exchange.url)
    const url = webAddress(exchange.url)
    const isPage = page && url && exchange.status === 200 && isWithin(page.fetchedAt, arrived.beganAt, LONGEST_FETCH_MS)
    if (feedId !== undefined && (await playPoll(feedId, exchange, arrived))) continue
    if (isPage) await playPage(page, exchange, url)
    else findings.unmatched++
  }

  const firstOfRoot = oldestOfRoots(schedules.values())
  for (const one of replayed.values()) {
    await compareEntries(one, catalogue, store, findings)
    const [now] = await store.feedsById([one.id])
    if (now) compareDue(one, now, firstOfRoot.get(one.held.feed.root) === one.held.feed.id, findings)
  }
  return findings.told()
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
      if (found.differences.length < MOST_TOLD) found.differences.push(difference)
    },
    told(): ArchiveFindings {
      const { exchanges, compared, differing, unmatched, differences } = found
      return { exchanges, compared, differing, unmatched, differences }
    },
  })
}

/** Those that were read, by the addresses at which they may have been asked for. */
async function pagesIn(catalogue: Catalogue): Promise<Map<string, KnownPage>> {
  const pages = new Map<string, KnownPage>()
  for await (const { article } of catalogue.everyArticle({})) {
    if (article.fetchedAt === undefined) continue
    const page = { id: article.id, fetchedAt: article.fetchedAt }
    for (const url of [article.pageUrl, article.url]) if (url) pages.set(url, page)
  }
  return pages
}

/** The one during which the request was made; of two that are close together, the nearer. */
function pollAt(polls: Poll[], beganAt: Instant): Poll | undefined {
  const distance = ({ at }: Poll) => Math.abs(beganAt - at)
  return polls
    .filter(({ at, tookMs }) => isWithin(at, beganAt, tookMs))
    .reduce<Poll | undefined>((near, one) => (near && distance(near) <= distance(one) ? near : one), undefined)
}

function isWithin(at: Instant, beganAt: Instant, lengthMs: Millis): boolean {
  return beganAt >= at - SLACK_MS && beganAt <= at + lengthMs + SLACK_MS
}

/** A poll like the one of the log: with the validators that the feed has by now, if that one had any. */
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
    ...(poll.occasion === 'hand' && { byHand: true as const }),
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

/** Those that polls brought which were played back; whether they are there, and what they say. */
async function compareEntries(
  { held, id, played }: Replayed,
  catalogue: Catalogue,
  store: Catalogue,
  findings: Collected,
): Promise<void> {
  const about = { feedId: held.feed.id, url: held.feed.url }
  const now = new Map<string, Entry>()
  for await (const entry of store.everyEntry({ feedId: id })) now.set(entry.key, entry)
  const isSettled = ({ changedAt }: Entry) => changedAt === undefined || played.has(changedAt)
  for await (const then of catalogue.everyEntry({ feedId: held.feed.id })) {
    const entry = now.get(then.key)
    now.delete(then.key)
    if (!played.has(then.seenAt) || !isSettled(then)) continue
    findings.compared.entries++
    if (entry)
      for (const one of entryDifferences(then, entry, { ...held.feed, feedId: held.feed.id })) findings.add(one)
    else findings.add({ kind: 'entry', at: then.seenAt, ...about, of: `"${then.title}"`, was: 'there', is: 'missing' })
  }
  // What the store has not any more may have been forgotten or removed; it is told where the poll itself came to something else.
  for (const { seenAt, title } of now.values())
    if (played.get(seenAt) === false)
      findings.add({ kind: 'entry', at: seenAt, ...about, of: `"${title}"`, was: 'missing', is: 'there' })
}

function compareDue(
  { held, polls, played }: Replayed,
  now: ScheduledFeed,
  isFirst: boolean,
  findings: Collected,
): void {
  const { schedule, feed } = held
  const isWhole =
    polls.length < MOST_POLLS && polls.every(({ at, result }) => result.kind === 'failed' || played.has(at))
  const lastAt = polls.at(-1)?.at
  const isOurs = ['strategy', 'min-interval', 'max-interval', 'server', 'publisher'].includes(
    schedule.because?.by ?? '',
  )
  const isByPoll = lastAt !== undefined && schedule.polledAt === lastAt && schedule.failures === 0 && !feed.errand
  if (!isWhole || !isByPoll || !isOurs || !isFirst || feed.state !== 'active') return
  findings.compared.due++
  if (now.schedule.dueAt === schedule.dueAt) return
  const [was, is] = [formatDate(schedule.dueAt), formatDate(now.schedule.dueAt)]
  findings.add({ kind: 'due', at: lastAt, feedId: feed.id, url: feed.url, of: 'next poll', was, is })
}

/** The first feed of a site begins with nothing; the others learn from it. */
function oldestOfRoots(feeds: Iterable<ScheduledFeed>): Map<string, FeedId> {
  const oldest = new Map<string, FeedId>()
  for (const { feed } of feeds) if ((oldest.get(feed.root) ?? feed.id) >= feed.id) oldest.set(feed.root, feed.id)
  return oldest
}

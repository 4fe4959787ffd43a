/**
 * Checks the poll log against the politeness rules, by feed and by domain; with an archive, also the requests themselves. Uses the
 * current settings. Every rule of docs/politeness-rules.md is reported, or the reason why it cannot be checked.
 */

import { type ArchivedExchange, NoArchiveError, readArchive } from '../archive/read-archive.ts'
import { USER_POLL_GAP_MS } from '../crawl/index.ts'
import { looksLikeFeed } from '../feeds/index.ts'
import { DAY, type Feed, type FeedId, formatDuration, formatSize, type Millis, type Poll } from '../model/index.ts'
import { createAddressGuard } from '../net/address-guard.ts'
import {
  AUDITED_BY_ARCHIVE,
  auditFeed,
  auditRoot,
  createWireAudit,
  type Judgement,
  MIN_WAIT_AFTER_FAILURE_MS,
  type MinimumGaps,
  mergeAudits,
  type RootVisit,
  rootOf,
  tenantOf,
  UNAUDITED_RULES,
} from '../politeness/index.ts'
import { termsOf, valueOfNearestFolder } from '../scheduling/index.ts'
import { InputError } from './addresses.ts'
import { createExemption, type OpenStore } from './composition.ts'
import type { Config } from './config.ts'
import { limitsOf } from './goals.ts'

/** `words`: a sentence for users, without a full stop. */
export type AuditVerdict = Judgement & { words: string }

export interface Audit {
  feeds: number
  polls: number
  judgements: AuditVerdict[]
  /** Results from the requests in an archive. */
  archive?: { requests: number; judgements: AuditVerdict[] }
  /** Feeds and domains that broke a rule, worst first. */
  broken: { feed?: Feed; root?: string; judgements: AuditVerdict[] }[]
  /** Rules that cannot be checked, with the reason. */
  unverified: { rule: number; why: string }[]
}

export interface AuditOptions {
  /** Check only this feed. */
  only?: FeedId
  /** An archive that `--archive` wrote: its folder, or one of its files. */
  archive?: string
}

interface ConfiguredGaps extends MinimumGaps {
  hostGapMs: Millis
}

const MAX_POLLS = 10_000 // the newest polls of one feed
const DOMAIN_LOG_MS = 7 * DAY // domains are checked by their last week, because the polls of all their feeds are in memory at once

export async function auditCrawl(
  { pollMarket, catalogue, clock }: OpenStore,
  config: Config,
  { only: onlyFeedId, archive }: AuditOptions = {},
): Promise<Audit> {
  const limits = limitsOf(config)
  const defaultGaps: ConfiguredGaps = {
    minGapMs: limits.minMs,
    manualGapMs: USER_POLL_GAP_MS,
    hostGapMs: config.hostGap,
  }
  const now = clock.now()
  let gaps = defaultGaps
  const folders = (await pollMarket.pollSettings()).folderGoals
  const allJudgements: Judgement[][] = []
  const roots = new Map<string, RootVisit[]>()
  const requestedUrls = new Set<string>()
  const audit: Audit = { feeds: 0, polls: 0, judgements: [], broken: [], unverified: [] }
  for await (const scheduled of catalogue.everyFeed()) {
    const { feed } = scheduled
    requestedUrls.add(feed.url)
    if (onlyFeedId !== undefined && feed.id !== onlyFeedId) continue
    const polls = await catalogue.polls({ feedId: feed.id, limit: MAX_POLLS })
    if (polls.length === 0) continue
    const { minMs } = termsOf(feed, valueOfNearestFolder(folders, feed.folder), limits, 0).limits
    gaps = { ...defaultGaps, minGapMs: minMs }
    const [push] = await catalogue.hubSubscriptionsOf([feed.id])
    const judgements = auditFeed(polls, gaps, { scheduled, ...(push && { push }), now })
    audit.feeds++
    audit.polls += polls.length
    allJudgements.push(judgements)
    addVisits(roots, feed, polls, now - DOMAIN_LOG_MS)
    const broken = judgements.filter(isBroken).map((judgement) => toVerdict(judgement, gaps))
    if (broken.length > 0) audit.broken.push({ feed, judgements: broken })
  }
  const isExempt = createExemption(config.hostGapExcept)
  for (const [root, visits] of roots) {
    if (onlyFeedId !== undefined || isExempt(root)) continue
    const judgements = auditRoot(visits, config.hostGap)
    allJudgements.push(judgements)
    const broken = judgements.filter(isBroken).map((judgement) => toVerdict(judgement, defaultGaps))
    if (broken.length > 0) audit.broken.push({ root, judgements: broken })
  }
  audit.judgements = mergeAudits(allJudgements).map((judgement) =>
    toVerdict(judgement, audit.feeds === 1 ? gaps : defaultGaps),
  )
  audit.broken.sort((a, b) => countViolations(b.judgements) - countViolations(a.judgements))
  if (archive !== undefined) {
    await addSources(catalogue, requestedUrls)
    audit.archive = await auditArchive(archive, config, defaultGaps, requestedUrls)
  }
  audit.unverified = unverifiedRules(audit)
  return audit
}

/** Whether any feed, domain or archived request broke a rule. */
export function hasBrokenRule({ broken, archive }: Audit): boolean {
  return broken.length > 0 || (archive?.judgements.some(isBroken) ?? false)
}

function addVisits(roots: Map<string, RootVisit[]>, feed: Feed, polls: Poll[], since: number): void {
  const [root, tenant] = [rootOf(feed.url), tenantOf(feed.url)]
  const visits = roots.get(root) ?? []
  roots.set(root, visits)
  for (const { at, result, waitUntil } of polls) {
    if (at < since) continue
    const status = result.kind === 'failed' && result.failure.kind === 'http' ? result.failure.status : 0
    const isOwn = status === 429 && waitUntil !== undefined && !feed.ends // after a redirect, another server may have sent it
    visits.push({ at, feedId: feed.id, tenant, ...(isOwn && { requestedPause: { until: waitUntil, of: tenant } }) })
  }
}

async function addSources(catalogue: OpenStore['catalogue'], requestedUrls: Set<string>): Promise<void> {
  const limit = 1000
  for (let after: Parameters<typeof catalogue.sources>[0]['after']; ; ) {
    const sources = await catalogue.sources({ ...(after !== undefined && { after }), limit })
    for (const { url } of sources) requestedUrls.add(url)
    after = sources.at(-1)?.id
    if (sources.length < limit) return
  }
}

async function auditArchive(
  folder: string,
  config: Config,
  gaps: ConfiguredGaps,
  requestedUrls: ReadonlySet<string>,
): Promise<NonNullable<Audit['archive']>> {
  const guard = createAddressGuard([...config.allowNetworks])
  const isByProxy = config.httpProxy !== '' || config.httpsProxy !== ''
  const wire = createWireAudit({
    gapMs: config.hostGap,
    isExempt: createExemption(config.hostGapExcept),
    isUserAdded: (url) => requestedUrls.has(url),
    ...(!isByProxy && { mayVisit: (address: string) => guard.blockReason(address) === undefined }),
  })
  let requests = 0
  for await (const exchange of readExchanges(folder)) {
    requests++
    wire.add({ ...exchange, kind: looksLikeFeed(exchange.body) ? 'feed' : 'other' })
  }
  return { requests, judgements: wire.judgements().map((judgement) => toVerdict(judgement, gaps)) }
}

/** Throws an InputError if the archive cannot be read. */
export async function* readExchanges(folder: string): AsyncGenerator<ArchivedExchange> {
  try {
    yield* readArchive(folder)
  } catch (error) {
    if (!(error instanceof NoArchiveError)) throw error
    throw new InputError(error.message, 'give the folder of freshet run --archive, or one of its files')
  }
}

function unverifiedRules({ archive, judgements }: Audit): Audit['unverified'] {
  const byArchive = archive ? [] : AUDITED_BY_ARCHIVE.map((rule) => ({ rule, why: NO_ARCHIVE_REASON }))
  const all = [...byArchive, ...Array.from(UNAUDITED_RULES, ([rule, why]) => ({ rule, why }))]
  const judged = new Set([...judgements, ...(archive?.judgements ?? [])].map(({ rule }) => rule))
  const unmet = archive ? AUDITED_BY_ARCHIVE.filter((rule) => !judged.has(rule)) : []
  return [...all, ...unmet.map((rule) => ({ rule, why: NO_CASE_REASON }))].sort((a, b) => a.rule - b.rule)
}

const NO_ARCHIVE_REASON = 'the poll log has no headers or pages; give the archive of a run with --archive FOLDER'
const NO_CASE_REASON = 'the archive has no case for it'

function toVerdict(judgement: Judgement, gaps: ConfiguredGaps): AuditVerdict {
  return { ...judgement, words: describeJudgement(judgement, gaps) }
}

/** Judgements without a rule, and rule 2 with `bytes`, are statistics: they depend on the server and cannot be broken. */
function isBroken({ rule, passed, checked, bytes }: Judgement): boolean {
  return rule !== undefined && bytes === undefined && passed < checked
}

const SENTENCES = new Map<number, string>([
  [1, 'polls were conditional where possible'],
  [2, 'ETags were sent byte for byte'],
  [3, 'If-Modified-Since had the date of the server'],
  [4, 'new validators of an unchanged document were used'],
  [5, 'validators of a 304 were used'],
  [6, 'validators missing from a response were dropped'],
  [9, 'feeds were added with one GET request'],
  [21, 'polls of one domain came one after the other'],
  [22, 'requests accepted compressed responses'],
  [23, 'ETags of compressed responses were sent unchanged'],
  [27, 'redirect loops ended'],
  [28, 'feeds marked as gone had answered so repeatedly'],
  [29, 'failing feeds are still retried'],
  [31, 'requests had the same user agent'],
  [33, 'requests had no cookies, no referrer and no fragment'],
  [34, 'failed probes were not repeated for a day'],
  [36, 'next polls respect ttl, sy:updatePeriod, skipHours and skipDays'],
  [37, 'cache headers were respected although the document was unchanged'],
  [38, 'feeds that only answer 304 get an unconditional request at times'],
  [39, 'pages and probes were allowed by robots.txt'],
  [40, 'pages and probes were allowed without a readable robots.txt'],
  [41, 'robots.txt was only requested again when it was outdated'],
  [44, 'archived pages allow archiving'],
  [46, 'hub subscriptions have an unguessable address and secret'],
  [50, 'leases at hubs are renewed before they expire'],
  [51, 'pushed feeds are polled rarely, and as usual after missed pushes'],
  [52, 'requests went to public or allowed addresses'],
])

function describeJudgement({ rule = 0, passed, checked, worst, bytes }: Judgement, gaps: ConfiguredGaps): string {
  const shortest = (allowed: number) =>
    worst
      ? `; the shortest gap was ${formatDuration(worst.ms)}, the shortest allowed is ${formatDuration(allowed)}`
      : ''
  const early = worst ? `; the earliest was ${formatDuration(worst.ms)} too early` : ''
  switch (rule) {
    case 0:
      return `answered polls found something; ${checked - passed} found nothing`
    case 8:
      return `manual polls kept the gap${shortest(gaps.manualGapMs)}`
    case 11:
      return `fresh responses were not requested again${early}`
    case 12:
      return `polls kept the minimum interval${shortest(gaps.minGapMs)}`
    case 13:
      return `fresh 304 responses were not requested again${early}`
    case 14:
      return `failed polls were not repeated at once${shortest(MIN_WAIT_AFTER_FAILURE_MS)}`
    case 15:
      return `pauses requested by a 429 were kept${early}`
    case 16:
      return `pauses requested by other refusals were kept${early}`
    case 17:
      return `pauses of more than a day were kept${early}`
    case 18:
      return `a 429 without Retry-After was not followed by a poll at once${shortest(MIN_WAIT_AFTER_FAILURE_MS)}`
    case 19:
      return `refused requests were not repeated at once${shortest(MIN_WAIT_AFTER_FAILURE_MS)}`
    case 20:
      return `polls kept the pause of their domain${shortest(gaps.hostGapMs)}`
    case 35:
      return `requests of any kind kept the pause of their domain${shortest(gaps.hostGapMs)}`
    case 43:
      return `requests kept the crawl delay of robots.txt${worst ? `; the shortest gap was ${formatDuration(worst.ms)}` : ''}`
    default:
      if (rule === 2 && bytes !== undefined)
        return `unchanged responses were 304, which saved about ${formatSize(bytes)}`
      return SENTENCES.get(rule) ?? `cases of rule ${rule} were kept`
  }
}

function countViolations(judgements: Judgement[]): number {
  return judgements.reduce((sum, { passed, checked }) => sum + checked - passed, 0)
}

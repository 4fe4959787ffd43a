/**
 * Our own conduct, feed by feed and domain by domain, from the log of what we did; with an archive, from the requests themselves,
 * too. Judged by the settings in force now. Every rule of docs/politeness-rules.md is told, and be it why it cannot be.
 */

import { type ArchivedExchange, NoArchiveError, readArchive } from '../archive/read-archive.ts'
import { HAND_POLL_GAP_MS } from '../crawl/index.ts'
import { looksLikeFeed } from '../feeds/index.ts'
import { DAY, type Feed, type FeedId, formatDuration, formatSize, type Millis, type Poll } from '../model/index.ts'
import { createAddressGuard } from '../net/address-guard.ts'
import {
  AFTER_FAILURE_MS,
  auditFeed,
  auditRoot,
  createWireAudit,
  type Judgement,
  joinedAudits,
  type PromisedGaps,
  type RootVisit,
  rootOf,
  TOLD_BY_ARCHIVE,
  tenantOf,
  UNTOLD,
} from '../politeness/index.ts'
import { ofNearestFolder, termsOf } from '../scheduling/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { limitsOf } from './goals.ts'
import { exempt, type OpenStore } from './wire.ts'

/** `words`: a sentence for people, without a full stop. */
export type AuditVerdict = Judgement & { words: string }

export interface Audit {
  feeds: number
  polls: number
  judgements: AuditVerdict[]
  /** What the requests of an archive show. */
  archive?: { requests: number; judgements: AuditVerdict[] }
  /** Feeds, or domains, with a rule that was broken, worst first. */
  broken: { feed?: Feed; root?: string; judgements: AuditVerdict[] }[]
  /** Rules that cannot be judged, each with the reason. */
  untold: { rule: number; why: string }[]
}

export interface AuditWishes {
  /** One feed, in place of all. */
  only?: FeedId
  /** A folder, or a file, of the archive that `--archive` writes. */
  archive?: string
}

interface Promises extends PromisedGaps {
  hostGapMs: Millis
}

const MOST_POLLS = 10_000 // of one feed; the newest
const ROOT_LOG_MS = 7 * DAY // domains are judged by their last week: all their feeds are held in memory at once

export async function auditOf(
  { marketBook, catalogue, clock }: OpenStore,
  config: Config,
  { only, archive }: AuditWishes = {},
): Promise<Audit> {
  const limits = limitsOf(config)
  const usual: Promises = { minGapMs: limits.minMs, handGapMs: HAND_POLL_GAP_MS, hostGapMs: config.hostGap }
  const now = clock.now()
  let gaps = usual
  const folders = await marketBook.folders()
  const found: Judgement[][] = []
  const roots = new Map<string, RootVisit[]>()
  const asked = new Set<string>()
  const audit: Audit = { feeds: 0, polls: 0, judgements: [], broken: [], untold: [] }
  for await (const held of catalogue.everyFeed()) {
    const { feed } = held
    asked.add(feed.url)
    if (only !== undefined && feed.id !== only) continue
    const polls = await catalogue.polls({ feedId: feed.id, limit: MOST_POLLS })
    if (polls.length === 0) continue
    const { minMs } = termsOf(feed, ofNearestFolder(folders, feed.folder), limits, 0).limits
    gaps = { ...usual, minGapMs: minMs }
    const [push] = await catalogue.pushesOf([feed.id])
    const judgements = auditFeed(polls, gaps, { held, ...(push && { push }), now })
    audit.feeds++
    audit.polls += polls.length
    found.push(judgements)
    noteVisits(roots, feed, polls, now - ROOT_LOG_MS)
    const broken = judgements.filter(isBroken).map((judgement) => verdictOn(judgement, gaps))
    if (broken.length > 0) audit.broken.push({ feed, judgements: broken })
  }
  const isExempt = exempt(config.hostGapExcept)
  for (const [root, visits] of roots) {
    if (only !== undefined || isExempt(root)) continue
    const judgements = auditRoot(visits, config.hostGap)
    found.push(judgements)
    const broken = judgements.filter(isBroken).map((judgement) => verdictOn(judgement, usual))
    if (broken.length > 0) audit.broken.push({ root, judgements: broken })
  }
  audit.judgements = joinedAudits(found).map((judgement) => verdictOn(judgement, audit.feeds === 1 ? gaps : usual))
  audit.broken.sort((a, b) => brokenTimes(b.judgements) - brokenTimes(a.judgements))
  if (archive !== undefined) {
    await addSources(catalogue, asked)
    audit.archive = await auditArchive(archive, config, usual, asked)
  }
  audit.untold = untold(audit)
  return audit
}

/** Of an audit of everything: whether a rule was broken by anybody. */
export function isAnyBroken({ broken, archive }: Audit): boolean {
  return broken.length > 0 || (archive?.judgements.some(isBroken) ?? false)
}

function noteVisits(roots: Map<string, RootVisit[]>, feed: Feed, polls: Poll[], since: number): void {
  const [root, tenant] = [rootOf(feed.url), tenantOf(feed.url)]
  const visits = roots.get(root) ?? []
  roots.set(root, visits)
  for (const { at, result, restUntil } of polls) {
    if (at < since) continue
    const status = result.kind === 'failed' && result.failure.kind === 'http' ? result.failure.status : 0
    const isOwn = status === 429 && restUntil !== undefined && !feed.ends // else another server may have said so
    visits.push({ at, feedId: feed.id, tenant, ...(isOwn && { asked: { until: restUntil, of: tenant } }) })
  }
}

async function addSources(catalogue: OpenStore['catalogue'], asked: Set<string>): Promise<void> {
  const limit = 1000
  for (let after: Parameters<typeof catalogue.sources>[0]['after']; ; ) {
    const sources = await catalogue.sources({ ...(after !== undefined && { after }), limit })
    for (const { url } of sources) asked.add(url)
    after = sources.at(-1)?.id
    if (sources.length < limit) return
  }
}

async function auditArchive(
  folder: string,
  config: Config,
  gaps: Promises,
  asked: ReadonlySet<string>,
): Promise<NonNullable<Audit['archive']>> {
  const guard = createAddressGuard([...config.allowNetworks])
  const isByProxy = config.httpProxy !== '' || config.httpsProxy !== ''
  const wire = createWireAudit({
    gapMs: config.hostGap,
    isExempt: exempt(config.hostGapExcept),
    isAskedFor: (url) => asked.has(url),
    ...(!isByProxy && { mayVisit: (address: string) => guard.objection(address) === undefined }),
  })
  let requests = 0
  for await (const exchange of exchangesOf(folder)) {
    requests++
    wire.hear({ ...exchange, is: looksLikeFeed(exchange.body) ? 'feed' : 'other' })
  }
  return { requests, judgements: wire.judgements().map((judgement) => verdictOn(judgement, gaps)) }
}

/** An archive that cannot be read is a slip of whoever named it. */
export async function* exchangesOf(folder: string): AsyncGenerator<ArchivedExchange> {
  try {
    yield* readArchive(folder)
  } catch (error) {
    if (!(error instanceof NoArchiveError)) throw error
    throw new InputError(error.message, 'give the folder of freshet run --archive, or one of its files')
  }
}

function untold({ archive, judgements }: Audit): Audit['untold'] {
  const byArchive = archive ? [] : TOLD_BY_ARCHIVE.map((rule) => ({ rule, why: ARCHIVE_WORDS }))
  const all = [...byArchive, ...Array.from(UNTOLD, ([rule, why]) => ({ rule, why }))]
  const judged = new Set([...judgements, ...(archive?.judgements ?? [])].map(({ rule }) => rule))
  const unmet = archive ? TOLD_BY_ARCHIVE.filter((rule) => !judged.has(rule)) : []
  return [...all, ...unmet.map((rule) => ({ rule, why: UNMET_WORDS }))].sort((a, b) => a.rule - b.rule)
}

const ARCHIVE_WORDS =
  'the log keeps no headers and no pages; give the archive of a run, if there is one: --archive folder'
const UNMET_WORDS = 'nothing in the archive called for it'

function verdictOn(judgement: Judgement, gaps: Promises): AuditVerdict {
  return { ...judgement, words: judgementInWords(judgement, gaps) }
}

/** A rule was broken. Whether a server answers 304 is its own affair, and what is no rule tells only whether we are a burden. */
function isBroken({ rule, kept, of, bytes }: Judgement): boolean {
  return rule !== undefined && bytes === undefined && kept < of
}

const SENTENCES = new Map<number, string>([
  [1, 'polls that could be conditional were'],
  [2, 'ETags went back byte for byte'],
  [3, 'dates that went back were those of the server'],
  [4, 'new validators of the same document were the ones that went back'],
  [5, 'validators of a 304 were the ones that went back'],
  [6, 'validators that an answer no longer had were dropped'],
  [9, 'feeds were added with one GET'],
  [21, 'polls of domains with several feeds came one after the other'],
  [22, 'requests asked for packed answers'],
  [23, 'ETags of packed answers went back as they came'],
  [27, 'polls that were led in circles came to an end'],
  [28, 'feeds that are gone had said so repeatedly'],
  [29, 'feeds in trouble are still asked for'],
  [31, 'requests said who we are, always the same'],
  [33, 'requests had no cookies, no referrer and no fragment'],
  [34, 'addresses that had nothing were left alone for a day'],
  [36, 'feeds that ask for patience in their document have their next poll when they allow it'],
  [37, 'headers counted, though the document was the same'],
  [38, 'feeds of which only 304 comes are asked for everything now and then'],
  [39, 'pages and guesses were allowed by robots.txt'],
  [40, 'pages and guesses were allowed where robots.txt could not be had, or there was none'],
  [41, 'times robots.txt was asked for again, it was no longer fresh'],
  [44, 'archived pages had not asked not to be kept'],
  [46, 'subscriptions have an address and a secret that nobody guesses'],
  [50, 'leases are renewed before they end'],
  [51, 'pushed feeds are polled seldom, and as usual where pushes failed'],
  [52, 'requests went to addresses that are public, or allowed'],
])

function judgementInWords({ rule = 0, kept, of, worst, bytes }: Judgement, gaps: Promises): string {
  const shortest = (allowed: number) =>
    worst
      ? `; the shortest gap was ${formatDuration(worst.ms)}, the shortest allowed is ${formatDuration(allowed)}`
      : ''
  const early = worst ? `; once we came ${formatDuration(worst.ms)} too early` : ''
  switch (rule) {
    case 0:
      return `polls that were answered found something; ${of - kept} found nothing`
    case 8:
      return `polls asked for by hand left a gap before them${shortest(gaps.handGapMs)}`
    case 11:
      return `answers were not asked for again while they were fresh${early}`
    case 12:
      return `polls left a gap before them${shortest(gaps.minGapMs)}`
    case 13:
      return `answers of 304 were not asked for again while they were fresh${early}`
    case 14:
      return `failures were not followed by a poll at once${shortest(AFTER_FAILURE_MS)}`
    case 15:
      return `rests that a 429 asked for were kept${early}`
    case 16:
      return `rests that another refusal asked for were kept${early}`
    case 17:
      return `rests of more than a day were kept${early}`
    case 18:
      return `429s without a date were not followed by a poll at once${shortest(AFTER_FAILURE_MS)}`
    case 19:
      return `refusals were not answered at once${shortest(AFTER_FAILURE_MS)}`
    case 20:
      return `polls left a pause at their domain${shortest(gaps.hostGapMs)}`
    case 35:
      return `requests of any kind left a pause at their domain${shortest(gaps.hostGapMs)}`
    case 43:
      return `requests left the pause that robots.txt asks for${worst ? `; the shortest gap was ${formatDuration(worst.ms)}` : ''}`
    default:
      if (rule === 2 && bytes !== undefined)
        return `answers without news came as 304, which saved about ${formatSize(bytes)}`
      return SENTENCES.get(rule) ?? `cases of rule ${rule} were as they should be`
  }
}

function brokenTimes(judgements: Judgement[]): number {
  return judgements.reduce((sum, { kept, of }) => sum + of - kept, 0)
}

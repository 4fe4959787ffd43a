/** Our own conduct, feed by feed, from the log of what we did; and all of it together. Judged by the settings in force now. */
import { HAND_POLL_GAP_MS } from '../crawl/index.ts'
import { type Feed, type FeedId, formatDuration, formatSize } from '../model/index.ts'
import { auditFeed, type Judgement, joinedAudits, type PromisedGaps } from '../politeness/index.ts'
import { ofNearestFolder, termsOf } from '../polling/index.ts'
import type { Config } from './config.ts'
import { limitsOf } from './goals.ts'
import type { OpenStore } from './wire.ts'

/** `words`: a sentence for people, without a full stop. */
export type AuditVerdict = Judgement & { words: string }

export interface Audit {
  feeds: number
  polls: number
  judgements: AuditVerdict[]
  /** Feeds with a rule that was broken, worst first. */
  broken: { feed: Feed; judgements: AuditVerdict[] }[]
}

const MOST_POLLS = 10_000 // of one feed; the newest

/** Of one feed, or of all. */
export async function auditOf({ marketBook, catalogue }: OpenStore, config: Config, only?: FeedId): Promise<Audit> {
  const limits = limitsOf(config)
  const usual: PromisedGaps = { minGapMs: limits.minMs, handGapMs: HAND_POLL_GAP_MS }
  let gaps = usual
  const folders = await marketBook.folders()
  const ofFeeds: Judgement[][] = []
  const audit: Audit = { feeds: 0, polls: 0, judgements: [], broken: [] }
  for await (const { feed } of catalogue.everyFeed()) {
    if (only !== undefined && feed.id !== only) continue
    const polls = await catalogue.polls({ feedId: feed.id, limit: MOST_POLLS })
    if (polls.length === 0) continue
    const { minMs } = termsOf(feed, ofNearestFolder(folders, feed.folder), limits, 0).limits
    gaps = { ...usual, minGapMs: minMs }
    const judgements = auditFeed(polls, gaps)
    audit.feeds++
    audit.polls += polls.length
    ofFeeds.push(judgements)
    const broken = judgements.filter(isBroken)
    const verdicts = broken.map((judgement) => verdictOn(judgement, gaps))
    if (broken.length > 0) audit.broken.push({ feed, judgements: verdicts })
  }
  const all = audit.feeds === 1 ? gaps : usual
  audit.judgements = joinedAudits(ofFeeds).map((judgement) => verdictOn(judgement, all))
  audit.broken.sort((a, b) => brokenTimes(b.judgements) - brokenTimes(a.judgements))
  return audit
}

function verdictOn(judgement: Judgement, gaps: PromisedGaps): AuditVerdict {
  return { ...judgement, words: judgementInWords(judgement, gaps) }
}

/** A rule was broken. Whether a server answers 304 is its own affair, and what is no rule tells only whether we are a burden. */
function isBroken({ rule, kept, of }: Judgement): boolean {
  return rule !== undefined && rule !== 2 && kept < of
}

function judgementInWords({ rule, kept, of, worst, bytes = 0 }: Judgement, gaps: PromisedGaps): string {
  const shortest = (allowed: number) =>
    worst
      ? `; the shortest gap was ${formatDuration(worst.ms)}, the shortest allowed is ${formatDuration(allowed)}`
      : ''
  const early = worst ? `; once we came ${formatDuration(worst.ms)} too early` : ''
  switch (rule) {
    case 1:
      return 'polls that could be conditional were'
    case 2:
      return `answers without news came as 304, which saved about ${formatSize(bytes)}`
    case 8:
      return `polls asked for by hand left a gap before them${shortest(gaps.handGapMs)}`
    case 11:
      return `answers were not asked for again while they were fresh${early}`
    case 12:
      return `polls left a gap before them${shortest(gaps.minGapMs)}`
    case 15:
      return `rests that a refusal asked for were kept${early}`
    default:
      return `polls that were answered found something; ${of - kept} found nothing`
  }
}

function brokenTimes(judgements: Judgement[]): number {
  return judgements.reduce((sum, { kept, of }) => sum + of - kept, 0)
}

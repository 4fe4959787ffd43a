/** Our own conduct, feed by feed, from the log of what we did; and all of it together. */
import type { Feed, FeedId } from '../model/index.ts'
import { conductOf, type Judgement } from '../politeness/index.ts'
import type { Config } from './config.ts'
import type { Reading } from './wire.ts'

export interface Audit {
  feeds: number
  polls: number
  judgements: Judgement[]
  /** Feeds with a rule that was broken, worst first. */
  broken: { feed: Feed; judgements: Judgement[] }[]
}

const MOST_POLLS = 10_000 // of one feed; the newest

/** Of one feed, or of all. Older pages of a feed may follow it after the pause that every host gets, so that is the gap. */
export async function auditOf({ store }: Reading, config: Config, only?: FeedId): Promise<Audit> {
  const total = new Map<string, Judgement>()
  const audit: Audit = { feeds: 0, polls: 0, judgements: [], broken: [] }
  for await (const { feed } of store.everyFeed()) {
    if (only !== undefined && feed.id !== only) continue
    const polls = await store.polls({ feedId: feed.id, limit: MOST_POLLS })
    if (polls.length === 0) continue
    const judgements = conductOf(polls, { minGapMs: Math.min(config.minInterval, config.hostGap) })
    audit.feeds++
    audit.polls += polls.length
    for (const one of judgements) add(total, one)
    const broken = judgements.filter(isBroken)
    if (broken.length > 0) audit.broken.push({ feed, judgements: broken })
  }
  audit.judgements = [...total.values()]
  audit.broken.sort((a, b) => brokenTimes(b.judgements) - brokenTimes(a.judgements))
  return audit
}

/** A rule was broken; what is no rule tells only whether we are a burden. */
function isBroken({ rule, kept, of }: Judgement): boolean {
  return rule !== undefined && rule !== RULE_OF_304 && kept < of
}

const RULE_OF_304 = 2 // whether a server answers 304 is its own affair

function add(total: Map<string, Judgement>, one: Judgement): void {
  const key = `${one.rule ?? 'burden'}`
  const before = total.get(key)
  total.set(key, before ? { ...before, kept: before.kept + one.kept, of: before.of + one.of } : { ...one })
}

function brokenTimes(judgements: Judgement[]): number {
  return judgements.reduce((sum, { kept, of }) => sum + of - kept, 0)
}

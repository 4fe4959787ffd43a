/** The end of a source: the feed that it led to, with its first poll; or when to look again. */
import {
  type AboutFeed,
  type Credentials,
  type Failure,
  type Feed,
  type FeedId,
  type Instant,
  isSameLogin,
  type Memory,
  mayShareCredentials,
  type Outcome,
  type WebAddress,
} from '../../model/index.ts'
import { backoffUntil, rootOf } from '../../politeness/index.ts'
import type { NewFeed, Roles } from '../../ports/index.ts'
import { strategyNamed } from '../../scheduling/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { type RetryTransient, repeated } from '../retried-steps.ts'
import { leaseOf } from '../task.ts'
import { firstPortion, recordRest } from './chunked-writes.ts'
import type { Policy } from './policy.ts'
import { attemptOf } from './poll-attempt.ts'
import { readRecord } from './poll-record.ts'
import { SIBLINGS } from './reschedule.ts'
import { NOTHING_KNOWN } from './window.ts'

export type DiscoveryRoles = Pick<Roles, 'subscriptions' | 'catalogue' | 'ledger' | 'people'> & {
  retryTransient: RetryTransient
}

/** Makes the feed that a source led to, with its first poll, and gives its id; or says when to look again. */
export async function applyDiscovery(
  { subscriptions, catalogue, ledger, people, retryTransient }: DiscoveryRoles,
  outcome: Outcome,
  policy: Policy,
  emit: (event: CrawlEvent) => void,
): Promise<FeedId | undefined> {
  const { task, at, bytes, result } = outcome
  if (task.kind !== 'discover') throw new Error(`a ${task.kind} task is no discovery`)
  const { sourceId, url, folder, failures, lease: sourceLease } = task

  if (result.kind === 'found') {
    const { url: feedUrl, reading, others, by } = result
    const { siblings, source } = await retryTransient('prepare records', async () => {
      const [memories = []] = await subscriptions.memoriesAt([rootOf(feedUrl)], policy.strategy, SIBLINGS)
      const [held] = await catalogue.sourcesById([sourceId])
      return { siblings: memories, source: held }
    })
    const login = source?.credentials && mayShareCredentials(url, feedUrl) ? { credentials: source.credentials } : {}
    const isTheirs = await retryTransient('prepare records', () =>
      isOfOthers(feedUrl, login.credentials, { catalogue, people }),
    )
    if (isTheirs) return failed(NEEDS_LOGIN)
    const title = reading.facts.title ?? ''
    const about = {
      ...login,
      ...(folder && { folder }),
      ...(by && { foundBy: by }),
      ...saidOf(source?.about),
      ...(source?.listed && { listed: source.listed }),
    }
    const made = feedToAdd({ url: feedUrl, title, ...about }, policy.strategy, at, siblings)
    const record = await readRecord(attemptOf(outcome, made.feed), reading, made, NOTHING_KNOWN, policy)
    const { first, rest } = firstPortion({ ...record, ...leaseOf(task) })
    const found = { ...made, schedule: record.schedule }
    const { answer, isRepeated } = await repeated(retryTransient, 'record a found feed', () =>
      ledger.sourceFound(sourceId, found, first, others),
    )
    const settled = answer ?? (isRepeated ? await foundBefore() : undefined)
    if (!settled) return undefined // removed while the task was out
    const { feedId, added } = settled
    if (added && rest) await recordRest({ ledger, subscriptions, retryTransient }, feedId, rest)
    const { length: entries } = reading.entries
    emit({ kind: 'found', at, sourceId, url, feedUrl, title, entries, bytes, others, feedId, added })
    return feedId
  }
  if (result.kind !== 'failed') throw new Error(`a discovery cannot end in "${result.kind}"`)
  return failed(result.failure)

  async function failed(failure: Failure): Promise<undefined> {
    const dueAt = backoffUntil(failure, failures, at, policy.random())
    await retryTransient('record a failed source', () => ledger.sourceFailed(sourceId, failure, dueAt, sourceLease))
    emit({ kind: 'not-found', at, sourceId, url, failure, dueAt })
  }

  /** A write that failed may have taken effect: then its source has its feed, and a feed that was added then is ours. */
  async function foundBefore(): Promise<{ feedId: FeedId; added: boolean } | undefined> {
    const [source] = await retryTransient('prepare records', () => catalogue.sourcesById([sourceId]))
    if (source?.feedId === undefined) return undefined
    const [held] = await retryTransient('read feeds', () => catalogue.feedsById([source.feedId!]))
    return held && { feedId: held.feed.id, added: held.feed.addedAt === at }
  }
}

const NEEDS_LOGIN: Failure = { kind: 'http', status: 401 }

/** Whether others follow that feed with a login that who gave the source did not give. */
async function isOfOthers(
  feedUrl: WebAddress,
  given: Credentials | undefined,
  { catalogue, people }: Pick<DiscoveryRoles, 'catalogue' | 'people'>,
): Promise<boolean> {
  const id = await catalogue.feedAt(feedUrl)
  const [held] = id === undefined ? [] : await catalogue.feedsById([id])
  const { credentials, listed } = held?.feed ?? {}
  const isTheirs = credentials && !listed && !isSameLogin(credentials, given)
  return isTheirs === true && (await people.people()).length > 1
}

/** What a person said of a feed before it was there. */
export function saidOf({ name, category, titlePrefix }: AboutFeed = {}): Partial<Feed> {
  return { ...(name && { name }), ...(category && { ownCategory: category }), ...(titlePrefix && { titlePrefix }) }
}

/** A feed nobody has polled yet, due at `at`. What is known of feeds of its site is where its strategy begins. */
export function feedToAdd(
  draft: Pick<Feed, 'url' | 'title'> & Partial<Feed>,
  strategy: string,
  at: Instant,
  siblings: Memory[] = [],
): NewFeed {
  return {
    feed: { validators: {}, subscribers: 1, state: 'active', addedAt: at, ...draft, root: rootOf(draft.url) },
    schedule: { strategy, memory: strategyNamed(strategy).begin(siblings), dueAt: at, failures: 0 },
  }
}

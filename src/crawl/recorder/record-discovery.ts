/** Records the result of a discovery: creates the feed that was found, or schedules the next search. */
import {
  type AboutFeed,
  type Failure,
  type Feed,
  type FeedCredentials,
  type FeedId,
  hasPersonalSettings,
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
import { type RetryTransient, runRetried } from '../retried-steps.ts'
import { leaseOf } from '../task.ts'
import { firstChunk, recordRest } from './chunked-writes.ts'
import type { Policy } from './policy.ts'
import { pollAttemptOf } from './poll-attempt.ts'
import { readRecord } from './poll-record.ts'
import { MAX_SIBLINGS } from './reschedule.ts'
import { NO_KNOWN_ENTRIES } from './window.ts'

export type DiscoveryRoles = Pick<Roles, 'feedRegistry' | 'catalogue' | 'pollResults' | 'users'> & {
  retryTransient: RetryTransient
}

/** Creates the found feed with its first poll and returns its id, or schedules the next search. */
export async function applyDiscovery(
  { feedRegistry, catalogue, pollResults, users, retryTransient }: DiscoveryRoles,
  outcome: Outcome,
  policy: Policy,
  emit: (event: CrawlEvent) => void,
): Promise<FeedId | undefined> {
  const { task, at, bytes, result } = outcome
  if (task.kind !== 'discover') throw new Error(`a ${task.kind} task is not a discovery`)
  const { sourceId, url, folder, failures, lease: sourceLease } = task

  if (result.kind === 'found') {
    const { url: feedUrl, reading, others, by } = result
    const { siblings, source } = await retryTransient('prepare records', async () => {
      const [memories = []] = await feedRegistry.memoriesOfRoots([rootOf(feedUrl)], policy.strategy, MAX_SIBLINGS)
      const [scheduled] = await catalogue.sourcesById([sourceId])
      return { siblings: memories, source: scheduled }
    })
    const login = source?.credentials && mayShareCredentials(url, feedUrl) ? { credentials: source.credentials } : {}
    const needsOtherLogin = await retryTransient('prepare records', () =>
      needsOthersLogin(feedUrl, login.credentials, { catalogue, users }),
    )
    if (needsOtherLogin) return failed(NEEDS_LOGIN)
    const title = reading.facts.title ?? ''
    const about = {
      ...login,
      ...(folder && { folder }),
      ...(by && { foundBy: by }),
      ...userSettingsOf(source?.about),
      ...(source?.listed && { listed: source.listed }),
    }
    const newFeed = feedToAdd({ url: feedUrl, title, ...about }, policy.strategy, at, siblings)
    const record = await readRecord(pollAttemptOf(outcome, newFeed.feed), reading, newFeed, NO_KNOWN_ENTRIES, policy)
    const { first, rest } = firstChunk({ ...record, ...leaseOf(task) })
    const found = { ...newFeed, schedule: record.schedule }
    const { answer, isRepeated } = await runRetried(retryTransient, 'record a found feed', () =>
      pollResults.recordSourceFound(sourceId, found, first, others),
    )
    const settled = answer ?? (isRepeated ? await findEarlierResult() : undefined)
    if (!settled) return undefined // removed while the task was out
    const { feedId, added } = settled
    if (added && rest) await recordRest({ pollResults, feedRegistry, retryTransient }, feedId, rest)
    const { length: entries } = reading.entries
    emit({ kind: 'found', at, sourceId, url, feedUrl, title, entries, bytes, others, feedId, added })
    return feedId
  }
  if (result.kind !== 'failed') throw new Error(`a discovery cannot have the result "${result.kind}"`)
  return failed(result.failure)

  async function failed(failure: Failure): Promise<undefined> {
    const dueAt = backoffUntil(failure, failures, at, policy.random())
    await retryTransient('record a failed source', () =>
      pollResults.recordSourceFailed(sourceId, failure, dueAt, sourceLease),
    )
    emit({ kind: 'not-found', at, sourceId, url, failure, dueAt })
  }

  /** A failed write may have taken effect: then the source has a feed, and this outcome added it if the times match. */
  async function findEarlierResult(): Promise<{ feedId: FeedId; added: boolean } | undefined> {
    const [source] = await retryTransient('prepare records', () => catalogue.sourcesById([sourceId]))
    if (source?.feedId === undefined) return undefined
    const [scheduled] = await retryTransient('read feeds', () => catalogue.feedsById([source.feedId!]))
    return scheduled && { feedId: scheduled.feed.id, added: scheduled.feed.addedAt === at }
  }
}

const NEEDS_LOGIN: Failure = { kind: 'http', status: 401 }

/** Whether other users follow that feed with a login that the user of the source does not have, or with personal settings. */
async function needsOthersLogin(
  feedUrl: WebAddress,
  credentialsOfUser: FeedCredentials | undefined,
  { catalogue, users }: Pick<DiscoveryRoles, 'catalogue' | 'users'>,
): Promise<boolean> {
  const id = await catalogue.feedAt(feedUrl)
  const [scheduled] = id === undefined ? [] : await catalogue.feedsById([id])
  if (!scheduled || scheduled.feed.listed) return false
  const { credentials } = scheduled.feed
  const needsOtherLogin = credentials !== undefined && !isSameLogin(credentials, credentialsOfUser)
  return (needsOtherLogin || hasPersonalSettings(scheduled.feed)) && (await users.allUsers()).length > 1
}

/** Settings that a user made for a feed before it was found. */
export function userSettingsOf({ name, category, titlePrefix, fetching }: AboutFeed = {}): Partial<Feed> {
  return {
    ...(name && { name }),
    ...(category && { ownCategory: category }),
    ...(titlePrefix && { titlePrefix }),
    ...(fetching && { fetching }),
  }
}

/** A new feed, due at `at`. `siblings`: what the strategy learned from other feeds of its site. */
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

/** Builds the task of a due feed, source or article. */
import {
  type ArticleTask,
  type DiscoverTask,
  type Feed,
  type FeedCredentials,
  type FetchSettings,
  fetchSettingsFor,
  type Instant,
  type Millis,
  mayShareCredentials,
  type PollTask,
  type ScheduledFeed,
  type Source,
  type StoredArticle,
  type Task,
  type WebAddress,
} from '../../model/index.ts'
import { auditDue } from '../../politeness/index.ts'
import type { Leased, LinkingFeed } from '../../ports/index.ts'

/**
 * A follow-up task of the feed goes before a poll. A poll is conditional, unless the server's validators are wrong or are to be tested.
 * `chance` in [0, 1) spreads those tests.
 */
export function feedTask(
  { feed, schedule, lease }: Leased<ScheduledFeed>,
  gapMs: Millis,
  now: Instant,
  chance: number,
): Task {
  const { id, url, validators, bodyHash, windowHash, subscribers, followUp } = feed
  const target = followUp?.url ?? url
  const along = { lease, ...(feed.ends && { ends: feed.ends }), ...loginFor(feed, target) }
  const settings = settingsFor(feed, target)
  if (followUp?.kind === 'backfill') {
    const older = { url: followUp.url, validators: {}, older: true, named: url } as const
    return { kind: 'poll', feedId: id, subscribers, gapMs, ...older, ...along, ...settings }
  }
  if (followUp?.kind === 'moved-feed')
    return { kind: 'moved-feed', feedId: id, url: followUp.url, not: url, gapMs, ...along }
  const lies = schedule.trust?.trust === 'lies' || feed.fetching?.ignoresValidators === true
  const unconditionalFor = lies ? 'lies' : auditDue(schedule.trust, now, chance) ? 'audit' : undefined
  const hashes = { ...(bodyHash && { bodyHash }), ...(windowHash && { windowHash }) }
  const task: Task = { kind: 'poll', feedId: id, url, validators, subscribers, gapMs, ...hashes, ...along, ...settings }
  return unconditionalFor ? { ...task, validators: {}, unconditionalFor } : task
}

/** A feed's poll, ignoring follow-up tasks. */
export function plainPoll({ feed: { id, url, validators, subscribers }, lease }: Leased<ScheduledFeed>): PollTask {
  return { kind: 'poll', feedId: id, url, validators, subscribers, lease, gapMs: 0 }
}

export function sourceTask(
  { id, url, credentials, folder, failures, lease }: Leased<Source>,
  gapMs: Millis,
  ends: string[] | undefined,
): DiscoverTask {
  const about = { ...(folder && { folder }), ...(credentials && { credentials }), ...(ends && { ends }) }
  return { kind: 'discover', sourceId: id, url, failures, lease, gapMs, ...about }
}

/** Credentials are only sent to the feed's own site; older documents or the website may be elsewhere. */
function loginFor({ url, credentials }: Feed, to: WebAddress): { credentials?: FeedCredentials } {
  return credentials && mayShareCredentials(url, to) ? { credentials } : {}
}

/** The settings of the feed for a request to this address. Rewriting is done where the outcome is recorded. */
function settingsFor({ url, fetching }: Feed, to: WebAddress): { fetching?: FetchSettings } {
  const {
    rewrites: _rewrites,
    extraction: _extraction,
    ...settings
  } = (fetching && fetchSettingsFor(fetching, url, to)) ?? {}
  return Object.keys(settings).length > 0 ? { fetching: settings } : {}
}

/** `feed`: a feed that links to it. Sent without credentials: only public pages are fetched. */
export function articleTask(
  { id, url, ledTo, lease }: Leased<StoredArticle>,
  gapMs: Millis,
  feed: LinkingFeed | undefined,
): ArticleTask {
  const { url: named, ...settings } = feed ?? {}
  return { kind: 'article', articleId: id, url: ledTo?.url ?? url, lease, ...(named && { named }), ...settings, gapMs }
}

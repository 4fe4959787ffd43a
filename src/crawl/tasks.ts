/** From what is due to the task that is sent out for it, and back. */
import type {
  ArticleTask,
  DiscoverTask,
  Feed,
  FeedId,
  Instant,
  Millis,
  Outcome,
  PollTask,
  ScheduledFeed,
  Source,
  StoredArticle,
  Task,
  WebAddress,
} from '../model/index.ts'
import { auditDue } from '../politeness/index.ts'
import type { HandedBack } from '../ports/index.ts'

/**
 * An errand goes before a poll. A poll is conditional, unless the server's validators lie or are to be tested. `chance` in
 * [0, 1) keeps those tests apart.
 */
export function feedTask({ feed, schedule }: ScheduledFeed, gapMs: Millis, now: Instant, chance: number): Task {
  const { id, url, validators, bodyHash, windowHash, subscribers, errand } = feed
  const ends = feed.ends ? { ends: feed.ends } : {}
  if (errand?.kind === 'backfill')
    return {
      kind: 'poll',
      feedId: id,
      url: errand.url,
      validators: {},
      subscribers,
      gapMs,
      ...ends,
      page: true,
      named: url,
    }
  if (errand?.kind === 'seek') return { kind: 'seek', feedId: id, url: errand.url, not: url, gapMs, ...ends }
  const lies = schedule.trust?.trust === 'lies'
  const unconditionalFor = lies ? 'lies' : auditDue(schedule.trust, now, chance) ? 'audit' : undefined
  const hashes = { ...(bodyHash && { bodyHash }), ...(windowHash && { windowHash }) }
  const task: Task = { kind: 'poll', feedId: id, url, validators, subscribers, gapMs, ...ends, ...hashes }
  return unconditionalFor ? { ...task, validators: {}, unconditionalFor } : task
}

/** A feed's poll, whatever else is to be done for it. */
export function plainPoll({ id, url, validators, subscribers }: Feed): PollTask {
  return { kind: 'poll', feedId: id, url, validators, subscribers, gapMs: 0 }
}

export function sourceTask(
  { id, url, folder, failures }: Source,
  gapMs: Millis,
  ends: string[] | undefined,
): DiscoverTask {
  return { kind: 'discover', sourceId: id, url, failures, gapMs, ...(folder && { folder }), ...(ends && { ends }) }
}

/** `named`: the address of the feed that points at it. */
export function articleTask(
  { id, url, ledTo }: StoredArticle,
  gapMs: Millis,
  named: WebAddress | undefined,
): ArticleTask {
  return { kind: 'article', articleId: id, url: ledTo?.url ?? url, ...(named && { named }), gapMs }
}

/** One for all tasks of a feed or a source: there is never more than one out. */
export function nameOf(task: Task): string {
  if (task.kind === 'hub') return `push ${task.token}`
  if (task.kind === 'article') return `article ${task.articleId}`
  return task.kind === 'discover' ? `source ${task.sourceId}` : `feed ${task.feedId}`
}

/** None if it holds no lease: whoever asks a hub has moved the date already, and articles wait in lines of their own. */
export function itemsOf(task: Task): HandedBack[] {
  if (task.kind === 'hub' || task.kind === 'article') return []
  return [task.kind === 'discover' ? { kind: 'source', id: task.sourceId } : { kind: 'feed', id: task.feedId }]
}

/** Is it about a feed that we have? */
export function isOfFeed(task: Task): task is Extract<Task, { feedId: FeedId }> {
  return task.kind === 'poll' || task.kind === 'seek'
}

export function feedIdOf({ task }: Outcome): FeedId {
  if (!isOfFeed(task)) throw new Error(`a ${task.kind} task is of no feed`)
  return task.feedId
}

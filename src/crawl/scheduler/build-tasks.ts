/** Builds the tasks for leased feeds, sources and articles, with what is only in memory: gaps, redirect targets, and requests by users. */
import type { FeedId, Outcome, ScheduledFeed, Source, StoredArticle, Task } from '../../model/index.ts'
import type { Clock, Leased, LeasedItems } from '../../ports/index.ts'
import type { Quarantine } from '../error-boundary.ts'
import { isOfFeed } from '../task.ts'
import { hostsOfTasks } from './host-memory.ts'
import type { RedirectPacing } from './redirect-pacing.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import { articleTask, feedTask, plainPoll, sourceTask } from './task-of.ts'

export interface TaskBuilder {
  buildFeedTask(leased: Leased<ScheduledFeed>): Task
  buildSourceTask(source: Leased<Source>): Task
  buildArticleTask(article: Leased<StoredArticle>): Task
  /** Builds the tasks of everything leased. A feed whose task cannot be built is quarantined. */
  buildTasks(leased: LeasedItems): Promise<Task[]>
  /** All hosts that these tasks may visit. */
  hostsOf(leased: LeasedItems): string[]
  /** Notes that a user requested a poll of this feed, for the poll log. */
  noteUserRequest(id: FeedId): void
  /** Notes that the task was admitted. */
  markSent(task: Task): void
  /** Notes the user's request again for polls that were redirected elsewhere and are sent again. */
  restoreUserRequests(outcomes: Outcome[]): void
}

export interface TaskBuilderParts {
  clock: Clock
  random: () => number
  redirectPacing: Pick<RedirectPacing, 'gapMs'>
  redirectTargets: Pick<RedirectTargets, 'ofSource' | 'markSent'>
  quarantine: Quarantine
}

export function createTaskBuilder({
  clock,
  random,
  redirectPacing,
  redirectTargets,
  quarantine,
}: TaskBuilderParts): TaskBuilder {
  const requested = new Set<FeedId>()

  function buildSourceTask(source: Leased<Source>): Task {
    return sourceTask(source, redirectPacing.gapMs(source.url, clock.now()), redirectTargets.ofSource(source.id))
  }

  function buildFeedTask(leased: Leased<ScheduledFeed>): Task {
    const now = clock.now()
    const task = feedTask(leased, redirectPacing.gapMs(leased.feed.url, now), now, random())
    return task.kind === 'poll' && !task.older && requested.has(task.feedId) ? { ...task, isManual: true } : task
  }

  return {
    buildFeedTask,
    buildSourceTask,
    buildArticleTask: (article) =>
      articleTask(article, redirectPacing.gapMs(article.ledTo?.url ?? article.url, clock.now()), undefined),

    async buildTasks({ feeds, sources }) {
      const tasks = sources.map(buildSourceTask)
      for (const leased of feeds)
        try {
          tasks.push(buildFeedTask(leased))
        } catch (error) {
          await quarantine(plainPoll(leased), error, `building a task for feed ${leased.feed.id}`)
        }
      return tasks
    },

    /** A follow-up task visits another address than a poll. */
    hostsOf({ feeds, sources }) {
      const ofFeeds = feeds.map((leased) => {
        const { url, ends: targets, followUp } = leased.feed
        return { ...plainPoll(leased), url: followUp?.url ?? url, ...(targets && { ends: targets }) }
      })
      return hostsOfTasks([
        ...ofFeeds,
        ...sources.map((source) => sourceTask(source, 0, redirectTargets.ofSource(source.id))),
      ])
    },

    noteUserRequest: (id) => void requested.add(id),

    markSent(task) {
      if (isOfFeed(task)) requested.delete(task.feedId)
      redirectTargets.markSent(task)
    },

    restoreUserRequests(outcomes) {
      for (const { task, result } of outcomes)
        if (result.kind === 'elsewhere' && task.kind === 'poll' && task.isManual) requested.add(task.feedId)
    },
  }
}

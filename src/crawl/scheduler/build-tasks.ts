/** From what was taken to the tasks that are sent for it, with what memory knows: gaps, redirect targets, and who was asked for by a user. */
import type { FeedId, Outcome, ScheduledFeed, Source, StoredArticle, Task } from '../../model/index.ts'
import type { Clock, Leased, Taken } from '../../ports/index.ts'
import type { SetAside } from '../error-boundary.ts'
import { isOfFeed } from '../task.ts'
import { hostsVisited } from './host-memory.ts'
import type { RedirectPace } from './redirect-pacing.ts'
import type { RedirectEnds } from './redirect-targets.ts'
import { articleTask, feedTask, plainPoll, sourceTask } from './task-of.ts'

export interface TaskMaker {
  ofFeed(held: Leased<ScheduledFeed>): Task
  ofSource(source: Leased<Source>): Task
  ofPage(page: Leased<StoredArticle>): Task
  /** Of all that was taken; a feed of which none can be made is quarantined. */
  ofTaken(taken: Taken): Promise<Task[]>
  /** Hosts that a visit may lead to. */
  hostsOf(taken: Taken): string[]
  /** A user wants this feed polled, which is to be said in the log. */
  askedFor(id: FeedId): void
  /** It is on its way. */
  gone(task: Task): void
  /** Those that were led elsewhere go again, for the same user. */
  cameBack(outcomes: Outcome[]): void
}

export interface TaskMakerParts {
  clock: Clock
  random: () => number
  redirectPace: Pick<RedirectPace, 'gapMs'>
  ends: Pick<RedirectEnds, 'ofSource' | 'gone'>
  setAside: SetAside
}

export function createTaskMaker({ clock, random, redirectPace, ends, setAside }: TaskMakerParts): TaskMaker {
  const byHand = new Set<FeedId>()

  function ofSource(source: Leased<Source>): Task {
    return sourceTask(source, redirectPace.gapMs(source.url, clock.now()), ends.ofSource(source.id))
  }

  function ofFeed(held: Leased<ScheduledFeed>): Task {
    const now = clock.now()
    const task = feedTask(held, redirectPace.gapMs(held.feed.url, now), now, random())
    return task.kind === 'poll' && !task.older && byHand.has(task.feedId) ? { ...task, byHand: true } : task
  }

  return {
    ofFeed,
    ofSource,
    ofPage: (page) => articleTask(page, redirectPace.gapMs(page.ledTo?.url ?? page.url, clock.now()), undefined),

    async ofTaken({ feeds, sources }) {
      const tasks = sources.map(ofSource)
      for (const held of feeds)
        try {
          tasks.push(ofFeed(held))
        } catch (error) {
          await setAside(plainPoll(held), error, `making a task of feed ${held.feed.id}`)
        }
      return tasks
    },

    /** A follow-up task goes elsewhere than a poll. */
    hostsOf({ feeds, sources }) {
      const ofFeeds = feeds.map((held) => {
        const { url, ends: targets, errand } = held.feed
        return { ...plainPoll(held), url: errand?.url ?? url, ...(targets && { ends: targets }) }
      })
      return hostsVisited([...ofFeeds, ...sources.map((source) => sourceTask(source, 0, ends.ofSource(source.id)))])
    },

    askedFor: (id) => void byHand.add(id),

    gone(task) {
      if (isOfFeed(task)) byHand.delete(task.feedId)
      ends.gone(task)
    },

    cameBack(outcomes) {
      for (const { task, result } of outcomes)
        if (result.kind === 'elsewhere' && task.kind === 'poll' && task.byHand) byHand.add(task.feedId)
    },
  }
}

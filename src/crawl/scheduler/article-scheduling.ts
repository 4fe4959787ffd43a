/**
 * Schedules the article crawl. Article pages use the same fetchers and host slots as polls, with lower priority: a page is fetched
 * when no other task waits for its root, and only a share of the slots is for articles, so a slow page never delays a poll for long.
 *
 * The store has an article queue per host. A leased article is sent, or released with the time at which its root is free. A root
 * that does not answer pauses its whole queue, longer each time.
 */
import type { Instant, Outcome, Task } from '../../model/index.ts'
import { type Admission, articleQueuePauseMs, isNoResponse, tenantOf } from '../../politeness/index.ts'
import type { Clock, LeasedArticle, LinkingFeed } from '../../ports/index.ts'
import type { Quarantine } from '../error-boundary.ts'
import type { WaitingTask } from './admission.ts'
import { type HostMemory, hostsOfTasks } from './host-memory.ts'
import type { InFlightTasks } from './in-flight-tasks.ts'
import type { RedirectPacing } from './redirect-pacing.ts'
import type { LeaseReleaser } from './release-leases.ts'
import { articleTask } from './task-of.ts'

const MAX_SLOT_SHARE = 1 / 2 // of all slots, for articles
const MAX_ROOTS = 20_000 // for which consecutive silences are counted

export interface ArticleSchedulingParts {
  clock: Clock
  redirectPacing: RedirectPacing
  hosts: Pick<HostMemory, 'incidentWait' | 'load'>
  leaseReleaser: Pick<LeaseReleaser, 'addPending' | 'releasePending'>
  quarantine: Quarantine
  /** In-flight tasks of all kinds. */
  inFlight: InFlightTasks
  /** Leases up to `limit` due articles. */
  leaseDue: (now: Instant, limit: number) => Promise<LeasedArticle[]>
  /** Sends admitted tasks. Tasks that cannot be sent are cancelled. */
  send: (ready: Task[]) => Promise<void>
  /** Runs the work between leasing and sending. If it fails, the tasks are cancelled and their leases released. */
  releaseOnFailure: (leased: Task[], work: () => Promise<void>) => Promise<void>
  slots: () => number
}

export interface ArticleScheduling {
  /** Sends article tasks that are due and admitted, at most `limit`. Returns how many. */
  tick(limit?: number): Promise<number>
  /** How many more article tasks may be in flight now. */
  freeSlots(): number
  /** Counts how often in a row each root did not answer. Call it once per outcome. */
  learn(outcomes: Outcome[]): void
  /** When the next article of the outcome's root may be fetched. */
  articleQueueDueAt(outcome: Outcome, now: Instant): Instant
  /** Drops what it knows of roots that another controller owns now. */
  forget(isForgotten: (root: string) => boolean): void
}

export function createArticleScheduling(parts: ArticleSchedulingParts): ArticleScheduling {
  const { clock, redirectPacing, hosts, leaseReleaser, quarantine, inFlight, leaseDue, send, releaseOnFailure, slots } =
    parts
  const silences = new Map<string, number>()

  function freeSlots(): number {
    let articles = 0
    for (const { task } of inFlight.all()) if (task.kind === 'article') articles++
    const all = slots()
    const maxArticles = all === 0 ? 0 : Math.max(1, Math.floor(all * MAX_SLOT_SHARE))
    return Math.min(all - inFlight.size, maxArticles - articles)
  }

  async function tick(limit = Number.POSITIVE_INFINITY): Promise<number> {
    let sent = 0
    for (;;) {
      const free = Math.min(freeSlots(), limit - sent)
      if (free <= 0) return sent
      const now = clock.now()
      const leased = await leaseDue(now, free)
      if (leased.length === 0) return sent
      const tasks = leased.map((article) => articleTask(article, 0, undefined))
      leaseReleaser.addPending(tasks.map((task) => ({ task })))
      await releaseOnFailure(tasks, async () => {
        await hosts.load(hostsOfTasks(tasks), now)
        const ready: Task[] = []
        const waiting: WaitingTask[] = []
        for (const article of leased) {
          const task = articleTask(
            article,
            redirectPacing.gapMs(article.ledTo?.url ?? article.url, now),
            feedOf(article),
          )
          try {
            const admission = admissionOf(task, now)
            if (admission.kind === 'wait') waiting.push({ task, until: admission.until })
            else ready.push(inFlight.start(task, now))
          } catch (error) {
            await quarantine(task, error, `admitting ${task.url}`)
          }
        }
        leaseReleaser.addPending(waiting)
        await send(ready)
        sent += ready.length
      })
      await leaseReleaser.releasePending()
      if (leased.length < free) return sent // no more are due
    }
  }

  /** Articles wait during an incident: polls of canaries find out when it is over. */
  function admissionOf(task: Task, now: Instant): Admission {
    return (
      hosts.incidentWait(tenantOf(task.url), () => Number.POSITIVE_INFINITY, now) ??
      redirectPacing.acquireIfIdle(task, now)
    )
  }

  function learn(outcomes: Outcome[]): void {
    for (const { task, result } of outcomes) {
      if (task.kind !== 'article') continue
      const root = tenantOf(task.url)
      const count = isSilent(result) ? (silences.get(root) ?? 0) + 1 : 0
      silences.delete(root)
      if (count === 0) continue
      silences.set(root, count)
      const [oldest] = silences.keys()
      if (silences.size > MAX_ROOTS && oldest !== undefined) silences.delete(oldest)
    }
  }

  function articleQueueDueAt({ task, result }: Outcome, now: Instant): Instant {
    return isSilent(result) ? now + articleQueuePauseMs(silences.get(tenantOf(task.url)) ?? 1) : now
  }

  function forget(isForgotten: (root: string) => boolean): void {
    for (const root of silences.keys()) if (isForgotten(root)) silences.delete(root)
  }

  return { tick, freeSlots, learn, articleQueueDueAt, forget }
}

/** A feed that links to the article; one on the same host, if possible. */
function feedOf({ url, feeds }: LeasedArticle): LinkingFeed | undefined {
  const { host } = new URL(url)
  return feeds.find((feed) => new URL(feed.url).host === host) ?? feeds[0]
}

function isSilent(result: Outcome['result']): boolean {
  return result.kind === 'failed' && isNoResponse(result.failure)
}

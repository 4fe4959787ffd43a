/** Requests to hubs: which are due, and what their responses mean for the subscriptions. */
import { DAY, type HubSubscription, type HubTask, type Instant, type Outcome, type Owned } from '../../model/index.ts'
import { afterHubRequest, beforeHubRequest, hubRequestNotSent, REQUESTED_LEASE_MS } from '../../politeness/index.ts'
import type { Catalogue, Clock, DueQueue } from '../../ports/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import type { ChangeSubscription } from './change-subscription.ts'

export interface HubRequests {
  dueTasks(now: Instant, limit: number): Promise<HubTask[]>
  /** Call before requests are sent. */
  markSent(tasks: HubTask[]): Promise<void>
  /** Call if requests could not be sent after all. */
  markUnsent(tasks: HubTask[]): Promise<void>
  postpone(tasks: { task: HubTask; until: Instant }[]): Promise<void>
  /** Records the responses of hubs. */
  recordAnswers(outcomes: Outcome[]): Promise<void>
}

export interface HubRequestsParts {
  catalogue: Catalogue
  dueQueue: DueQueue
  clock: Clock
  random: () => number
  errorBoundary: ErrorBoundary
  /** The buckets whose hubs this process handles; all by default. */
  owned?: () => Owned | undefined
}

const PAUSED_RETRY_MS = DAY // a paused feed may be resumed

export function createHubRequests(
  { catalogue, dueQueue, clock, random, errorBoundary, owned }: HubRequestsParts,
  change: ChangeSubscription,
  publicUrl: string,
): HubRequests {
  const base = publicUrl.replace(/\/+$/, '')

  function taskFor({ token, hub, topic, named, secret, state }: HubSubscription): HubTask {
    return {
      kind: 'hub',
      token,
      url: hub,
      mode: state === 'ending' ? 'unsubscribe' : 'subscribe',
      topic,
      callback: `${base}/websub/${token}`,
      secret,
      ...(named && { named }),
      leaseMs: REQUESTED_LEASE_MS,
    }
  }

  return {
    async dueTasks(now, limit) {
      const subscriptions = await dueQueue.dueHubSubscriptions(now, limit, owned?.())
      const feeds = await catalogue.feedsById(subscriptions.map(({ feedId }) => feedId))
      const tasks: HubTask[] = []
      for (const [i, subscription] of subscriptions.entries()) {
        const state = feeds[i]?.feed.state
        if (subscription.state === 'ending' || state === 'active') tasks.push(taskFor(subscription))
        else
          await change(subscription.token, (current) => ({
            after: state && { ...current, dueAt: now + PAUSED_RETRY_MS },
          }))
      }
      return tasks
    },
    async markSent(tasks) {
      for (const { token } of tasks)
        await change(token, (subscription) => ({ after: beforeHubRequest(subscription, clock.now()) }))
    },
    async markUnsent(tasks) {
      for (const { token } of tasks)
        await change(token, (subscription) => ({ after: hubRequestNotSent(subscription, clock.now()) }))
    },
    async postpone(tasks) {
      for (const { task, until } of tasks)
        await change(task.token, (subscription) => ({ after: { ...subscription, dueAt: until } }))
    },
    async recordAnswers(outcomes) {
      for (const { task, result } of outcomes) {
        if (task.kind !== 'hub') continue
        const failure = result.kind === 'failed' ? result.failure : undefined
        await errorBoundary.guard(`recording the response of the hub ${task.url}`, () =>
          change(task.token, (subscription) => ({
            after: afterHubRequest(subscription, failure, clock.now(), random()),
          })),
        )
      }
    },
  }
}

/**
 * Subscriptions of feeds at WebSub hubs: when hubs are asked to subscribe, how their confirmations are answered, and how their pushes are
 * recorded. Requests to hubs are tasks, like everything that touches the network; hubs reach us through the server (/websub/).
 *
 * A push is acknowledged at once and recorded afterwards, one after the other, so that hubs do not wait. It is in memory only meanwhile:
 * if a crash loses it, the next poll finds its entries.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  bucketOf,
  DAY,
  type EntryDraft,
  type Feed,
  type FeedFacts,
  type HubSubscription,
  type HubTask,
  type Instant,
  type Outcome,
  type Owned,
  type PushedDocument,
  type ScheduledFeed,
} from '../../model/index.ts'
import {
  addPushCounts,
  afterHubRequest,
  afterPoll,
  afterPush,
  answerHub,
  beforeHubRequest,
  hubRequestNotSent,
  isReliable,
  newHubSubscription,
  REQUESTED_LEASE_MS,
  rootOf,
  startUnsubscribing,
} from '../../politeness/index.ts'
import type { Catalogue, Clock, DueQueue, PollResults } from '../../ports/index.ts'
import type { CrawlEvent, PushEventKind, PushReceiver, PushRequest, PushResponse } from '../crawler.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { doOnce, type RetryTransient, runRetried } from '../retried-steps.ts'
import { createPushReader } from './receive-push.ts'

/** How hubs reach us. */
export interface PushOptions {
  /** The public base address of the server: hubs call /websub/ below it. */
  publicUrl: string
  /** Returns an unguessable string of letters, digits, - and _. */
  newSecret: () => string
}

/** The headers and body of a push. */
export interface PushContent {
  headers: Record<string, string>
  body: Uint8Array
}

export interface HubSubscriptionsParts {
  pollResults: PollResults
  catalogue: Catalogue
  dueQueue: DueQueue
  clock: Clock
  random: () => number
  errorBoundary: ErrorBoundary
  /** For steps that no hub waits for. */
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
  /** Reads and records a push; undefined if it contains no feed. */
  record: (
    scheduled: ScheduledFeed,
    push: PushContent,
    at: Instant,
  ) => Promise<{ fresh: EntryDraft[]; changed: number } | undefined>
  /** The buckets whose hubs this process handles; all by default. */
  owned?: () => Owned | undefined
  /** Polls a feed of which a hub announced news without sending it. */
  pollSoon: (scheduled: ScheduledFeed) => Promise<void>
}

export interface HubSubscriptions extends PushReceiver {
  dueTasks(now: Instant, limit: number): Promise<HubTask[]>
  /** Call before requests are sent. */
  markSent(tasks: HubTask[]): Promise<void>
  /** Call if requests could not be sent after all. */
  markUnsent(tasks: HubTask[]): Promise<void>
  postpone(tasks: { task: HubTask; until: Instant }[]): Promise<void>
  /** Records the responses of hubs. */
  recordAnswers(outcomes: Outcome[]): Promise<void>
  /** Updates the subscription of a feed after a poll: its document may name another hub, and entries may not have been pushed. */
  afterPoll(subscription: HubSubscription | undefined, poll: PollFinding): Promise<void>
  /** Records a push that another process received, and whose signature it verified. */
  recordForwarded(pushed: PushedDocument): Promise<void>
  /** Resolves when all received pushes have been recorded. */
  whenIdle(): Promise<void>
}

export interface PollFinding {
  feed: Feed
  at: Instant
  /** Time of the previous poll. */
  lastAt: Instant
  /** The feed's metadata; absent if no document was read. */
  facts?: FeedFacts
  fresh: readonly EntryDraft[]
}

/** A change of a subscription, and the event to emit once it is written. */
interface Change {
  /** Undefined: the subscription is removed. */
  after: HubSubscription | undefined
  event?: { what: PushEventKind; of: HubSubscription; at: Instant }
}

const MAX_TRIES = 20 // concurrent writers may win as often
const PAUSED_RETRY_MS = DAY // a paused feed may be resumed

export function createHubSubscriptions(
  parts: HubSubscriptionsParts,
  { publicUrl, newSecret }: PushOptions,
): HubSubscriptions {
  const { pollResults, catalogue, dueQueue, clock, random, errorBoundary, emit, retryTransient } = parts
  const base = publicUrl.replace(/\/+$/, '')
  let recording: Promise<unknown> = Promise.resolve()
  const readPush = createPushReader(clock)

  /**
   * Reads a subscription, changes it and writes it if its revision is still the same; otherwise it starts again. `by` computes the change
   * and has no effects.
   */
  async function change(
    token: string,
    by: (subscription: HubSubscription) => Change,
    retry = retryTransient,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      const subscription = await retry('read hub subscriptions', () => pollResults.hubSubscriptionByToken(token))
      if (!subscription) return
      const { after, event } = by(subscription)
      if (after !== subscription && !(await isWritten(subscription, after, retry))) {
        if (tries < MAX_TRIES) continue
        throw new Error('the hub subscription keeps changing: too many concurrent writes')
      }
      if (event) emitEvent(event.what, event.of, event.at)
      return
    }
  }

  /** A failed write may have taken effect: then the stored subscription equals the intended one. */
  async function isWritten(
    before: HubSubscription,
    after: HubSubscription | undefined,
    retry: RetryTransient,
  ): Promise<boolean> {
    const write = () =>
      after ? pollResults.recordHubSubscriptions([after]) : pollResults.dropHubSubscriptions([before])
    const { answer, isRepeated } = await runRetried(retry, 'write a hub subscription', write)
    if (answer[0] || !isRepeated) return answer[0] === true
    const now = await retry('read hub subscriptions', () => pollResults.hubSubscriptionByToken(before.token))
    return isDeepStrictEqual(now, after && { ...after, revision: (before.revision ?? 0) + 1 })
  }

  function emitEvent(what: PushEventKind, { feedId, hub, trouble }: HubSubscription, at: Instant): void {
    emit({ kind: 'push', at, what, feedId, hub, ...(what === 'refused' && trouble && { failure: trouble }) })
  }

  function taskFor({ token, hub, topic, named, secret, state }: HubSubscription): HubTask {
    const mode = state === 'ending' ? 'unsubscribe' : 'subscribe'
    const callback = `${base}/websub/${token}`
    return {
      kind: 'hub',
      token,
      url: hub,
      mode,
      topic,
      callback,
      secret,
      ...(named && { named }),
      leaseMs: REQUESTED_LEASE_MS,
    }
  }

  function recordMissed(
    { token }: HubSubscription,
    fresh: readonly EntryDraft[],
    when: { at: Instant; lastAt: Instant },
  ): Promise<void> {
    return change(token, (before) => {
      const after = afterPoll(before, fresh, when)
      const isBroken = isReliable(before, when.at) && !isReliable(after, when.at)
      return { after, ...(isBroken && { event: { what: 'broken', of: after, at: when.at } }) }
    })
  }

  async function recordPush(token: string, headers: PushRequest['headers'], body: Uint8Array): Promise<void> {
    const { subscription, scheduled } = await retryTransient('read hub subscriptions', async () => {
      const found = await pollResults.hubSubscriptionByToken(token)
      return { subscription: found, scheduled: found && (await catalogue.feedsById([found.feedId]))[0] }
    })
    if (!subscription || !scheduled) return
    const at = clock.now()
    const news = await parts.record(scheduled, { headers, body }, at)
    if (!news) {
      await retryTransient('change a feed', () => parts.pollSoon(scheduled))
      emitEvent('empty', subscription, at)
      return change(token, (now) => ({ after: afterPush(now, undefined, at) }))
    }
    const { id: feedId, title, url } = scheduled.feed
    emit({
      kind: 'pushed',
      at,
      feedId,
      title,
      url,
      hub: subscription.hub,
      bytes: body.length,
      fresh: news.fresh.length,
      changed: news.changed,
    })
    await change(token, (now) => ({ after: afterPush(now, news.fresh, at) }))
  }

  return {
    async dueTasks(now, limit) {
      const subscriptions = await dueQueue.dueHubSubscriptions(now, limit, parts.owned?.())
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

    async afterPoll(subscription, { feed, at, lastAt, facts, fresh }) {
      const { hub, selfUrl: topic = feed.url } = facts ?? {}
      const isAsBefore = !facts || (subscription ? subscription.hub === hub && subscription.topic === topic : !hub)
      if (isAsBefore) return subscription && recordMissed(subscription, fresh, { at, lastAt })
      if (subscription)
        await change(subscription.token, (now) => ({
          after: now.state === 'active' ? startUnsubscribing(now, at) : undefined,
        }))
      if (!hub) return
      const bucket = bucketOf(rootOf(hub))
      const draft = { feedId: feed.id, hub, bucket, topic, named: feed.url, token: newSecret(), secret: newSecret() }
      await retryTransient('write a hub subscription', () =>
        pollResults.recordHubSubscriptions([newHubSubscription(draft, at)]),
      )
    },

    async confirm(token, query) {
      let answer: PushResponse = { status: 404 }
      await change(
        token,
        (subscription) => {
          const now = clock.now()
          const reply = answerHub(subscription, query, now, random())
          answer = { status: 404 }
          if (reply.kind === 'unknown') return { after: subscription }
          answer = reply.kind === 'echo' ? { status: 200, body: reply.challenge } : { status: 200, body: '' }
          const after = reply.push
          const begins = reply.kind === 'echo' && subscription.state !== 'active'
          const what = reply.kind === 'denied' ? 'refused' : begins ? 'begins' : undefined
          return { after, ...(after && what && { event: { what, of: after, at: now } }) }
        },
        doOnce, // the hub waits
      )
      return answer
    },

    async receive(token, request) {
      const subscription = await pollResults.hubSubscriptionByToken(token)
      const [scheduled] = subscription ? await catalogue.feedsById([subscription.feedId]) : []
      if (!subscription || subscription.state === 'ending' || scheduled?.feed.state !== 'active') {
        if (subscription) await pollResults.dropHubSubscriptions([subscription])
        return { status: 410 }
      }
      const result = await readPush(token, request, subscription.secret)
      if (result.kind === 'not-now') return { status: 503 }
      if (result.kind === 'unsigned') {
        await change(token, (now) => ({ after: addPushCounts(now, { unsigned: 1 }) }), doOnce)
        emitEvent('unsigned', subscription, clock.now())
        return { status: 202 } // as WebSub requires (8): a guess of the secret gets no feedback
      }
      recording = recording
        .then(() => errorBoundary.guard('recording a push', () => recordPush(token, request.headers, result.body)))
        .catch((error: unknown) => errorBoundary.report('recording a push', error))
        .finally(result.release)
      return { status: 202 }
    },

    async recordForwarded({ token, headers, body }) {
      await errorBoundary.guard('recording a push', () => recordPush(token, headers, body))
    },

    async whenIdle() {
      await recording
    },
  }
}

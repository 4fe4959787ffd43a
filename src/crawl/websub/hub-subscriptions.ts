/**
 * Subscriptions of feeds at WebSub hubs: when hubs are asked to subscribe, how their confirmations are answered, and how their pushes are
 * recorded. Requests to hubs are tasks, like everything that touches the network; hubs reach us through the server (/websub/).
 *
 * A push is acknowledged at once and recorded afterwards, one after the other, so that hubs do not wait. It is in memory only meanwhile:
 * if a crash loses it, the next poll finds its entries.
 */
import {
  bucketOf,
  type EntryDraft,
  type Feed,
  type FeedFacts,
  type HubSubscription,
  type Instant,
  type PushedDocument,
  type ScheduledFeed,
} from '../../model/index.ts'
import {
  addPushCounts,
  afterPoll,
  afterPush,
  answerHub,
  isReliable,
  newHubSubscription,
  rootOf,
  startUnsubscribing,
} from '../../politeness/index.ts'
import type { PollResults } from '../../ports/index.ts'
import type { CrawlEvent, PushReceiver, PushRequest, PushResponse } from '../crawler.ts'
import { doOnce, type RetryTransient } from '../retried-steps.ts'
import { createHubSubscriptionChanger, pushEvent } from './change-subscription.ts'
import { createHubRequests, type HubRequests, type HubRequestsParts } from './hub-requests.ts'
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

export interface HubSubscriptionsParts extends HubRequestsParts {
  pollResults: PollResults
  /** For steps that no hub waits for. */
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
  /** Reads and records a push; undefined if it contains no feed. */
  record: (
    scheduled: ScheduledFeed,
    push: PushContent,
    at: Instant,
  ) => Promise<{ fresh: EntryDraft[]; changed: number } | undefined>
  /** Polls a feed of which a hub announced news without sending it. */
  pollSoon: (scheduled: ScheduledFeed) => Promise<void>
}

export interface HubSubscriptions extends PushReceiver, HubRequests {
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

export function createHubSubscriptions(
  parts: HubSubscriptionsParts,
  { publicUrl, newSecret }: PushOptions,
): HubSubscriptions {
  const { pollResults, catalogue, clock, random, errorBoundary, emit, retryTransient } = parts
  const change = createHubSubscriptionChanger({ pollResults, retryTransient, emit })
  const requests = createHubRequests(parts, change, publicUrl)
  const readPush = createPushReader(clock)
  let recording: Promise<unknown> = Promise.resolve()

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
      emit(pushEvent('empty', subscription, at))
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
    ...requests,

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
        emit(pushEvent('unsigned', subscription, clock.now()))
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

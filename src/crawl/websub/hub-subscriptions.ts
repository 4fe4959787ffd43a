/**
 * Feeds that are pushed (WebSub): which hubs are asked and when, what they are answered, and what becomes of what they bring.
 * Hubs are asked by tasks, like everything that touches the network; they come to us through the server's door.
 *
 * What a hub brings is taken over at once and looked at afterwards, one after the other: a hub waits for nobody. It is not
 * kept meanwhile: whatever a crash swallows, the next poll finds.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  bucketOf,
  DAY,
  type EntryDraft,
  type Feed,
  type FeedFacts,
  type HubTask,
  type Instant,
  type Outcome,
  type Owned,
  type Push,
  type PushedDocument,
  type ScheduledFeed,
} from '../../model/index.ts'
import {
  ASKED_LEASE_MS,
  answerToHub,
  askedAfter,
  asking,
  ending,
  isRelied,
  newPush,
  notAsked,
  polledAfter,
  pushedAfter,
  rootOf,
  withMore,
} from '../../politeness/index.ts'
import type { Agenda, Catalogue, Clock, Ledger } from '../../ports/index.ts'
import type { CrawlEvent, PushAnswer, Pushed, PushNews, PushReceiver } from '../crawler.ts'
import type { Wall } from '../error-boundary.ts'
import { doOnce, type RetryTransient, repeated } from '../retried-steps.ts'
import { createPushIntake } from './receive-push.ts'

/** Where hubs reach us. */
export interface PushOptions {
  /** The address, as seen from outside, below which the server's /websub/ is found. */
  publicUrl: string
  /** Nobody can guess it; in letters, digits, - and _. */
  newSecret: () => string
}

/** What a hub brought, once it is read. */
export interface Brought {
  headers: Record<string, string>
  body: Uint8Array
}

export interface PushesParts {
  ledger: Ledger
  catalogue: Catalogue
  agenda: Agenda
  clock: Clock
  random: () => number
  wall: Wall
  /** For what no hub waits for. */
  retryTransient: RetryTransient
  emit: (event: CrawlEvent) => void
  /** Reads and records what a hub brought; undefined if it was no feed. */
  record: (
    held: ScheduledFeed,
    brought: Brought,
    at: Instant,
  ) => Promise<{ fresh: EntryDraft[]; changed: number } | undefined>
  /** The buckets whose hubs are ours; all, where nothing is said. */
  owned?: () => Owned | undefined
  /** There is news, but the hub did not bring it. */
  pollSoon: (held: ScheduledFeed) => Promise<void>
}

export interface Pushes extends PushReceiver {
  due(now: Instant, limit: number): Promise<HubTask[]>
  /** They are about to be asked. */
  sent(tasks: HubTask[]): Promise<void>
  /** They could not be, after all. */
  unsent(tasks: HubTask[]): Promise<void>
  wait(tasks: { task: HubTask; until: Instant }[]): Promise<void>
  /** What hubs answered. */
  after(outcomes: Outcome[]): Promise<void>
  /** What a poll says of a feed's push: which hub its document names, if one was read, and what it found. */
  polled(push: Push | undefined, poll: PollFinding): Promise<void>
  /** Looks at what a hub brought to another process, which has seen to it that it is signed. */
  takeOver(pushed: PushedDocument): Promise<void>
  /** Resolves when everything that hubs brought has been looked at. */
  settled(): Promise<void>
}

export interface PollFinding {
  feed: Feed
  at: Instant
  /** The poll before. */
  lastAt: Instant
  /** What the document says of itself; absent if none was read. */
  facts?: FeedFacts
  fresh: readonly EntryDraft[]
}

/** What a subscription becomes; undefined: it is forgotten. And what is told of it once that is written. */
interface Changed {
  after: Push | undefined
  told?: { what: PushNews; of: Push; at: Instant }
}

const MOST_TRIES = 20 // others may be first as often
const UNWANTED_MS = DAY // for a feed that is paused: it may be resumed

export function createPushes(parts: PushesParts, { publicUrl, newSecret }: PushOptions): Pushes {
  const { ledger, catalogue, agenda, clock, random, wall, emit, retryTransient } = parts
  const base = publicUrl.replace(/\/+$/, '')
  let looking: Promise<unknown> = Promise.resolve()
  const takeIn = createPushIntake(clock)

  /**
   * Reads a subscription, changes it and writes it under the revision that was read; if another was first, from the beginning. `by` only
   * says what it is to become (undefined: it is forgotten), and what is told once that is written.
   */
  async function change(token: string, by: (push: Push) => Changed, retry = retryTransient): Promise<void> {
    for (let tries = 1; ; tries++) {
      const push = await retry('read push subscriptions', () => ledger.pushByToken(token))
      if (!push) return
      const { after, told } = by(push)
      if (after !== push && !(await isWritten(push, after, retry))) {
        if (tries < MOST_TRIES) continue
        throw new Error('a push subscription changes all the time')
      }
      if (told) tell(told.what, told.of, told.at)
      return
    }
  }

  /** A write that failed may have taken effect: then the subscription is as it was to be. */
  async function isWritten(before: Push, after: Push | undefined, retry: RetryTransient): Promise<boolean> {
    const write = () => (after ? ledger.recordPushes([after]) : ledger.dropPushes([before]))
    const { answer, isRepeated } = await repeated(retry, 'write a push subscription', write)
    if (answer[0] || !isRepeated) return answer[0] === true
    const now = await retry('read push subscriptions', () => ledger.pushByToken(before.token))
    return isDeepStrictEqual(now, after && { ...after, revision: (before.revision ?? 0) + 1 })
  }

  function tell(what: PushNews, { feedId, hub, trouble }: Push, at: Instant): void {
    emit({ kind: 'push', at, what, feedId, hub, ...(what === 'refused' && trouble && { failure: trouble }) })
  }

  function taskFor({ token, hub, topic, named, secret, state }: Push): HubTask {
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
      leaseMs: ASKED_LEASE_MS,
    }
  }

  function missed(
    { token }: Push,
    fresh: readonly EntryDraft[],
    when: { at: Instant; lastAt: Instant },
  ): Promise<void> {
    return change(token, (before) => {
      const after = polledAfter(before, fresh, when)
      const isBroken = isRelied(before, when.at) && !isRelied(after, when.at)
      return { after, ...(isBroken && { told: { what: 'broken', of: after, at: when.at } }) }
    })
  }

  async function lookAt(token: string, headers: Pushed['headers'], body: Uint8Array): Promise<void> {
    const { push, held } = await retryTransient('read push subscriptions', async () => {
      const found = await ledger.pushByToken(token)
      return { push: found, held: found && (await catalogue.feedsById([found.feedId]))[0] }
    })
    if (!push || !held) return
    const at = clock.now()
    const news = await parts.record(held, { headers, body }, at)
    if (!news) {
      await retryTransient('change a feed', () => parts.pollSoon(held))
      tell('empty', push, at)
      return change(token, (now) => ({ after: pushedAfter(now, undefined, at) }))
    }
    const { id: feedId, title, url } = held.feed
    emit({
      kind: 'pushed',
      at,
      feedId,
      title,
      url,
      hub: push.hub,
      bytes: body.length,
      fresh: news.fresh.length,
      changed: news.changed,
    })
    await change(token, (now) => ({ after: pushedAfter(now, news.fresh, at) }))
  }

  return {
    async due(now, limit) {
      const pushes = await agenda.duePushes(now, limit, parts.owned?.())
      const feeds = await catalogue.feedsById(pushes.map(({ feedId }) => feedId))
      const tasks: HubTask[] = []
      for (const [i, push] of pushes.entries()) {
        const state = feeds[i]?.feed.state
        if (push.state === 'ending' || state === 'active') tasks.push(taskFor(push))
        else await change(push.token, (one) => ({ after: state && { ...one, dueAt: now + UNWANTED_MS } }))
      }
      return tasks
    },
    async sent(tasks) {
      for (const { token } of tasks) await change(token, (push) => ({ after: asking(push, clock.now()) }))
    },
    async unsent(tasks) {
      for (const { token } of tasks) await change(token, (push) => ({ after: notAsked(push, clock.now()) }))
    },
    async wait(tasks) {
      for (const { task, until } of tasks) await change(task.token, (push) => ({ after: { ...push, dueAt: until } }))
    },

    async after(outcomes) {
      for (const { task, result } of outcomes) {
        if (task.kind !== 'hub') continue
        const failure = result.kind === 'failed' ? result.failure : undefined
        await wall.guarded(`hearing of the hub ${task.url}`, () =>
          change(task.token, (push) => ({ after: askedAfter(push, failure, clock.now(), random()) })),
        )
      }
    },

    async polled(push, { feed, at, lastAt, facts, fresh }) {
      const { hub, selfUrl: topic = feed.url } = facts ?? {}
      const isAsBefore = !facts || (push ? push.hub === hub && push.topic === topic : !hub)
      if (isAsBefore) return push && missed(push, fresh, { at, lastAt })
      if (push) await change(push.token, (now) => ({ after: now.state === 'active' ? ending(now, at) : undefined }))
      if (!hub) return
      const bucket = bucketOf(rootOf(hub))
      const wish = { feedId: feed.id, hub, bucket, topic, named: feed.url, token: newSecret(), secret: newSecret() }
      await retryTransient('write a push subscription', () => ledger.recordPushes([newPush(wish, at)]))
    },

    async confirm(token, query) {
      let answer: PushAnswer = { status: 404 }
      await change(
        token,
        (push) => {
          const now = clock.now()
          const said = answerToHub(push, query, now, random())
          answer = { status: 404 }
          if (said.kind === 'unknown') return { after: push }
          answer = said.kind === 'echo' ? { status: 200, body: said.challenge } : { status: 200, body: '' }
          const after = said.push
          const begins = said.kind === 'echo' && push.state !== 'active'
          const what = said.kind === 'denied' ? 'refused' : begins ? 'begins' : undefined
          return { after, ...(after && what && { told: { what, of: after, at: now } }) }
        },
        doOnce, // the hub waits
      )
      return answer
    },

    async receive(token, brought) {
      const push = await ledger.pushByToken(token)
      const [held] = push ? await catalogue.feedsById([push.feedId]) : []
      if (!push || push.state === 'ending' || held?.feed.state !== 'active') {
        if (push) await ledger.dropPushes([push])
        return { status: 410 }
      }
      const taken = await takeIn(token, brought, push.secret)
      if (taken.kind === 'not-now') return { status: 503 }
      if (taken.kind === 'unsigned') {
        await change(token, (now) => ({ after: withMore(now, { unsigned: 1 }) }), doOnce)
        tell('unsigned', push, clock.now())
        return { status: 202 } // as WebSub asks (8): who tries to guess the secret learns nothing
      }
      looking = looking
        .then(() => wall.guarded('reading what a hub brought', () => lookAt(token, brought.headers, taken.body)))
        .catch((error: unknown) => wall.report('reading what a hub brought', error))
        .finally(taken.letGo)
      return { status: 202 }
    },

    async takeOver({ token, headers, body }) {
      await wall.guarded('reading what a hub brought', () => lookAt(token, headers, body))
    },

    async settled() {
      await looking
    },
  }
}

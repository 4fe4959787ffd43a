/**
 * Feeds that are pushed (WebSub): which hubs are asked and when, what they are answered, and what becomes of what they bring.
 * Hubs are asked by tasks, like everything that touches the network; they come to us through the server's door.
 *
 * What a hub brings is taken over at once and looked at afterwards, one after the other: a hub waits for nobody. It is not
 * kept meanwhile: whatever a crash swallows, the next poll finds.
 */
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
  polledAfter,
  pushedAfter,
  rootOf,
  withMore,
} from '../../politeness/index.ts'
import type { Agenda, Catalogue, Clock, Ledger } from '../../ports/index.ts'
import type { CrawlEvent, PushAnswer, Pushed, PushNews, PushReceiver } from '../crawler.ts'
import type { Wall } from '../wall.ts'
import { createPushIntake } from './push-intake.ts'

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
  nextAt(): Promise<Instant | undefined>
  sent(tasks: HubTask[]): Promise<void>
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

const UNWANTED_MS = DAY // for a feed that is paused: it may be resumed

export function createPushes(parts: PushesParts, { publicUrl, newSecret }: PushOptions): Pushes {
  const { ledger, catalogue, agenda, clock, random, wall, emit } = parts
  const base = publicUrl.replace(/\/+$/, '')
  let changes: Promise<unknown> = Promise.resolve()
  let looking: Promise<unknown> = Promise.resolve()
  const takeIn = createPushIntake(clock)

  /** A push is read and written in one go, whoever else wants to change it. Undefined: it is forgotten. */
  function change(token: string, by: (push: Push) => Push | undefined): Promise<void> {
    const changed = changes.then(async () => {
      const push = await ledger.pushByToken(token)
      if (!push) return
      const after = by(push)
      if (!after) await ledger.dropPushes([token])
      else if (after !== push) await ledger.recordPushes([after])
    })
    changes = changed.catch(() => {})
    return changed
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
      if (isRelied(before, when.at) && !isRelied(after, when.at)) tell('broken', after, when.at)
      return after
    })
  }

  async function lookAt(token: string, headers: Pushed['headers'], body: Uint8Array): Promise<void> {
    const push = await ledger.pushByToken(token)
    const [held] = push ? await catalogue.feedsById([push.feedId]) : []
    if (!push || !held) return
    const at = clock.now()
    const news = await parts.record(held, { headers, body }, at)
    await change(token, (now) => pushedAfter(now, news?.fresh, at))
    if (!news) {
      await parts.pollSoon(held)
      return tell('empty', push, at)
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
  }

  return {
    async due(now, limit) {
      const pushes = await agenda.duePushes(now, limit, parts.owned?.())
      const feeds = await catalogue.feedsById(pushes.map(({ feedId }) => feedId))
      const tasks: HubTask[] = []
      for (const [i, push] of pushes.entries()) {
        const state = feeds[i]?.feed.state
        if (push.state === 'ending' || state === 'active') tasks.push(taskFor(push))
        else await change(push.token, (one) => (state ? { ...one, dueAt: now + UNWANTED_MS } : undefined))
      }
      return tasks
    },
    nextAt: () => agenda.nextPushAt(parts.owned?.()),
    async sent(tasks) {
      for (const { token } of tasks) await change(token, (push) => asking(push, clock.now()))
    },
    async wait(tasks) {
      for (const { task, until } of tasks) await change(task.token, (push) => ({ ...push, dueAt: until }))
    },

    async after(outcomes) {
      for (const { task, result } of outcomes) {
        if (task.kind !== 'hub') continue
        const failure = result.kind === 'failed' ? result.failure : undefined
        await wall.guarded(`hearing of the hub ${task.url}`, () =>
          change(task.token, (push) => askedAfter(push, failure, clock.now(), random())),
        )
      }
    },

    async polled(push, { feed, at, lastAt, facts, fresh }) {
      const { hub, selfUrl: topic = feed.url } = facts ?? {}
      const isAsBefore = !facts || (push ? push.hub === hub && push.topic === topic : !hub)
      if (isAsBefore) return push && missed(push, fresh, { at, lastAt })
      if (push) await change(push.token, (now) => (now.state === 'active' ? ending(now, at) : undefined))
      if (!hub) return
      const bucket = bucketOf(rootOf(hub))
      const wish = { feedId: feed.id, hub, bucket, topic, named: feed.url, token: newSecret(), secret: newSecret() }
      await ledger.recordPushes([newPush(wish, at)])
    },

    async confirm(token, query) {
      let answer: PushAnswer = { status: 404 }
      await change(token, (push) => {
        const now = clock.now()
        const said = answerToHub(push, query, now, random())
        if (said.kind === 'unknown') return push
        answer = said.kind === 'echo' ? { status: 200, body: said.challenge } : { status: 200, body: '' }
        if (said.kind === 'denied' && said.push) tell('refused', said.push, now)
        if (said.kind === 'echo' && said.push && push.state !== 'active') tell('begins', said.push, now)
        return said.push
      })
      return answer
    },

    async receive(token, brought) {
      const push = await ledger.pushByToken(token)
      const [held] = push ? await catalogue.feedsById([push.feedId]) : []
      if (!push || push.state === 'ending' || held?.feed.state !== 'active') {
        if (push) await ledger.dropPushes([token])
        return { status: 410 }
      }
      const taken = await takeIn(token, brought, push.secret)
      if (taken.kind === 'not-now') return { status: 503 }
      if (taken.kind === 'unsigned') {
        await change(token, (now) => withMore(now, { unsigned: 1 }))
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
      await changes
    },
  }
}

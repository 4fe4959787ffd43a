/** Concurrent changes of one hub subscription by two controllers, and store failures meanwhile. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedFacts, HOUR, type HubTask, MINUTE, SECOND } from '../../model/index.ts'
import { rolesOf, type Store, StoreError } from '../../ports/index.ts'
import { feedById } from '../../ports/store-expectations.contract.ts'
import { addFeed, draft, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createErrorBoundary } from '../error-boundary.ts'
import { createStoreRetry } from '../retry-transient.ts'
import { createHubSubscriptions } from './hub-subscriptions.ts'

const HUB = address('https://hub.example/')

async function createScene() {
  const store = createMemoryStore()
  const clock = createSteppedClock(START + MINUTE)
  const events: CrawlEvent[] = []
  const emit = (event: CrawlEvent) => void events.push(event)
  const patience = createStoreRetry(clock, () => {})
  let secrets = 0
  const controller = (used: Store) =>
    createHubSubscriptions(
      {
        ...rolesOf(used),
        clock,
        random: () => 0,
        errorBoundary: createErrorBoundary({ clock, emit }),
        retryTransient: patience.retryTransient,
        emit,
        record: async () => undefined,
        pollSoon: async () => {},
      },
      { publicUrl: 'https://reader.example', newSecret: () => `secret-${++secrets}` },
    )
  const feedId = await addFeed(store, 'a')
  const { feed } = (await feedById(store, feedId))!
  const facts = { hub: HUB, selfUrl: feed.url } as unknown as FeedFacts
  const pushOf = async () => (await store.hubSubscriptionsOf([feedId]))[0]!
  await controller(store).afterPoll(undefined, { feed, at: START, lastAt: START, facts, fresh: [] })
  const { token } = await pushOf()
  const confirmation = { 'hub.topic': feed.url, 'hub.challenge': 'c', 'hub.lease_seconds': '864000' }
  return { store, clock, events, controller, feed, facts, pushOf, token, confirmation }
}

it('keeps a denial of the hub when another controller read the subscription before and writes it after', async () => {
  const { store, events, controller, feed, facts, pushOf, token, confirmation } = await createScene()
  const ofHub = controller(store)
  await ofHub.markSent([{ token } as HubTask])
  await ofHub.confirm(token, { ...confirmation, 'hub.mode': 'subscribe' })
  const active = await pushOf()
  expect(active.state).toBe('active')
  let deny = async () => {
    deny = async () => {}
    await ofHub.confirm(token, { ...confirmation, 'hub.mode': 'denied', 'hub.reason': 'no' })
  }
  const between: Store = {
    ...store,
    async hubSubscriptionByToken(wanted) {
      const read = await store.hubSubscriptionByToken(wanted)
      await deny() // after it was read, and before it is written
      return read
    },
  }
  const missed = [{ ...draft('k'), publishedAt: START - HOUR }]
  await controller(between).afterPoll(active, {
    feed,
    at: START + MINUTE,
    lastAt: START - 2 * HOUR,
    facts,
    fresh: missed,
  })
  expect(await pushOf()).toMatchObject({ state: 'waiting', trouble: { kind: 'hub-refused' } })
  expect(events.filter((event) => event.kind === 'push').map(({ what }) => what)).toEqual(['begins', 'refused'])
})

it.each(['before', 'after'] as const)(
  'counts the response of a hub once when the store fails %s the write took effect',
  async (when) => {
    const { store, clock, controller, pushOf, token } = await createScene()
    let left = 3
    const failing: Store = {
      ...store,
      async recordHubSubscriptions(pushes) {
        const fails = left-- > 0
        const lost = new StoreError('no-access', 'connection lost', '', { isTransient: true })
        if (fails && when === 'before') throw lost
        const answer = await store.recordHubSubscriptions(pushes)
        if (fails) throw lost
        return answer
      },
    }
    const task = { kind: 'hub', token, url: HUB } as HubTask
    await controller(store).markSent([task])
    const failed = { kind: 'failed', failure: { kind: 'http', status: 503 } } as const
    const recording = controller(failing).recordAnswers([{ task, at: START, tookMs: 1, bytes: 0, result: failed }])
    await clock.advance(20 * SECOND)
    await recording
    expect(await pushOf()).toMatchObject({ failures: 1, trouble: { status: 503 } })
  },
)

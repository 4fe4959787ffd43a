/** Two controllers that change one push subscription at once, and a store that fails meanwhile. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type FeedFacts, HOUR, type HubTask, MINUTE, SECOND } from '../../model/index.ts'
import { rolesOf, type Store, StoreError } from '../../ports/index.ts'
import { feedById } from '../../ports/store-expectations.contract.ts'
import { addFeed, draft, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createWall } from '../error-boundary.ts'
import { createStorePatience } from '../retry-transient.ts'
import { createPushes } from './hub-subscriptions.ts'

const HUB = address('https://hub.example/')

async function town() {
  const store = createMemoryStore()
  const clock = createSteppedClock(START + MINUTE)
  const events: CrawlEvent[] = []
  const emit = (event: CrawlEvent) => void events.push(event)
  const patience = createStorePatience(clock, () => {})
  let secrets = 0
  const controller = (used: Store) =>
    createPushes(
      {
        ...rolesOf(used),
        clock,
        random: () => 0,
        wall: createWall({ clock, emit }),
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
  const pushOf = async () => (await store.pushesOf([feedId]))[0]!
  await controller(store).polled(undefined, { feed, at: START, lastAt: START, facts, fresh: [] })
  const { token } = await pushOf()
  const said = { 'hub.topic': feed.url, 'hub.challenge': 'c', 'hub.lease_seconds': '864000' }
  return { store, clock, events, controller, feed, facts, pushOf, token, said }
}

it('a denial of the hub stands, whatever another controller had read before and writes after it', async () => {
  const { store, events, controller, feed, facts, pushOf, token, said } = await town()
  const ofHub = controller(store)
  await ofHub.sent([{ token } as HubTask])
  await ofHub.confirm(token, { ...said, 'hub.mode': 'subscribe' })
  const active = await pushOf()
  expect(active.state).toBe('active')
  let deny = async () => {
    deny = async () => {}
    await ofHub.confirm(token, { ...said, 'hub.mode': 'denied', 'hub.reason': 'no' })
  }
  const between: Store = {
    ...store,
    async pushByToken(asked) {
      const read = await store.pushByToken(asked)
      await deny() // after it was read, and before it is written
      return read
    },
  }
  const missed = [{ ...draft('k'), publishedAt: START - HOUR }]
  await controller(between).polled(active, { feed, at: START + MINUTE, lastAt: START - 2 * HOUR, facts, fresh: missed })
  expect(await pushOf()).toMatchObject({ state: 'waiting', trouble: { kind: 'hub-refused' } })
  expect(events.filter((event) => event.kind === 'push').map(({ what }) => what)).toEqual(['begins', 'refused'])
})

it.each(['before', 'after'] as const)(
  'an answer of the hub is counted once, though the store fails %s it was written',
  async (when) => {
    const { store, clock, controller, pushOf, token } = await town()
    let left = 3
    const failing: Store = {
      ...store,
      async recordPushes(pushes) {
        const fails = left-- > 0
        const lost = new StoreError('no-access', 'connection lost', '', { isPassing: true })
        if (fails && when === 'before') throw lost
        const answer = await store.recordPushes(pushes)
        if (fails) throw lost
        return answer
      },
    }
    const task = { kind: 'hub', token, url: HUB } as HubTask
    await controller(store).sent([task])
    const failed = { kind: 'failed', failure: { kind: 'http', status: 503 } } as const
    const heard = controller(failing).after([{ task, at: START, tookMs: 1, bytes: 0, result: failed }])
    await clock.advance(20 * SECOND)
    await heard
    expect(await pushOf()).toMatchObject({ failures: 1, trouble: { status: 503 } })
  },
)

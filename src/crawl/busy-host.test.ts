/** Many feeds of one host without a gap: they wait for each other and delay no others. */
import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { HOUR, type Outcome } from '../model/index.ts'
import { createHostQueue } from '../politeness/index.ts'
import { rolesOf, type Store } from '../ports/index.ts'
import { createInProcessQueue } from '../queues/index.ts'
import { LIMITS } from '../scheduling/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { createController, feedToAdd, fixedPrice } from './index.ts'

const START = Date.UTC(2026, 0, 5, 8)

it('runs few rounds while one host without a gap is busy', async () => {
  const store = createMemoryStore()
  let rounds = 0
  const counting: Store = {
    ...store,
    leaseDue: (...given) => {
      if (++rounds > 5000) throw new Error('it goes round and round')
      return store.leaseDue(...given)
    },
  }
  let now = START
  const clock = { now: () => ++now, sleepUntil: async () => {} } // advances with each call, like the real clock
  const queue = createInProcessQueue({ concurrency: 64 })
  const controller = createController({
    ...rolesOf(counting),
    queue,
    clock,
    hostQueue: createHostQueue({ gapMs: 0 }),
    budget: fixedPrice(HOUR, LIMITS),
    strategy: 'fixed:1h',
    random: () => 0,
    knownBy: 'key',
    slots: () => 64,
    emit: () => {},
  })
  const failed: Outcome['result'] = { kind: 'failed', failure: { kind: 'http', status: 404 } }
  queue.serve(async (task) => ({ task, at: now, tookMs: 1, bytes: 0, result: failed }))
  queue.collect(controller.apply)
  const feeds = Array.from({ length: 200 }, (_, n) => address(`https://one.example/${n}`))
  await store.addFeeds(feeds.map((url) => feedToAdd({ url, title: '' }, 'fixed:1h', START)))

  expect(await controller.tick()).toBe(1)
  expect(rounds).toBeLessThan(20)
  while ((await store.polls({ limit: 999 })).length < 200) {
    await controller.waitUntilIdle()
    now = Math.max(now, (await store.nextDue()).pollAt ?? 0)
    await controller.tick()
  }
  expect(rounds).toBeLessThan(1000)
  await queue.close()
})

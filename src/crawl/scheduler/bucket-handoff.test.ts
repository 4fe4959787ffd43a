/** Buckets that come and go: flights are known by their leases. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type LeaseToken, MINUTE, type Outcome, SECOND, type Task } from '../../model/index.ts'
import { createPace, rootOf } from '../../politeness/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { addFeed, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { bucketOfTask } from '../task.ts'
import { createHandover } from './bucket-handoff.ts'
import { createFlights } from './in-flight-tasks.ts'
import { createRedirectPace } from './redirect-pacing.ts'
import { articleTask, feedTask, sourceTask } from './task-of.ts'

async function town() {
  const store = createMemoryStore()
  const feedId = await addFeed(store, 'a')
  const clock = createSteppedClock(START + MINUTE)
  const pace = createPace({ gapMs: SECOND })
  const redirectPace = createRedirectPace(pace)
  const flights = createFlights({ crew: { name: 'ada', bucketOf: bucketOfTask } })
  const recalled: Task[][] = []
  const failures = { recall: 0 }
  const handover = createHandover({
    ...rolesOf(store),
    clock,
    flights,
    redirectPace,
    queue: {
      async recall(tasks) {
        if (failures.recall-- > 0) throw new Error('connection lost')
        recalled.push(tasks)
      },
    },
    hosts: { forget: pace.forget },
    pages: { forget: () => {} },
    ofFeed: (held) => feedTask(held, 0, clock.now(), 0),
    ofSource: (source) => sourceTask(source, 0, undefined),
    ofPage: (page) => articleTask(page, 0, undefined),
  })
  const [held] = await store.feedsById([feedId])
  const task = (lease: string): Task => feedTask({ ...held!, lease: lease as LeaseToken }, 0, START, 0)
  const bucket = bucketOfTask(task('any'))
  const mayEnter = () => pace.enter([rootOf(address(held!.feed.url))], 'somebody', clock.now() + MINUTE).kind === 'go'
  return { store, feedId, clock, flights, handover, recalled, failures, task, bucket, redirectPace, mayEnter }
}

const failed = (task: Task): Outcome => ({
  task,
  at: 0,
  tookMs: 1,
  bytes: 0,
  result: { kind: 'failed', failure: { kind: 'timeout' } },
})

it('a bucket that comes back within a lease has the flight of whoever had it meanwhile, and its host is protected', async () => {
  const { store, handover, flights, task, bucket, redirectPace, mayEnter } = await town()
  const [mine] = (await store.takeDue(START, 1, START + 10 * MINUTE)).feeds
  const sent = flights.depart(task(mine!.lease), START)
  redirectPace.enter(sent, START)
  handover.lose(new Set([bucket]))
  expect(flights.size).toBe(0)
  await store.handBack([{ kind: 'feed', id: mine!.feed.id, lease: mine!.lease }])
  const [theirs] = (await store.takeDue(START + SECOND, 1, START + 10 * MINUTE)).feeds
  await handover.gain(new Map([[bucket, 3]]))
  expect(flights.all().map((flight) => flight.task.lease)).toEqual([theirs!.lease])
  expect(mayEnter()).toBe(false)
  expect(flights.land(failed(task(mine!.lease)))).toBeUndefined()
  expect(flights.land(failed(task(theirs!.lease)))).toBeDefined()
})

it('what is out under another lease than the store says is not kept in its place', async () => {
  const { store, handover, flights, task, bucket } = await town()
  flights.depart(task('old'), START)
  const [theirs] = (await store.takeDue(START, 1, START + 10 * MINUTE)).feeds
  await handover.gain(new Map([[bucket, 3]]))
  expect(flights.land(failed(task(theirs!.lease)))).toBeDefined()
})

it('a takeover that fails at the queue asks it again for what it had adopted', async () => {
  const { store, handover, recalled, failures, bucket, flights } = await town()
  const [theirs] = (await store.takeDue(START, 1, START + 10 * MINUTE)).feeds
  failures.recall = 1
  await expect(handover.gain(new Map([[bucket, 3]]))).rejects.toThrow('connection lost')
  await handover.gain(new Map([[bucket, 3]]))
  expect(recalled.map((tasks) => tasks.map(({ lease }) => lease))).toEqual([[theirs!.lease]])
  expect(flights.size).toBe(1)
})

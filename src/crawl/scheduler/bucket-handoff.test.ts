/** Buckets that change owners: in-flight tasks are matched by their leases. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type LeaseToken, MINUTE, type Outcome, SECOND, type Task } from '../../model/index.ts'
import { createHostQueue, rootOf } from '../../politeness/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { addFeed, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { bucketOfTask } from '../task.ts'
import { createBucketHandoff } from './bucket-handoff.ts'
import { createInFlightTasks } from './in-flight-tasks.ts'
import { createRedirectPacing } from './redirect-pacing.ts'
import { articleTask, feedTask, sourceTask } from './task-of.ts'

async function setup() {
  const store = createMemoryStore()
  const feedId = await addFeed(store, 'a')
  const clock = createSteppedClock(START + MINUTE)
  const hostQueue = createHostQueue({ gapMs: SECOND })
  const redirectPacing = createRedirectPacing(hostQueue)
  const inFlight = createInFlightTasks({ identity: { name: 'ada', bucketOf: bucketOfTask } })
  const recalled: Task[][] = []
  const failures = { recall: 0 }
  const bucketHandoff = createBucketHandoff({
    ...rolesOf(store),
    clock,
    inFlight,
    redirectPacing,
    queue: {
      async recall(tasks) {
        if (failures.recall-- > 0) throw new Error('connection lost')
        recalled.push(tasks)
      },
    },
    hosts: { forget: hostQueue.forget },
    articles: { forget: () => {} },
    buildFeedTask: (scheduled) => feedTask(scheduled, 0, clock.now(), 0),
    buildSourceTask: (source) => sourceTask(source, 0, undefined),
    buildArticleTask: (page) => articleTask(page, 0, undefined),
  })
  const [scheduled] = await store.feedsById([feedId])
  const task = (lease: string): Task => feedTask({ ...scheduled!, lease: lease as LeaseToken }, 0, START, 0)
  const bucket = bucketOfTask(task('any'))
  const isHostFree = () =>
    hostQueue.acquire([rootOf(address(scheduled!.feed.url))], 'other task', clock.now() + MINUTE).kind === 'go'
  return { store, feedId, clock, inFlight, bucketHandoff, recalled, failures, task, bucket, redirectPacing, isHostFree }
}

const failed = (task: Task): Outcome => ({
  task,
  at: 0,
  tookMs: 1,
  bytes: 0,
  result: { kind: 'failed', failure: { kind: 'timeout' } },
})

it('adopts the task of the previous owner when a bucket returns within a lease, and keeps its host slot', async () => {
  const { store, bucketHandoff, inFlight, task, bucket, redirectPacing, isHostFree } = await setup()
  const [first] = (await store.leaseDue(START, 1, START + 10 * MINUTE)).feeds
  const sent = inFlight.start(task(first!.lease), START)
  redirectPacing.acquire(sent, START)
  bucketHandoff.forget(new Set([bucket]))
  expect(inFlight.size).toBe(0)
  await store.releaseLeases([{ kind: 'feed', id: first!.feed.id, lease: first!.lease }])
  const [second] = (await store.leaseDue(START + SECOND, 1, START + 10 * MINUTE)).feeds
  await bucketHandoff.takeOver(new Map([[bucket, 3]]))
  expect(inFlight.all().map(({ task }) => task.lease)).toEqual([second!.lease])
  expect(isHostFree()).toBe(false)
  expect(inFlight.complete(failed(task(first!.lease)))).toBeUndefined()
  expect(inFlight.complete(failed(task(second!.lease)))).toBeDefined()
})

it('replaces an in-flight task whose lease differs from the one in the store', async () => {
  const { store, bucketHandoff, inFlight, task, bucket } = await setup()
  inFlight.start(task('old'), START)
  const [second] = (await store.leaseDue(START, 1, START + 10 * MINUTE)).feeds
  await bucketHandoff.takeOver(new Map([[bucket, 3]]))
  expect(inFlight.complete(failed(task(second!.lease)))).toBeDefined()
})

it('recalls adopted tasks again after the queue failed during a takeover', async () => {
  const { store, bucketHandoff, recalled, failures, bucket, inFlight } = await setup()
  const [second] = (await store.leaseDue(START, 1, START + 10 * MINUTE)).feeds
  failures.recall = 1
  await expect(bucketHandoff.takeOver(new Map([[bucket, 3]]))).rejects.toThrow('connection lost')
  await bucketHandoff.takeOver(new Map([[bucket, 3]]))
  expect(recalled.map((tasks) => tasks.map(({ lease }) => lease))).toEqual([[second!.lease]])
  expect(inFlight.size).toBe(1)
})

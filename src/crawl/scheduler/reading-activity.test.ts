import { expect, it } from 'vitest'
import { all, draft, newFeed, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createReadingActivity } from './reading-activity.ts'

it('rates feeds that are read more than average higher, once there are enough reads', async () => {
  const store = createMemoryStore()
  const added = await store.addFeeds(['much', 'little', 'left'].map((name) => newFeed(name)))
  const [much, little, left] = added.map(({ id }) => id) as [never, never, never]
  const userId = await store.firstUser()
  await store.follow(userId, [{ feedId: much }, { feedId: little }], START, 0)
  const fresh = (name: string, n: number) => Array.from({ length: n }, (_, i) => draft(`${name}${i}`))
  await store.recordPolls([
    record(much, START, { fresh: fresh('m', 30) }),
    record(little, START, { fresh: fresh('l', 30) }),
  ])
  const entries = await all(store.everyEntry({}))
  const idsOf = (feedId: number, n: number) =>
    entries
      .filter((one) => one.feedId === feedId)
      .slice(0, n)
      .map(({ id }) => id)
  const activity = createReadingActivity(store)
  await store.markEntries(userId, idsOf(much, 15), 'read', START)
  await activity.recount(START)
  expect(activity.of(much)).toBeUndefined()
  await store.markEntries(userId, idsOf(much, 30), 'read', START)
  await store.markEntries(userId, idsOf(little, 10), 'read', START)
  await activity.recount(START)
  expect(activity.of(much)).toBeCloseTo(1.5)
  expect(activity.of(little)).toBeCloseTo(0.5)
  expect(activity.of(left)).toBeUndefined()
  expect(activity.of(undefined)).toBeUndefined()
})

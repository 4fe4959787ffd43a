/** The market as one of several controllers has it. */
import { expect, it } from 'vitest'
import { createMemoryStore } from '../../drivers/index.ts'
import type { FeedId } from '../../model/index.ts'
import { LIMITS } from '../../polling/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { createFollowingBudget } from './following-budget.ts'

it('says of each feed how much its readers read, as the market of one crawl alone does', async () => {
  const store = createMemoryStore()
  const added = await store.addFeeds(['much', 'usual'].map((name) => newFeed(name)))
  const [much, usual] = (await store.feedsById(added.map(({ id }) => id))).map((one) => one!.feed)
  const activityOf = (id: FeedId | undefined) => (id === much!.id ? 1.5 : undefined)
  const options = { limits: LIMITS, pollsPerDay: 'auto', share: () => 1 } as const
  const budget = createFollowingBudget(rolesOf(store), { ...options, activityOf }, START)
  await budget.begin()
  expect([much!, usual!].map((feed) => budget.terms(feed).activity)).toEqual([1.5, undefined])
  const uncounted = createFollowingBudget(rolesOf(store), options, START)
  expect(uncounted.terms(much!).activity).toBeUndefined()
})

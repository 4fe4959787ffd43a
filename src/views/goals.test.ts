import { expect, it } from 'vitest'
import { memoryStore } from '../../test/yielding-store.ts'
import { feedToAdd } from '../crawl/index.ts'
import { address } from '../model/address.fixture.ts'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import { rolesOf } from '../ports/index.ts'
import { goalReport } from './goals.ts'

const START = Date.UTC(2026, 0, 5)

it('counts the polls of feeds of every strategy, once they have been polled', async () => {
  const store = memoryStore()
  const feeds = ['fixed:2h', 'adva-rss', 'fixed:1d'].map((strategy, i) =>
    feedToAdd({ url: address(`https://a${i}.example/`), title: '', folder: 'News' }, strategy, START),
  )
  const ids = (await store.addFeeds(feeds)).map(({ id }) => id)
  for (const id of ids.slice(0, 2))
    await store.changeFeed(id, {}, { polledAt: START, succeededAt: START, dueAt: START + DAY })
  await store.changePollSettings({ folder: 'News', goals: { goalMs: HOUR } })
  const settings = { now: START, budget: 'auto', limits: { minMs: 2 * MINUTE, maxMs: 31 * DAY } } as const
  const { pollsPerDay, pollsForGoals, lines } = await goalReport(rolesOf(store), settings)
  const rounds = DAY / (4 * 8 * MINUTE) // M is 4 at first
  expect(pollsPerDay).toBeGreaterThan(12 + 0.8 * rounds)
  expect(pollsPerDay).toBeLessThan(12 + 1.2 * rounds)
  expect(pollsForGoals).toBe(pollsPerDay)
  expect(lines[0]).toMatchObject({ feeds: 3, pollsPerDay })
})

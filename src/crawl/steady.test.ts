/** What a crawl asks of its store while nothing is new, counted: most of its life is spent so. */
import { expect, it } from 'vitest'
import { box, quietNewspaperSite, subscribeFeeds } from '../../test/crawl-harness.ts'
import { HOUR, MINUTE } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { createMemoryStore } from '../stores/index.ts'

it('takes what is due once a poll, and writes nothing but the poll', async () => {
  const asked = new Map<string, number>()
  const own = createMemoryStore()
  const store = new Proxy(own, {
    get: (target, name: keyof Store & string) => {
      asked.set(name, (asked.get(name) ?? 0) + 1)
      return target[name]
    },
  })
  const { crawler, village, clock } = box([quietNewspaperSite], { store })
  await subscribeFeeds(crawler, village)
  await clock.advance(30 * MINUTE)
  asked.clear()
  await clock.advance(24 * HOUR)
  expect(asked.get('recordPolls')).toBe(24)
  expect(asked.get('takeDue')).toBe(24)
  for (const idle of ['handBack', 'handBackArticles', 'takeDueArticles', 'recordHosts'])
    expect(asked.get(idle)).toBeUndefined()
})

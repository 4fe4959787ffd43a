/** Leased tasks that could not be sent do not wait for the end of their lease. */
import { expect, it } from 'vitest'
import { type CrawlHarnessOptions, createCrawlHarness, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { MINUTE } from '../../model/index.ts'
import { type Queue, type Store, StoreError } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

/** Two feeds per site: one is sent, the other waits for its host slot. */
const sites = Array.from({ length: 3 }, (_, n) => ({ name: `paper${n}`, feeds: [{ path: '/a' }, { path: '/b' }] }))

async function pollsAfter(ms: number, options: CrawlHarnessOptions): Promise<number> {
  const { clock, village, crawler, store, stop } = createCrawlHarness(sites, options)
  await subscribeFeeds(crawler, village)
  await clock.advance(ms)
  const { polls } = await store.counts()
  await stop()
  return polls
}

it('releases leases when sending fails', async () => {
  let failures = 1
  const wrapQueue = (queue: Queue): Queue => ({
    ...queue,
    send: (tasks) => (failures-- > 0 ? Promise.reject(new Error('the queue is away')) : queue.send(tasks)),
  })
  expect(await pollsAfter(3 * MINUTE, { wrapQueue })).toBe(6)
})

it.each(['leaseDue', 'releaseLeases', 'hosts', 'robots'] as const)(
  'keeps no feed waiting when the store fails in %s, before or after it took effect',
  async (name) => {
    for (const when of ['before', 'after']) {
      const inner = createMemoryStore()
      const call = inner[name] as (...given: unknown[]) => Promise<unknown>
      let failures = 2
      const lost = () => new StoreError('no-access', 'connection lost', '', { isTransient: true })
      const store = {
        ...inner,
        async [name](...given: unknown[]) {
          const fails = failures-- > 0
          if (fails && when === 'before') throw lost()
          const answer = await call(...given)
          if (fails) throw lost()
          return answer
        },
      } as Store
      expect(await pollsAfter(3 * MINUTE, { store })).toBe(6)
    }
  },
)

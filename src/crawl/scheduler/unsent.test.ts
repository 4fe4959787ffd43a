/** What was taken and could not be sent: nobody waits for the end of its lease. */
import { expect, it } from 'vitest'
import { box, type CrawlHarnessOptions, subscribeFeeds } from '../../../test/crawl-harness.ts'
import { MINUTE } from '../../model/index.ts'
import { type Queue, type Store, StoreError } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'

/** Two feeds at each: one goes, and the other waits for its turn. */
const sites = Array.from({ length: 3 }, (_, n) => ({ name: `paper${n}`, feeds: [{ path: '/a' }, { path: '/b' }] }))

async function pollsAfter(ms: number, options: CrawlHarnessOptions): Promise<number> {
  const { clock, village, crawler, store, stop } = box(sites, options)
  await subscribeFeeds(crawler, village)
  await clock.advance(ms)
  const { polls } = await store.counts()
  await stop()
  return polls
}

it('a queue that fails once keeps neither those that were to go nor those that wait', async () => {
  let failures = 1
  const carriedBy = (queue: Queue): Queue => ({
    ...queue,
    send: (tasks) => (failures-- > 0 ? Promise.reject(new Error('the queue is away')) : queue.send(tasks)),
  })
  expect(await pollsAfter(3 * MINUTE, { carriedBy })).toBe(6)
})

it.each(['takeDue', 'handBack', 'hostsNamed', 'robots'] as const)(
  'a store that fails in %s, before or after it took effect, keeps nobody waiting',
  async (name) => {
    for (const when of ['before', 'after']) {
      const inner = createMemoryStore()
      const call = inner[name] as (...given: unknown[]) => Promise<unknown>
      let failures = 2
      const lost = () => new StoreError('no-access', 'connection lost', '', { isPassing: true })
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

/**
 * Whole crawls with failing store, queue and network: each kind of call once, and many at random. See also `npm run soak:faults`.
 */
import { expect, it } from 'vitest'
import { faultAt, randomFaults } from '../fault-injection.ts'
import { type CrawlFaults, describeFaults, oneProcess, severalControllers } from './failing-crawls.ts'

const BASE = 20261118

async function expectClean(crawl: typeof oneProcess, faults: CrawlFaults): Promise<void> {
  const { complaints } = await crawl(faults)
  expect(complaints, `after ${describeFaults(faults)}`).toEqual([])
}

it.each([
  ['one process', oneProcess],
  ['several controllers', severalControllers],
] as const)(
  '%s: survives a failure of each kind of store call, the first time or later',
  { timeout: 300_000 },
  async (_, crawl) => {
    const seen = new Map<string, number[]>()
    const counting = faultAt(Number.POSITIVE_INFINITY, 'before')
    let calls = 0
    const at = (call: string) => {
      seen.set(call, [...(seen.get(call) ?? []), ++calls])
      return counting.at(call)
    }
    expect((await crawl({ store: { ...counting, at } })).complaints).toEqual([])
    expect(seen.size).toBeGreaterThan(crawl === oneProcess ? 40 : 25)
    for (const [kind, nths] of [...seen.values()].entries()) {
      const nth = kind % 2 === 0 ? nths[0]! : nths[Math.floor(nths.length / 2)]!
      await expectClean(crawl, { store: faultAt(nth, kind % 3 === 0 ? 'before' : 'after') })
    }
  },
)

it.each([1, 2, 3, 4, 5, 6])('one process survives random faults (%i)', async (n) => {
  const [store, queue] = [randomFaults(BASE + n, 20), randomFaults(BASE + 100 + n, 20)]
  const net = randomFaults(BASE + 200 + n, 10)
  await expectClean(oneProcess, { store, queue, ...(n % 2 === 0 && { net }) })
})

it.each([1, 2, 3])('several controllers survive random faults (%i)', async (n) => {
  const [store, queue] = [randomFaults(BASE + n, 8), randomFaults(BASE + 100 + n, 20)]
  await expectClean(severalControllers, { store, queue })
})

/**
 * Whole crawls under random faults for ten minutes: node test/failing/soak.ts [--minutes 10] [--seed 1]. Each crawl prints its own seed
 * with its complaints; `--seed S --minutes 0` repeats it. Exits with 1 if there were any complaints.
 */
import { parseArgs } from 'node:util'
import { randomFaults } from '../fault-injection.ts'
import { createRandom } from '../invalid-values.ts'
import { type CrawlFaults, describeFaults, FAILING_CRAWLS } from './failing-crawls.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})
const endsAt = Date.now() + Number(values.minutes) * 60_000
console.log(`seed ${values.seed}, ${values.minutes} minutes`)

const tally = { crawls: 0, faults: 0, unclean: 0 }
for (let seed = Number(values.seed); ; seed++) {
  const chance = createRandom(seed)
  const name = chance.one(Object.keys(FAILING_CRAWLS) as (keyof typeof FAILING_CRAWLS)[])
  const rate = () => 1 + 40 * chance.next() ** 2
  const faults: CrawlFaults = { store: randomFaults(seed, rate()), queue: randomFaults(seed + 1, rate()) }
  if (chance.is(0.3)) faults.net = randomFaults(seed + 2, rate())
  const { complaints } = await FAILING_CRAWLS[name](faults)
  const failed = [faults.store, faults.queue, faults.net].reduce((sum, one) => sum + (one?.failed.length ?? 0), 0)
  tally.crawls++
  tally.faults += failed
  if (complaints.length > 0) {
    tally.unclean++
    console.log(`seed ${seed}, ${name}, ${failed} faults:\n  ${complaints.slice(0, 10).join('\n  ')}`)
    console.log(`  after ${describeFaults(faults).slice(0, 2000)}`)
  }
  if (Date.now() >= endsAt) break
}
console.log(`${tally.crawls} crawls, ${tally.faults} faults, ${tally.unclean} unclean`)
process.exit(tally.unclean === 0 ? 0 : 1)

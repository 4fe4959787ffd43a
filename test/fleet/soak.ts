/**
 * A fleet under random faults for ten minutes: node test/fleet/soak.ts [--minutes 10] [--seed 1]. The same seed draws the same faults in
 * the same order. The checker runs after each fault; the first failed check ends the run with code 1.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../invalid-values.ts'
import { allVisited, verdictOf } from './checker.ts'
import { DISK_FAULTS, FAULTS } from './faults.ts'
import { fleetParts, openFleetHarness } from './fleet-harness.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const minutes = Number(values.minutes)
const chance = createRandom(Number(values.seed))
const { parts, reason } = await fleetParts()
if (!parts) {
  console.error(`no fleet can be started: ${reason}`)
  process.exit(1)
}
console.log(`seed ${values.seed}, ${minutes} minutes`)
const box = await openFleetHarness(parts)
let isWell = true
try {
  const roles = ['controller', 'controller', 'fetcher', 'fetcher', 'indexer', 'serve'] as const
  await Promise.all(roles.map((role) => box.start(role)))
  await box.subscribe()
  const beganAt = Date.now()
  const faults = box.disks ? { ...FAULTS, ...DISK_FAULTS } : FAULTS
  const names = Object.keys(faults)
  for (let round = 1; isWell && Date.now() < beganAt + minutes * 60_000; round++) {
    const name = names[Math.floor(chance.next() * names.length)]!
    const from = Date.now()
    await faults[name]!(box, () => chance.next())
    await allVisited(box, 120_000)
    const { missing, double, faults: minded, entries } = await verdictOf(box, beganAt, Date.now(), 120_000)
    isWell = missing.length + double.length + minded.length === 0
    const verdict = isWell
      ? `well, ${entries} entries, each once`
      : JSON.stringify({ missing, double, minded }, null, 2)
    console.log(`${round}. ${name}: ${verdict} (${Math.round((Date.now() - from) / 1000)} s)`)
  }
} finally {
  await box.close()
}
process.exitCode = isWell ? 0 : 1

/** A fleet of real processes, and what befalls it; the checker looks at it after each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allVisited, verdictOf } from './checker.ts'
import { DISK_FAULTS, FAULTS } from './faults.ts'
import { type FleetBox, fleetParts, openFleetBox, siteNames } from './fleet-box.ts'

const { parts, reason } = await fleetParts()
const PATIENCE_MS = 60_000

describe.skipIf(!parts)(`a fleet${parts ? '' : ` (skipped: ${reason})`}`, () => {
  let box: FleetBox
  let beganAt: number

  beforeAll(async () => {
    box = await openFleetBox(parts!)
    const roles = ['controller', 'controller', 'terminal', 'terminal', 'keeper', 'serve'] as const
    await Promise.all(roles.map((role) => box.start(role)))
    await box.subscribe()
    beganAt = Date.now()
  })
  afterAll(async () => {
    await box?.close()
  })

  /** Every site is visited again, all that was published so far is there once, and nobody minded us. */
  async function isWell(): Promise<void> {
    await allVisited(box, PATIENCE_MS)
    const { missing, double, faults, entries } = await verdictOf(box, beganAt, Date.now(), PATIENCE_MS)
    expect({ missing, double, faults }).toEqual({ missing: [], double: [], faults: [] })
    expect(entries).toBeGreaterThan(siteNames().length)
  }

  it('polls every site, in its turn', { timeout: 240_000 }, isWell)

  for (const [name, fault] of Object.entries(FAULTS))
    it(`goes on when ${name}`, { timeout: 240_000 }, async () => {
      await fault(box)
      await isWell()
    })

  const without = parts?.withoutDisks
  for (const [name, fault] of Object.entries(DISK_FAULTS))
    it.skipIf(without !== undefined)(
      `goes on when ${name}${without === undefined ? '' : ` (skipped: ${without})`}`,
      { timeout: 240_000 },
      async () => {
        await fault(box)
        await isWell()
      },
    )
})

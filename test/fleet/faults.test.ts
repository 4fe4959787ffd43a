/** A fleet of real processes, and what befalls it; the checker looks at it after each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allVisited, verdictOf } from './checker.ts'
import { DISK_FAULTS, FAULTS } from './faults.ts'
import { type FleetBox, fleetParts, moodyNames, openFleetBox, siteNames, until } from './fleet-box.ts'

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

  it('hears at once what a person types beside it', { timeout: 240_000 }, async () => {
    const site = moodyNames().at(-1)!
    const url = box.town.feedUrls().find((one) => one.includes(`//${site}.`))!
    const visits = () => box.town.visits.filter((visit) => visit.site === site).length
    const visitedAgain = (than: number) =>
      until(
        () => visits() > than,
        PATIENCE_MS,
        () => `nobody came to ${site}`,
      )
    expect(await box.type('edit', url, '--title', 'Renamed')).toContain('Renamed')
    await box.type('remove', url)
    await until(
      async () => (await box.ask(`SELECT 1 FROM feeds WHERE url = '${url}'`)).length === 0,
      PATIENCE_MS,
      () => 'it was not removed',
    )
    const before = visits()
    await box.type('add', url)
    await visitedAgain(before)
  })

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

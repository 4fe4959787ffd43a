/** A fleet of real processes under injected faults; the checker runs after each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allVisited, verdictOf } from './checker.ts'
import { DISK_FAULTS, FAULTS } from './faults.ts'
import { type FleetHarness, flakySiteNames, fleetParts, openFleetHarness, siteNames, until } from './fleet-harness.ts'

const { parts, reason } = await fleetParts()
const TIMEOUT_MS = 60_000

/** Slow faults that do not affect each other run at the same time. */
const AT_ONCE = [
  ['the only fetcher is killed with fifty tasks out', 'the indexer is killed'],
  ['a controller is killed while a site sends Retry-After'],
  ['NATS is killed and started again'],
  ['PostgreSQL is killed and started again'],
  ['a fetcher is stopped for longer than a lease', 'a controller is stopped for longer than a lease'],
  ['a fetcher is cut off from NATS', 'a controller is cut off from PostgreSQL'],
  ['a controller loses its connections at some statements'],
  ['a controller loses its connection right after it took buckets over'],
  ['PostgreSQL refuses logins for some seconds'],
  ['outcomes come twice, late and broken', 'buckets have another owner than their owners think'],
  ['the clocks of fetchers are an hour off'],
]

describe.skipIf(!parts)(`a fleet${parts ? '' : ` (skipped: ${reason})`}`, () => {
  let box: FleetHarness
  let beganAt: number

  beforeAll(async () => {
    box = await openFleetHarness(parts!)
    const roles = ['controller', 'controller', 'fetcher', 'fetcher', 'indexer', 'serve'] as const
    await Promise.all(roles.map((role) => box.start(role)))
    await box.subscribe()
    beganAt = Date.now()
  })
  afterAll(async () => {
    await box?.close()
  })

  /** Every site is visited again, every entry published so far is stored once, and no rule was broken. */
  async function isWell(timeoutMs = TIMEOUT_MS): Promise<void> {
    await allVisited(box, timeoutMs)
    const { missing, double, faults, entries } = await verdictOf(box, beganAt, Date.now(), timeoutMs)
    expect({ missing, double, faults }).toEqual({ missing: [], double: [], faults: [] })
    expect(entries).toBeGreaterThan(siteNames().length)
  }

  it('polls every site', { timeout: 240_000 }, () => isWell())

  it('reacts at once to commands of another process', { timeout: 240_000 }, async () => {
    const site = flakySiteNames().at(-1)!
    const url = box.town.feedUrls().find((one) => one.includes(`//${site}.`))!
    const visits = () => box.town.visits.filter((visit) => visit.site === site).length
    const visitedAgain = (than: number) =>
      until(
        () => visits() > than,
        TIMEOUT_MS,
        () => `nobody came to ${site}`,
      )
    expect(await box.type('edit', url, '--title', 'Renamed')).toContain('Renamed')
    await box.type('remove', url)
    await until(
      async () => (await box.ask(`SELECT 1 FROM feeds WHERE url = '${url}'`)).length === 0,
      TIMEOUT_MS,
      () => 'it was not removed',
    )
    const before = visits()
    await box.type('add', url)
    await visitedAgain(before)
  })

  for (const names of AT_ONCE)
    it(`recovers when ${names.join(', and ')}`, { timeout: 240_000 }, async () => {
      await Promise.all(names.map((name) => FAULTS[name]!(box)))
      await isWell()
    })
  it('covers every fault', () => expect(AT_ONCE.flat().sort()).toEqual(Object.keys(FAULTS).sort()))

  const without = parts?.withoutDisks
  // Faults of NATS are part of the soak test: recovery takes a time that depends on the load of the machine.
  for (const name of ['the disk of PostgreSQL is full'])
    it.skipIf(without !== undefined)(
      `recovers when ${name}${without === undefined ? '' : ` (skipped: ${without})`}`,
      { timeout: 480_000 },
      async () => {
        await DISK_FAULTS[name]!(box)
        await isWell(2 * TIMEOUT_MS) // a feed that failed meanwhile is polled later
      },
    )
})

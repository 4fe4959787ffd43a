/**
 * Every role of a fleet survives a server that refuses logins or restarts, or exits with an error code so that its supervisor restarts
 * it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/free-port.ts'
import { allVisited } from './checker.ts'
import { setLogins } from './faults.ts'
import { type FleetHarness, fleetParts, openFleetHarness, until } from './fleet-harness.ts'
import type { FleetProcess, Role } from './processes.ts'

const { parts, reason } = await fleetParts()
const TIMEOUT_MS = 60_000
const REFUSED_MS = 6000
const ROLES = ['controller', 'fetcher', 'indexer', 'serve'] as const
const EXIT_STORE = 3
/** Fewer than are published while logins are refused. */
const FEW = 60

describe.skipIf(!parts)(`a fleet whose logins are refused${parts ? '' : ` (skipped: ${reason})`}`, () => {
  let box: FleetHarness
  const running = new Map<Role, FleetProcess>()
  const healthPorts = new Map<Role, string>()

  beforeAll(async () => {
    box = await openFleetHarness(parts!)
    for (const role of ROLES) {
      const HEALTH = String(await freePort())
      healthPorts.set(role, HEALTH)
      running.set(role, await box.start(role, { settings: role === 'serve' ? {} : { HEALTH } }))
    }
    await box.subscribe()
    await allVisited(box, TIMEOUT_MS)
  })
  afterAll(() => box?.close())

  const unindexed = async () => Number((await box.ask<{ n: string }>('SELECT count(*) AS n FROM unindexed'))[0]!.n)

  /** What each process has logged, once the whole fleet works again. */
  async function loggedUntilWell(from: Map<Role, number>): Promise<Map<Role, string>> {
    await allVisited(box, TIMEOUT_MS)
    for (const role of ['controller', 'indexer'] as const)
      await until(
        () => running.get(role)!.output().slice(from.get(role)).includes('the store works again'),
        TIMEOUT_MS,
        () =>
          `the ${role} never said that the store works again; it said ${running.get(role)!.output().slice(from.get(role))}`,
      )
    const isReady = async () => (await fetch(new URL('/readyz', box.apiUrl()))).ok
    await until(isReady, TIMEOUT_MS, () => 'the server is not ready')
    return new Map(ROLES.map((role) => [role, running.get(role)!.output().slice(from.get(role))]))
  }

  /** Exit codes, for supervisors. */
  async function health(path: '/livez' | '/readyz'): Promise<Record<string, number>> {
    const answers = ROLES.map(async (role) => {
      const base = role === 'serve' ? box.apiUrl() : `http://127.0.0.1:${healthPorts.get(role)}`
      return [role, (await fetch(new URL(path, base))).status]
    })
    return Object.fromEntries(await Promise.all(answers))
  }

  const logLengths = () => new Map(ROLES.map((role) => [role, running.get(role)!.output().length]))

  /** One line when an outage starts and one when it ends: no stack traces, no repetition every few seconds. */
  function expectShort(logs: Map<Role, string>): void {
    for (const [role, text] of logs) {
      expect(text, role).not.toContain('internal error')
      expect(text, role).not.toMatch(/^\s+at /m)
      expect(text.match(/error: /g)?.length ?? 0, `${role}: ${text}`).toBeLessThanOrEqual(3)
    }
  }

  it('continues when they are accepted again', { timeout: 240_000 }, async () => {
    const from = logLengths()
    await setLogins(box, 'refused')
    await sleep(REFUSED_MS)
    expect(await health('/livez')).toEqual({ controller: 200, fetcher: 200, indexer: 200, serve: 200 })
    expect(await health('/readyz')).toEqual({ controller: 503, fetcher: 200, indexer: 503, serve: 503 })
    expect([...running.values()].filter((one) => !one.isAlive()).map(({ role }) => role)).toEqual([])
    await setLogins(box, 'accepted')
    expectShort(await loggedUntilWell(from))
    expect(await health('/readyz')).toEqual({ controller: 200, fetcher: 200, indexer: 200, serve: 200 })
    await until(
      async () => (await unindexed()) < FEW,
      TIMEOUT_MS,
      () => 'the indexer indexes nothing',
    )
  })

  it('continues when the database is restarted', { timeout: 240_000 }, async () => {
    const from = logLengths()
    await box.postgres.halt()
    await sleep(REFUSED_MS)
    await box.postgres.begin()
    expectShort(await loggedUntilWell(from))
  })

  it('exits with an error code if the store is gone permanently', { timeout: 240_000 }, async () => {
    const admin = new URL(box.storeAddress)
    admin.pathname = '/postgres'
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    await client.query(`DROP DATABASE ${new URL(box.storeAddress).pathname.slice(1)} WITH (FORCE)`)
    await client.end()
    const codes = await Promise.all(
      (['controller', 'indexer', 'serve'] as const).map((role) =>
        Promise.race([running.get(role)!.ended, sleep(TIMEOUT_MS, `${role} lives`)]),
      ),
    )
    expect(codes).toEqual([EXIT_STORE, EXIT_STORE, EXIT_STORE])
    expect(running.get('fetcher')!.isAlive()).toBe(true)
  })
})

/**
 * The backup procedure of docs/fleet.md: pg_dump while the fleet runs, pg_restore into an empty server, and a fleet that continues
 * with an empty queue. Entries published since the dump are found in the feeds' windows.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { NATS_BINARY } from '../nats-server.ts'
import { postgresForTests } from '../postgres-server.ts'
import { allVisited, verdictOf } from './checker.ts'
import { type FleetHarness, openFleetHarness } from './fleet-harness.ts'

const PROGRAMS = ['pg_dump', 'pg_restore']
const TIMEOUT_MS = 60_000
const run = promisify(execFile)

const without = NATS_BINARY ? undefined : 'there is no nats-server on this machine'
const wished = () => (without ? { server: undefined, reason: without } : postgresForTests({}, { with: PROGRAMS }))
const [first, second] = [await wished(), await wished()]
const reason = first.reason ?? second.reason

const folder = mkdtempSync(join(tmpdir(), 'freshet-backup-'))
const boxes: FleetHarness[] = []
afterAll(async () => {
  for (const box of boxes) await box.close()
  if (boxes.length < 2) await second.server?.close()
  if (boxes.length < 1) await first.server?.close()
  rmSync(folder, { recursive: true })
})

const ROLES = ['controller', 'fetcher', 'serve'] as const

async function entriesOf(box: Pick<FleetHarness, 'entries'>): Promise<number> {
  return [...(await box.entries()).values()].reduce((sum, paths) => sum + paths.length, 0)
}

const name =
  'a store that was dumped beside a running fleet goes on in an empty server, and nothing is missing or double'
it.skipIf(reason !== undefined)(`${name}${reason ? ` (skipped: ${reason})` : ''}`, { timeout: 300_000 }, async () => {
  const { server: postgres } = first
  const { server: empty } = second
  const box = await openFleetHarness({ postgres: postgres! })
  boxes.push(box)
  await Promise.all(ROLES.map((role) => box.start(role)))
  await box.subscribe()
  const beganAt = Date.now()
  await allVisited(box, TIMEOUT_MS)
  await verdictOf(box, beganAt, Date.now(), TIMEOUT_MS)

  const before = await entriesOf(box)
  const dump = join(folder, 'freshet.dump')
  await run(join(postgres!.programs!, 'pg_dump'), ['-Fc', '-f', dump, box.storeAddress])
  const after = await entriesOf(box)
  await allVisited(box, TIMEOUT_MS) // the fleet continued to run
  await Promise.all([...box.processes].map((one) => one.kill()))

  const storeAddress = await empty!.freshDatabase()
  await run(join(empty!.programs!, 'pg_restore'), ['--no-owner', '--exit-on-error', '-d', storeAddress, dump])
  const other = await openFleetHarness({ postgres: empty! }, { storeAddress, town: box.town })
  boxes.unshift(other)
  const restored = await entriesOf(other)
  expect(restored).toBeGreaterThanOrEqual(before)
  expect(restored).toBeLessThanOrEqual(after)

  await Promise.all(ROLES.map((role) => other.start(role)))
  await allVisited(other, TIMEOUT_MS)
  const { missing, double, faults } = await verdictOf(other, beganAt, Date.now(), TIMEOUT_MS)
  expect({ missing, double, faults }).toEqual({ missing: [], double: [], faults: [] })
  expect(await entriesOf(other)).toBeGreaterThan(restored)
})

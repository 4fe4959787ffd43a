/**
 * Faults for a fleet. Each one is injected, kept up as long as the fleet has to tolerate it, and undone: afterwards as many controllers,
 * fetchers and indexers run as before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectNats } from '../../src/queues/nats/connection.ts'
import { createRandom } from '../invalid-values.ts'
import { startRelay } from '../relay.ts'
import { startStatementRelay } from '../statement-relay.ts'
import { allVisited } from './checker.ts'
import { type FleetHarness, flakySiteNames, LEASE_MS, siteNames, until } from './fleet-harness.ts'
import type { FleetProcess, Role } from './processes.ts'

export type Fault = (box: FleetHarness, chance?: () => number) => Promise<void>

function running(box: FleetHarness, role: Role): FleetProcess[] {
  return [...box.processes].filter((one) => one.role === role && one.isAlive())
}

/** One of the running processes. */
function pick(box: FleetHarness, role: Role, chance: () => number): FleetProcess {
  const all = running(box, role)
  const one = all[Math.floor(chance() * all.length)]
  if (!one) throw new Error(`no ${role} runs`)
  return one
}

const TIMEOUT_MS = 60_000

async function kill(box: FleetHarness, one: FleetProcess): Promise<void> {
  await one.kill()
  box.processes.delete(one)
}

async function stop(box: FleetHarness, one: FleetProcess): Promise<void> {
  await one.stop()
  box.processes.delete(one)
}

/** Every running controller owns buckets, and every bucket has an owner. */
async function allOwned(box: FleetHarness, controllers: number): Promise<void> {
  let owners = new Map<string, number>()
  const isSo = async () => {
    owners = await box.owners()
    return owners.size === controllers && !owners.has('')
  }
  await until(isSo, TIMEOUT_MS, () => `buckets had these owners: ${JSON.stringify([...owners])}`)
}

/** With fifty tasks in flight: it is the only controller, and responses are so slow that every site has a request. */
export const killFetcher: Fault = async (box, chance = () => 0) => {
  const { answerMs } = box.town.pace
  const only = pick(box, 'fetcher', chance)
  for (const other of running(box, 'fetcher')) if (other !== only) await stop(box, other)
  box.town.pace.answerMs = 3500
  await until(
    () => box.town.inside() >= 50,
    TIMEOUT_MS,
    () => `only ${box.town.inside()} visitors were out`,
  )
  await kill(box, only)
  box.town.pace.answerMs = answerMs
  await Promise.all([box.start('fetcher'), box.start('fetcher')])
}

/** While a site has sent Retry-After: its next owner has to know. The others own all buckets before a new controller joins. */
export const killController: Fault = async (box, chance = () => 0) => {
  const from = box.town.now()
  const moody = flakySiteNames().find((name) => !box.town.isClosed(name))
  if (moody) box.town.rejectVisits(moody, 20)
  const isReported = () => box.town.visits.some((one) => one.site === moody && one.from > from && one.status === 429)
  if (moody) await until(isReported, TIMEOUT_MS, () => 'no fetcher got a Retry-After')
  await kill(box, pick(box, 'controller', chance))
  await allOwned(box, running(box, 'controller').length)
  await allVisited(box, TIMEOUT_MS)
  await box.start('controller')
}

export const killIndexer: Fault = async (box, chance = () => 0) => {
  const one = pick(box, 'indexer', chance)
  await box.start('indexer')
  await kill(box, one)
}

const AWAY_MS = 2500

export const killNats: Fault = async (box) => {
  await box.nats.kill()
  await sleep(AWAY_MS)
  await box.nats.startAgain()
}

export const killPostgres: Fault = async (box) => {
  await box.postgres.halt('SIGKILL')
  await sleep(AWAY_MS)
  await box.postgres.begin()
}

/** The logs show that the disk was full; processes that ended are started again. */
export const fillPostgres: Fault = async (box) => {
  const disk = box.disks!.postgres
  const before = new Map(running(box, 'controller').map((one) => [one, one.output().length]))
  disk.fill()
  const errorPattern = /the disk of the server is full|cannot be reached/
  const isFull = () => [...before].some(([one, from]) => errorPattern.test(one.output().slice(from)))
  await until(isFull, TIMEOUT_MS, () => 'no process reported that the disk of PostgreSQL is full')
  await sleep(AWAY_MS)
  disk.free()
  await box.postgres.begin() // a process whose own log is full ends
}

/**
 * NATS refuses messages, turns JetStream off, or delivers nothing any more, until it is restarted. Our API reports the problem and a hint.
 */
export const fillNats: Fault = async (box) => {
  const disk = box.disks!.nats
  await allVisited(box, TIMEOUT_MS)
  disk.fill()
  let output = ''
  const isReported = async () => {
    output = await (await fetch(new URL('/healthz', box.apiUrl()))).text()
    return output.includes('"ok":false') && output.includes('disk of JetStream')
  }
  await until(isReported, TIMEOUT_MS, () => `no process reported that the disk of NATS is full, but ${output}`)
  disk.free()
  await box.nats.kill()
  await box.nats.startAgain()
}

async function asleep(one: FleetProcess, ms: number): Promise<void> {
  one.signal('SIGSTOP')
  await sleep(ms)
  one.signal('SIGCONT')
}

const LONGER_THAN_A_LEASE_MS = LEASE_MS + 2000

/** A process that is continued must not finish what it was doing. */
export const stopFetcher: Fault = async (box, chance = () => 0) => {
  await asleep(pick(box, 'fetcher', chance), LONGER_THAN_A_LEASE_MS)
}

/** Its buckets have another owner when it is continued, and for a moment it does not know. */
export const stopController: Fault = async (box, chance = () => 0) => {
  await asleep(pick(box, 'controller', chance), LONGER_THAN_A_LEASE_MS)
  await allOwned(box, running(box, 'controller').length)
}

/** A relay in between: while it is cut, nothing arrives and nothing is refused. The process has work, because it is the only one. */
export const cutFetcher: Fault = async (box) => {
  const relay = await startRelay(box.nats.port)
  const before = running(box, 'fetcher')
  const far = await box.start('fetcher', { natsPort: relay.port })
  for (const one of before) await stop(box, one)
  await allVisited(box, TIMEOUT_MS)
  relay.cut()
  await Promise.all(before.map(() => box.start('fetcher')))
  await allVisited(box, TIMEOUT_MS)
  relay.join()
  await sleep(1500)
  await kill(box, far)
  await relay.close()
}

export const cutController: Fault = async (box, chance = () => 0) => {
  const relay = await startRelay(Number(new URL(box.storeAddress).port))
  const others = running(box, 'controller').length
  const far = await box.start('controller', { postgresPort: relay.port })
  await allOwned(box, others + 1)
  await sleep(1000 + chance() * 1000) // it sends meanwhile
  relay.cut()
  await allOwned(box, others)
  relay.join()
  await sleep(1000 + chance() * 2000)
  await kill(box, far)
  await relay.close()
}

/** Restarts the server; all clients lose their connections. */
export async function setLogins(box: FleetHarness, to: 'refused' | 'accepted'): Promise<void> {
  await box.ask(`ALTER ROLE ${box.login} ${to === 'refused' ? 'NOLOGIN' : 'LOGIN'}`)
  if (to === 'refused')
    await box.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${box.login}'`)
}

/** As during a password change. */
export const refuseLogins: Fault = async (box, chance = () => 0) => {
  await setLogins(box, 'refused')
  await sleep(4000 + chance() * 4000)
  await setLogins(box, 'accepted')
}

const CUTS = 6
/** Fewer connections than a controller opens in a few seconds. */
const STATEMENTS = 40

/** Processes continue after their connection was cut at any point, and their results are recorded. */
export const cutAtStatements: Fault = async (box, chance = createRandom(1).next) => {
  const relay = await startStatementRelay(Number(new URL(box.storeAddress).port))
  const others = running(box, 'controller').length
  const far = await box.start('controller', { postgresPort: relay.port })
  await allOwned(box, others + 1)
  for (let n = 0; n < CUTS; n++) {
    const moment = n % 2 ? 'before' : 'after'
    await relay.cutAt(1 + Math.floor(chance() * STATEMENTS), moment, 800 * Math.round(chance()))
  }
  await allRecorded(box)
  await kill(box, far)
  await relay.close()
}

const TAKES_BUCKETS = 'UPDATE buckets b SET owner'
const CUT_MS = 800

/**
 * The connection is lost right after the COMMIT of a claim, when a controller joins and again when it takes over from all others: it owns
 * the buckets without knowing. Afterwards it is alone, so it has to record everything.
 */
export const cutAfterTakeover: Fault = async (box) => {
  const relay = await startStatementRelay(Number(new URL(box.storeAddress).port))
  const others = running(box, 'controller')
  const whenJoining = relay.cutAfterCommitOf(TAKES_BUCKETS, CUT_MS)
  const far = await box.start('controller', { postgresPort: relay.port })
  await whenJoining
  await allOwned(box, others.length + 1)
  const whenAlone = relay.cutAfterCommitOf(TAKES_BUCKETS, CUT_MS)
  for (const one of others) await kill(box, one)
  await whenAlone
  await allOwned(box, 1)
  await allRecorded(box)
  await Promise.all(others.map(() => box.start('controller')))
  await kill(box, far)
  await relay.close()
}

/** According to the store, every site is polled except those that sent Retry-After. */
async function allRecorded(box: FleetHarness): Promise<void> {
  const now = Date.now()
  let late: string[] = []
  const isSo = async () => {
    const rows = await box.ask<{ url: string }>(
      `SELECT f.url FROM schedules s JOIN feeds f ON f.id = s.feed_id WHERE coalesce(s.polled_at, 0) < ${now}`,
    )
    late = rows.map(({ url }) => url).filter((url) => url.includes('//paper'))
    return late.length === 0
  }
  await until(isSo, TIMEOUT_MS, () => `no poll was recorded of ${late.length} feeds`)
}

/** Every outcome is delivered a second time, some seconds late, together with invalid messages. */
export const doubleAndCorrupt: Fault = async (box) => {
  const link = await connectNats({ servers: [box.nats.url], name: 'mischief' })
  const js = link.modules.jetstream.jetstream(link.nc)
  const seen = new Set<string>()
  let doubled = 0
  link.nc.subscribe('freshet.outcomes.*', {
    callback: (error, message) => {
      const id = message.headers?.get('Nats-Msg-Id') ?? ''
      if (error || seen.has(id) || id === '') return
      seen.add(id)
      const headers = link.modules.core.headers()
      for (const name of ['Freshet-Payload', 'Freshet-From', 'Freshet-Packed', 'Freshet-Object']) {
        const value = message.headers?.get(name)
        if (value) headers.set(name, value)
      }
      const late = async () => {
        await sleep(500 + 200 * (seen.size % 20))
        await js.publish(message.subject, message.data, { headers })
        doubled++
        const broken = message.data.slice(0, message.data.length >> 1)
        if (doubled % 3 === 0) await js.publish(message.subject, broken, { headers })
      }
      void late().catch(() => {})
    },
  })
  await until(
    () => doubled >= 2 * siteNames().length,
    TIMEOUT_MS,
    () => `only ${doubled} outcomes came twice`,
  )
  await link.close()
}

/** The clocks of all fetchers are wrong, by an hour in both directions. */
export const wrongClocks: Fault = async (box) => {
  const right = running(box, 'fetcher')
  const wrong = await Promise.all([3_600_000, -3_600_000].map((clockOffMs) => box.start('fetcher', { clockOffMs })))
  for (const one of right) await stop(box, one)
  await allVisited(box, TIMEOUT_MS)
  await Promise.all(right.map(() => box.start('fetcher')))
  for (const one of wrong) await stop(box, one)
}

/** According to the store, another controller owns the buckets, and the old owners do not know it. */
export const stealBuckets: Fault = async (box) => {
  await box.ask(`UPDATE buckets SET owner = 'a thief', epoch = epoch + 1 WHERE bucket % 2 = 0`)
  await allOwned(box, running(box, 'controller').length)
}

/** Faults that need a disk that can be filled. */
export const DISK_FAULTS: Record<string, Fault> = {
  'the disk of PostgreSQL is full': fillPostgres,
  'the disk of NATS is full': fillNats,
}

export const FAULTS: Record<string, Fault> = {
  'the only fetcher is killed with fifty tasks out': killFetcher,
  'a controller is killed while a site sends Retry-After': killController,
  'the indexer is killed': killIndexer,
  'NATS is killed and started again': killNats,
  'PostgreSQL is killed and started again': killPostgres,
  'a fetcher is stopped for longer than a lease': stopFetcher,
  'a controller is stopped for longer than a lease': stopController,
  'a fetcher is cut off from NATS': cutFetcher,
  'a controller is cut off from PostgreSQL': cutController,
  'a controller loses its connections at some statements': cutAtStatements,
  'a controller loses its connection right after it took buckets over': cutAfterTakeover,
  'PostgreSQL refuses logins for some seconds': refuseLogins,
  'outcomes come twice, late and broken': doubleAndCorrupt,
  'the clocks of fetchers are an hour off': wrongClocks,
  'buckets have another owner than their owners think': stealBuckets,
}

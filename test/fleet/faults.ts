/**
 * What befalls a fleet. Each of these does its worst, waits as long as that has to be borne, and puts back what it took away: as
 * many controllers, terminals and keepers run afterwards as before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectNats } from '../../src/drivers/queues/nats/connection.ts'
import { startRelay } from '../relay.ts'
import { type FleetBox, LEASE_MS, MOODY_SITE } from './fleet-box.ts'
import type { FleetProcess, Role } from './processes.ts'

export type Fault = (box: FleetBox, chance?: () => number) => Promise<void>

function running(box: FleetBox, role: Role): FleetProcess[] {
  return [...box.processes].filter((one) => one.role === role && one.isAlive())
}

/** One of those who run. */
function pick(box: FleetBox, role: Role, chance: () => number): FleetProcess {
  const all = running(box, role)
  const one = all[Math.floor(chance() * all.length)]
  if (!one) throw new Error(`no ${role} runs`)
  return one
}

async function killed(box: FleetBox, role: Role, chance: () => number): Promise<void> {
  const one = pick(box, role, chance)
  await one.kill()
  box.processes.delete(one)
}

/** With tasks out: answers take so long that its hands are full. */
export const killTerminal: Fault = async (box, chance = () => 0) => {
  const { answerMs } = box.town.pace
  box.town.pace.answerMs = 1500
  await sleep(2500)
  await killed(box, 'terminal', chance)
  box.town.pace.answerMs = answerMs
  await box.start('terminal')
}

/** While a site has asked to be left alone: whoever has it next has to know. */
export const killController: Fault = async (box, chance = () => 0) => {
  box.town.closeDoor(MOODY_SITE, 20)
  await sleep(3000)
  await killed(box, 'controller', chance)
  await sleep(12_000)
  await box.start('controller')
}

export const killKeeper: Fault = async (box, chance = () => 0) => {
  await box.start('keeper')
  await killed(box, 'keeper', chance)
}

export const killNats: Fault = async (box) => {
  await box.nats.kill()
  await sleep(3000)
  await box.nats.startAgain()
}

export const killPostgres: Fault = async (box) => {
  await box.postgres.halt('SIGKILL')
  await sleep(3000)
  await box.postgres.begin()
}

async function asleep(one: FleetProcess, ms: number): Promise<void> {
  one.signal('SIGSTOP')
  await sleep(ms)
  one.signal('SIGCONT')
}

/** Longer than a lease: the one that wakes must do nothing of what it was about to do. */
export const stopTerminal: Fault = async (box, chance = () => 0) => {
  await asleep(pick(box, 'terminal', chance), LEASE_MS + 3000)
}

/** Its buckets have another owner when it wakes, and for a moment it does not know that. */
export const stopController: Fault = async (box, chance = () => 0) => {
  await asleep(pick(box, 'controller', chance), LEASE_MS + 3000)
}

/** Somebody between: what is cut does not arrive, and is not refused either. */
export const cutTerminal: Fault = async (box, chance = () => 0) => {
  const relay = await startRelay(box.nats.port)
  const far = await box.start('terminal', { natsPort: relay.port })
  await killed(box, 'terminal', chance)
  await sleep(2000)
  relay.cut()
  await sleep(8000)
  relay.join()
  await sleep(2000)
  await box.start('terminal')
  await far.kill()
  box.processes.delete(far)
  await relay.close()
}

export const cutController: Fault = async (box, chance = () => 0) => {
  const relay = await startRelay(Number(new URL(box.storeAddress).port))
  const far = await box.start('controller', { postgresPort: relay.port })
  await sleep(6000)
  relay.cut()
  await sleep(14_000)
  relay.join()
  await sleep(1000 + chance() * 2000)
  await far.kill()
  box.processes.delete(far)
  await relay.close()
}

/** Every outcome comes a second time, some seconds late; and with them comes nonsense. */
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
        await sleep(500 + 200 * (doubled++ % 20))
        await js.publish(message.subject, message.data, { headers })
        const broken = message.data.slice(0, message.data.length >> 1)
        if (doubled % 3 === 0) await js.publish(message.subject, broken, { headers })
      }
      void late().catch(() => {})
    },
  })
  await sleep(8000)
  await link.close()
  if (doubled < 10) throw new Error(`only ${doubled} outcomes were seen to be doubled`)
}

/** All terminals have clocks that are wrong, by an hour in both directions. */
export const wrongClocks: Fault = async (box) => {
  const right = running(box, 'terminal')
  const wrong = await Promise.all([3_600_000, -3_600_000].map((clockOffMs) => box.start('terminal', { clockOffMs })))
  for (const one of right) {
    await one.stop()
    box.processes.delete(one)
  }
  await sleep(6000)
  await Promise.all(right.map(() => box.start('terminal')))
  for (const one of wrong) {
    await one.stop()
    box.processes.delete(one)
  }
}

/** Somebody else has the buckets, by the store's word, and their owners do not know it. */
export const stealBuckets: Fault = async (box) => {
  const client = new pg.Client({ connectionString: box.storeAddress })
  await client.connect()
  await client.query(`UPDATE buckets SET owner = 'a thief', epoch = epoch + 1 WHERE bucket % 2 = 0`)
  await client.end()
  await sleep(4000)
}

export const FAULTS: Record<string, Fault> = {
  'a terminal is killed with tasks out': killTerminal,
  'a controller is killed while a site asks for patience': killController,
  'the keeper is killed': killKeeper,
  'NATS is killed and started again': killNats,
  'PostgreSQL is killed and started again': killPostgres,
  'a terminal sleeps for longer than a lease': stopTerminal,
  'a controller sleeps for longer than a lease': stopController,
  'a terminal is cut off from NATS': cutTerminal,
  'a controller is cut off from PostgreSQL': cutController,
  'outcomes come twice, late and broken': doubleAndCorrupt,
  'the clocks of terminals are an hour off': wrongClocks,
  'buckets have another owner than their owners think': stealBuckets,
}

/**
 * A fleet with a library of three machines beside its store, while they fail one after the other: node test/fleet/library-soak.ts
 * [--rounds 4] [--seed 1]. Each text is on all three. One is killed and comes back, one stops to answer for a while, and the disk of
 * one is full. After each the checker looks whether every entry is there once, and the library is asked for all that they say; the first
 * verdict that is not clean ends it with code 1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openCassandraLibrary, openPostgresStore, withLibrary } from '../../src/drivers/index.ts'
import { type CassandraNode, freePort, startCassandra, whyNoCassandra } from '../../tools/cassandra-node.ts'
import { createChance } from '../nonsense.ts'
import { openSmallDisk, type SmallDisk } from '../small-disk.ts'
import { allVisited, verdictOf } from './checker.ts'
import { type FleetBox, fleetParts, openFleetBox } from './fleet-box.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const MACHINES = 3
const HEAP_MB = 320
/** A third of the ring apart. */
const TOKENS = ['-9223372036854775808', '-3074457345618258603', '3074457345618258602']
const DISK_MB = 700
const PATIENCE_MS = 120_000
const AWAY_MS = 15_000

const chance = createChance(Number(values.seed))
const { parts, reason } = await fleetParts()
const why = whyNoCassandra() ?? reason
if (!parts || why) {
  console.error(`no fleet with a library can be started: ${why}`)
  process.exit(1)
}
console.log(`seed ${values.seed}, ${values.rounds} rounds`)
const folder = mkdtempSync(join(tmpdir(), 'freshet-machines-'))
const disk = openSmallDisk(DISK_MB).disk
const [port, storagePort] = [await freePort(), await freePort()]
const machines: CassandraNode[] = []
const faults: Record<string, (n: number) => Promise<void>> = {
  'killed, and back': async (n) => {
    await machines[n]!.stop('kill')
    await sleep(AWAY_MS)
    machines[n] = await begin(n)
  },
  'frozen, as if its cable were cut': async (n) => {
    process.kill(machines[n]!.pid, 'SIGSTOP')
    await sleep(AWAY_MS)
    process.kill(machines[n]!.pid, 'SIGCONT')
  },
  ...(disk && { 'the disk of the last is full': () => fullDisk(disk) }),
}
let box: FleetBox | undefined
let isWell = true
try {
  for (let n = 0; n < MACHINES; n++) machines.push(await begin(n))
  const library = `cassandra://${machines.map(({ contact }) => contact).join(',')}/soak?copies=${MACHINES}`
  await (await openCassandraLibrary(library)).close() // one makes the tables, and not six at once
  box = await openFleetBox({ ...parts, isFull: true, settings: { LIBRARY: library } })
  const roles = ['controller', 'controller', 'terminal', 'terminal', 'keeper', 'serve'] as const
  for (const role of roles) await box.start(role)
  await box.subscribe()
  const beganAt = Date.now()
  const names = Object.keys(faults)
  for (let round = 1; isWell && round <= Number(values.rounds); round++) {
    const name = names[(round - 1) % names.length]!
    const n = Math.floor(chance.next() * MACHINES)
    const from = Date.now()
    await faults[name]!(n)
    await allVisited(box, PATIENCE_MS)
    const { missing, double, faults: minded, entries } = await verdictOf(box, beganAt, Date.now(), PATIENCE_MS)
    const { texts, lost } = await textsOf(box.storeAddress, library)
    isWell = missing.length + double.length + minded.length + lost === 0 && texts > 0
    const well = `well, ${entries} entries, each once, with ${texts} texts`
    const verdict = isWell ? well : JSON.stringify({ missing, double, minded, texts, lost }, null, 2)
    console.log(`${round}. machine ${n + 1} ${name}: ${verdict} (${Math.round((Date.now() - from) / 1000)} s)`)
  }
} finally {
  await box?.close()
  for (const machine of machines) await machine.stop('kill')
  disk?.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = isWell ? 0 : 1

function begin(n: number): Promise<CassandraNode> {
  const own = n === MACHINES - 1 && disk ? disk.folder : folder
  const among = { host: `127.0.0.${n + 1}`, storagePort, seed: '127.0.0.1', token: TOKENS[n]! }
  return startCassandra({ folder: join(own, `machine${n + 1}`), heapMegabytes: HEAP_MB, port, among })
}

/** What is written meanwhile is on the two others; the machine may have given up, and is begun again when there is room. */
async function fullDisk(full: SmallDisk): Promise<void> {
  full.fill()
  await sleep(AWAY_MS)
  full.free()
  await machines[MACHINES - 1]!.stop('kill')
  machines[MACHINES - 1] = await begin(MACHINES - 1)
}

/** How many entries name a text, and how many of these the library cannot tell. */
async function textsOf(address: string, url: string): Promise<{ texts: number; lost: number }> {
  const ledger = (await openPostgresStore({ address, mode: 'read', connections: 1 })).store
  const library = await openCassandraLibrary(url)
  const store = withLibrary(ledger, library, { now: Date.now })
  let [texts, lost] = [0, 0]
  try {
    const named = new Set<number>()
    for await (const { id, content } of ledger.everyEntry({})) if (content !== undefined) named.add(id)
    for await (const { id, content } of store.everyEntry({})) {
      if (!named.has(id)) continue
      texts++
      if (content === undefined) lost++
    }
    return { texts, lost }
  } finally {
    await store.close()
  }
}

/**
 * A fleet with a three-node content store whose nodes fail one after the other: node test/fleet/content-store-soak.ts [--rounds 5] [--seed 1]
 * [--only 'cut|full']. One node is killed and restarted, one is frozen, one is cut off from its peers while clients still reach it, the disk
 * of one is full, and two are frozen at once, so that no write succeeds.
 *
 * After each fault the checker verifies that every entry is stored once and that the content store has all texts. Then the node is repaired
 * and, isolated, must have everything the others had before. The first failed check ends the run with code 1.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openCassandraContentStore, openPostgres, withContentStore } from '../../src/stores/index.ts'
import { whyNoCassandra } from '../../tools/cassandra-node.ts'
import { createRandom } from '../invalid-values.ts'
import { openSmallDisk } from '../small-disk.ts'
import { whyNotUnreachable } from '../unreachable-address.ts'
import { type CassandraCluster, startCassandraCluster } from './cassandra-cluster.ts'
import { allVisited, verdictOf } from './checker.ts'
import { type FleetHarness, fleetParts, openFleetHarness } from './fleet-harness.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
  },
})
const DISK_MB = 700
const TIMEOUT_MS = 120_000
const AWAY_MS = 15_000
/** Smaller than other fleets, because three more servers share this machine. Entries stay in their feeds for at least five minutes. */
const SETTINGS = { STRATEGY: 'fixed:5s' }
const FEEDS = { everyMs: 12_000, window: 25, content: 'full' } as const

let box: FleetHarness | undefined
let machines: CassandraCluster | undefined
let isWell = true
const chance = createRandom(Number(values.seed))
const { parts, reason } = await fleetParts()
const why = whyNoCassandra() ?? reason
if (!parts || why) {
  console.error(`cannot start a fleet with a content store: ${why}`)
  process.exit(1)
}
// Otherwise mounts, packet filters and processes would remain.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void closeAll().then(() => process.exit(130)))
const { disk, reason: withoutDisk } = openSmallDisk(DISK_MB)
const withoutCutting = whyNotUnreachable()
for (const words of [withoutDisk, withoutCutting]) if (words) console.log(`left out: ${words}`)

/** Returns the node that has to be repaired. */
type Fault = (machines: CassandraCluster, n: number) => Promise<number>
const faults: Record<string, Fault> = {
  'killed, and back': async (machines, n) => {
    await machines.kill(n)
    await sleep(AWAY_MS)
    await machines.begin(n)
    return n
  },
  frozen: async (machines, n) => {
    machines.freeze(n)
    await sleep(AWAY_MS)
    machines.thaw(n)
    return n
  },
  ...(!withoutCutting && {
    'cut off from its peers': async (machines, n) => {
      await machines.cut(n) // clients reach it, and it sees no peers
      await sleep(AWAY_MS)
      await machines.join(n)
      return n
    },
  }),
  ...(disk && {
    'with a full disk': async (machines) => {
      const n = machines.count - 1
      await machines.fill()
      await sleep(AWAY_MS)
      machines.free()
      await machines.kill(n)
      await machines.begin(n)
      return n
    },
  }),
  'and the next frozen, so that nobody can write': async (machines, n) => {
    const both = [n, (n + 1) % machines.count]
    for (const one of both) machines.freeze(one)
    await sleep(AWAY_MS)
    for (const one of both) machines.thaw(one)
    return n
  },
}

try {
  console.log(`seed ${values.seed}, ${values.rounds} rounds`)
  machines = await startCassandraCluster(disk)
  const { contentStore } = machines
  await (await openCassandraContentStore(contentStore)).close() // creates the tables once, not in six processes at a time
  box = await openFleetHarness({ ...parts, feeds: FEEDS, settings: { ...SETTINGS, CONTENT_STORE: contentStore } })
  const roles = ['controller', 'controller', 'fetcher', 'fetcher', 'indexer', 'serve'] as const
  for (const role of roles) await box.start(role)
  await box.subscribe()
  const beganAt = Date.now()
  const names = Object.keys(faults).filter((name) => new RegExp(values.only).test(name))
  for (let round = 1; isWell && round <= Number(values.rounds); round++) {
    const name = names[(round - 1) % names.length]!
    const from = Date.now()
    const sick = await faults[name]!(machines, Math.floor(chance.next() * machines.count))
    const awayMs = Date.now() - from
    await allVisited(box, TIMEOUT_MS)
    const { missing, double, faults: minded, entries } = await verdictOf(box, beganAt, Date.now(), TIMEOUT_MS)
    const { texts, lost } = await textsOf(box.storeAddress, contentStore)
    isWell = missing.length + double.length + minded.length + lost === 0 && texts > 0
    const well = `well, ${entries} entries, each once, with ${texts} texts`
    const some = { missing: missing.length, eg: missing.slice(0, 5), double, minded, texts, lost }
    const verdict = isWell ? well : JSON.stringify(some, null, 2)
    console.log(
      `${round}. machine ${sick + 1} ${name}: ${verdict} (${inSeconds(awayMs)}, and ${inSeconds(Date.now() - from - awayMs)} to catch up)`,
    )
    if (isWell) isWell = await isWholeAgain(machines, sick)
  }
} catch (error) {
  isWell = false
  console.error(error)
} finally {
  if (!isWell) printOutput()
  await closeAll()
}
process.exit(isWell ? 0 : 1)

async function closeAll(): Promise<void> {
  const [fleet, three] = [box, machines]
  box = undefined
  machines = undefined
  await fleet?.close()
  await three?.close()
  disk?.close()
}

/** Whether the repaired node itself has everything that the cluster had before. */
async function isWholeAgain(all: CassandraCluster, n: number): Promise<boolean> {
  const from = Date.now()
  const lacks = async (rows: Iterable<string>) => {
    await all.cut(n)
    const own = await all.rowsOf(n)
    await all.join(n)
    return [...rows].filter((row) => !own.has(row))
  }
  const before = withoutCutting ? undefined : await all.rows()
  const unrepaired = before && (await lacks(before))
  const output = await all.repair(n)
  if (!before || !unrepaired) {
    console.log(`   ${output}`)
    return true
  }
  const suspects = await lacks(before)
  // Rows deleted since then are no loss.
  const now = suspects.length > 0 ? await all.rows() : undefined
  const lost = suspects.filter((row) => now?.has(row))
  console.log(
    `   of ${before.size} rows it lacked ${unrepaired.length}, and after its repair ${lost.length} (${inSeconds(Date.now() - from)}): ${output}`,
  )
  if (lost.length > 0) console.error(lost.slice(0, 20).join('\n'))
  return lost.length === 0
}

/** The number of entries with a text, and of those whose text the content store lacks. */
async function textsOf(address: string, url: string): Promise<{ texts: number; lost: number }> {
  const pollResults = (await openPostgres({ address, mode: 'read', connections: 1 })).store
  const contentStore = await openCassandraContentStore(url)
  const store = withContentStore(pollResults, contentStore, { now: Date.now })
  let [texts, lost] = [0, 0]
  try {
    const named = new Set<number>()
    for await (const { id, content } of pollResults.everyEntry({})) if (content !== undefined) named.add(id)
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

function printOutput(): void {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-said-'))
  for (const [i, one] of [...(box?.processes ?? [])].entries())
    writeFileSync(join(folder, `${i + 1}-${one.role}.log`), one.output())
  writeFileSync(join(folder, 'machines.log'), machines?.lastWords() ?? '')
  console.error(`what the processes and the machines said is in ${folder}`)
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}

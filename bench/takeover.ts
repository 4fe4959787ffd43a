/**
 * Time until what a killed controller owned is polled again, with the default settings: two controllers, one of them killed (kill -9)
 * repeatedly, and a village on loopback whose sites are polled every two seconds.
 *
 *   node bench/takeover.ts [--times 5]
 *
 * Prints the seconds until every bucket has a living owner, and until the last of all sites has been visited again.
 */
import { parseArgs } from 'node:util'
import { connectNats } from '../src/queues/nats/connection.ts'
import { allVisited } from '../test/fleet/checker.ts'
import { fleetParts, openFleetHarness, until } from '../test/fleet/fleet-harness.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '5' } } })
const { parts, reason } = await fleetParts()
if (!parts) {
  console.error(`no fleet can be started: ${reason}`)
  process.exit(1)
}
/** The defaults. */
const USUAL = { settings: { LEASE: '10m', QUEUE_WAIT: '30s', TIMEOUT: '30s' } }
const TIMEOUT_MS = 120_000
const LATE_MS = 20_000
const box = await openFleetHarness(parts)
const seconds = (ms: number) => (ms / 1000).toFixed(1)

/** Leases that are still held long after the kill: when they were taken, and whether the queue has their task or outcome. */
async function reportWaitingHosts(killedAt: number): Promise<void> {
  const leases = await box.ask<{ url: string; token: string; leased_at: string }>(
    'SELECT f.url, l.token, l.leased_at FROM feed_leases l JOIN feeds f ON f.id = l.id ORDER BY l.leased_at',
  )
  const link = await connectNats({ servers: [box.nats.url], name: 'bench' })
  const jsm = await link.modules.jetstream.jetstreamManager(link.nc)
  const requests = new Map<string, string[]>()
  for (const name of ['FRESHET_TASKS', 'FRESHET_OUTCOMES']) {
    const { state } = await jsm.streams.info(name)
    for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
      const message = await jsm.streams.getMessage(name, { seq }).catch(() => null)
      const id = message?.header.get('Nats-Msg-Id').replace(/^(task|outcome)-/, '')
      if (id) requests.set(id, [...(requests.get(id) ?? []), name])
    }
  }
  await link.close()
  for (const { url, token, leased_at } of leases) {
    const age = Number(leased_at) - killedAt
    if (age < 1000)
      console.log(
        `   waits: ${url}, leased ${age} ms after the kill; in the queue: ${requests.get(token) ?? 'nothing'}`,
      )
  }
}

try {
  await Promise.all((['controller', 'controller', 'fetcher', 'serve'] as const).map((role) => box.start(role, USUAL)))
  await box.subscribe()
  await allVisited(box, TIMEOUT_MS)
  const took: number[][] = []
  for (let time = 1; time <= Number(values.times); time++) {
    await until(
      async () => (await box.owners()).size === 2,
      TIMEOUT_MS,
      () => 'two controllers did not share the buckets',
    )
    await allVisited(box, TIMEOUT_MS)
    const one = [...box.processes].find(({ role }) => role === 'controller')!
    await one.kill()
    box.processes.delete(one)
    const from = performance.now()
    const killedAt = Date.now()
    const visited = allVisited(box, TIMEOUT_MS).then(() => performance.now() - from)
    const watch = setTimeout(() => void reportWaitingHosts(killedAt).catch(console.error), LATE_MS)
    await until(
      async () => (await box.owners()).size === 1,
      TIMEOUT_MS,
      () => 'nobody took over',
    )
    took.push([performance.now() - from, await visited])
    clearTimeout(watch)
    console.log(
      `${time}. all buckets owned after ${seconds(took.at(-1)![0]!)} s, every site visited again after ${seconds(took.at(-1)![1]!)} s`,
    )
    await box.start('controller', USUAL)
  }
  for (const [i, what] of ['owned', 'visited'].entries()) {
    const sorted = took.map((both) => both[i]!).sort((a, b) => a - b)
    console.log(`${what}: median ${seconds(sorted[sorted.length >> 1]!)} s, longest ${seconds(sorted.at(-1)!)} s`)
  }
  console.log(`rules of conduct that were broken: ${box.town.faults.length}`)
} finally {
  await box.close()
}

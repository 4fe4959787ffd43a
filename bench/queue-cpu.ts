/**
 * CPU cost of the queue: `node bench/queue-cpu.ts [--tasks 20000] [--slots 64] [--rate 0]`. Tasks go through a NATS server of our own to a
 * fetcher that answers "not modified" at once, and back to a controller with all buckets; client and server are counted separately, per
 * task. With a rate, that many are sent per second, in batches every tenth of a second, as a controller does it; the answer then takes 200
 * ms.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Bucket } from '../src/model/index.ts'
import { outcomeOf, taskOf } from '../src/ports/queue-between.contract.ts'
import { openNatsQueue } from '../src/queues/index.ts'
import { startNatsServer } from '../test/nats-server.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '20000' },
    slots: { type: 'string', default: '64' },
    rate: { type: 'string', default: '0' },
  },
})
const TASKS = Number(values.tasks)
const SLOTS = Number(values.slots)
const RATE = Number(values.rate)
const SENT_TOGETHER = RATE > 0 ? Math.ceil(RATE / 10) : 100
const BUCKETS = 256
const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK']))

/** User and system time of a process. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND
}

const nats = await startNatsServer()
const options = { servers: [nats.url], queueName: 'bench', onInternalError: (error: unknown) => console.error(error) }
const controller = await openNatsQueue({ ...options, name: 'controller' })
const fetcher = await openNatsQueue({ ...options, name: 'fetcher', streams: 'wait' })
const dispatch = controller.dispatch({ byBucket: true, gatherMs: 50 })
let applied = 0
dispatch.collect(async (outcomes) => {
  applied += outcomes.length
})
await dispatch.assignBuckets!(new Set(Array.from({ length: BUCKETS }, (_, n) => n as Bucket)))
fetcher.work({ concurrency: SLOTS }).serve(async (task) => {
  if (RATE > 0) await new Promise((resolve) => setTimeout(resolve, 200))
  return outcomeOf(task)
})

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2))
}

async function carry(tasks: number, from: number): Promise<{ server: number; client: number; seconds: number }> {
  const [server, client, began] = [cpuMs(nats.pid()), process.cpuUsage(), performance.now()]
  const end = applied + tasks
  for (let n = 0; n < tasks; n += SENT_TOGETHER) {
    if (RATE > 0) await until(() => performance.now() - began >= (n / RATE) * 1000)
    else await until(() => n - (applied - (end - tasks)) < 10 * SENT_TOGETHER)
    const some = Array.from({ length: Math.min(SENT_TOGETHER, tasks - n) }, (_, i) => from + n + i)
    await dispatch.send(some.map((one) => taskOf(one, { bucket: (one % BUCKETS) as Bucket })))
  }
  await until(() => applied >= end)
  const { user, system } = process.cpuUsage(client)
  return {
    server: (cpuMs(nats.pid()) - server) / tasks,
    client: (user + system) / 1000 / tasks,
    seconds: (performance.now() - began) / 1000,
  }
}

await carry(RATE > 0 ? RATE : 2000, 0) // warm-up
const idle = cpuMs(nats.pid())
await new Promise((resolve) => setTimeout(resolve, 5000))
const idleMs = (cpuMs(nats.pid()) - idle) / 5
const { server, client, seconds } = await carry(TASKS, 10_000)
console.log(`${TASKS} tasks, ${SLOTS} slots, ${Math.round(TASKS / seconds)} a second`)
console.log(`nats-server without tasks: ${idleMs.toFixed(1)} ms a second`)
console.log(`CPU a task: nats-server ${server.toFixed(3)} ms, controller and fetcher ${client.toFixed(3)} ms`)
await dispatch.close(AbortSignal.abort())
await fetcher.close()
await controller.close()
await nats.close()
process.exit()

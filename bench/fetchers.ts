/**
 * The experiment of Adam et al. (2009, figure 3) with fetchers that are processes: the time for one round of 793 feeds. One process that
 * requests one feed after the other without hashes; one, two and four fetchers without hashes; and the same with what the paper's terminals
 * remember, the hash of the last document, which here travels with the task.
 *
 *   node bench/fetchers.ts [--feeds 793] [--answer 25] [--slots 16]
 *
 * The controller is in this process, with a store in memory; it talks to the fetchers through a NATS server that is started for the purpose
 * (nats-server has to be installed). The web is on loopback, one host name per feed, with a fixed response time.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/clocks/index.ts'
import { createController, createFetcher, feedToAdd, fixedPrice } from '../src/crawl/index.ts'
import { HOUR, MINUTE, webAddress } from '../src/model/index.ts'
import { createHttpNet } from '../src/net/index.ts'
import { createHostQueue } from '../src/politeness/index.ts'
import { type ControllerQueue, rolesOf } from '../src/ports/index.ts'
import { createInProcessQueue, openNatsQueue } from '../src/queues/index.ts'
import { LIMITS } from '../src/scheduling/index.ts'
import { createMemoryStore } from '../src/stores/index.ts'
import { startNatsServer } from '../test/nats-server.ts'

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '793' },
    answer: { type: 'string', default: '25' },
    slots: { type: 'string', default: '16' },
  },
})
const FEEDS = Number(values.feeds)
const ANSWER_MS = Number(values.answer)
const SLOTS = Number(values.slots)
const PROGRAM = join(import.meta.dirname, '../src/cli/main.ts')

interface SetUp {
  name: string
  fetchers: number
  slots: number
  remembers: boolean
}

const setUps: SetUp[] = [
  { name: 'one process, one request at a time, without hashes', fetchers: 0, slots: 1, remembers: false },
  ...[1, 2, 4].map((fetchers) => ({ name: 'without hashes', fetchers, slots: SLOTS, remembers: false })),
  ...[1, 2, 4].map((fetchers) => ({ name: 'with the hashes', fetchers, slots: SLOTS, remembers: true })),
]

/** Documents of twenty entries: a new one for each request without hashes, otherwise the same one. */
const web = { waitMs: 0, remembers: false, asked: 0, bytes: 0 }
const site = createServer((request, response) => {
  request.resume()
  const number = web.remembers ? 0 : web.asked++
  const items = Array.from({ length: 20 }, (_, i) => ({ id: `${request.headers.host} ${i}`, title: `No. ${i}` }))
  const body = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'a feed',
    description: `${number}`,
    items,
  })
  setTimeout(() => {
    web.bytes += body.length
    response.writeHead(200, { 'content-type': 'application/feed+json' }).end(body)
  }, web.waitMs)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const { port } = site.address() as AddressInfo
const nats = await startNatsServer()

async function round({ fetchers, slots, remembers }: SetUp, number: number): Promise<number> {
  const clock = systemClock()
  const store = createMemoryStore()
  const queueName = `bench${number}`
  const options = {
    servers: [nats.url],
    name: 'bench',
    queueName,
    onInternalError: (error: unknown) => console.error(error),
  }
  const over = fetchers > 0 ? await openNatsQueue(options) : undefined
  const inProcess = createInProcessQueue({ concurrency: slots })
  const net = createHttpNet({ userAgent: 'bench', allowNetworks: ['127.0.0.0/8', '::1/128'] })
  if (!over) inProcess.serve(createFetcher({ clock, obeyRobots: 'guesses', net }))
  const queue: ControllerQueue = over?.dispatch() ?? inProcess
  const children = Array.from({ length: fetchers }, () =>
    spawn(process.execPath, [PROGRAM, 'fetcher'], {
      cwd: '/tmp',
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        FRESHET_QUEUE: nats.url,
        FRESHET_QUEUE_NAME: queueName,
        FRESHET_CONCURRENCY: String(slots),
        FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
      },
    }),
  )
  let polled = 0
  const all = slots * Math.max(1, fetchers)
  const controller = createController({
    ...rolesOf(store),
    queue,
    clock,
    hostQueue: createHostQueue({ gapMs: 0 }),
    slots: () => all,
    budget: fixedPrice(HOUR, LIMITS),
    strategy: 'fixed:1d',
    random: () => 0.5,
    knownBy: 'key',
    emit: (event) => {
      if (event.kind === 'polled') polled++
    },
  })
  queue.collect(controller.apply)
  const began = clock.now()
  const urls = Array.from({ length: FEEDS }, (_, i) => webAddress(`http://feed-${i}.localhost:${port}/feed.json`)!)
  const added = await store.addFeeds(urls.map((url, i) => feedToAdd({ url, title: `${i}` }, 'fixed:1d', began)))
  await controller.begin()
  web.waitMs = 0
  web.remembers = remembers
  await untilPolled(FEEDS)

  web.waitMs = ANSWER_MS
  for (const { id } of added) await store.changeFeed(id, {}, { dueAt: clock.now() })
  const from = performance.now()
  await untilPolled(2 * FEEDS)
  const tookMs = performance.now() - from
  for (const child of children) child.kill('SIGKILL')
  await queue.close(AbortSignal.abort())
  await over?.close()
  await net.close()
  return tookMs

  async function untilPolled(polls: number): Promise<void> {
    const giveUpAt = clock.now() + 5 * MINUTE
    while (polled < polls && clock.now() < giveUpAt) {
      await controller.tick()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

console.log(`${FEEDS} feeds, each answer takes ${ANSWER_MS} ms; ${SLOTS} slots a fetcher\n`)
console.log('| set-up | fetchers | a round | polls a second |\n|---|---:|---:|---:|')
for (const [number, setUp] of setUps.entries()) {
  const tookMs = await round(setUp, number)
  const polls = Math.round(FEEDS / (tookMs / 1000))
  console.log(`| ${setUp.name} | ${setUp.fetchers || '-'} | ${(tookMs / 1000).toFixed(2)} s | ${polls} |`)
}
console.log('| the paper: several terminals, with their files | several | 10 s | 79 |')
await nats.close()
site.close()
site.closeAllConnections()

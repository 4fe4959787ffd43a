/** The crawl as `freshet run` composes it, on a store of its own. `freshet.ts <port> <feeds> <folder>` */
import { join } from 'node:path'
import { keepHeapSmall } from '../../src/app/heap.ts'
import type { FeedId } from '../../src/model/index.ts'
import { answerRounds, requestsIn, STEADY_GAP_MS } from './rounds.ts'

const [port, feeds, folder = '.'] = [process.argv[2], Number(process.argv[3]), process.argv[4]]
keepHeapSmall()
const { defaultConfig, openCrawl } = await import('../../src/app/index.ts')
const never = new AbortController().signal
const crawl = await openCrawl({
  ...defaultConfig(),
  store: join(folder, 'bench.db'),
  allowNetworks: ['127.0.0.0/8'],
  concurrency: 32,
  hostGap: 0,
  articles: 'never',
})
for (let i = 0; i < feeds; i += 1000) {
  const urls = Array.from({ length: Math.min(1000, feeds - i) }, (_, k) => `http://f${i + k}.localhost:${port}/feed`)
  await crawl.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
}

let left = 0
let onAllPolled = () => {}
crawl.crawler.onEvent(({ kind }) => {
  if (kind === 'polled' && --left === 0) onAllPolled()
})

let rounds = 0
await answerRounds(async (phase) => {
  const requests = requestsIn(phase, feeds)
  left = requests
  const dueAt = (id: number) => (phase === 'steady' ? Date.now() + id * STEADY_GAP_MS : 0)
  if (phase !== 'first')
    for (let id = 1; id <= requests; id++) await crawl.store.changeFeed(id as FeedId, {}, { dueAt: dueAt(id) })
  if (phase === 'steady') return runUntilPolled
  return async (onPolled) => {
    onAllPolled = onPolled
    await crawl.crawler.runOnce(never)
    rounds++
  }
})

async function runUntilPolled(onPolled: () => void): Promise<void> {
  const end = new AbortController()
  const polled = new Promise<void>((resolve) => {
    onAllPolled = () => {
      onPolled()
      resolve()
    }
  })
  const running = crawl.crawler.run(end.signal)
  await polled
  end.abort()
  await running
}

const { entries, polls } = await crawl.store.counts()
await crawl.close()
if (entries !== 20 * feeds || polls < rounds * feeds)
  throw new Error(`${entries} entries and ${polls} polls after ${rounds} rounds: not all was done`)

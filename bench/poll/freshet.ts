/** Ours: the crawl as `freshet run` puts it together, on a store of its own. `freshet.ts <port> <feeds> <folder>` */
import { join } from 'node:path'
import { keepHeapSmall } from '../../src/app/heap.ts'
import type { FeedId } from '../../src/model/index.ts'
import { answerRounds } from './rounds.ts'

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

let polled = 0
let tellPolled = () => {}
crawl.crawler.onEvent(({ kind }) => {
  if (kind === 'polled' && ++polled % feeds === 0) tellPolled()
})

let rounds = 0
await answerRounds(async (phase) => {
  if (phase === 'unchanged')
    for (let id = 1; id <= feeds; id++) await crawl.store.changeFeed(id as FeedId, {}, { dueAt: 0 })
  return async (told) => {
    tellPolled = told
    await crawl.crawler.runOnce(never)
    rounds++
  }
})

const { entries, polls } = await crawl.store.counts()
await crawl.close()
if (entries !== 20 * feeds || polls < rounds * feeds)
  throw new Error(`${entries} entries and ${polls} polls after ${rounds} rounds: not all was done`)

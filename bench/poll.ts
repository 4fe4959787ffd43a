/**
 * What a poll costs: N feeds of 20 entries on loopback, one host each, polled for the first time (read and stored) and then
 * again (304), against a bare node:http client that asks for the same and throws it away. The feeds are served by a process
 * of their own, so that only the client's work is counted. `node bench/poll.ts [--feeds 1000]`
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultConfig, openCrawl } from '../src/app/index.ts'
import type { FeedId } from '../src/model/index.ts'

const CONCURRENCY = 32

if (process.argv[2] === 'serve') serve()
else await measure()

function serve(): void {
  const server = createServer((request, response) => {
    const etag = '"1"'
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
    const body = feedOf(request.headers.host ?? '')
    response.writeHead(200, { etag, 'content-type': 'application/rss+xml', 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

function feedOf(host: string): Buffer {
  const items = Array.from({ length: 20 }, (_, i) => {
    const url = `http://${host}/2026/${i}-a-goose-was-seen-near-the-weir`
    const text = 'The goose was seen near the weir, and the mayor, who was there as well, has confirmed it. '.repeat(4)
    return `<item><title>Goose no. ${i} of ${host}</title><link>${url}</link><guid>${url}</guid>
<pubDate>Mon, 05 Jan 2026 ${String(i).padStart(2, '0')}:00:00 GMT</pubDate><description>${text}</description></item>`
  })
  return Buffer.from(
    `<?xml version="1.0"?><rss version="2.0"><channel><title>${host}</title>${items.join('\n')}</channel></rss>`,
  )
}

async function measure(): Promise<void> {
  const { values } = parseArgs({ options: { feeds: { type: 'string', default: '1000' } } })
  const feeds = Number(values.feeds)
  const server = fork(import.meta.filename, ['serve'])
  const [port] = (await once(server, 'message')) as [number]
  const urls = Array.from({ length: feeds }, (_, i) => `http://f${i}.localhost:${port}/feed`)
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
  const config = {
    ...defaultConfig(),
    store: join(folder, 'bench.db'),
    allowNetworks: ['127.0.0.0/8'],
    concurrency: CONCURRENCY,
    hostGap: 0,
  }
  const crawl = await openCrawl(config)
  try {
    await crawl.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' })))
    const never = new AbortController().signal
    await bare(urls.slice(0, 100), port, {}) // warms up both sides
    const rows = [await cost('first poll, bare', feeds, () => bare(urls, port, {}))]
    rows.push(await cost('first poll', feeds, () => crawl.crawler.runOnce(never)))
    await dueAgain()
    rows.push(await cost('unchanged, bare', feeds, () => bare(urls, port, { 'if-none-match': '"1"' })))
    rows.push(await cost('unchanged', feeds, () => crawl.crawler.runOnce(never)))
    const { entries, polls } = await crawl.store.counts()
    if (entries !== 20 * feeds || polls !== 2 * feeds)
      throw new Error(`${entries} entries, ${polls} polls: not all was done`)
    print(rows, feeds)
  } finally {
    await crawl.close()
    server.kill()
    rmSync(folder, { recursive: true })
  }

  async function dueAgain(): Promise<void> {
    for (let id = 1; id <= feeds; id++) await crawl.store.changeFeed(id as FeedId, {}, { dueAt: 0 })
  }
}

interface Row {
  what: string
  cpuMs: number
  wallMs: number
  rssMb: number
}

async function cost(what: string, feeds: number, work: () => Promise<void>): Promise<Row> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  const wallMs = (performance.now() - began) / feeds
  return { what, cpuMs: (user + system) / 1000 / feeds, wallMs, rssMb: process.memoryUsage.rss() / 1e6 }
}

/** One connection a request, as a crawler of many hosts has it. */
async function bare(urls: string[], port: number, headers: Record<string, string>): Promise<void> {
  let next = 0
  async function one(): Promise<void> {
    for (let url = urls[next++]; url !== undefined; url = urls[next++]) {
      const { host, pathname } = new URL(url)
      await new Promise<void>((resolve, reject) => {
        const request = get({ host: '127.0.0.1', port, path: pathname, headers: { host, ...headers }, agent: false })
        request.once('error', reject).once('response', (response) => response.resume().once('end', resolve))
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, one))
}

function print(rows: Row[], feeds: number): void {
  let commit = 'unknown'
  try {
    commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {}
  console.log(`${feeds} feeds of 20 entries, one host each, commit ${commit}, node ${process.version}\n`)
  console.log('                  CPU ms a feed  wall ms a feed  resident MB  times the bare client')
  for (const [i, { what, cpuMs, wallMs, rssMb }] of rows.entries()) {
    const ratio = i % 2 === 1 ? (cpuMs / rows[i - 1]!.cpuMs).toFixed(1) : ''
    const cells = [
      cpuMs.toFixed(2).padStart(13),
      wallMs.toFixed(2).padStart(14),
      rssMb.toFixed(0).padStart(11),
      ratio.padStart(21),
    ]
    console.log(`${what.padEnd(17)} ${cells.join('  ')}`)
  }
}

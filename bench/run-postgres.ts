/**
 * CPU cost of `freshet run` on PostgreSQL: `node bench/run-postgres.ts [--feeds 200] [--seconds 20]`. Feeds on loopback, each polled every
 * two seconds, answer "not modified" after 200 ms; the crawl in this process and the database are counted separately, per poll.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { defaultConfig, openCrawl } from '../src/app/index.ts'
import { postgresForTests } from '../test/postgres-server.ts'

const { values } = parseArgs({
  options: { feeds: { type: 'string', default: '200' }, seconds: { type: 'string', default: '20' } },
})
const FEEDS = Number(values.feeds)
const SECONDS = Number(values.seconds)
const TICK_MS = 10

const site = createServer((request, response) => {
  request.resume()
  setTimeout(() => {
    if (request.headers['if-none-match']) return void response.writeHead(304, { etag: '"1"' }).end()
    const body = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'a feed', items: [] })
    response.writeHead(200, { 'content-type': 'application/feed+json', etag: '"1"' }).end(body)
  }, 200)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const { port } = site.address() as AddressInfo

const { server, reason } = await postgresForTests({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' })
if (!server) throw new Error(reason)
const store = await server.freshStore()
const client = new pg.Client({ connectionString: store })
await client.connect()
const statOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
const [{ pid }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows as [{ pid: number }]
const postmaster = Number(statOf(pid)[1])

/** Of the server and all its children, including those that have ended. */
function databaseMs(): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = statOf(Number(name))
        return Number(stat[1]) === postmaster || Number(name) === postmaster ? [stat] : []
      } catch {
        return [] // it has ended meanwhile
      }
    })
  const ticks = children.map((stat) => stat.slice(11, 15).reduce((sum, one) => sum + Number(one), 0))
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS
}

const crawl = await openCrawl({
  ...defaultConfig(),
  store,
  strategy: 'fixed:2s',
  minInterval: 1000,
  hostGap: 0,
  articles: 'never',
  concurrency: 64,
  allowNetworks: ['127.0.0.0/8', '::1/128'],
})
const urls = Array.from({ length: FEEDS }, (_, n) => `http://feed-${n}.localhost:${port}/feed.json`)
await crawl.crawler.subscribe(urls.map((url) => ({ url, kind: 'feed' as const })))
const end = new AbortController()
const running = crawl.crawler.run(end.signal)
await new Promise((resolve) => setTimeout(resolve, 6000))
const [polls, database, own] = [crawl.crawler.activity().totals.polls, databaseMs(), process.cpuUsage()]
await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
const done = crawl.crawler.activity().totals.polls - polls
const { user, system } = process.cpuUsage(own)
const inDatabase = (databaseMs() - database) / done
console.log(`${FEEDS} feeds, ${Math.round(done / SECONDS)} polls a second`)
console.log(`CPU a poll: database ${inDatabase.toFixed(2)} ms, crawl ${((user + system) / 1000 / done).toFixed(2)} ms`)
end.abort()
await running
await crawl.close(0)
await client.end()
await server.close()
process.exit()

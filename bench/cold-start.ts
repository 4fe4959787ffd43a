/**
 * The cost of a cold start: `node bench/cold-start.ts [program]`, where the program is bin/freshet.js of this checkout by default; name
 * that of an installed package instead. The other benches measure processes that have read many documents, like a crawler that runs for
 * days; a command that reads one pays for loading and for code that is not compiled yet. Each line is the median of five processes.
 * Programs run through bin/freshet.js; the first run, which fills Node's compile cache, does not count.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteStore } from '../src/stores/index.ts'
import { freePort } from '../tools/free-port.ts'
import { commit } from './current-commit.ts'
import { fillStore } from './filled-store.ts'

const ROOT = join(import.meta.dirname, '..')
const RUNS = 5
const WARM_UP = 300
const WORDS = 'river bridge council winter market letter window street morning engine harbour school garden'.split(' ')
const ITEMS = 20
const LISTS = [
  '/api/v1/subscriptions?limit=1000',
  '/api/v1/feeds?limit=1000',
  '/v1/feeds',
  '/v1/feeds/counters',
  '/reader/api/0/subscription/list?output=json',
  '/reader/api/0/unread-count?output=json',
]
const LISTED = 20
/** From /proc. */
const TICK_MS = 10
const PROSE = Array.from({ length: 600 }, (_, i) => WORDS[(i * 7 + (i >> 3)) % WORDS.length]).join(' ')

const [reading] = process.argv.slice(2)
if (reading === 'feed' || reading === 'page') console.log((await readOnce(reading)).join(' '))
else await report(reading ?? 'bin/freshet.js')

async function report(program: string): Promise<void> {
  console.log(`commit ${commit()}, node ${process.version}, CPU ms\n`)
  for (const words of [['--version'], ['--help'], ['add', '--help'], ['feeds']])
    console.log(`freshet ${words.join(' ')}`.padEnd(24), median(() => cpuMsOf([program, ...words])).toFixed(0))
  await reportServing(program)
  console.log(`\n${''.padEnd(24)} ${['first', 'warm', 'times'].map((title) => title.padStart(8)).join('')}`)
  for (const what of ['feed', 'page'] as const) {
    const runs = Array.from({ length: RUNS }, () => outputOf([process.argv[1]!, what]).split(' ').map(Number))
    const [first, warm] = [0, 1].map((i) => middle(runs.map((run) => run[i]!))) as [number, number]
    const name = `a ${what} of ${Math.round(documentOf(what).length / 1000)} kB`
    console.log(name.padEnd(24), [first.toFixed(2), warm.toFixed(2), (first / warm).toFixed(0)].map(right).join(''))
  }
}

/**
 * `freshet run` on a store of 5,000 feeds and 99,000 entries: time until it is healthy, and the cost of listing all feeds then. Linux only.
 */
async function reportServing(program: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-cold-'))
  const file = join(folder, 'cold.db')
  await openSqliteStore({ file, mode: 'write', now: Date.now }).store.close()
  fillStore(file, { feeds: 5000, entries: 99_000, now: Date.now() })
  try {
    const starts: Awaited<ReturnType<typeof serveOnce>>[] = []
    for (let i = 0; i <= RUNS; i++) starts.push(await serveOnce(program, file, i === RUNS ? LISTS : []))
    const of = (what: 'healthyMs' | 'rssMb') => middle(starts.map((start) => start[what])).toFixed(0)
    console.log('freshet run, healthy'.padEnd(24), of('healthyMs'), `and ${of('rssMb')} MB resident`)
    for (const { path, ms } of starts.at(-1)!.lists) console.log(`  ${path}`.padEnd(38), ms.toFixed(0))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function serveOnce(program: string, store: string, paths: string[]) {
  const port = await freePort()
  const child = spawn(process.execPath, [program, 'run', '--store', store, '--port', String(port), '--log', 'error'], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const isHealthy = async () =>
    ask('/healthz').then(
      ({ ok }) => ok,
      () => false,
    )
  try {
    while (!(await isHealthy())) await sleep(10)
    const [healthyMs, rssMb] = [cpuMsOfRunning(child.pid!), rssMbOf(child.pid!)]
    const lists = []
    for (const path of paths) {
      await requestAll(ask, path)
      const before = cpuMsOfRunning(child.pid!)
      for (let i = 0; i < LISTED; i++) await requestAll(ask, path)
      lists.push({ path, ms: (cpuMsOfRunning(child.pid!) - before) / LISTED })
    }
    return { healthyMs, rssMb, lists }
  } finally {
    child.kill()
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

/** Reads the list to its end, page by page. */
async function requestAll(ask: (path: string) => Promise<Response>, path: string): Promise<void> {
  for (let cursor: string | undefined; ; ) {
    const answer = await ask(cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`)
    cursor = ((await answer.json()) as { next?: string }).next
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    if (cursor === undefined) return
  }
}

/** Of all threads. */
function cpuMsOfRunning(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function rssMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The first document that this process reads, and a later one. */
async function readOnce(what: 'feed' | 'page'): Promise<[number, number]> {
  const { parseFeed } = await import('../src/feeds/index.ts')
  const { extractArticle } = await import('../src/articles/index.ts')
  const text = documentOf(what)
  const bytes = Buffer.from(text)
  const read = () => (what === 'feed' ? parseFeed(bytes, {}) : extractArticle(text, 'https://site.example/1'))
  const first = cpuMs(read)
  for (let i = 0; i < WARM_UP; i++) read()
  const warm = cpuMs(() => {
    for (let i = 0; i < WARM_UP; i++) read()
  })
  return [first, warm / WARM_UP]
}

function documentOf(what: 'feed' | 'page'): string {
  const paragraphs = `<p>${PROSE}</p>`
  if (what === 'page')
    return `<!doctype html><title>A bridge</title><nav>${'<a href="/x">Menu</a> '.repeat(200)}</nav><article><h1>A bridge</h1>${paragraphs.repeat(6)}</article>`
  const item = (i: number) =>
    `<item><title>Story ${i}</title><link>https://site.example/${i}</link><pubDate>Mon, 05 Jan 2026 12:00:00 GMT</pubDate><description><![CDATA[${paragraphs}]]></description></item>`
  return `<rss version="2.0"><channel><title>Site</title>${Array.from({ length: ITEMS }, (_, i) => item(i)).join('')}</channel></rss>`
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Of a whole process and its children. */
function cpuMsOf(words: string[]): number {
  const { stdout } = spawnSync('sh', ['-c', `"$@" >/dev/null 2>&1; times`, 'sh', process.execPath, ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [, children = ''] = stdout.trim().split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
    0,
  )
}

function outputOf(words: string[]): string {
  return spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()
}

function median(measure: () => number): number {
  measure()
  return middle(Array.from({ length: RUNS }, measure))
}

function middle(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

function right(text: string): string {
  return text.padStart(8)
}

/**
 * Memory of `freshet run` as users start it: it follows 1,000 feeds of 20 entries (bench/poll/serve.ts), reads, indexes and groups them,
 * its page is opened once, and then it is idle. Printed are resident memory when all is done and after a minute of rest, the peak, and in
 * the last column the part at rest that is not Node's own program file, which all processes of one Node share. `node bench/memory.ts
 * [--feeds 1000] [--rest 60] [--no-page] [program …]`: the program is that of the built package (`npm run build` first) and of this
 * checkout, unless others are named. Without the page, the threads for lists and searches are not started; they end when nobody has used
 * them for ten minutes. Linux only.
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../tools/free-port.ts'
import { commit } from './current-commit.ts'
import { nextMessageOf } from './poll/rounds.ts'

const ROOT = join(import.meta.dirname, '..')
const ENTRIES_PER_FEED = 20
const DEADLINE_MS = 600_000
const PAGES = ['/', '/api/v1/subscriptions?limit=500', '/api/v1/entries?limit=50', '/metrics']

const { values, positionals } = parseArgs({
  options: {
    feeds: { type: 'string', default: '1000' },
    rest: { type: 'string', default: '60' },
    page: { type: 'boolean', default: true },
  },
  allowPositionals: true,
  allowNegative: true,
})
const feeds = Number(values.feeds)
const restMs = Number(values.rest) * 1000

const folder = mkdtempSync(join(tmpdir(), 'freshet-memory-'))
const server = fork(join(import.meta.dirname, 'poll/serve.ts'))
try {
  const list = join(folder, 'feeds.opml')
  writeFileSync(list, opmlOf(await nextMessageOf<number>(server)))
  console.log(`${feeds} feeds of ${ENTRIES_PER_FEED} entries, commit ${commit()}, node ${process.version}; MB\n`)
  console.log(
    `${''.padEnd(40)}${['all read', 'at rest', 'peak', 'own, at rest'].map((title) => title.padStart(14)).join('')}`,
  )
  await printNodeAlone()
  for (const program of positionals.length > 0 ? positionals : [builtPackage(), join(ROOT, 'bin/freshet.js')])
    await measure(program, list)
} finally {
  server.kill()
  rmSync(folder, { recursive: true })
}

function opmlOf(port: number): string {
  const outlines = Array.from(
    { length: feeds },
    (_, i) => `<outline type="rss" text="f${i}" xmlUrl="http://f${i}.localhost:${port}/feed"/>`,
  )
  return `<opml version="2.0"><body>${outlines.join('\n')}</body></opml>`
}

/** The built files without the sources, as `npm pack` ships them. */
function builtPackage(): string {
  const copy = join(folder, 'package')
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return join(copy, 'bin/freshet.js')
}

async function printNodeAlone(): Promise<void> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await sleep(1000)
  const { rss, own, peak } = memoryOf(child)
  print('node, idle', [rss, rss, peak, own])
  await stop(child)
}

async function measure(program: string, list: string): Promise<void> {
  const store = join(folder, `${Date.now()}.db`)
  execFileSync(process.execPath, [program, 'import', list, '--store', store], { stdio: 'ignore' })
  const port = await freePort()
  const flags = ['--allow-networks', '127.0.0.0/8', '--articles', 'never', '--host-gap', '0', '--log', 'error']
  const child = spawn(process.execPath, [program, 'run', '--store', store, '--port', String(port), ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await untilAllRead(child, port)
    for (const path of values.page ? PAGES : []) await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
    const { rss } = memoryOf(child)
    await sleep(restMs)
    const rested = memoryOf(child)
    print(program.startsWith(folder) ? 'freshet run, built package' : program, [
      rss,
      rested.rss,
      rested.peak,
      rested.own,
    ])
  } finally {
    await stop(child)
  }
}

async function untilAllRead(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    await sleep(1000)
    if (child.exitCode !== null) throw new Error(`the program ended with code ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error('not all feeds were read in time')
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then(
      (response) => response.text(),
      () => '',
    )
    const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
    const isRead = metric('freshet_entries') >= feeds * ENTRIES_PER_FEED
    const hasBacklog = metric('freshet_backlog{queue="index"}') + metric('freshet_backlog{queue="groups"}') > 0
    if (isRead && !hasBacklog) return
  }
}

function memoryOf({ pid }: ChildProcess): { rss: number; own: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) => (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { rss: mb('VmRSS'), own: mb('RssAnon'), peak: mb('VmHWM') }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function print(name: string, numbers: number[]): void {
  console.log(`${name.replace(`${ROOT}/`, '').padEnd(40)}${numbers.map((mb) => mb.toFixed(0).padStart(14)).join('')}`)
}

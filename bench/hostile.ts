/**
 * Whether hostile sites can break or delay the crawl: 500 healthy feeds that become due one after the other, first alone, then together
 * with every hostile site of the village. `node bench/hostile.ts [--feeds 500] [--seconds 20]`. With `--short` only the second part,
 * without waiting for sites that are merely slow, and the figures as JSON, for the test. `--blame` prints what ran in turns of the event
 * loop that were too long.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HOSTILE_SITES } from '../src/lab/index.ts'
import { commit } from './current-commit.ts'
import type { Came, Given } from './hostile/crawl.ts'
import { forked, nextMessageOf } from './poll/rounds.ts'

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    short: { type: 'boolean', default: false },
    blame: { type: 'boolean', default: false },
  },
})
const here = (name: string) => new URL(name, import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'freshet-hostile-'))
const healthyServer = fork(here('poll/serve.ts'))
const port = await nextMessageOf<number>(healthyServer)
const hostileServer = fork(here('hostile/serve.ts'))
const hostile = await nextMessageOf<NonNullable<Given['hostile']>>(hostileServer)
try {
  const given = {
    folder,
    healthy: { port, feeds: Number(values.feeds) },
    seconds: Number(values.seconds),
    blame: values.blame,
  }
  if (values.short) console.log(JSON.stringify(figuresOf(await crawl({ ...given, hostile, patient: false }))))
  else {
    const alone = await crawl({ ...given, patient: true })
    report(figuresOf(alone), figuresOf(await crawl({ ...given, hostile, patient: true })))
  }
} finally {
  healthyServer.kill()
  hostileServer.kill()
  rmSync(folder, { recursive: true })
}

async function crawl(given: Given): Promise<Came> {
  const child = forked(here('hostile/crawl.ts'), [JSON.stringify(given)])
  const results = await nextMessageOf<Came>(child)
  if (child.exitCode === null) await once(child, 'exit')
  return results
}

interface Figures extends Omit<Came, 'delaysMs'> {
  read: number
  medianMs: number
  p95Ms: number
  longestMs: number
}

function figuresOf({ delaysMs, ...others }: Came): Figures {
  const at = (share: number) =>
    delaysMs[Math.min(delaysMs.length - 1, Math.floor(share * delaysMs.length))] ?? Number.NaN
  return { ...others, read: delaysMs.length, medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(1) }
}

function report(alone: Figures, together: Figures): void {
  const { feeds, seconds } = values
  const what = `${feeds} healthy feeds within ${seconds} s, and ${HOSTILE_SITES.length} hostile sites at once`
  console.log(`${what}, commit ${commit()}, node ${process.version}\n`)
  const rows: [string, keyof Omit<Figures, 'surprises' | 'blamed'>, number][] = [
    ['healthy feeds read', 'read', 0],
    ['delay, median ms', 'medianMs', 0],
    ['delay, 95 % ms', 'p95Ms', 0],
    ['delay, longest ms', 'longestMs', 0],
    ['peak resident MB', 'peakMb', 0],
    ['CPU s', 'cpuS', 1],
    ['longest stall ms', 'stallMs', 0],
    ['longest turn, CPU ms', 'turnMs', 0],
    ['garbage in it, ms', 'garbageMs', 0],
  ]
  const line = (first: string, ...cells: string[]) =>
    console.log(first.padEnd(20) + cells.map((cell) => cell.padStart(12)).join(''))
  line('', 'alone', 'together', 'ratio')
  for (const [name, figure, digits] of rows) {
    const [one, two] = [alone[figure], together[figure]]
    line(name, one.toFixed(digits), two.toFixed(digits), (two / one).toFixed(2))
  }
  for (const line of [...alone.blamed, ...together.blamed]) console.log(line)
  for (const surprise of [...alone.surprises, ...together.surprises].slice(0, 20)) console.log(`SURPRISE ${surprise}`)
}

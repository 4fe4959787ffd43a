/**
 * The cost of a poll: N feeds of 20 entries on loopback, one host each, polled for the first time (read and stored) and then again (304),
 * compared with a bare node:http client that sends the same requests and drops the responses, and with other programs where they are
 * installed. Each runs in a process of its own, alternating, and so does the server; the unchanged rounds are repeated and the median is
 * printed. *Steady* is the same as unchanged, but feeds become due one after the other, a hundred per second, as in a crawl that has run
 * for a while, so work per wake-up becomes work per poll. *And later* is the background work for new entries: indexing and grouping. `node
 * bench/poll.ts [--feeds 1000,5000] [--rounds 5] [--no-peers]`; with `--feeds 100000 --no-peers` it takes some minutes.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commit } from './current-commit.ts'
import { PEERS } from './poll/peers.ts'
import { type Cost, nextMessageOf, type Phase, type Runner, requestsIn, startRunner } from './poll/rounds.ts'

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '1000,5000' },
    rounds: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const here = (name: string) => new URL(`poll/${name}`, import.meta.url)

console.log(`polls of feeds with 20 entries, one host each, commit ${commit()}, node ${process.version}`)
for (const feeds of values.feeds.split(',').map(Number)) await measure(feeds, Number(values.rounds))

async function measure(feeds: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
  const server = fork(here('serve.ts'))
  const port = await nextMessageOf<number>(server)
  const args = [String(port), String(feeds)]
  const runners = new Map<string, Runner>([
    ['bare', await startRunner(here('bare-client.ts'), args)],
    ['freshet', await startRunner(here('freshet.ts'), [...args, folder], { asProgram: true })],
  ])
  for (const { name, start } of values.peers ? PEERS : []) {
    const runner = start(port, feeds, folder)
    if (runner) runners.set(name, runner)
    else console.log(`${name} is not installed and left out`)
  }
  try {
    const rows: Row[] = []
    const phases: Phase[] = ['first', ...Array.from({ length: rounds }, () => 'unchanged' as const)]
    for (const phase of phases)
      for (const [name, runner] of runners) rows.push({ name, phase, cost: await runner.run(phase) })
    for (let round = 0; round < Math.min(3, rounds); round++)
      for (const name of ['bare', 'freshet'])
        rows.push({ name, phase: 'steady', cost: await runners.get(name)!.run('steady') })
    report(feeds, [...runners.keys()], rows)
  } finally {
    for (const runner of runners.values()) await runner.close()
    server.kill()
    rmSync(folder, { recursive: true })
  }
}

interface Row {
  name: string
  phase: Phase
  cost: Cost
}

function report(feeds: number, names: string[], rows: Row[]): void {
  console.log(
    `\n${String(feeds).padStart(6)} feeds       CPU ms a feed  and later  wall ms a feed  resident MB  peak MB  times the bare client`,
  )
  const all = (name: string, phase: Phase, what: keyof Cost) =>
    rows.filter((row) => row.name === name && row.phase === phase).map(({ cost }) => cost[what])
  const of = (...which: Parameters<typeof all>) => median(all(...which))
  // Round by round, because the load of the machine varies.
  const timesBare = (name: string, phase: Phase) => {
    const bare = all('bare', phase, 'cpuMs')
    return median(all(name, phase, 'cpuMs').map((cpuMs, round) => cpuMs / (bare[round] ?? Number.NaN)))
  }
  for (const phase of ['first', 'unchanged', 'steady'] as const)
    for (const name of names) {
      if (all(name, phase, 'cpuMs').length === 0) continue
      const requests = requestsIn(phase, feeds)
      const cells = [
        (of(name, phase, 'cpuMs') / requests).toFixed(2).padStart(13),
        (of(name, phase, 'laterCpuMs') / requests).toFixed(2).padStart(9),
        (of(name, phase, 'wallMs') / requests).toFixed(2).padStart(14),
        megabytes(of(name, phase, 'rssMb')).padStart(11),
        megabytes(of(name, phase, 'peakMb')).padStart(7),
        timesBare(name, phase).toFixed(1).padStart(21),
      ]
      console.log(`${`${phase}, ${name}`.padEnd(18)} ${cells.join('  ')}`)
    }
  const claims: [string, number, number][] = [
    ['CPU ms of a first poll', of('freshet', 'first', 'cpuMs') / feeds, 4],
    ['unchanged, times the bare client', timesBare('freshet', 'unchanged'), 2],
    ['steady, times the bare client', timesBare('freshet', 'steady'), 2],
    ['peak MB', of('freshet', 'unchanged', 'peakMb'), feeds <= 5000 ? 250 : 600],
  ]
  for (const [what, is, atMost] of claims)
    console.log(`${is <= atMost ? 'kept  ' : 'BROKEN'} ${what}: ${is.toFixed(1)}, at most ${atMost}`)
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function megabytes(mb: number): string {
  return Number.isNaN(mb) ? '-' : mb.toFixed(0)
}

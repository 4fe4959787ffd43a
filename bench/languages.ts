/**
 * The cost of language detection, compared with eld, from whose tables ours are made: `node bench/languages.ts`. Each detector has
 * processes of its own: delay of the first text (CPU of the main thread), memory that stays in use, and time per text afterwards, for
 * titles and sentences in fifty languages. Each figure is the median of five processes.
 */
import { spawnSync } from 'node:child_process'
import { createLanguageDetector } from '../src/articles/index.ts'
import { createDetector } from '../src/articles/language/detector.ts'
import { readNgramTables } from '../src/articles/language/ngram-tables.ts'
import { HEADLINES, SENTENCES } from '../src/articles/language/sentences.fixture.ts'
import { readLanguageTables } from '../src/languages/index.ts'
import { commit } from './current-commit.ts'

const RUNS = 5
const ROUNDS = 2_000
const TEXTS = [...Object.values(HEADLINES), ...Object.values(SENTENCES)]

/** Loads what the detector needs, and returns the function that detects. */
const READERS: Record<string, () => Promise<(text: string) => unknown>> = {
  'freshet, the scores': async () => createDetector(readNgramTables(await readLanguageTables())).scores,
  'freshet, the verdict': async () => createLanguageDetector(await readLanguageTables()),
  eld: async () => (await import('eld/extrasmall')).eld.detect,
}

const [name] = process.argv.slice(2)
if (name === undefined) report()
else console.log((await measured(READERS[name]!)).join(' '))

function report(): void {
  console.log(`commit ${commit()}, node ${process.version}, ${TEXTS.length} texts\n`)
  console.log(line('', ['load, CPU ms', 'memory, MB', 'us a text']))
  for (const reader of Object.keys(READERS)) {
    const runs = Array.from({ length: RUNS }, () => runReader(reader))
    console.log(
      line(
        reader,
        [1, 1, 2].map((digits, i) => middle(runs.map((run) => run[i]!)).toFixed(digits)),
      ),
    )
  }
}

async function measured(load: () => Promise<(text: string) => unknown>): Promise<number[]> {
  const [memory, cpu] = [memoryInUse(), cpuMs()]
  const read = await load()
  const loadMs = cpuMs() - cpu
  const memoryBytes = memoryInUse() - memory
  const readAll = (rounds: number) => {
    for (let i = 0; i < rounds; i++) for (const text of TEXTS) read(text)
  }
  readAll(ROUNDS / 10) // warm-up
  const before = cpuMs()
  readAll(ROUNDS)
  return [loadMs, memoryBytes / 1e6, (1000 * (cpuMs() - before)) / ROUNDS / TEXTS.length]
}

function memoryInUse(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.() // buffers are freed only after the objects that held them
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Of the main thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function runReader(reader: string): number[] {
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', process.argv[1]!, reader], { encoding: 'utf8' })
  return stdout.trim().split(' ').map(Number)
}

function middle(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

function line(what: string, cells: string[]): string {
  return what.padEnd(24) + cells.map((cell) => cell.padStart(14)).join('')
}

/**
 * How fast copies are found, and what it costs to remember them, beside the linear scan over all SimHashes that this
 * replaces: `node bench/copies.ts [--quick]`. Items are made up: words by their rank as in real texts, headlines of
 * about nine words, summaries of about thirty, and one in five is an edited copy of an item of the last hours.
 * `--quick` leaves out five million. Each size runs in a process of its own, so that its memory can be told, and of some
 * rounds the best is shown: on a machine that others use, the others would be measured.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCopyIndex, type Item, signature } from '../src/dedup/index.ts'

interface Measured {
  items: number
  signUs: Quantiles
  /** All that `add` does but signing: look up, verify, group, remember. */
  findUs: Quantiles
  scanUs: Quantiles
  copiesFound: number
  bytesAnItem: number
  rssBytesAnItem: number
}

interface Quantiles {
  p50: number
  p99: number
}

const START = 1_700_000_000_000
const PROBES = 2_000
const ROUNDS = 50
const SCANS = 4
const COPY_SHARE = 0.2

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
if (values.only) console.log(JSON.stringify(measure(Number(values.only))))
else report([100_000, 1_000_000, ...(values.quick ? [] : [5_000_000])].map(inOwnProcess))

function inOwnProcess(items: number): Measured {
  const args = ['--expose-gc', '--max-old-space-size=8000', fileURLToPath(import.meta.url), '--only', String(items)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

/** Fills an index, then measures items that come on top of that many. */
function measure(items: number): Measured {
  const next = newsMaker()
  const before = memory()
  const index = createCopyIndex({ capacity: items + PROBES * ROUNDS, windowDays: 7 })
  for (let i = 0; i < items; i++) index.add(next().item)
  const after = memory()
  let found = 0
  let copies = 0
  const rounds = Array.from({ length: ROUNDS }, () => {
    const probes = Array.from({ length: PROBES }, next)
    copies += probes.filter(({ isCopy }) => isCopy).length
    const sign = timed(probes, ({ item }) => {
      item.signature = signature(item)
    })
    const find = timed(probes, ({ item }) => {
      if (index.add(item).size > 1) found++
    })
    return { sign: quantiles(sign), find: quantiles(find), scan: scan(items, probes.slice(0, SCANS)) }
  })
  return {
    items,
    signUs: best(rounds.map(({ sign }) => sign)),
    findUs: best(rounds.map(({ find }) => find)),
    scanUs: best(rounds.map(({ scan }) => scan)),
    copiesFound: found / copies,
    bytesAnItem: index.bytes / index.size,
    rssBytesAnItem: (after - before) / items,
  }
}

/** What each took, in microseconds. */
function timed<One>(all: readonly One[], work: (one: One) => unknown): number[] {
  return all.map((one) => {
    const startedAt = performance.now()
    work(one)
    return (performance.now() - startedAt) * 1000
  })
}

function quantiles(took: number[]): Quantiles {
  const sorted = took.toSorted((a, b) => a - b)
  return { p50: sorted[Math.floor(took.length * 0.5)]!, p99: sorted[Math.floor(took.length * 0.99)]! }
}

function best(rounds: Quantiles[]): Quantiles {
  return { p50: Math.min(...rounds.map(({ p50 }) => p50)), p99: Math.min(...rounds.map(({ p99 }) => p99)) }
}

/** The founding paper's way: the distance to every SimHash there is. Random ones do as well as real ones. */
function scan(items: number, probes: readonly { item: Item }[]): Quantiles {
  const random = mulberry(7)
  const halves = Uint32Array.from({ length: items * 2 }, () => random() * 2 ** 32)
  const simhashes = probes.map(({ item }) => signature(item).simhash)
  const took = timed(simhashes, (simhash) => {
    const high = Number(simhash >> 32n)
    const low = Number(simhash & 0xffffffffn)
    let near = 0
    for (let i = 0; i < halves.length; i += 2) {
      if (bits(halves[i]! ^ high) + bits(halves[i + 1]! ^ low) <= 10) near++
    }
    return near
  })
  return quantiles(took)
}

function bits(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function newsMaker(): () => { item: Item; isCopy: boolean } {
  const random = mulberry(42)
  const recent: Item[] = []
  let id = 0
  const words = (count: number) => Array.from({ length: count }, () => wordOfRank(random)).join(' ')
  const edited = (text: string) =>
    text
      .split(' ')
      .map((word) => (random() < 0.04 ? wordOfRank(random) : word))
      .join(' ')
  return () => {
    id++
    const at = START + id * 500
    const original = random() < COPY_SHARE ? recent[Math.floor(random() * recent.length)] : undefined
    const item: Item = original
      ? { id, at, title: edited(original.title), summary: edited(original.summary!) }
      : { id, at, title: words(6 + random() * 6), summary: words(20 + random() * 20) }
    recent[original ? recent.length : id % 5000] = item
    if (recent.length > 5000) recent.length = 5000
    return { item, isCopy: original !== undefined }
  }
}

/** Ranks as in Zipf's law over some 60,000 words; the most common are short. */
function wordOfRank(random: () => number): string {
  const rank = Math.floor(60_000 ** random())
  return rank < 60 ? inLetters(rank) : `${inLetters(rank * 7919)}${rank % 3 ? 'er' : 'ing'}`
}

function inLetters(number: number): string {
  return number.toString(20).replace(/\d/g, (digit) => 'klmnopqrst'[Number(digit)]!)
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296
  }
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function report(all: Measured[]): void {
  const us = ({ p50, p99 }: Quantiles) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`
  console.log('times in microseconds, p50 / p99; to find: look up, verify, group and remember')
  console.table(
    Object.fromEntries(
      all.map((one) => [
        one.items.toLocaleString('en'),
        {
          sign: us(one.signUs),
          find: us(one.findUs),
          'linear scan': us(one.scanUs),
          'scan / find': (one.scanUs.p50 / one.findUs.p50).toFixed(0),
          'copies found': `${(one.copiesFound * 100).toFixed(1)} %`,
          'bytes an item': one.bytesAnItem.toFixed(0),
          'of the process': one.rssBytesAnItem.toFixed(0),
        },
      ]),
    ),
  )
}

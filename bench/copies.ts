/**
 * Speed and memory of copy detection, compared with the linear scan over all SimHashes that it replaces: `node bench/copies.ts [--quick]`.
 * Items are generated: words distributed as in real texts, titles of about nine words, summaries of about thirty, and one in five is an
 * edited copy of an item of the last hours. `--quick` leaves out the size of five million. Each size runs in a process of its own, so that
 * its memory can be measured.
 *
 * Timing: three indexes are filled with the same items, and the same 100,000 further items are then added to each, timed one by one. The
 * minimum of an item's three times counts: interruptions by the machine (other processes, garbage collection) hit different items each time
 * and drop out, while an expensive item is expensive three times. Quantiles are over all 100,000 items. The mean is over all three times,
 * including interruptions.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCopyIndex, type Item, signature } from '../src/dedup/index.ts'
import { commit } from './current-commit.ts'
import { createChance } from './generated-prose.ts'

interface Measured {
  items: number
  signUs: Times
  /** Everything that `add` does except signing: look up, verify, group, store. */
  findUs: Times
  scanUs: Times
  copiesFound: number
  bytesAnItem: number
  processBytesAnItem: number
}

interface Times {
  p50: number
  p99: number
  /** Including interruptions. */
  mean: number
}

const START = 1_700_000_000_000
const PROBES = 100_000
const PASSES = 3
const SCANS = 100
const COPY_SHARE = 0.2

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
if (values.only) console.log(JSON.stringify(measure(Number(values.only))))
else report([100_000, 1_000_000, ...(values.quick ? [] : [5_000_000])].map(inOwnProcess))

function inOwnProcess(items: number): Measured {
  const args = ['--expose-gc', '--max-old-space-size=8000', fileURLToPath(import.meta.url), '--only', String(items)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

/** Fills indexes, then measures adding more items. */
function measure(items: number): Measured {
  const next = newsMaker()
  const before = memory()
  const indexes = Array.from({ length: PASSES }, () => createCopyIndex({ capacity: items + PROBES, windowDays: 7 }))
  for (let i = 0; i < items; i++) {
    const { item } = next()
    item.signature = signature(item)
    for (const index of indexes) index.add(item)
    delete item.signature // the generator keeps some thousands of items
  }
  const processBytes = memory() - before
  const probes = Array.from({ length: PROBES }, next)
  const signUs = timed(probes, ({ item }) => {
    item.signature = signature(item)
  })
  const found = new Set<number>()
  const findUs = timed(probes, ({ item, isCopy }, pass) => {
    if (indexes[pass]!.add(item).size > 1 && isCopy) found.add(item.id)
  })
  const copies = probes.filter(({ isCopy }) => isCopy).length
  return {
    items,
    signUs,
    findUs,
    scanUs: scan(items, probes.slice(0, SCANS)),
    copiesFound: found.size / copies,
    bytesAnItem: indexes[0]!.bytes / indexes[0]!.size,
    processBytesAnItem: processBytes / PASSES / items,
  }
}

/** Microseconds per item: the minimum over several passes. */
function timed<One>(all: readonly One[], work: (one: One, pass: number) => unknown): Times {
  const least = new Float64Array(all.length).fill(Number.POSITIVE_INFINITY)
  let sum = 0
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [i, one] of all.entries()) {
      const startedAt = performance.now()
      work(one, pass)
      const took = (performance.now() - startedAt) * 1000
      least[i] = Math.min(least[i]!, took)
      sum += took
    }
  }
  least.sort()
  const quantile = (share: number) => least[Math.floor(least.length * share)]!
  return { p50: quantile(0.5), p99: quantile(0.99), mean: sum / PASSES / all.length }
}

/** The method of the founding paper: the distance to every SimHash. Random hashes are as good as real ones. */
function scan(items: number, probes: readonly { item: Item }[]): Times {
  const random = createChance(7)
  const halves = Uint32Array.from({ length: items * 2 }, () => random() * 2 ** 32)
  const simhashes = probes.map(({ item }) => signature(item).simhash)
  return timed(simhashes, (simhash) => {
    const high = Number(simhash >> 32n)
    const low = Number(simhash & 0xffffffffn)
    let near = 0
    for (let i = 0; i < halves.length; i += 2) {
      if (bits(halves[i]! ^ high) + bits(halves[i + 1]! ^ low) <= 10) near++
    }
    return near
  })
}

function bits(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function newsMaker(): () => { item: Item; isCopy: boolean } {
  const random = createChance(42)
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

/** Word ranks by Zipf's law over some 60,000 words; the most common ones are short. */
function wordOfRank(random: () => number): string {
  const rank = Math.floor(60_000 ** random())
  return rank < 60 ? inLetters(rank) : `${inLetters(rank * 7919)}${rank % 3 ? 'er' : 'ing'}`
}

function inLetters(number: number): string {
  return number.toString(20).replace(/\d/g, (digit) => 'klmnopqrst'[Number(digit)]!)
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function report(all: Measured[]): void {
  const us = ({ p50, p99, mean }: Times) => `${p50.toFixed(1)} / ${p99.toFixed(1)} / ${mean.toFixed(1)}`
  console.log(`commit ${commit()}, node ${process.version}`)
  console.log(
    `microseconds: p50 / p99 of ${PROBES.toLocaleString('en')} items, of each the least of ${PASSES} times / mean of all times`,
  )
  console.log('to find: look up, verify, group and remember')
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
          'of the process': one.processBytesAnItem.toFixed(0),
        },
      ]),
    ),
  )
}

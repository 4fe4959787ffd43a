/**
 * The founding document's own query, which items of the last days are near a fingerprint, in memory: by the distance to each of them, and
 * by the product's copy index, which holds a limited number. Runs in a thread, so that its memory is freed with it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { createCopyIndex, LARGEST_CAPACITY, type Signature } from '../../src/dedup/index.ts'
import type { Instant } from '../../src/model/index.ts'
import { createChance } from '../generated-prose.ts'
import { BEGIN, DAYS, simhashOf } from './generated-entries.ts'

const PROBES = 200
const WORDS = 60_000
const TITLE_WORDS = 9
const ALL_WORDS = 44
const CONTENT = 1
const MOST_BITS = 3

export interface NearInMemory {
  linear: number[]
  index: number[]
  indexed: number
  indexBytes: number
  found: { linear: number; index: number }
}

/** Words by Zipf's law, independent of those of other items. */
function signatureOf(number: number): Signature {
  const chance = createChance(number * 3 + 1)
  const words = new Uint32Array(ALL_WORDS)
  for (let i = 0; i < ALL_WORDS; i++) {
    const rank = Math.floor(WORDS ** chance())
    words[i] = ((Math.imul(rank, 0x9e3779b1) >>> 10) << 2) | (rank < 60 ? 0 : CONTENT)
  }
  return { simhash: simhashOf(number), words, titleWords: TITLE_WORDS, unspaced: false }
}

function measure(entries: number): NearInMemory {
  const halves = new Uint32Array(entries * 2)
  for (let number = 1; number <= entries; number++) {
    const simhash = simhashOf(number)
    halves[number * 2 - 2] = Number(simhash >> 32n)
    halves[number * 2 - 1] = Number(simhash & 0xffffffffn)
  }
  const found = { linear: 0, index: 0 }
  const linear = timed((drawn) => {
    const simhash = simhashOf(1 + Math.floor(drawn * entries)) ^ 0b1001n
    const [high, low] = [Number(simhash >> 32n), Number(simhash & 0xffffffffn)]
    let near = 0
    for (let i = 0; i < halves.length; i += 2)
      if (bits(halves[i]! ^ high) + bits(halves[i + 1]! ^ low) <= MOST_BITS) near++
    if (near > 0) found.linear++
  })

  const indexed = Math.min(entries, LARGEST_CAPACITY - PROBES)
  const from = entries - indexed
  const index = createCopyIndex({ capacity: indexed + PROBES, windowDays: DAYS + 1 })
  const at = (BEGIN + 1) as Instant
  index.restore(known())
  function* known() {
    for (let id = from + 1; id <= entries; id++) yield { id, at, signature: signatureOf(id), group: id }
  }
  let added = entries
  const byIndex = timed((drawn) => {
    const signature = signatureOf(from + 1 + Math.floor(drawn * indexed))
    signature.words[20] = 5 // one word of the text differs
    const placed = index.add({ id: ++added, at, title: '', signature })
    if (placed.size > 1) found.index++
  })
  return { linear, index: byIndex, indexed, indexBytes: index.bytes, found }
}

function timed(ask: (chance: number) => void): number[] {
  const chance = createChance(7)
  const times: number[] = []
  for (let i = 0; i < PROBES; i++) {
    const drawn = chance()
    const startedAt = performance.now()
    ask(drawn)
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)
}

function bits(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const { entries } = (workerData ?? {}) as { entries?: number }
if (parentPort && entries) parentPort.postMessage(measure(entries))

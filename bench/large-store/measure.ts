/** What is measured of a store, timing, and output. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { createChance } from '../generated-prose.ts'

export interface Row {
  store: string
  written: number
  /** CPU time of our own process, in milliseconds per entry. */
  cpu: number
  read: number
  bytes: number
  list: number[]
  feedList: number[]
}

/** Sorted. */
export async function timed(times: number, ask: (chance: number) => Promise<void>): Promise<number[]> {
  const chance = createChance(7)
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const drawn = chance()
    const began = performance.now()
    await ask(drawn)
    took.push(performance.now() - began)
  }
  return took.sort((a, b) => a - b)
}

export function table(rows: readonly Row[]): void {
  console.log(
    '\n| | written/s | own CPU, ms | read/s | bytes an entry | list of 50, p50 | p95 | of a feed, p50 | p95 |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
  for (const { store, written, cpu, read, bytes, list, feedList } of rows) {
    const times = [list, feedList].flatMap((all) => [part(all, 0.5), part(all, 0.95)])
    const counts = [formatFigure(written, 0), formatFigure(cpu, 2), formatFigure(read, 0), formatFigure(bytes, 0)]
    console.log(`| ${[store, ...counts, ...times.map((ms) => `${ms.toFixed(1)} ms`)].join(' | ')} |`)
  }
}

/** Measurements that were not made have no figure. */
function formatFigure(figure: number, digits: number): string {
  return Number.isNaN(figure) ? '' : figure.toFixed(digits)
}

export function ended(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))))
  })
}

export function quantiles(sorted: readonly number[]): string {
  return `${part(sorted, 0.5).toFixed(2)} ms, p95 ${part(sorted, 0.95).toFixed(2)} ms`
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

export function seconds(sinceMs: number): number {
  return (performance.now() - sinceMs) / 1000
}

/** Bytes of a keyspace's files, by table. */
export function sizesIn(place: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const one of readdirSync(place, { recursive: true, withFileTypes: true })) {
    if (!one.isFile()) continue
    const name = one.parentPath.slice(place.length + 1).split('-')[0]!
    found.set(name, (found.get(name) ?? 0) + statSync(join(one.parentPath, one.name)).size)
  }
  return found
}

export function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const one of numbers) all += one
  return all
}

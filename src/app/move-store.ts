/**
 * Carries all that a store keeps over into another one, of whichever kind both are, and compares afterwards: how many rows there are of
 * each kind, and what all of them hold. Only then can the new store be used. Whoever is interrupted goes on where he was; the
 * store that is carried over stays as it is.
 */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openPostgresStore, openSqliteStore } from '../drivers/index.ts'
import { HintedError, type Instant } from '../model/index.ts'
import { CARGO_KINDS, type CargoKind, type CargoRow, type Ferry, StoreError } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import { storeFile } from './options.ts'
import { isServer, shownStore } from './store-at.ts'

export interface MovedStore {
  /** False if it was interrupted. */
  done: boolean
  /** Rows that are there. */
  rows: number
  of: number
  kinds: { kind: CargoKind; rows: number }[]
}

export interface MoveProgress {
  doing: 'carried' | 'compared'
  rows: number
  of: number
}

/** Rows of a bite; of those that may be long, fewer. */
const BITE = 1000
const BITE_OF_LONG = 100
const LONG: ReadonlySet<CargoKind> = new Set<CargoKind>([
  'entries',
  'article_texts',
  'pages',
  'page_patterns',
  'robots',
])

export async function moveStore(
  from: Ferry,
  to: Ferry,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: MoveProgress) => void },
): Promise<MovedStore> {
  const reached = await to.begin(from.name)
  const sizes = new Map<CargoKind, number>()
  for (const kind of CARGO_KINDS) sizes.set(kind, await from.size(kind))
  const of = sum(sizes.values())
  let rows = 0
  for (const kind of reached.keys()) rows += await to.size(kind)

  for (const kind of CARGO_KINDS) {
    let after = reached.get(kind)
    while (after !== null) {
      if (signal.aborted) return { done: false, rows, of, kinds: kindsOf(sizes) }
      const bite = await from.unload(kind, after, LONG.has(kind) ? BITE_OF_LONG : BITE)
      after = bite.after ?? null
      await to.load(kind, bite.rows, after)
      rows += bite.rows.length
      onProgress({ doing: 'carried', rows, of })
    }
  }

  let compared = 0
  for (const kind of CARGO_KINDS) {
    const [there, here] = [await contentOf(from, kind, signal), await contentOf(to, kind, signal)]
    if (signal.aborted) return { done: false, rows, of, kinds: kindsOf(sizes) }
    if (there.rows !== here.rows || there.sum !== here.sum) throw differs(from, to, kind, there, here)
    compared += here.rows
    onProgress({ doing: 'compared', rows: compared, of })
  }
  await to.finish(await from.lastIds())
  return { done: true, rows: compared, of, kinds: kindsOf(sizes) }
}

interface Content {
  rows: number
  /** Of a hash of each row, so that the order in which a store gives them makes no difference. */
  sum: bigint
}

async function contentOf(ferry: Ferry, kind: CargoKind, signal: AbortSignal): Promise<Content> {
  const content: Content = { rows: 0, sum: 0n }
  for (let after: string | undefined; !signal.aborted; ) {
    const bite = await ferry.unload(kind, after, LONG.has(kind) ? BITE_OF_LONG : BITE)
    for (const row of bite.rows) content.sum = BigInt.asUintN(128, content.sum + hashOf(row))
    content.rows += bite.rows.length
    after = bite.after
    if (after === undefined) break
  }
  return content
}

function hashOf(row: CargoRow): bigint {
  const text = JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [hash('sha256', value)] : value)))
  return BigInt(`0x${hash('sha256', text).slice(0, 32)}`)
}

function differs(from: Ferry, to: Ferry, kind: CargoKind, there: Content, here: Content): HintedError {
  const what =
    there.rows === here.rows
      ? `what the ${there.rows} rows of ${kind} hold`
      : `the number of rows of ${kind}: ${there.rows} there, ${here.rows} here`
  return new HintedError(
    `${to.name} is not what ${from.name} is: they differ in ${what}`,
    'Was something written to the first one meanwhile? Fill another, empty store; this one cannot be used.',
  )
}

function kindsOf(sizes: ReadonlyMap<CargoKind, number>): MovedStore['kinds'] {
  return [...sizes].flatMap(([kind, rows]) => (rows > 0 ? [{ kind, rows }] : []))
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const one of numbers) all += one
  return all
}

/** The store that is carried over has to be there; nobody may write to either of them meanwhile. Throws a StoreError. */
export async function openFerry(address: string, side: 'from' | 'to', now: () => Instant): Promise<Ferry> {
  if (isServer(address)) {
    const mode = side === 'from' ? 'read' : 'write'
    return (await openPostgresStore({ address, mode, ferrying: true })).ferry
  }
  if (side === 'from' && !existsSync(address)) {
    const message = `could not open ${resolve(address)}: there is no such file`
    throw new StoreError('missing', message, 'Name the store that is to be carried over: a file, or postgres://…')
  }
  return openSqliteStore({ file: address, mode: 'write', now, ferrying: true }).ferry
}

/** What somebody named as a store. */
export function storeGiven(flag: string, given: string | boolean | undefined): string {
  const address = typeof given === 'string' ? storeFile.read(given) : undefined
  if (address !== undefined) return address
  throw new InputError(`${flag} cannot be "${shownStore(String(given ?? ''))}"`, `expected ${storeFile.expected}`)
}

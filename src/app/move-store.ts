/**
 * Carries all that a store keeps over into another one, of whichever kind both are, and compares afterwards: how many rows there are of
 * each kind, and what all of them hold. Only then can the new store be used. Whoever is interrupted goes on where he was; the
 * store that is carried over stays as it is.
 *
 * Where one of them has a library, what its names stand for is carried, too: out of it, into it, or from one into the other.
 */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type FeedId, HintedError, type Instant } from '../model/index.ts'
import { CARGO_KINDS, type CargoKind, type CargoRow, type Ferry, type Library, StoreError } from '../ports/index.ts'
import { openPostgres } from '../stores/open-postgres.ts'
import type { CarriedStacks } from '../stores/split/carry-stacks.ts'
import { InputError } from './addresses.ts'
import { openNamedLibrary, shownLibrary } from './library.ts'
import { libraryAddress, storeFile } from './options.ts'
import { isServer, type StorePlace, shownStore } from './store-at.ts'

export interface MovedStore {
  /** False if it was interrupted. */
  done: boolean
  /** Rows that are there. */
  rows: number
  of: number
  kinds: { kind: CargoKind; rows: number }[]
  /** What only the library remembered, where there are two of them. */
  stacks?: { cards: number; polls: number }
  /** Texts that the first library should have, and has not; absent if there are none. */
  lost?: number
}

export interface MoveProgress {
  doing: 'carried' | 'compared'
  rows: number
  of: number
}

/** Rows of a bite; of those that may be long, fewer. */
const BITE = 1000
const BITE_OF_LONG = 100
const BITE_OF_PAGES = 20
const LONG: ReadonlySet<CargoKind> = new Set<CargoKind>([
  'entries',
  'entry_versions',
  'article_texts',
  'page_patterns',
  'robots',
])

function biteOf(kind: CargoKind): number {
  if (kind === 'pages') return BITE_OF_PAGES
  return LONG.has(kind) ? BITE_OF_LONG : BITE
}

export interface MoveOptions {
  signal: AbortSignal
  onProgress: (progress: MoveProgress) => void
  /** Carries what the store itself knows nothing of, before the new one can be used. */
  stacks?: ((signal: AbortSignal) => Promise<CarriedStacks>) | undefined
}

export async function moveStore(
  from: Ferry,
  to: Ferry,
  { signal, onProgress, stacks }: MoveOptions,
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
      const bite = await from.unload(kind, after, biteOf(kind))
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
  const carried = await stacks?.(signal)
  if (carried && !carried.isDone) return { done: false, rows, of, kinds: kindsOf(sizes) }
  await to.finish(await from.lastIds())
  return {
    done: true,
    rows: compared,
    of,
    kinds: kindsOf(sizes),
    ...(carried && { stacks: { cards: carried.cards, polls: carried.polls } }),
  }
}

/** A store with the library beside it; empty where it has none. */
export interface MovePlaces {
  from: StorePlace
  to: StorePlace
}

/** Opens both, carries the one over into the other, and closes them. Throws a StoreError. */
export async function moveBetween(
  { from, to }: MovePlaces,
  { now, ...options }: Omit<MoveOptions, 'stacks'> & { now: () => Instant },
): Promise<MovedStore & MoveNames> {
  await using opened = new AsyncDisposableStack()
  const closing = <T extends { close(): Promise<void> }>(one: T) => opened.adopt(one, (it) => it.close())
  const one = closing(await openFerry(from.store, 'from', now))
  const other = closing(await openFerry(to.store, 'to', now))
  const names = { from: one.name, to: other.name }
  const hasLibrary = from.contentStore !== '' || to.contentStore !== ''
  if (!hasLibrary) return { ...names, ...(await moveStore(one, other, options)) }
  const openLibrary = async (address: string) => (address === '' ? undefined : closing(await openNamedLibrary(address)))
  const [source, target] = [await openLibrary(from.contentStore), await openLibrary(to.contentStore)]
  return {
    ...names,
    ...(await moveWhole({ ferry: one, library: source }, { ferry: other, library: target }, { now, ...options })),
  }
}

export interface MoveNames {
  from: string
  to: string
}

interface Side {
  ferry: Ferry
  library?: Library | undefined
}

/** With what stands in the library of either; both stay open. */
export async function moveWhole(
  from: Side,
  to: Side,
  { now, ...options }: Omit<MoveOptions, 'stacks'> & { now: () => Instant },
): Promise<MovedStore> {
  const { carryStacks } = await import('../stores/split/carry-stacks.ts')
  const { wholeFerry } = await import('../stores/split/ferry.ts')
  const [one, other] = [wholeFerry(from.ferry, from), wholeFerry(to.ferry, to)]
  const [source, target] = [from.library, to.library]
  const stacks =
    source && target
      ? (signal: AbortSignal) => carryStacks(source, target, { feedIds: feedIdsOf(from.ferry), now, signal })
      : undefined
  const moved = await moveStore(one, other, { ...options, stacks })
  return { ...moved, ...(one.lost > 0 && { lost: one.lost }) }
}

async function* feedIdsOf(ferry: Ferry): AsyncIterable<FeedId> {
  for (let after: string | undefined; ; ) {
    const bite = await ferry.unload('feeds', after, BITE)
    for (const [id] of bite.rows) yield id as FeedId
    after = bite.after
    if (after === undefined) return
  }
}

interface Content {
  rows: number
  /** Of a hash of each row, so that the order in which a store gives them makes no difference. */
  sum: bigint
}

async function contentOf(ferry: Ferry, kind: CargoKind, signal: AbortSignal): Promise<Content> {
  const content: Content = { rows: 0, sum: 0n }
  for (let after: string | undefined; !signal.aborted; ) {
    const bite = await ferry.unload(kind, after, biteOf(kind))
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
    `${to.name} differs from ${from.name} in ${what}`,
    'Something was probably written to the source meanwhile. Stop all crawls and copy into another, empty store.',
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
    return (await openPostgres({ address, mode, ferrying: true })).ferry
  }
  if (side === 'from' && !existsSync(address)) {
    const message = `could not open ${resolve(address)}: there is no such file`
    throw new StoreError('missing', message, 'Name the store that is to be carried over: a file, or postgres://…')
  }
  const { openSqliteStore } = await import('../stores/sqlite/index.ts')
  return openSqliteStore({ file: address, mode: 'write', now, ferrying: true }).ferry
}

/** What somebody named as a store. */
export function storeGiven(flag: string, given: string | boolean | undefined): string {
  const address = typeof given === 'string' ? storeFile.read(given) : undefined
  if (address !== undefined) return address
  throw new InputError(`${flag} cannot be "${shownStore(String(given ?? ''))}"`, `expected ${storeFile.expected}`)
}

/** What somebody named as a library; empty if he named none. */
export function libraryGiven(flag: string, given: string | boolean | undefined): string {
  const address = given === undefined ? '' : libraryAddress.read(String(given))
  if (address !== undefined) return address
  throw new InputError(`${flag} cannot be "${shownLibrary(String(given))}"`, `expected ${libraryAddress.expected}`)
}

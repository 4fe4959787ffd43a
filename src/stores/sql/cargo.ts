/** What follows from the rows that are carried over, and so is worked out where they arrive; and where a ferry goes on. */
import { bucketOf, isSecretAddress, type Push } from '../../model/index.ts'
import { CARGO, CARGO_KEYS, type CargoKind, type CargoRow, type CargoValue, StoreError } from '../../ports/index.ts'
import { jsonInColumn } from './columns.ts'
import { haystackOf, keyHash, keyInRow } from './rows.ts'

type Named = Record<string, CargoValue>

/** A column that is not carried: its name, and what it is in a row. */
type Derived = Record<string, (row: Named) => CargoValue | bigint>

const text = (value: CargoValue | undefined) => String(value ?? '')
const hashOf = (name: string) => (row: Named) => keyHash(text(row[name]))
const bucketOfRoot = ({ root }: Named) => bucketOf(text(root))

/** Those of every store with tables. */
export const DERIVED: { readonly [Kind in CargoKind]?: Derived } = {
  feeds: {
    haystack: ({ title, url }) => haystackOf(text(title), text(url)),
    private: ({ url, credentials }) => (credentials != null || isSecretAddress(text(url)) ? 1 : null),
  },
  entries: { key_hash: (row) => keyHash(keyInRow(row as { key: string; url: string | null })) },
  articles: { url_hash: hashOf('url'), page_hash: pageHash },
  article_lines: { due_at: () => 0 },
}

/** Those of one that several share, or whose indexes take no long texts. */
export const DERIVED_WHERE_SHARED: { readonly [Kind in CargoKind]?: Derived } = {
  ...DERIVED,
  feeds: { ...DERIVED.feeds, url_hash: hashOf('url') },
  sources: { url_hash: hashOf('url'), bucket: bucketOfRoot },
  hosts: { bucket: bucketOfRoot },
  misses: { url_hash: hashOf('url') },
  pushes: { bucket: bucketOfPush },
  folders: { name_hash: hashOf('name') },
  article_lines: { bucket: bucketOfRoot, due_at: () => 0 },
}

function pageHash({ state, url, page_url }: Named): bigint | null {
  if (state !== 'read' || page_url === null || page_url === undefined) return null
  return keyHash(text(page_url === '' ? url : page_url))
}

/** Its own, where it says so, else that of its hub. */
function bucketOfPush({ facts }: Named): number {
  const { bucket, hub } = jsonInColumn<Partial<Push>>(text(facts)) ?? {}
  return bucket ?? bucketOf(URL.parse(hub ?? '')?.hostname ?? '')
}

/** Names and values of a row, with what follows from it. */
export function completed(
  kind: CargoKind,
  rows: readonly CargoRow[],
  derived: Derived = {},
): { names: string[]; rows: unknown[][] } {
  const own = CARGO[kind]
  return {
    names: [...own, ...Object.keys(derived)],
    rows: rows.map((row) => {
      const named = Object.fromEntries(own.map((name, i) => [name, row[i] ?? null]))
      return [...row, ...Object.values(derived).map((of) => of(named))]
    }),
  }
}

export function keysOf(kind: CargoKind): string[] {
  return CARGO[kind].slice(0, CARGO_KEYS[kind] ?? 1)
}

/** The place of the last row, for `Ferry.unload`. */
export function placeOf(kind: CargoKind, row: CargoRow): string {
  return JSON.stringify(row.slice(0, CARGO_KEYS[kind] ?? 1))
}

export function keysAt(place: string): (string | number)[] {
  return JSON.parse(place)
}

/** What a ferry remembers of itself, in a table that is there only meanwhile. */
export const FERRY_TABLE = 'freshet_ferry'

export function notEmpty(name: string): StoreError {
  return new StoreError(
    'in-use',
    `could not fill ${name}: it holds something already`,
    'Name a store that is not there yet, or an empty one; this one was left as it is.',
  )
}

export function filledByAnother(name: string, from: string): StoreError {
  return new StoreError(
    'in-use',
    `could not fill ${name}: it is half filled from ${from}`,
    'Go on with that one, or name another store to fill.',
  )
}

/** For who wants to use it. */
export function halfFilled(name: string, from: string): StoreError {
  return new StoreError(
    'in-use',
    `could not open ${name}: it is half filled from ${from}`,
    'Run freshet migrate once more: it goes on where it was.',
  )
}

/**
 * Migration of a store that has a content store, or is migrated into one that has. Rows are exported hydrated and externalized again when
 * they are loaded, so any two stores can be migrated into each other and compared. Without a content store, texts and pages are exported
 * unpacked: a content store cannot read what is packed against another page.
 *
 * Loading content twice changes nothing, so an interrupted migration goes on where the store says. Whoever opened the content store closes it.
 */
import { type Ferry, type Library, StoreError } from '../../ports/index.ts'
import { LAST } from './carry-stacks.ts'
import { namedRow, orderedRow, rowByIdIn } from './exported-rows.ts'
import { createRowExternalization } from './externalize-rows.ts'
import { createRowHydration } from './hydrate-rows.ts'
import { SHORTEST } from './names.ts'

export interface WholeFerry extends Ferry {
  /** How many texts the content store was asked for and does not have. */
  readonly lost: number
}

export interface WholeFerryOptions {
  /** Absent: the store holds its content itself. */
  library?: Library | undefined
  shortest?: number
}

export function wholeFerry(ferry: Ferry, { library, shortest = SHORTEST }: WholeFerryOptions): WholeFerry {
  const rowById = rowByIdIn(ferry)
  const hydration = createRowHydration({ storeName: ferry.name, library, rowById })
  const externalize = createRowExternalization({ library, shortest, rowById })
  return {
    ...ferry,

    get lost() {
      return hydration.missing()
    },

    size: async (kind) => (kind === 'page_patterns' ? 0 : await ferry.size(kind)),

    async unload(kind, after, limit) {
      if (kind === 'page_patterns') return { rows: [] }
      const { rows, ...rest } = await ferry.unload(kind, after, limit)
      const named = rows.map((row) => namedRow(kind, row))
      const hydrated = await hydration.hydrate(kind, named)
      return { rows: hydrated.map((row) => orderedRow(kind, row)), ...rest }
    },

    async begin(from) {
      const reached = await ferry.begin(from)
      if (library && reached.size === 0 && (await library.list({ until: LAST, limit: 1 })).length > 0)
        throw contentStoreInUse(ferry.name)
      return reached
    },

    async load(kind, rows, after) {
      const named = rows.map((row) => namedRow(kind, row))
      const externalized = await externalize(kind, named)
      const ordered = externalized.map((row) => orderedRow(kind, row))
      await ferry.load(kind, ordered, after)
    },
  }
}

function contentStoreInUse(name: string): StoreError {
  return new StoreError(
    'in-use',
    `could not fill the library beside ${name}: it holds something already`,
    'Name another keyspace with --to-library; it is made if it is not there.',
  )
}

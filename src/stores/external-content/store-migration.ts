/**
 * Migration of a store that has a content store, or is migrated into one that has. Rows are exported hydrated and externalized again when
 * they are loaded, so any two stores can be migrated into each other and compared. Without a content store, texts and pages are exported
 * unpacked: a content store cannot read what is packed against another page.
 *
 * Loading content twice changes nothing, so an interrupted migration resumes at the position that the store reports. The caller closes the
 * content store.
 */
import { type ContentStore, StoreError, type StoreMigration } from '../../ports/index.ts'
import { MIN_EXTERNAL_LENGTH } from './content-addresses.ts'
import { createRowLookup, namedRow, orderedRow } from './exported-rows.ts'
import { createRowExternalization } from './externalize-rows.ts'
import { createRowHydration } from './hydrate-rows.ts'
import { FAR_FUTURE } from './migrate-content-records.ts'

export interface HydratedMigration extends StoreMigration {
  /** How many texts the content store was asked for and does not have. */
  readonly missingTexts: number
}

export interface HydratedMigrationOptions {
  /** Absent: the store holds its content itself. */
  contentStore?: ContentStore | undefined
  minLength?: number
}

export function createHydratedMigration(
  migration: StoreMigration,
  { contentStore, minLength = MIN_EXTERNAL_LENGTH }: HydratedMigrationOptions,
): HydratedMigration {
  const rowById = createRowLookup(migration)
  const hydration = createRowHydration({ storeName: migration.name, contentStore, rowById })
  const externalize = createRowExternalization({ contentStore, minLength, rowById })
  return {
    ...migration,

    get missingTexts() {
      return hydration.missing()
    },

    size: async (kind) => (kind === 'page_patterns' ? 0 : await migration.size(kind)),

    async readRows(kind, after, limit) {
      if (kind === 'page_patterns') return { rows: [] }
      const { rows, ...rest } = await migration.readRows(kind, after, limit)
      const named = rows.map((row) => namedRow(kind, row))
      const hydrated = await hydration.hydrate(kind, named)
      return { rows: hydrated.map((row) => orderedRow(kind, row)), ...rest }
    },

    async begin(from) {
      const reached = await migration.begin(from)
      if (
        contentStore &&
        reached.size === 0 &&
        (await contentStore.listEntries({ until: FAR_FUTURE, limit: 1 })).length > 0
      )
        throw contentStoreInUse(migration.name)
      return reached
    },

    async writeRows(kind, rows, after) {
      const named = rows.map((row) => namedRow(kind, row))
      const externalized = await externalize(kind, named)
      const ordered = externalized.map((row) => orderedRow(kind, row))
      await migration.writeRows(kind, ordered, after)
    },
  }
}

function contentStoreInUse(name: string): StoreError {
  return new StoreError(
    'in-use',
    `could not fill the content store of ${name}: it is not empty`,
    'Name another keyspace with --to-content-store. It is created if it does not exist.',
  )
}

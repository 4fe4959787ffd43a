/** Hydrates exported rows: replaces content addresses by the texts, pages and signatures of the content store. */
import type { EntryId } from '../../model/index.ts'
import {
  type ColumnValue,
  type ContentAddress,
  type ContentStore,
  MAX_BODY_LENGTH,
  type RowKind,
  StoreError,
} from '../../ports/index.ts'
import { contentAddressIn, contentAddressInBytes, isContentReference, unpackContent } from './content-addresses.ts'
import type { NamedRow, RowById } from './exported-rows.ts'
import { pageParts, unpackedPage, unpackedText } from './plain-rows.ts'

export interface RowHydration {
  hydrate(kind: RowKind, rows: NamedRow[]): Promise<NamedRow[]>
  /** How many texts the content store was asked for and does not have. */
  missing(): number
}

export interface RowHydrationParts {
  /** Of the store, for errors. */
  storeName: string
  /** Absent: the store holds its content itself. */
  contentStore: ContentStore | undefined
  rowById: RowById
}

const MAX_MISSING_COUNTED = 1_000_000

export function createRowHydration({ storeName, contentStore, rowById }: RowHydrationParts): RowHydration {
  const missing = new Set<ContentAddress>()

  async function textsNamed(names: readonly (ContentAddress | undefined)[]): Promise<Map<ContentAddress, Buffer>> {
    const addresses = [...new Set(names.filter((name) => name !== undefined))]
    if (addresses.length === 0) return new Map()
    if (!contentStore) throw contentElsewhere(storeName)
    const found = await contentStore.getTexts(addresses)
    const texts = new Map<ContentAddress, Buffer>()
    for (const [i, name] of addresses.entries()) {
      if (found[i]) texts.set(name, unpackContent(found[i]))
      else if (missing.size < MAX_MISSING_COUNTED) missing.add(name)
    }
    return texts
  }

  async function hydrateColumns(rows: NamedRow[], columns: readonly string[]): Promise<NamedRow[]> {
    const textIn = (row: NamedRow, name: string) => (typeof row[name] === 'string' ? row[name] : undefined)
    const texts = await textsNamed(rows.flatMap((row) => columns.map((name) => contentAddressIn(textIn(row, name)))))
    return rows.map((row) => {
      const external = columns.filter((name) => isContentReference(textIn(row, name)))
      const hydrated = external.map((name) => [
        name,
        texts.get(contentAddressIn(textIn(row, name))!)?.toString() ?? null,
      ])
      return { ...row, ...Object.fromEntries(hydrated) }
    })
  }

  async function hydrateArticleTexts(rows: NamedRow[]): Promise<NamedRow[]> {
    const plain = rows.map(unpackedText)
    const texts = await textsNamed(plain.map(({ content }) => contentAddressIn(content?.text)))
    return plain.map(({ row, content }) => {
      const name = contentAddressIn(content?.text)
      if (!content || name === undefined) return row
      const text = texts.get(name)
      const hydrated = { ...content, ...(text ? JSON.parse(text.toString()) : { text: '', html: '' }) }
      return { ...row, packed: Buffer.from(JSON.stringify(hydrated)) }
    })
  }

  async function hydratePages(rows: NamedRow[]): Promise<NamedRow[]> {
    const plain: NamedRow[] = []
    for (const row of rows) plain.push(await unpackedPage(row, rowById))
    const parts = plain.map(pageParts)
    const texts = await textsNamed(parts.map((page) => page && contentAddressInBytes(page.body)))
    return plain.map((row, i) => {
      const name = parts[i] && contentAddressInBytes(parts[i].body)
      return name === undefined
        ? row
        : { ...row, packed: Buffer.concat([parts[i]!.head, texts.get(name) ?? Buffer.alloc(0)]) }
    })
  }

  async function hydrateSignatures(rows: NamedRow[]): Promise<NamedRow[]> {
    const empty = rows.filter(({ signature }) => (signature as Uint8Array).length === 0)
    if (!contentStore || empty.length === 0) return rows
    const found = await contentStore.getSignatures(empty.map(({ entry_id }) => entry_id as EntryId))
    const byId = new Map(empty.map(({ entry_id }, i) => [entry_id, found[i]?.signature]))
    return rows.map((row) => ({ ...row, signature: byId.get(row.entry_id!) ?? row.signature! }))
  }

  return {
    missing: () => missing.size,
    async hydrate(kind, rows) {
      switch (kind) {
        case 'entries':
          return await hydrateColumns(rows, ['summary', 'content'])
        case 'entry_versions':
          return (await hydrateColumns(rows, ['body'])).map((row) => ({ ...row, body: boundedBody(row.body!) }))
        case 'article_texts':
          return await hydrateArticleTexts(rows)
        case 'pages':
          return await hydratePages(rows)
        case 'signatures':
          return await hydrateSignatures(rows)
        default:
          return rows
      }
    },
  }
}

function boundedBody(body: ColumnValue): ColumnValue {
  return typeof body === 'string' ? body.slice(0, MAX_BODY_LENGTH).toWellFormed() : body
}

function contentElsewhere(name: string): StoreError {
  const hint = 'Name the content store with --from-content-store.'
  return new StoreError('no-access', `the content of ${name} is in a separate content store`, hint)
}

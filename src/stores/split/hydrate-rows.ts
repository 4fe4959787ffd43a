/** Hydrates exported rows: replaces content addresses by the texts, pages and signatures of the content store. */
import type { EntryId } from '../../model/index.ts'
import {
  type CargoKind,
  type CargoValue,
  type Library,
  LONGEST_BODY,
  StoreError,
  type TextName,
} from '../../ports/index.ts'
import type { NamedRow, RowById } from './exported-rows.ts'
import { isMarked, nameIn, nameInBytes, saidIn } from './names.ts'
import { pageParts, unpackedPage, unpackedText } from './plain-rows.ts'

export interface RowHydration {
  hydrate(kind: CargoKind, rows: NamedRow[]): Promise<NamedRow[]>
  /** How many texts the content store was asked for and does not have. */
  missing(): number
}

export interface RowHydrationParts {
  /** Of the store, for errors. */
  storeName: string
  /** Absent: the store holds its content itself. */
  library: Library | undefined
  rowById: RowById
}

const MAX_MISSING_COUNTED = 1_000_000

export function createRowHydration({ storeName, library, rowById }: RowHydrationParts): RowHydration {
  const missing = new Set<TextName>()

  async function textsNamed(names: readonly (TextName | undefined)[]): Promise<Map<TextName, Buffer>> {
    const wanted = [...new Set(names.filter((name) => name !== undefined))]
    if (wanted.length === 0) return new Map()
    if (!library) throw contentElsewhere(storeName)
    const found = await library.textsOf(wanted)
    const texts = new Map<TextName, Buffer>()
    for (const [i, name] of wanted.entries()) {
      if (found[i]) texts.set(name, saidIn(found[i]))
      else if (missing.size < MAX_MISSING_COUNTED) missing.add(name)
    }
    return texts
  }

  async function hydrateColumns(rows: NamedRow[], columns: readonly string[]): Promise<NamedRow[]> {
    const textIn = (row: NamedRow, name: string) => (typeof row[name] === 'string' ? row[name] : undefined)
    const texts = await textsNamed(rows.flatMap((row) => columns.map((name) => nameIn(textIn(row, name)))))
    return rows.map((row) => {
      const external = columns.filter((name) => isMarked(textIn(row, name)))
      const hydrated = external.map((name) => [name, texts.get(nameIn(textIn(row, name))!)?.toString() ?? null])
      return { ...row, ...Object.fromEntries(hydrated) }
    })
  }

  async function hydrateArticleTexts(rows: NamedRow[]): Promise<NamedRow[]> {
    const plain = rows.map(unpackedText)
    const texts = await textsNamed(plain.map(({ content }) => nameIn(content?.text)))
    return plain.map(({ row, content }) => {
      const name = nameIn(content?.text)
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
    const texts = await textsNamed(parts.map((page) => page && nameInBytes(page.body)))
    return plain.map((row, i) => {
      const name = parts[i] && nameInBytes(parts[i].body)
      return name === undefined
        ? row
        : { ...row, packed: Buffer.concat([parts[i]!.head, texts.get(name) ?? Buffer.alloc(0)]) }
    })
  }

  async function hydrateSignatures(rows: NamedRow[]): Promise<NamedRow[]> {
    const empty = rows.filter(({ signature }) => (signature as Uint8Array).length === 0)
    if (!library || empty.length === 0) return rows
    const found = await library.signaturesOf(empty.map(({ entry_id }) => entry_id as EntryId))
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

function boundedBody(body: CargoValue): CargoValue {
  return typeof body === 'string' ? body.slice(0, LONGEST_BODY).toWellFormed() : body
}

function contentElsewhere(name: string): StoreError {
  const hint = 'Name that library with --from-content-store.'
  return new StoreError('no-access', `what the entries of ${name} say is in a library`, hint)
}

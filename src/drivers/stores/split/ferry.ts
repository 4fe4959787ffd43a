/**
 * The ferry of a store that has a library beside it, or of one that is carried into such a store. Rows leave it *whole*: with what entries and articles say in the
 * place of its names, and come into it whole, where long texts are kept in the library first. So any two can be carried into each other and
 * compared, for both say the same. Without a library it does the same to what is packed: texts and pages are carried plain, as a
 * library cannot read what is packed against another page.
 *
 * What is kept in the library twice changes nothing there, so whoever is interrupted goes on where the store says. Whoever has opened the library closes it.
 */
import type { EntryId, FeedId, Instant } from '../../../model/index.ts'
import {
  CARGO,
  type CargoKind,
  type CargoRow,
  type CargoValue,
  type Ferry,
  type Library,
  type LibraryText,
  LONGEST_BODY,
  StoreError,
  type TextName,
  type TextOwner,
} from '../../../ports/index.ts'
import { packPage, packText } from '../sql/packing.ts'
import { keyInRow } from '../sql/rows.ts'
import { LAST } from './carry-stacks.ts'
import { isMarked, marked, nameIn, nameInBytes, SHORTEST, saidIn, shelved } from './names.ts'
import { PLAIN, pageParts, unpackedPage, unpackedText } from './plain-rows.ts'
import { signByDay } from './sign-by-day.ts'

export interface WholeFerry extends Ferry {
  /** Texts that the library was asked for, and has not. */
  readonly lost: number
}

export interface WholeFerryOptions {
  /** Absent: the store holds what it says itself. */
  library?: Library | undefined
  shortest?: number
}

type Named = Record<string, CargoValue>

const MOST_LOST_COUNTED = 1_000_000

export function wholeFerry(ferry: Ferry, { library, shortest = SHORTEST }: WholeFerryOptions): WholeFerry {
  const lost = new Set<TextName>()

  async function said(names: readonly (TextName | undefined)[]): Promise<Map<TextName, Buffer>> {
    const wanted = [...new Set(names.filter((name) => name !== undefined))]
    if (wanted.length === 0) return new Map()
    if (!library) throw isElsewhere(ferry.name)
    const found = await library.textsOf(wanted)
    const told = new Map<TextName, Buffer>()
    for (const [i, name] of wanted.entries()) {
      if (found[i]) told.set(name, saidIn(found[i]))
      else if (lost.size < MOST_LOST_COUNTED) lost.add(name)
    }
    return told
  }

  /** One row by its number. */
  async function rowAt(kind: 'entries' | 'article_texts' | 'page_patterns', id: number): Promise<Named | undefined> {
    const { rows } = await ferry.unload(kind, JSON.stringify([id - 1]), 1)
    const row = rows[0] && named(kind, rows[0])
    return row && Object.values(row)[0] === id ? row : undefined
  }

  /** What stands in these columns, whole. */
  async function wholeWords(rows: Named[], columns: readonly string[]): Promise<Named[]> {
    const words = (row: Named, name: string) => (typeof row[name] === 'string' ? row[name] : undefined)
    const told = await said(rows.flatMap((row) => columns.map((name) => nameIn(words(row, name)))))
    return rows.map((row) => {
      const marks = columns.filter((name) => isMarked(words(row, name)))
      const whole = marks.map((name) => [name, told.get(nameIn(words(row, name))!)?.toString() ?? null])
      return { ...row, ...Object.fromEntries(whole) }
    })
  }

  async function wholeTexts(rows: Named[]): Promise<Named[]> {
    const plain = rows.map(unpackedText)
    const told = await said(plain.map(({ content }) => nameIn(content?.text)))
    return plain.map(({ row, content }) => {
      const name = nameIn(content?.text)
      if (!content || name === undefined) return row
      const own = told.get(name)
      const whole = { ...content, ...(own ? JSON.parse(own.toString()) : { text: '', html: '' }) }
      return { ...row, packed: Buffer.from(JSON.stringify(whole)) }
    })
  }

  async function wholePages(rows: Named[]): Promise<Named[]> {
    const plain: Named[] = []
    for (const row of rows) plain.push(await unpackedPage(row, rowAt))
    const parts = plain.map(pageParts)
    const told = await said(parts.map((page) => page && nameInBytes(page.body)))
    return plain.map((row, i) => {
      const name = parts[i] && nameInBytes(parts[i].body)
      return name === undefined
        ? row
        : { ...row, packed: Buffer.concat([parts[i]!.head, told.get(name) ?? Buffer.alloc(0)]) }
    })
  }

  async function wholeSignatures(rows: Named[]): Promise<Named[]> {
    const empty = rows.filter(({ signature }) => (signature as Uint8Array).length === 0)
    if (!library || empty.length === 0) return rows
    const found = await library.signaturesOf(empty.map(({ entry_id }) => entry_id as EntryId))
    const byId = new Map(empty.map(({ entry_id }, i) => [entry_id, found[i]?.signature]))
    return rows.map((row) => ({ ...row, signature: byId.get(row.entry_id!) ?? row.signature! }))
  }

  async function whole(kind: CargoKind, rows: Named[]): Promise<Named[]> {
    switch (kind) {
      case 'entries':
        return await wholeWords(rows, ['summary', 'content'])
      case 'entry_versions':
        return (await wholeWords(rows, ['body'])).map((row) => ({ ...row, body: bodyOf(row.body!) }))
      case 'article_texts':
        return await wholeTexts(rows)
      case 'pages':
        return await wholePages(rows)
      case 'signatures':
        return await wholeSignatures(rows)
      default:
        return rows
    }
  }

  /** The rows as the store keeps them; what the library has to keep is there when they are answered. */
  async function parted(kind: CargoKind, rows: Named[]): Promise<Named[]> {
    const texts: LibraryText[] = []
    const moved = (owner: TextOwner, at: CargoValue | undefined, words: string | Uint8Array) => {
      const text = shelved(owner, Number(at) as Instant, words)
      texts.push(text)
      return marked(text.name)
    }
    const isLong = (words: CargoValue | undefined) =>
      library !== undefined && typeof words === 'string' && (words.length >= shortest || isMarked(words))
    const kept: Named[] = []
    for (const row of rows) kept.push(await partedRow(kind, row, moved, isLong))
    if (kind === 'signatures') return library ? await signed(library, kept) : kept
    await library?.keep(texts)
    return kept
  }

  async function partedRow(kind: CargoKind, row: Named, moved: Moved, isLong: IsLong): Promise<Named> {
    switch (kind) {
      case 'entries': {
        const owner = ownerOf(row)
        const at = row.changed_at ?? row.seen_at
        const long = ['summary', 'content'].filter((name) => isLong(row[name]))
        return { ...row, ...Object.fromEntries(long.map((name) => [name, moved(owner, at, row[name] as string)])) }
      }
      case 'entry_versions': {
        const entry = isLong(row.body) ? await rowAt('entries', row.entry_id as number) : undefined
        return entry ? { ...row, body: moved(ownerOf(entry), row.until, row.body as string) } : row
      }
      case 'article_texts': {
        const { content } = unpackedText(row)
        if (row.codec !== PLAIN || !content) return row
        const { facts, text, html } = content
        const inLibrary = { facts, text: '', html: '' }
        if (isLong(text + html)) inLibrary.text = moved(articleOf(row), row.fetched_at, JSON.stringify({ text, html }))
        return { ...row, ...(await packText(JSON.stringify(inLibrary.text === '' ? content : inLibrary))) }
      }
      case 'pages': {
        const parts = row.codec === PLAIN ? pageParts(row) : undefined
        if (!parts) return row
        const { head, body } = parts
        const isMoved = library && (body.length >= shortest || nameInBytes(body) !== undefined)
        const own = isMoved ? Buffer.from(moved(articleOf(row), row.at, body)) : body
        return { ...row, pattern_id: null, ...(await packPage(Buffer.concat([head, own]))) }
      }
      default:
        return row
    }
  }

  return {
    ...ferry,

    get lost() {
      return lost.size
    },

    size: async (kind) => (kind === 'page_patterns' ? 0 : await ferry.size(kind)),

    async unload(kind, after, limit) {
      if (kind === 'page_patterns') return { rows: [] }
      const { rows, ...rest } = await ferry.unload(kind, after, limit)
      const told = await whole(
        kind,
        rows.map((row) => named(kind, row)),
      )
      return { rows: told.map((row) => inOrder(kind, row)), ...rest }
    },

    async begin(from) {
      const reached = await ferry.begin(from)
      if (library && reached.size === 0 && (await library.list({ until: LAST, limit: 1 })).length > 0)
        throw libraryInUse(ferry.name)
      return reached
    },

    async load(kind, rows, after) {
      const own = await parted(
        kind,
        rows.map((row) => named(kind, row)),
      )
      await ferry.load(
        kind,
        own.map((row) => inOrder(kind, row)),
        after,
      )
    },
  }
}

type Moved = (owner: TextOwner, at: CargoValue | undefined, words: string | Uint8Array) => string
type IsLong = (words: CargoValue | undefined) => boolean

/** Signatures leave the store, as they do when entries are placed. */
async function signed(library: Library, rows: readonly Named[]): Promise<Named[]> {
  const half = (value: CargoValue | undefined) => BigInt.asUintN(32, BigInt(Number(value)))
  await signByDay(
    library,
    rows.map(({ entry_id, at, placed_at, simhash_high, simhash_low, signature }) => ({
      id: entry_id as EntryId,
      at: Number(at) as Instant,
      simhash: (half(simhash_high) << 32n) | half(simhash_low),
      signature: signature as Uint8Array,
      placedAt: Number(placed_at ?? at) as Instant,
    })),
  )
  return rows.map((row) => ({ ...row, signature: new Uint8Array() }))
}

function bodyOf(body: CargoValue): CargoValue {
  return typeof body === 'string' ? body.slice(0, LONGEST_BODY).toWellFormed() : body
}

function ownerOf(row: Named): TextOwner {
  return { kind: 'entry', feedId: row.feed_id as FeedId, key: keyInRow(row as { key: string; url: string | null }) }
}

function articleOf({ article_id }: Named): TextOwner {
  return { kind: 'article', articleId: article_id as never }
}

function named(kind: CargoKind, row: CargoRow): Named {
  return Object.fromEntries(CARGO[kind].map((name, i) => [name, row[i] ?? null]))
}

function inOrder(kind: CargoKind, row: Named): CargoRow {
  return CARGO[kind].map((name) => row[name] ?? null)
}

function isElsewhere(name: string): StoreError {
  const hint = 'Name that library with --from-library.'
  return new StoreError('no-access', `what the entries of ${name} say is in a library`, hint)
}

function libraryInUse(name: string): StoreError {
  return new StoreError(
    'in-use',
    `could not fill the library beside ${name}: it holds something already`,
    'Name another keyspace with --to-library; it is made if it is not there.',
  )
}

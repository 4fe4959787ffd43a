/** Reads the files of other readers that a user gives to `freshet import`: any export, a ZIP archive of exports, a database, or a list. */
import { open, readFile, stat } from 'node:fs/promises'
import type { Address } from '../crawl/index.ts'
import {
  createReaderDataCollector,
  decodeText,
  MAX_IMPORTED_ENTRIES,
  mergeReaderData,
  type OpmlOutline,
  parseReaderFileInSteps,
  parseUserAddress,
  type ReaderData,
} from '../feeds/index.ts'
import { SECOND } from '../model/index.ts'
import { inSlices, isZip, unzip } from '../runtime/index.ts'
import { InputError, parseList, readAll, tooLargeError, unpackList } from './addresses.ts'

export interface ReadFiles {
  data: ReaderData
  /** Lines of lists that are no addresses. */
  refused: { url: string; reason: string }[]
}

/** An export of some ten thousand articles with their texts. */
const MAX_FILE_BYTES = 100_000_000
const MAX_ZIPPED_FILES = 10_000

/** `-` reads standard input. */
export async function readReaderFiles(names: string[], stdin: () => AsyncIterable<Uint8Array>): Promise<ReadFiles> {
  const parts: ReadFiles[] = []
  for (const name of names) parts.push(await readOne(name, stdin))
  return { data: mergeReaderData(parts.map(({ data }) => data)), refused: parts.flatMap(({ refused }) => refused) }
}

async function readOne(name: string, stdin: () => AsyncIterable<Uint8Array>): Promise<ReadFiles> {
  if (name === '-') return parseBytes(await readAll(stdin(), 'standard input', MAX_FILE_BYTES), 'standard input')
  const file = await stat(name).catch(() => undefined)
  if (!file) throw new InputError(`${name} does not exist`, 'give the path of a file that another reader exported')
  if (file.isDirectory()) throw new InputError(`${name} is a folder`, 'give the file that is in it')
  if (await isSqlite(name)) return { data: await readDatabase(name), refused: [] }
  if (file.size > MAX_FILE_BYTES) throw tooLargeError(name, file.size, MAX_FILE_BYTES)
  return parseBytes(await readFile(name), name)
}

async function parseBytes(bytes: Uint8Array, name: string): Promise<ReadFiles> {
  if (!isZip(bytes)) return parseText(decodeText(await unpackList(bytes, name, MAX_FILE_BYTES)).text, name)
  const unzipped = await unzip(bytes, { files: MAX_ZIPPED_FILES, bytes: MAX_FILE_BYTES })
  if (unzipped.kind === 'broken')
    throw new InputError(`${name} is a ZIP archive that cannot be read`, 'unzip it, and import its files')
  if (unzipped.kind === 'too-large')
    throw new InputError(`${name} has too many files or bytes`, 'unzip it, and import some of its files at a time')
  const parts: ReadFiles[] = []
  for (const { name: inner, bytes: content } of unzipped.files)
    parts.push(await parseText(decodeText(content).text, `${inner} in ${name}`))
  return { data: mergeReaderData(parts.map(({ data }) => data)), refused: parts.flatMap(({ refused }) => refused) }
}

async function parseText(text: string, name: string): Promise<ReadFiles> {
  const parsed = await inSlices(parseReaderFileInSteps(text))
  if (parsed.kind === 'too-many')
    throw new InputError(`${name} has more than ${MAX_IMPORTED_ENTRIES} items`, 'split it into several files')
  if (parsed.kind === 'data' && parsed.format !== 'opml') return { data: parsed.data, refused: [] }
  if (parsed.kind === 'unknown' && /^[\s\ufeff]*[[{]/.test(text) && !isFeedLine(text))
    throw new InputError(
      `${name} cannot be imported: ${parsed.reason}`,
      'see docs/migration.md for the files of each reader',
    )
  return fromAddresses(parseList(text, name))
}

/** A line of `freshet export feeds`. */
function isFeedLine(text: string): boolean {
  try {
    const [line = ''] = text.trimStart().split('\n', 1)
    return typeof (JSON.parse(line) as { url?: unknown }).url === 'string'
  } catch {
    return false
  }
}

function fromAddresses(addresses: readonly Address[]): ReadFiles {
  const subscriptions: OpmlOutline[] = []
  const refused: ReadFiles['refused'] = []
  for (const { url, kind, credentials, title, folder, siteUrl } of addresses) {
    const address = parseUserAddress(url)
    const site = siteUrl ? parseUserAddress(siteUrl)?.url : undefined
    if (!address) refused.push({ url, reason: 'this is not a web address (http or https)' })
    else
      subscriptions.push({
        url: address.url,
        kind: kind === 'feed' ? 'feed' : 'site',
        ...(credentials && { credentials }),
        ...(title && { title }),
        ...(folder && { folder }),
        ...(site && { siteUrl: site }),
      })
  }
  return { data: { subscriptions, entries: [], skipped: 0 }, refused }
}

const SQLITE = 'SQLite format 3\0'

async function isSqlite(name: string): Promise<boolean> {
  const file = await open(name)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === SQLITE
  } catch {
    return false // a pipe
  } finally {
    await file.close()
  }
}

async function readDatabase(name: string): Promise<ReaderData> {
  const { readNetNewsWire } = await import('../stores/sqlite/read-netnewswire.ts')
  const articles = readNetNewsWire(name, MAX_IMPORTED_ENTRIES)
  if (!articles)
    throw new InputError(`${name} is not a database of NetNewsWire`, 'give DB.sqlite3 of one of its accounts')
  const collector = createReaderDataCollector()
  for (const { feedID, uniqueID, title, url, contentHTML, published, read, starred } of articles)
    collector.addEntry({
      feedUrl: feedID && /^https?:/i.test(feedID) ? feedID : undefined,
      guid: uniqueID ?? undefined,
      title: title ?? undefined,
      url: url ?? undefined,
      content: contentHTML ?? undefined,
      publishedAt: published ? published * SECOND : undefined,
      read: read === 1,
      starred: starred === 1,
    })
  return collector.data()
}

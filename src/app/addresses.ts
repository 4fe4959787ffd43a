/** Reads the addresses that a user gives: an address, a file with a list, or standard input. */
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Address } from '../crawl/index.ts'
import { decodeText, parseOpml, parsePastedAddress, parseUserAddress } from '../feeds/index.ts'
import { formatSize, HintedError, type WebAddress, withoutCredentials } from '../model/index.ts'

/** The input of a user is invalid. */
export class InputError extends HintedError {}

const NO_ADDRESSES_HINT =
  'give an OPML file, one address per line, or to `freshet import` a file that another reader exported'
const MAX_LIST_BYTES = 20_000_000 // some 100,000 outlines; a larger file is more likely a mistake

/** `-` reads standard input, and the name of an existing file reads that file as a list. Everything else is an address. */
export async function readAddresses(words: string[], stdin: () => AsyncIterable<Uint8Array>): Promise<Address[]> {
  const addresses: Address[] = []
  for (const argument of words) addresses.push(...(await addressesOf(argument, stdin)))
  return addresses
}

/**
 * Parses an OPML document, the NDJSON of `freshet export feeds`, or one address per line with # for comments. Invalid lines are
 * passed on unchanged: the crawl refuses each of them on its own, and the others are still added.
 */
export function parseList(text: string, name: string): Address[] {
  if (/^\s*(<\?xml|<opml|<!--|<!doctype|<html|\ufeff)/i.test(text)) {
    const opml = parseOpml(text)
    if (opml.kind === 'not-opml')
      throw new InputError(`${name} is not an OPML file: ${opml.reason}`, 'export it again from your reader as OPML')
    if (opml.outlines.length + opml.unusable.length === 0)
      throw new InputError(`${name} has no feeds`, 'an OPML file has one <outline xmlUrl="…"> per feed')
    const listed = opml.outlines.map(
      ({ url, kind, credentials, title, siteUrl, folder }): Address => ({
        url,
        kind: kind === 'feed' ? 'feed' : 'any',
        ...(credentials && { credentials }),
        ...(title && { title }),
        ...(siteUrl && { siteUrl }),
        ...(folder && { folder }),
      }),
    )
    return listed.concat(opml.unusable.map(unparsedAddress))
  }
  const lines = text.split(/\r?\n/).flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]))
  if (lines.length === 0) throw new InputError(`${name} is empty`, NO_ADDRESSES_HINT)
  const parsed = lines.map((line, i) =>
    line.startsWith('{') ? parseExportedFeed(line, `line ${i + 1} of ${name}`) : parseLine(line),
  )
  if (parsed.every((one) => one === undefined))
    throw new InputError(
      `${name} has no addresses: it starts with "${shortened(lines[0]!, MAX_QUOTED_CHARACTERS)}"`,
      NO_ADDRESSES_HINT,
    )
  return parsed.map((one, i) => one ?? unparsedAddress(lines[i]!))
}

/** Whole addresses stay as they are written: it is only known later whether they are those of feeds or of pages. */
function parseTyped(text: string): ReturnType<typeof parseUserAddress> {
  return parseUserAddress(text) ?? parsePastedAddress(text)
}

function parseLine(line: string): Address | undefined {
  const parsed = parseTyped(line)
  return parsed && { ...parsed, kind: 'any' }
}

/** The text may look like an address once it is shortened; a prefix keeps it from being added as one. */
function unparsedAddress(text: string): Address {
  const quoted = shortened(text, MAX_REFUSED_CHARACTERS)
  return { url: parseTyped(quoted) ? `no address: ${quoted}` : quoted, kind: 'any' }
}

/** Removes a login, also in front of an address without a scheme. */
function shortened(text: string, maxLength: number): string {
  const plain = withoutCredentials(text).replace(/^(?!mailto:)[^\s/:@]+:[^\s/@]*@/i, '')
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain
}

const MAX_QUOTED_CHARACTERS = 40
const MAX_REFUSED_CHARACTERS = 200

function parseExportedFeed(line: string, where: string): Address {
  const hint = 'expected a line of "freshet export feeds"'
  let feed: Record<string, unknown>
  try {
    feed = JSON.parse(line)
  } catch {
    throw new InputError(`${where} is not JSON`, hint)
  }
  const parsed = typeof feed.url === 'string' ? parseUserAddress(feed.url) : undefined
  if (parsed === undefined) throw new InputError(`${where} has no address`, hint)
  const text = (name: string) => (typeof feed[name] === 'string' && feed[name] ? { [name]: feed[name] } : {})
  return { ...parsed, kind: 'feed', ...text('title'), ...text('folder'), ...text('siteUrl') }
}

async function addressesOf(argument: string, stdin: () => AsyncIterable<Uint8Array>): Promise<Address[]> {
  if (argument === '-')
    return parseList(
      await decodeList(await readAll(stdin(), 'standard input', MAX_LIST_BYTES), 'standard input'),
      'standard input',
    )
  const file = await stat(argument).catch(() => undefined)
  if (file?.isDirectory()) throw new InputError(`${argument} is a folder`, 'give the OPML file that is in it')
  if (!file) {
    if (/\.(opml|xml|txt)(\.gz)?$/i.test(argument) && !/^\w+:/.test(argument) && !argument.includes('/'))
      throw new InputError(`${argument} does not exist`, 'give the path of an OPML file, or an address with https://')
    return [parseAddress(argument)]
  }
  if (file.size > MAX_LIST_BYTES) throw tooLargeError(argument, file.size, MAX_LIST_BYTES)
  return parseList(await decodeList(await readFile(argument), argument), argument)
}

/** Throws an InputError if the text is not an address. */
export function parseAddress(argument: string): Address & { url: WebAddress } {
  const parsed = parseTyped(argument)
  if (parsed === undefined)
    throw new InputError(
      `"${shortened(argument, MAX_REFUSED_CHARACTERS)}" is not a web address`,
      'give an address such as https://example.org, or a file such as feeds.opml',
    )
  return { ...parsed, kind: 'any' }
}

/** Throws an InputError if the stream is longer than the limit. */
export async function readAll(stream: AsyncIterable<Uint8Array>, name: string, maxLength: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > maxLength) throw tooLargeError(name, size, maxLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Lists may be compressed with gzip and in any encoding. */
async function decodeList(bytes: Uint8Array, name: string): Promise<string> {
  return decodeText(await unpackList(bytes, name, MAX_LIST_BYTES)).text
}

/** Decompresses what is compressed with gzip. The size limit also applies to the decompressed bytes. */
export async function unpackList(bytes: Uint8Array, name: string, maxLength: number): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxLength })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new InputError(
        `${name} is larger than ${formatSize(maxLength)} when unpacked`,
        'split it into several files',
      )
    throw new InputError(`${name} is a broken gzip file`, 'copy it again, or unpack it with gunzip')
  }
}

export function tooLargeError(name: string, bytes: number, maxLength: number): InputError {
  const hint = 'split it into several files'
  return new InputError(`${name} has ${formatSize(bytes)}; the maximum is ${formatSize(maxLength)}`, hint)
}

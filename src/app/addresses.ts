/** Addresses out of what people hand in: an address, the name of a file, or what comes through a pipe. */
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Address } from '../crawl/index.ts'
import { decodeText, givenAddress, parseOpml } from '../feeds/index.ts'
import { formatSize, HintedError, type WebAddress, withoutCredentials } from '../model/index.ts'

/** What a person handed in cannot be used. */
export class InputError extends HintedError {}

const LARGEST_LIST_BYTES = 20_000_000 // some 100,000 outlines; a larger file is more likely a mistake

/** `-` stands for `stdin`; a word that names a file is read as a list; all others are addresses. */
export async function readAddresses(words: string[], stdin: () => AsyncIterable<Uint8Array>): Promise<Address[]> {
  const addresses: Address[] = []
  for (const word of words) addresses.push(...(await addressesOf(word, stdin)))
  return addresses
}

/**
 * An OPML document, the feeds that we export as lines of JSON, or one address a line with # for remarks. What is no address
 * in it is handed on as it stands, for the crawl to refuse by itself: it harms none of the others.
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
    return listed.concat(opml.unusable.map(asItStands))
  }
  const lines = text.split(/\r?\n/).flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]))
  if (lines.length === 0) throw new InputError(`${name} is empty`, 'give an OPML file, or one address per line')
  const given = lines.map((line, i) =>
    line.startsWith('{') ? exportedFeed(line, `line ${i + 1} of ${name}`) : givenLine(line),
  )
  if (given.every((one) => one === undefined))
    throw new InputError(
      `${name} has no addresses: it starts with "${shown(lines[0]!, SHOWN_LETTERS)}"`,
      'give an OPML file, or one address per line',
    )
  return given.map((one, i) => one ?? asItStands(lines[i]!))
}

function givenLine(line: string): Address | undefined {
  const given = givenAddress(line)
  return given && { ...given, kind: 'any' }
}

/** What is left of it, or its name, might read as an address that nobody gave. */
function asItStands(text: string): Address {
  const left = shown(text, LONGEST_REFUSED)
  return { url: givenAddress(left) ? `no address: ${left}` : left, kind: 'any' }
}

/** Without a login, also where no protocol stands before it. */
function shown(text: string, most: number): string {
  const plain = withoutCredentials(text).replace(/^(?!mailto:)[^\s/:@]+:[^\s/@]*@/i, '')
  return plain.length > most ? `${plain.slice(0, most)}…` : plain
}

const SHOWN_LETTERS = 40
const LONGEST_REFUSED = 200

function exportedFeed(line: string, where: string): Address {
  const hint = 'expected a line of "freshet export feeds"'
  let feed: Record<string, unknown>
  try {
    feed = JSON.parse(line)
  } catch {
    throw new InputError(`${where} is not JSON`, hint)
  }
  const given = typeof feed.url === 'string' ? givenAddress(feed.url) : undefined
  if (given === undefined) throw new InputError(`${where} has no address`, hint)
  const text = (name: string) => (typeof feed[name] === 'string' && feed[name] ? { [name]: feed[name] } : {})
  return { ...given, kind: 'feed', ...text('title'), ...text('folder'), ...text('siteUrl') }
}

async function addressesOf(word: string, stdin: () => AsyncIterable<Uint8Array>): Promise<Address[]> {
  if (word === '-')
    return parseList(
      await textOf(await readAll(stdin(), 'standard input', LARGEST_LIST_BYTES), 'standard input'),
      'standard input',
    )
  const file = await stat(word).catch(() => undefined)
  if (file?.isDirectory()) throw new InputError(`${word} is a folder`, 'give the OPML file that is in it')
  if (!file) {
    if (/\.(opml|xml|txt)(\.gz)?$/i.test(word) && !/^\w+:/.test(word) && !word.includes('/'))
      throw new InputError(`${word} does not exist`, 'give the path of an OPML file, or an address with https://')
    return [addressGiven(word)]
  }
  if (file.size > LARGEST_LIST_BYTES) throw tooLarge(word, file.size, LARGEST_LIST_BYTES)
  return parseList(await textOf(await readFile(word), word), word)
}

/** Throws an InputError for what is no address. */
export function addressGiven(word: string): Address & { url: WebAddress } {
  const given = givenAddress(word)
  if (given === undefined)
    throw new InputError(
      `"${shown(word, LONGEST_REFUSED)}" is not a web address`,
      'give an address such as https://example.org, or a file such as feeds.opml',
    )
  return { ...given, kind: 'any' }
}

/** No more than `most` bytes, whatever comes. */
export async function readAll(stream: AsyncIterable<Uint8Array>, name: string, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > most) throw tooLarge(name, size, most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Lists may come packed, and in any encoding; what they unfold into has the same bound as one that is not. */
async function textOf(bytes: Uint8Array, name: string): Promise<string> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return decodeText(isPacked ? await unpacked(bytes, name) : bytes).text
}

async function unpacked(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: LARGEST_LIST_BYTES })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new InputError(
        `${name} is larger than ${formatSize(LARGEST_LIST_BYTES)} when unpacked`,
        'split it into several files',
      )
    throw new InputError(`${name} is a broken gzip file`, 'copy it again, or unpack it with gunzip')
  }
}

function tooLarge(name: string, bytes: number, most: number): InputError {
  const hint = 'split it into several files'
  return new InputError(`${name} has ${formatSize(bytes)}; the maximum is ${formatSize(most)}`, hint)
}

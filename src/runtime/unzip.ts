/**
 * Reads the files of a ZIP archive in memory, as readers export them: stored or deflated, without encryption and without ZIP64. The
 * decompressed sizes are limited before and while decompressing, since archives may lie about them.
 */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

export interface ZippedFile {
  name: string
  bytes: Uint8Array
}

/** `broken`: damaged, encrypted, or of a kind that we do not read. `too-large`: more files or bytes than the limits. */
export type Unzipped = { kind: 'files'; files: ZippedFile[] } | { kind: 'broken' } | { kind: 'too-large' }

const LOCAL_FILE = 0x04034b50
const CENTRAL_FILE = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22
const MAX_COMMENT = 65_535
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

const inflate = promisify(inflateRaw)

export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= END_BYTES && Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32LE(0) === LOCAL_FILE
}

export async function unzip(bytes: Uint8Array, limits: { files: number; bytes: number }): Promise<Unzipped> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = directoryOf(zip)
  if (!entries) return { kind: 'broken' }
  if (entries.length > limits.files) return { kind: 'too-large' }
  const files: ZippedFile[] = []
  let left = limits.bytes
  for (const { name, method, at, packedBytes } of entries) {
    if (name.endsWith('/')) continue
    const start = contentStart(zip, at)
    const packed = start === undefined ? undefined : zip.subarray(start, start + packedBytes)
    if (!packed || packed.length < packedBytes) return { kind: 'broken' }
    if (method === STORED && packedBytes > left) return { kind: 'too-large' }
    let content: Uint8Array
    try {
      content = method === STORED ? packed : await inflate(packed, { maxOutputLength: Math.max(1, left) })
    } catch (error) {
      return { kind: (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken' }
    }
    left -= content.length
    files.push({ name, bytes: content })
  }
  return { kind: 'files', files }
}

interface DirectoryEntry {
  name: string
  method: number
  at: number
  packedBytes: number
}

/** Undefined if the archive is broken, or has a file that we cannot read. */
function directoryOf(zip: Buffer): DirectoryEntry[] | undefined {
  let end = zip.length - END_BYTES
  while (end >= 0 && end >= zip.length - END_BYTES - MAX_COMMENT && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) return undefined
  const count = zip.readUInt16LE(end + 10)
  const entries: DirectoryEntry[] = []
  for (let at = zip.readUInt32LE(end + 16); entries.length < count; ) {
    if (at + CENTRAL_BYTES > zip.length || zip.readUInt32LE(at) !== CENTRAL_FILE) return undefined
    const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)]
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    if (flags & ENCRYPTED || (method !== STORED && method !== DEFLATED)) return undefined
    const name = zip.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)
    entries.push({ name, method, at: zip.readUInt32LE(at + 42), packedBytes: zip.readUInt32LE(at + 20) })
    at += CENTRAL_BYTES + nameBytes + extraBytes + commentBytes
  }
  return entries
}

function contentStart(zip: Buffer, at: number): number | undefined {
  if (at + LOCAL_BYTES > zip.length || zip.readUInt32LE(at) !== LOCAL_FILE) return undefined
  return at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
}

/**
 * Records of WARC 1.1 (ISO 28500:2017), as bytes. A record is a head like a mail's, a block of the length that it names,
 * and two empty lines:
 *
 *     WARC/1.1                                  what was asked and what came are two records that name each other
 *     WARC-Type: response                       (WARC-Concurrent-To); a third, metadata, says how long it took and what
 *     WARC-Record-ID: <urn:uuid:…>              led there
 *     …
 *     HTTP/1.1 200 OK                           the block: HTTP as it was received, but never in chunks
 *     …
 */
import { hash } from 'node:crypto'
import type { Instant } from '../../model/index.ts'
import type { Header } from './exchange.ts'

export interface WarcRecord {
  type: 'warcinfo' | 'request' | 'response' | 'revisit' | 'metadata'
  /** `<urn:uuid:…>` */
  id: string
  at: Instant
  contentType: string
  /** WARC-Target-URI and others that only some records have. */
  fields: readonly Header[]
  block: Uint8Array
}

export function recordBytes({ type, id, at, contentType, fields, block }: WarcRecord): Uint8Array {
  const head = headOf('WARC/1.1', [
    ['WARC-Type', type],
    ['WARC-Record-ID', id],
    ['WARC-Date', new Date(at).toISOString()],
    ...fields,
    ['WARC-Block-Digest', digestOf(block)],
    ['Content-Type', contentType],
    ['Content-Length', String(block.byteLength)],
  ])
  return Buffer.concat([head, block, END])
}

const END = Buffer.from('\r\n\r\n')

/** A first line, headers, and the empty line that ends them. Nothing in them can end a line or begin another. */
export function headOf(first: string, headers: readonly Header[]): Uint8Array {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${lines.map(oneLine).join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Lines of `name: value`, the form of warcinfo and of metadata (application/warc-fields). They are UTF-8. */
export function fieldsBlock(fields: readonly Header[]): Uint8Array {
  return Buffer.from(fields.map(([name, value]) => `${oneLine(`${name}: ${value}`)}\r\n`).join(''))
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ')
}

/** SHA-1 in base 32, which is what all readers check. */
export function digestOf(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' // RFC 4648, 6

/** Of 20 bytes, which are 32 letters and need no padding. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += LETTERS[(value >>> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return text
}

/**
 * Serializes WARC 1.1 records (ISO 28500:2017). A record is a head like that of an e-mail, a block of the stated length, and two empty
 * lines:
 *
 *     WARC/1.1                                  request and response are two records that refer to each other
 *     WARC-Type: response                       (WARC-Concurrent-To); a third, metadata, has the duration and the redirect
 *     WARC-Record-ID: <urn:uuid:…>              that led there
 *     …
 *     HTTP/1.1 200 OK                           the block: HTTP as received, but without chunked encoding
 *     …
 */
import { hash } from 'node:crypto'
import type { Instant } from '../model/index.ts'
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

export function serializeRecord({ type, id, at, contentType, fields, block }: WarcRecord): Uint8Array {
  const head = serializeHead('WARC/1.1', [
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

/** A first line, headers, and an empty line. Line breaks within them are replaced. */
export function serializeHead(first: string, headers: readonly Header[]): Uint8Array {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${lines.map(oneLine).join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Lines of `name: value` in UTF-8, the format of warcinfo and metadata (application/warc-fields). */
export function fieldsBlock(fields: readonly Header[]): Uint8Array {
  return Buffer.from(fields.map(([name, value]) => `${oneLine(`${name}: ${value}`)}\r\n`).join(''))
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ')
}

/** SHA-1 in base 32, which all readers verify. */
export function digestOf(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' // RFC 4648, 6

/** 20 bytes are 32 characters, without padding. */
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

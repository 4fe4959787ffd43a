/**
 * Detects the encoding and decodes a document. In this order: a byte order mark; valid or nearly valid UTF-8, because other encodings
 * do not look like it by accident; the HTTP header; the document's declaration; detection by letter frequency. For feeds and pages.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { decodeBrokenUtf8 } from './broken-utf8.ts'
import { detectEncoding } from './detect-encoding.ts'
import { decodeAs, decodeUtf32 } from './encodings.ts'

export interface DecodedText {
  text: string
  encoding: string
}

export function decodeText(bytes: Uint8Array, contentType?: string): DecodedText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (
    fromByteOrderMark(buffer) ??
    fromUtf8(buffer, contentType) ??
    fromDeclaration(buffer, contentType) ??
    fromDetection(buffer)
  )
}

const BYTE_ORDER_MARKS: { bytes: number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0, 0, 0xfe, 0xff], encoding: 'utf-32be' },
  { bytes: [0xff, 0xfe, 0, 0], encoding: 'utf-32le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  // No byte order marks, but the first characters "<" and "?", "r" or "f" in wide encodings.
  { bytes: [0, 0, 0, 0x3c], encoding: 'utf-32be' },
  { bytes: [0x3c, 0, 0, 0], encoding: 'utf-32le' },
  { bytes: [0, 0x3c, 0], encoding: 'utf-16be' },
  { bytes: [0x3c, 0, 0x3f, 0], encoding: 'utf-16le' },
  { bytes: [0x3c, 0, 0x72, 0], encoding: 'utf-16le' },
  { bytes: [0x3c, 0, 0x66, 0], encoding: 'utf-16le' },
]

function fromByteOrderMark(buffer: Buffer): DecodedText | undefined {
  const byteOrderMark = BYTE_ORDER_MARKS.find(({ bytes }) => bytes.every((byte, index) => buffer[index] === byte))
  if (!byteOrderMark) return undefined
  if (byteOrderMark.encoding === 'utf-8') return fromUtf8(buffer.subarray(3), 'charset=utf-8')
  if (byteOrderMark.encoding.startsWith('utf-32')) {
    const text = decodeUtf32(buffer, byteOrderMark.encoding === 'utf-32le').replace(/^\ufeff/, '')
    return { text, encoding: byteOrderMark.encoding }
  }
  return decodeAs(byteOrderMark.encoding, buffer)
}

function fromUtf8(buffer: Buffer, contentType: string | undefined): DecodedText | undefined {
  if (isAscii(buffer))
    return fromSevenBits(buffer, contentType) ?? { text: buffer.toString('latin1'), encoding: 'utf-8' }
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), encoding: 'utf-8' }
  const isDeclared = namedEncodings(buffer, contentType).some((name) => /^utf-?8$/i.test(name))
  const text = decodeBrokenUtf8(buffer, isDeclared)
  return text === undefined ? undefined : { text, encoding: 'utf-8' }
}

/** Seven-bit encodings look like ASCII: only their name and escape sequences identify them. */
function fromSevenBits(buffer: Buffer, contentType: string | undefined): DecodedText | undefined {
  if (!buffer.includes(0x1b)) return undefined
  const name = namedEncodings(buffer, contentType).find((encodingName) =>
    /^(?:iso-2022-|csiso2022)/i.test(encodingName),
  )
  return name === undefined ? undefined : decodeAs(name, buffer)
}

/** A declared encoding is accepted unless it is UTF-8 (already ruled out) or produces more than a few invalid characters. */
function fromDeclaration(buffer: Buffer, contentType: string | undefined): DecodedText | undefined {
  for (const name of namedEncodings(buffer, contentType)) {
    const decoded = decodeAs(name, buffer)
    if (!decoded || decoded.encoding === 'utf-8' || decoded.encoding.startsWith('utf-16')) continue
    if (countInvalid(decoded.text) * 200 <= decoded.text.length) return decoded
  }
  return undefined
}

function fromDetection(buffer: Buffer): DecodedText {
  const encoding = detectEncoding(buffer)
  return decodeAs(encoding, buffer) ?? { text: buffer.toString('latin1'), encoding: 'windows-1252' }
}

function namedEncodings(buffer: Buffer, contentType: string | undefined): string[] {
  const http = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  const start = buffer.subarray(0, 1024).toString('latin1')
  const declared = /<\?xml[^>]{0,200}?\sencoding\s*=\s*["']\s*([\w.:-]+)/i.exec(start)?.[1]
  const inPage = declared ?? /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]
  return [http, inPage].filter((name) => name !== undefined)
}

function countInvalid(text: string): number {
  let count = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count++
  return count
}

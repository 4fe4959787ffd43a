/**
 * Decodes entities: XML's five, numeric ones, HTML's named ones, and those a document declares itself. A name needs its semicolon, so that
 * `?a=1&copy=2` is unchanged; unknown entities are kept. One pass.
 */
import { decodeHTML } from 'entities'
import { copyString } from './copy-string.ts'
import { windows1252Character } from './windows-1252.ts'

/** The value of an entity declared by the document; undefined if not declared. */
export type DeclaredEntities = (name: string) => string | undefined

export function decodeEntities(text: string, declared?: DeclaredEntities): string {
  let at = text.indexOf('&')
  if (at < 0) return text
  if (text.length > DENSE_FROM && declared === undefined) return decodeDense(text)
  let out = ''
  let copied = 0
  while (at >= 0) {
    const end = endOfReference(text, at + 1)
    const value = end < 0 ? undefined : resolveReference(text, at + 1, end, declared)
    if (value === undefined) {
      at = text.indexOf('&', at + 1)
      continue
    }
    out += text.slice(copied, at) + value
    copied = end + 1
    at = text.indexOf('&', copied)
  }
  return copied === 0 ? text : out + text.slice(copied)
}

const AMPERSAND = 38
const SEMICOLON = 59
const HASH = 35
const QUOTE = 34
const MAX_NAME_LENGTH = 64

/** Text length from which `decodeDense` is faster. */
const DENSE_FROM = 256

/** Reused between calls, which is safe because decoding is synchronous. Longer texts allocate their own. */
const SCRATCH = 262_144
const wideScratch = new Uint16Array(SCRATCH)
const narrowScratch = Buffer.allocUnsafe(SCRATCH)

/**
 * The same for long texts, mostly escaped HTML. Decodes in place in an array of character codes, more than twice as fast as joining
 * strings: decoded text is never longer.
 */
function decodeDense(text: string): string {
  const { length } = text
  const codes = length <= SCRATCH ? wideScratch : new Uint16Array(length)
  const bytes = Buffer.from(codes.buffer)
  bytes.write(text, 0, 2 * length, 'utf16le')
  const pass: DecodePass = { read: 0, written: 0, bits: 0 }
  for (decodeFrequent(codes, length, pass); pass.read < length; decodeFrequent(codes, length, pass)) {
    const end = endOfReference(text, pass.read + 1)
    const value = end < 0 ? undefined : resolveReference(text, pass.read + 1, end, undefined)
    pass.read = value === undefined ? pass.read + 1 : end + 1
    write(codes, value ?? '&', pass)
  }
  const { written, bits } = pass
  if (bits > 255) return bytes.toString('utf16le', 0, 2 * written)
  // A one-byte string is enough, and makes all further processing cheaper.
  const narrow = length <= SCRATCH ? narrowScratch : Buffer.allocUnsafe(written)
  narrow.set(codes.subarray(0, written))
  return narrow.toString('latin1', 0, written)
}

function write(codes: Uint16Array, value: string, pass: DecodePass): void {
  for (let index = 0; index < value.length; index++) {
    codes[pass.written++] = value.charCodeAt(index)
    pass.bits |= value.charCodeAt(index)
  }
}

/** Progress: read position, write position, and the union of all character bits. */
interface DecodePass {
  read: number
  written: number
  bits: number
}

/**
 * Decodes up to the next reference that is not a frequent one, or to the end. The only loop over all characters, kept minimal so that
 * it is compiled early and once.
 */
function decodeFrequent(codes: Uint16Array, length: number, pass: DecodePass): void {
  let { written, bits } = pass
  let at = pass.read
  for (; at < length; at++) {
    let code = codes[at]!
    if (code === AMPERSAND) {
      code = frequent(codes, at, length)
      if (code === 0) break
      at += code === AMPERSAND ? 4 : code === QUOTE ? 5 : 3
    }
    codes[written++] = code
    bits |= code
  }
  pass.read = at
  pass.written = written
  pass.bits = bits
}

/** Nearly all references are lt, gt, amp and quot: the code of the one at "&", or 0. */
function frequent(codes: Uint16Array, at: number, length: number): number {
  const first = codes[at + 1]
  const second = codes[at + 2]
  if (second === 116 && codes[at + 3] === SEMICOLON && at + 3 < length)
    return first === 108 ? 60 : first === 103 ? 62 : 0
  if (first === 97 && second === 109) {
    return codes[at + 3] === 112 && codes[at + 4] === SEMICOLON && at + 4 < length ? AMPERSAND : 0
  }
  if (first !== 113 || second !== 117 || at + 5 >= length) return 0
  return codes[at + 3] === 111 && codes[at + 4] === 116 && codes[at + 5] === SEMICOLON ? QUOTE : 0
}

/** Position of the semicolon, or -1 if what follows "&" is not a reference. */
function endOfReference(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_NAME_LENGTH)
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === SEMICOLON) return at === from ? -1 : at
    if (code <= 32 || code === AMPERSAND || code === 60) return -1
  }
  return -1
}

/** `from`: after the "&"; `end`: of the semicolon. */
function resolveReference(
  text: string,
  from: number,
  end: number,
  declared: DeclaredEntities | undefined,
): string | undefined {
  if (text.charCodeAt(from) === HASH) return numeric(text, from + 1, end)
  const name = text.slice(from, end)
  return declared?.(name) ?? htmlEntity(name)
}

/** Cache: texts use only a handful of the 2,231 names. */
const remembered = new Map<string, string | undefined>()
const MAX_CACHED = 4096

function htmlEntity(name: string): string | undefined {
  if (remembered.has(name)) return remembered.get(name)
  const reference = `&${name};`
  const decoded = /^[A-Za-z][A-Za-z0-9]*$/.test(name) ? decodeHTML(reference) : reference
  // "&notit;" would decode to "¬it;": only complete names count.
  const value = decoded === reference || decoded.endsWith(';') ? undefined : decoded
  if (remembered.size < MAX_CACHED) remembered.set(copyString(name), value)
  return value
}

function numeric(text: string, from: number, end: number): string | undefined {
  const hex = (text.charCodeAt(from) | 32) === 120
  const digits = text.slice(hex ? from + 1 : from, end)
  if (!(hex ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(digits)) return undefined
  const code = Number.parseInt(digits, hex ? 16 : 10)
  // &#150; means the dash of windows-1252, not a control character.
  if (code >= 128 && code <= 159) return windows1252Character(code) ?? ''
  return isText(code) ? String.fromCodePoint(code) : ''
}

function isText(code: number): boolean {
  if (code < 32) return code === 9 || code === 10 || code === 13
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe
}

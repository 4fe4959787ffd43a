/**
 * Content codings: gzip, deflate, br, zstd. Decoding runs as the bytes come in, so that a small answer that unfolds into
 * gigabytes is given up after the first few. Layers are rare but exist (a proxy that compresses what was compressed).
 *
 * Labels are often wrong: plain text called gzip, Zstandard called br, gzip without a label or twice under one. How the bytes
 * begin is believed before what they are called; what is still packed once decoded is unpacked, within the same limits.
 */
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip as gunzipInThread,
  zstdDecompress as unzstdInThread,
} from 'node:zlib'
import { NetTrouble } from './trouble.ts'

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd'

const MOST_LAYERS = 3
const CHUNK_BYTES = 64 * 1024 // fewer, larger steps cost a quarter less than the default of 16 KB
const WINDOW_LOG = 23 // 8 MB, what RFC 9659 allows a server to ask of us

/**
 * The decoders for an answer, outermost first; none if it is not encoded. A coding we do not know ("utf-8" is a
 * favourite) is taken for a slip of the pen. `start` is how the body begins.
 */
export function createDecoders(contentEncoding: string | undefined, start: Uint8Array): Transform[] {
  if (!contentEncoding) return []
  const codings = contentEncoding.toLowerCase().split(',').reverse()
  const names = codings.map((coding) => coding.trim()).filter((coding) => DECODERS.has(coding))
  const [outermost, ...inner] = names
  const begun = outermost === undefined ? undefined : asItBegins(outermost, start)
  const known = [...(begun === undefined ? [] : [begun]), ...inner].map((name) => DECODERS.get(name)!)
  if (known.length > MOST_LAYERS) throw new NetTrouble('broken-body', 'the answer is encoded too many times over')
  return known.map((decoder, layer) => decoder(layer === 0 ? start : ZLIB_START))
}

/** A map, as all tables that strangers' words are looked up in: an object knows "constructor", too. */
const DECODERS = new Map<string, (start: Uint8Array) => Transform>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', () => createBrotliDecompress({ chunkSize: CHUNK_BYTES })],
  [
    'zstd',
    () => createZstdDecompress({ chunkSize: CHUNK_BYTES, params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } }),
  ],
])

const GZIP = [0x1f, 0x8b]
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]

/** The coding of what begins like this and is called `name`; undefined if it is not packed. */
function asItBegins(name: string, start: Uint8Array): string | undefined {
  if (name === 'deflate') return name // it may begin in any way
  const isBegun = (magic: number[]) => magic.every((byte, i) => i >= start.length || start[i] === byte)
  if (isBegun(ZSTD)) return 'zstd'
  if (isBegun(GZIP)) return 'gzip'
  return name === 'br' ? name : undefined // Brotli alone has no beginning of its own
}

/** What is left packed of a decoded body: unpacked in other threads, `maxBytes` at most. */
export async function unpackedWhole(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  let whole = body
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const unpack = begins(whole, GZIP) ? gunzipWhole : begins(whole, ZSTD) ? unzstdWhole : undefined
    if (!unpack) return whole
    try {
      whole = await unpack(whole, { maxOutputLength: maxBytes })
    } catch (cause) {
      const isTooLarge = (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      if (isTooLarge) throw new NetTrouble('too-large', `more than ${maxBytes} bytes once decoded`)
      throw new NetTrouble('broken-body', 'the answer could not be decoded', { cause })
    }
  }
  return whole
}

const gunzipWhole = promisify(gunzipInThread)
const unzstdWhole = promisify(unzstdInThread)

function begins(body: Uint8Array, magic: number[]): boolean {
  return body.length > magic.length && magic.every((byte, i) => body[i] === byte)
}

const ZLIB_START = new Uint8Array([0x78])

function gunzip(): Transform {
  return createGunzip({ chunkSize: CHUNK_BYTES })
}

/** "deflate" means zlib's wrapping, but some servers send the naked stream. A zlib header's low four bits are 8. */
function inflate(start: Uint8Array): Transform {
  const wrapped = (start[0]! & 0x0f) === 8
  return wrapped ? createInflate({ chunkSize: CHUNK_BYTES }) : createInflateRaw({ chunkSize: CHUNK_BYTES })
}

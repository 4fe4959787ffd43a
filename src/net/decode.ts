/**
 * Content encodings: gzip, deflate, br, zstd. Decoding is streamed, so that a decompression bomb is stopped early. Several layers are rare
 * but exist (a proxy that compresses compressed data).
 *
 * Labels are often wrong: plain text labelled gzip, Zstandard labelled br, gzip without a label or twice under one. The body's first bytes
 * take precedence over the label; bodies still compressed after decoding are decompressed again, within the same limits.
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
import { NetError } from './net-error.ts'

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd'

const MAX_LAYERS = 3
const CHUNK_BYTES = 64 * 1024 // a quarter cheaper than the default of 16 KB
const WINDOW_LOG = 23 // 8 MB, the maximum a server may require by RFC 9659

/**
 * The decoders for a response, outermost first; none if it is not encoded. Unknown encodings ("utf-8" is frequent) are ignored. `start`:
 * the first bytes of the body.
 */
export function createDecoders(contentEncoding: string | undefined, start: Uint8Array): Transform[] {
  if (!contentEncoding) return []
  const codings = contentEncoding.toLowerCase().split(',').reverse()
  const names = codings.map((coding) => coding.trim()).filter((coding) => DECODERS.has(coding))
  const [outermost, ...inner] = names
  const firstCoding = outermost === undefined ? undefined : asItBegins(outermost, start)
  const decoders = [...(firstCoding === undefined ? [] : [firstCoding]), ...inner].map((name) => DECODERS.get(name)!)
  if (decoders.length > MAX_LAYERS) throw new NetError('broken-body', 'the response has too many content encodings')
  return decoders.map((decoder, layer) => decoder(layer === 0 ? start : ZLIB_START))
}

/** A Map, because an object would also have keys such as "constructor". */
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

/** The actual encoding of a body that starts like this and is labelled `name`; undefined if it is not compressed. */
function asItBegins(name: string, start: Uint8Array): string | undefined {
  if (name === 'deflate') return name // has no signature
  const isBegun = (magic: number[]) => magic.every((byte, i) => i >= start.length || start[i] === byte)
  if (isBegun(ZSTD)) return 'zstd'
  if (isBegun(GZIP)) return 'gzip'
  return name === 'br' ? name : undefined // Brotli has no signature
}

/** Decompresses what is still compressed, in other threads, up to `maxBytes`. */
export async function decompressRest(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  let whole = body
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const unpack = begins(whole, GZIP) ? gunzipWhole : begins(whole, ZSTD) ? unzstdWhole : undefined
    if (!unpack) return whole
    try {
      whole = await unpack(whole, { maxOutputLength: maxBytes })
    } catch (cause) {
      const isTooLarge = (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      if (isTooLarge) throw new NetError('too-large', `more than ${maxBytes} bytes after decoding`)
      throw new NetError('broken-body', 'the response could not be decoded', { cause })
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

/** "deflate" means zlib format, but some servers send raw deflate. The low four bits of a zlib header are 8. */
function inflate(start: Uint8Array): Transform {
  const wrapped = (start[0]! & 0x0f) === 8
  return wrapped ? createInflate({ chunkSize: CHUNK_BYTES }) : createInflateRaw({ chunkSize: CHUNK_BYTES })
}

/**
 * Content codings: gzip, deflate, br, zstd. Decoding runs as the bytes come in, so that a small answer that unfolds into
 * gigabytes is given up after the first few. Layers are rare but exist (a proxy that compresses what was compressed).
 */
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
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
  const known = codings.map((coding) => DECODERS.get(coding.trim())).filter((decoder) => decoder !== undefined)
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

const ZLIB_START = new Uint8Array([0x78])

function gunzip(): Transform {
  return createGunzip({ chunkSize: CHUNK_BYTES })
}

/** "deflate" means zlib's wrapping, but some servers send the naked stream. A zlib header's low four bits are 8. */
function inflate(start: Uint8Array): Transform {
  const wrapped = (start[0]! & 0x0f) === 8
  return wrapped ? createInflate({ chunkSize: CHUNK_BYTES }) : createInflateRaw({ chunkSize: CHUNK_BYTES })
}

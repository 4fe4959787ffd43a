/**
 * Encodes a signature as bytes for a store: version, flags and length of the title, number of words, the SimHash, then three
 * bytes a word; all numbers are little-endian. 11 bytes and at most 132 more. The version also covers how words are cleaned,
 * split, hashed and classified: signatures of different versions cannot be compared, and are rejected.
 */
import { type Signature, SKELETON_WORDS } from './signature.ts'

export const SIGNATURE_VERSION = 2
const HEAD_BYTES = 11
const UNSPACED_FLAG = 0x80
const PLAIN_FLAG = 0x40
/** Signatures stored before this flag existed lack it: they count as titled, and nothing else changes. */
const UNTITLED_FLAG = 0x20

export function packSignature({ simhash, words, titleWords, unspaced, untitled, plain }: Signature): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + words.length * 3)
  const view = new DataView(bytes.buffer)
  bytes[0] = SIGNATURE_VERSION
  bytes[1] = titleWords | (unspaced ? UNSPACED_FLAG : 0) | (plain ? PLAIN_FLAG : 0) | (untitled ? UNTITLED_FLAG : 0)
  bytes[2] = words.length
  view.setBigUint64(3, simhash, true)
  for (let i = 0; i < words.length; i++) {
    const at = HEAD_BYTES + i * 3
    view.setUint16(at, words[i]! & 0xffff, true)
    bytes[at + 2] = words[i]! >>> 16
  }
  return bytes
}

/** Undefined if the bytes are invalid or of another version; then the signature has to be computed again. */
export function unpackSignature(bytes: Uint8Array): Signature | undefined {
  const count = bytes[2] ?? 0
  const flags = bytes[1] ?? 0
  const titleWords = flags & ~(UNSPACED_FLAG | PLAIN_FLAG | UNTITLED_FLAG)
  const isOurs = bytes[0] === SIGNATURE_VERSION && bytes.length === HEAD_BYTES + count * 3
  if (!isOurs || count > SKELETON_WORDS || titleWords > count) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const at = HEAD_BYTES + i * 3
    words[i] = view.getUint16(at, true) | (bytes[at + 2]! << 16)
  }
  return {
    simhash: view.getBigUint64(3, true),
    words,
    titleWords,
    unspaced: (flags & UNSPACED_FLAG) !== 0,
    ...((flags & UNTITLED_FLAG) !== 0 && { untitled: true as const }),
    ...((flags & PLAIN_FLAG) !== 0 && { plain: true as const }),
  }
}

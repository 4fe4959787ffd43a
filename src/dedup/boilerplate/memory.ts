/**
 * The memory of the latest entries and its encoding: version, number of phrases, phrases; then for each entry its id, its
 * feed's id, the number of words and parts, words of 16 bits, parts of 32. Little-endian. The version also covers how texts
 * are split and hashed; memories of other versions are discarded and learned again from the next entries.
 */

export interface BoilerplateMemory {
  seen: Seen[]
  /** Hashes of parts, the most recently seen last. */
  phrases: number[]
}

export interface Seen {
  /** The low 32 bits of the entry's id, and of the feed's. */
  id: number
  feedId: number
  /** Content words of the headline, 16 bits of each. */
  headline: readonly number[]
  /** Hashes of labels and sentences. */
  parts: readonly number[]
}

const VERSION = 1
const START_BYTES = 3
const HEAD_BYTES = 10

export function packMemory({ seen, phrases }: BoilerplateMemory): Uint8Array {
  const start = START_BYTES + phrases.length * 4
  const size = seen.reduce(
    (sum, { headline, parts }) => sum + HEAD_BYTES + headline.length * 2 + parts.length * 4,
    start,
  )
  const view = new DataView(new ArrayBuffer(size))
  view.setUint8(0, VERSION)
  view.setUint16(1, phrases.length, true)
  for (const [i, phrase] of phrases.entries()) view.setUint32(START_BYTES + i * 4, phrase, true)
  let at = start
  for (const { id, feedId, headline, parts } of seen) {
    view.setUint32(at, id, true)
    view.setUint32(at + 4, feedId, true)
    view.setUint8(at + 8, headline.length)
    view.setUint8(at + 9, parts.length)
    at += HEAD_BYTES
    for (const [i, stem] of headline.entries()) view.setUint16(at + i * 2, stem, true)
    at += headline.length * 2
    for (const [i, part] of parts.entries()) view.setUint32(at + i * 4, part, true)
    at += parts.length * 4
  }
  return new Uint8Array(view.buffer)
}

/** Empty if the bytes are invalid. */
export function unpackMemory(bytes: Uint8Array | undefined): BoilerplateMemory {
  const nothing = { seen: [], phrases: [] }
  if (!bytes || bytes.length < START_BYTES || bytes[0] !== VERSION) return nothing
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = START_BYTES + view.getUint16(1, true) * 4
  if (start > bytes.length) return nothing
  // plain loops for speed: this runs for every feed of a page
  const numbersIn = (from: number, count: number, width: 2 | 4): number[] => {
    const numbers: number[] = []
    for (let i = 0, at = from; i < count; i++, at += width)
      numbers.push(width === 2 ? view.getUint16(at, true) : view.getUint32(at, true))
    return numbers
  }
  const seen: Seen[] = []
  for (let at = start; at < bytes.length; ) {
    if (at + HEAD_BYTES > bytes.length) return nothing
    const [words, parts] = [view.getUint8(at + 8), view.getUint8(at + 9)]
    const headlineAt = at + HEAD_BYTES
    const partsAt = headlineAt + words * 2
    const end = partsAt + parts * 4
    if (end > bytes.length) return nothing
    seen.push({
      id: view.getUint32(at, true),
      feedId: view.getUint32(at + 4, true),
      headline: numbersIn(headlineAt, words, 2),
      parts: numbersIn(partsAt, parts, 4),
    })
    at = end
  }
  return { seen, phrases: numbersIn(START_BYTES, (start - START_BYTES) / 4, 4) }
}

/**
 * Texts as numbers of words. What entries say is made of words that other entries say, too; a *vocabulary* is a list of these, the
 * most frequent first, and a text is written as one byte or two for each of its words. That is a third of its room, less than
 * a general compressor needs for texts so short, and a tenth of its time: unpacking is looking up.
 *
 * A text is cut into tokens, by its bytes in UTF-8: runs of letters and digits are *words*, runs of other signs are not; a tag, an
 * entity and a character of three bytes (most of them write without spaces) stand alone. A single space between two words
 * is not written. What the vocabulary does not know is written out.
 *
 * Bytes are read with suspicion: whatever they are, reading ends, and what makes no sense says nothing.
 */

/** The first byte of a token. */
const END = 0
const WORD_WRITTEN_OUT = 1
const OTHER_WRITTEN_OUT = 2
/** The next word begins with a capital. */
const CAPITAL = 3
/** Some text that both sides know. */
const KNOWN = 4
/** From here on one byte is a token; then, the first of two; the last is the first of three. */
const ONE_BYTE = 8
const TWO_BYTES = 176
const THREE_BYTES = 255
const OF_ONE_BYTE = TWO_BYTES - ONE_BYTE
const OF_TWO_BYTES = (THREE_BYTES - TWO_BYTES) * 256

export const MOST_TOKENS = 32_000

/** Bytes of a token that is written out at once; longer ones in parts. */
const LONGEST_PART = 200

/** Bytes, and how far they have been read or written. */
export interface Bytes {
  bytes: Buffer
  at: number
}

export interface WordList {
  /** Appends the text and its end. Where it holds what is `known`, that is only pointed at. */
  write(text: string, to: Bytes, known?: string): void
  /** A text that was written with the same `known`, from where the bytes are being read. */
  read(from: Bytes, known?: Uint8Array): string
}

export function createWordList(tokens: readonly string[]): WordList {
  const pool = Buffer.from(tokens.join(''))
  const starts = new Int32Array(tokens.length + 1)
  const isWord = new Uint8Array(tokens.length)
  tokens.forEach((token, i) => {
    starts[i + 1] = starts[i]! + Buffer.byteLength(token)
    isWord[i] = KIND[pool[starts[i]!]!] === WORD ? 1 : 0
  })
  let found: Int32Array | undefined // by hash; only who writes needs it

  function numbers(): Int32Array {
    if (found) return found
    let size = 16
    while (size < tokens.length * 2) size *= 2
    found = new Int32Array(size).fill(-1)
    for (let i = 0; i < tokens.length; i++) {
      let slot = hashOf(pool, starts[i]!, starts[i + 1]!, pool[starts[i]!]!) & (size - 1)
      while (found[slot] !== -1) slot = (slot + 1) & (size - 1)
      found[slot] = i
    }
    return found
  }

  /** The number of the token that stands there, -1 if it is none. `first` stands in for its first byte. */
  function numberOf(bytes: Buffer, from: number, end: number, first: number): number {
    const table = numbers()
    for (let slot = hashOf(bytes, from, end, first) & (table.length - 1); ; slot = (slot + 1) & (table.length - 1)) {
      const number = table[slot]!
      if (number === -1) return -1
      const start = starts[number]!
      if (starts[number + 1]! - start !== end - from || pool[start] !== first) continue
      let i = 1
      while (i < end - from && pool[start + i] === bytes[from + i]) i++
      if (i === end - from) return number
    }
  }

  function writePart(text: string, to: Bytes): void {
    const length = utf8Of(text)
    const bytes = source
    let afterWord = false
    for (let from = 0; from < length; ) {
      const first = bytes[from]!
      const word = KIND[first] === WORD
      let end = tokenEnd(bytes, from, length)
      if (first === SPACE && afterWord && end === from + 1 && end < length && KIND[bytes[end]!] === WORD) {
        from = end // is said by two words that follow each other
        continue
      }
      if (end - from > LONGEST_PART) {
        end = from + LONGEST_PART
        while (isWithin(bytes[end]!)) end-- // a character is not cut
      }
      makeRoom(to, end - from + 4)
      const out = to.bytes
      let number = numberOf(bytes, from, end, first)
      if (number === -1 && first >= CAPITAL_A && first <= CAPITAL_Z) {
        number = numberOf(bytes, from, end, first + TO_SMALL)
        if (number !== -1) out[to.at++] = CAPITAL
      }
      if (number === -1) {
        out[to.at++] = word ? WORD_WRITTEN_OUT : OTHER_WRITTEN_OUT
        out[to.at++] = end - from
        to.at += bytes.copy(out, to.at, from, end)
      } else if (number < OF_ONE_BYTE) out[to.at++] = ONE_BYTE + number
      else {
        let rest = number - OF_ONE_BYTE
        if (rest < OF_TWO_BYTES) out[to.at++] = TWO_BYTES + (rest >> 8)
        else {
          rest -= OF_TWO_BYTES
          out[to.at++] = THREE_BYTES
          out[to.at++] = rest >> 8
        }
        out[to.at++] = rest & 255
      }
      if (word && end < length && KIND[bytes[end]!] === WORD) {
        out[to.at++] = OTHER_WRITTEN_OUT // nothing, so that no space is taken to be between the parts of one word
        out[to.at++] = 0
      }
      afterWord = word
      from = end
    }
  }

  return {
    write(text, to, known = '') {
      const at = known === '' ? -1 : text.indexOf(known)
      if (at < 0) writePart(text, to)
      else {
        writePart(text.slice(0, at), to)
        makeRoom(to, 1)
        to.bytes[to.at++] = KNOWN
        writePart(text.slice(at + known.length), to)
      }
      makeRoom(to, 1)
      to.bytes[to.at++] = END
    },

    read(from, known = NOTHING) {
      const { bytes } = from
      let at = from.at
      let out = target
      let length = 0
      let afterWord = false
      let isCapital = false
      while (at < bytes.length) {
        const first = bytes[at++]!
        if (first === END) break
        let word = false
        let begin = length
        if (first >= ONE_BYTE) {
          let number = first - ONE_BYTE
          if (first === THREE_BYTES) {
            number = OF_ONE_BYTE + OF_TWO_BYTES + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
            at += 2
          } else if (first >= TWO_BYTES) number = OF_ONE_BYTE + (first - TWO_BYTES) * 256 + (bytes[at++] ?? 0)
          if (number >= isWord.length) continue
          const end = starts[number + 1]!
          word = isWord[number] === 1
          if (length + LONGEST_PART > out.length) out = largerTarget(length + LONGEST_PART)
          if (word && afterWord) out[length++] = SPACE
          begin = length
          for (let i = starts[number]!; i < end; i++) out[length++] = pool[i]!
        } else if (first === CAPITAL) {
          isCapital = true
          continue
        } else {
          const pieces = first === KNOWN ? known : bytes
          const start = first === KNOWN ? 0 : at + 1
          const end = Math.min(first === KNOWN ? known.length : start + (bytes[at] ?? 0), pieces.length)
          if (first !== KNOWN) at = Math.max(start, end)
          word = first === WORD_WRITTEN_OUT
          if (length + end - start + 1 > out.length) out = largerTarget(length + end - start + 1)
          if (word && afterWord) out[length++] = SPACE
          begin = length
          for (let i = start; i < end; i++) out[length++] = pieces[i]!
        }
        if (isCapital) {
          out[begin] = out[begin]! & ~TO_SMALL
          isCapital = false
        }
        afterWord = word
      }
      from.at = at
      return out.toString('utf8', 0, length)
    },
  }
}

const NOTHING = Buffer.alloc(0)

/** Counts the tokens of texts, to make a vocabulary of them. */
export interface Learner {
  add(text: string): void
  tokens(): string[]
}

/** Different tokens that are counted at most: of more, those that were met once are let go. */
const MOST_COUNTED = 200_000

export function createLearner(): Learner {
  let counts = new Map<string, number>()
  return {
    add(text) {
      const length = utf8Of(text)
      for (let from = 0; from < length; ) {
        const end = tokenEnd(source, from, length)
        if (end - from <= LONGEST_TOKEN) {
          const token = source.toString('utf8', from, end)
          counts.set(token, (counts.get(token) ?? 0) + 1)
        }
        from = end
      }
      if (counts.size > MOST_COUNTED) counts = new Map([...counts].filter(([, count]) => count > 1))
    },
    tokens() {
      const byCount = new Map<number, string[]>() // to sort them all would take tens of milliseconds
      for (const [token, count] of counts) {
        if (count < 2) continue
        const alike = byCount.get(count)
        if (alike) alike.push(token)
        else byCount.set(count, [token])
      }
      const often = [...byCount.keys()].sort((a, b) => b - a)
      return often.flatMap((count) => byCount.get(count)!).slice(0, MOST_TOKENS)
    },
  }
}

const LONGEST_TOKEN = 60

/** What is being written, and read; nobody else does either meanwhile. */
let source: Buffer = Buffer.allocUnsafe(1 << 14)
let target: Buffer = Buffer.allocUnsafe(1 << 14)
const LARGE = 1 << 20 // is not kept

function utf8Of(text: string): number {
  if (source.length < text.length * 3 || source.length > LARGE)
    source = Buffer.allocUnsafe(Math.max(1 << 14, text.length * 3))
  return source.write(text)
}

function largerTarget(room: number): Buffer {
  const larger = Buffer.allocUnsafe(room * 2)
  target.copy(larger)
  target = larger
  return larger
}

export function makeRoom(to: Bytes, more: number): void {
  if (to.at + more <= to.bytes.length) return
  const larger = Buffer.allocUnsafe(2 * (to.at + more))
  to.bytes.copy(larger, 0, 0, to.at)
  to.bytes = larger
}

const SPACE = 0x20
const AMPERSAND = 0x26
const SEMICOLON = 0x3b
const LESS = 0x3c
const MORE = 0x3e
const CAPITAL_A = 0x41
const CAPITAL_Z = 0x5a
const TO_SMALL = 0x20

/** By its first byte. */
const OTHER = 0
const WORD = 1
const ALONE = 2
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? WORD : OTHER
  return byte === 0xc2 || byte >= 0xe2 ? ALONE : WORD // 0xc2: signs of Latin-1
})

/** Not the first byte of a character. */
function isWithin(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

const LONGEST_TAG = 40
const LONGEST_ENTITY = 10

function tokenEnd(bytes: Buffer, from: number, length: number): number {
  const first = bytes[from]!
  const kind = KIND[first]
  let end = from + 1
  if (kind === WORD) {
    while (end < length && KIND[bytes[end]!] === WORD) end++
    return end
  }
  if (kind === ALONE) {
    while (end < length && isWithin(bytes[end]!)) end++
    return end
  }
  if (first === LESS || first === AMPERSAND) {
    const whole = closedAt(
      bytes,
      from,
      length,
      first === LESS ? MORE : SEMICOLON,
      first === LESS ? LONGEST_TAG : LONGEST_ENTITY,
    )
    if (whole > 0) return whole
  }
  while (end < length && KIND[bytes[end]!] === OTHER && bytes[end] !== LESS && bytes[end] !== AMPERSAND) end++
  return end
}

/** Behind the sign that ends what begins here; 0 if it does not come soon, or another begins before. */
function closedAt(bytes: Buffer, from: number, length: number, sign: number, longest: number): number {
  const until = Math.min(length, from + longest)
  for (let at = from + 1; at < until; at++) {
    const byte = bytes[at]!
    if (byte === sign) return at + 1
    if (byte === LESS || byte === AMPERSAND || (sign === SEMICOLON && byte === SPACE)) return 0
  }
  return 0
}

/** FNV-1a. */
function hashOf(bytes: Buffer, from: number, end: number, first: number): number {
  let hash = Math.imul(0x811c9dc5 ^ first, 0x01000193)
  for (let i = from + 1; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}

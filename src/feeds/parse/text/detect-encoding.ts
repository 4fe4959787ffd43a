/**
 * Detects legacy encodings when neither the server nor the document declares one: decodes a sample with each candidate and scores the
 * result. Letters frequent in a language of the encoding score high; symbols in place of letters, capitals inside words and mixed
 * scripts within a word score low.
 */
import { decoderOf } from './encodings.ts'
import { CANDIDATES, type EncodingCandidate } from './letter-frequencies.ts'

export function detectEncoding(bytes: Uint8Array): string {
  const sample = sampleOf(bytes)
  const scripts = scriptsIn(sample)
  const texts = new Map<string, string | undefined>()
  let best = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY }
  for (const candidate of CANDIDATES) {
    if (!scripts.includes(candidate.script)) continue
    const { encoding } = candidate
    if (!texts.has(encoding)) texts.set(encoding, decoderOf(encoding)?.decode(sample))
    const text = texts.get(encoding)
    const score = text === undefined ? Number.NEGATIVE_INFINITY : scoreOf(text, candidate)
    if (score > best.score) best = { encoding, score }
  }
  return best.encoding
}

/** Number of non-ASCII bytes in the sample. */
const MAX_SAMPLE_BYTES = 300

/**
 * The non-ASCII bytes, each with the byte before and the two after it, which may belong to the same character; a space marks each
 * omission. English text around a few accents says nothing about them.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(5 * MAX_SAMPLE_BYTES)
  let length = 0
  let sampleLength = 0
  let nonAsciiCount = 0
  for (let at = 0; at < bytes.length && nonAsciiCount < MAX_SAMPLE_BYTES; at++) {
    if (bytes[at]! < 0x80) continue
    nonAsciiCount++
    const from = Math.max(sampleLength, at - 1)
    if (from > sampleLength) sample[length++] = SPACE
    sampleLength = Math.min(bytes.length, at + 3)
    for (let p = from; p < sampleLength; p++) sample[length++] = bytes[p]!
  }
  return sample.subarray(0, length)
}

const SPACE = 0x20

/** Non-Latin scripts have runs of non-ASCII bytes, Latin ones single bytes among letters; both are tried if unclear. */
function scriptsIn(sample: Uint8Array): EncodingCandidate['script'][] {
  let nonAsciiCount = 0
  let neighbours = 0
  for (let at = 0; at < sample.length; at++) {
    if (sample[at]! < 0x80) continue
    nonAsciiCount++
    if (sample[at + 1]! >= 0x80) neighbours++
  }
  if (neighbours < 0.1 * nonAsciiCount) return ['latin']
  return neighbours > 0.75 * nonAsciiCount ? ['own'] : ['own', 'latin']
}

const ranks = new Map<EncodingCandidate, Map<string, number>>()

function ranksOf(candidate: EncodingCandidate): Map<string, number> {
  const cached = ranks.get(candidate)
  if (cached) return cached
  const letters = [...candidate.letters]
  // The same slope for all alphabets of a script, so that alphabet size does not matter.
  const slope = 0.7 / (candidate.script === 'own' ? Math.max(50, letters.length) : letters.length)
  const letterRanks = new Map(letters.map((letter, index) => [letter, 1 - slope * index]))
  ranks.set(candidate, letterRanks)
  return letterRanks
}

/** Bonus for wide encodings: valid two-byte sequences throughout are evidence in themselves. */
const PAIRS_FIT = 0.2

/** The mean over all non-ASCII characters. */
function scoreOf(text: string, candidate: EncodingCandidate): number {
  const rank = ranksOf(candidate)
  let sum = 0
  let count = 0
  let before = ''
  for (const character of text) {
    if (character > '\x7f') {
      count++
      sum += letterScore(character, before, candidate, rank)
    } else if (candidate.script === 'own' && isAsciiLetter(character) && candidate.others.test(before)) sum -= 0.5
    before = character
  }
  return count === 0 ? 0 : sum / count + (candidate.isWide && !text.includes('\ufffd') ? PAIRS_FIT : 0)
}

function letterScore(
  character: string,
  before: string,
  candidate: EncodingCandidate,
  rank: Map<string, number>,
): number {
  const lower = character.toLowerCase()
  const value = rank.get(lower) ?? (candidate.others.test(character) ? 0.05 : signValue(character))
  if (value <= 0) return value
  if (lower !== character) {
    // A capital inside a word is wrong; a word in capitals is rare.
    if (before !== before.toUpperCase()) return -0.6
    if (before !== before.toLowerCase()) return value / 3
  }
  const afterAscii = isAsciiLetter(before)
  if (candidate.script === 'own') return afterAscii ? value - 0.7 : value
  // One or two accented letters in a row are possible; longer runs are unlikely.
  return afterAscii ? value : before > '\x7f' ? value - 0.8 : value - 0.2
}

const COMMON_SIGNS =
  /[\u00a0\u00a1\u00bf\u2013\u2014\u2018-\u201e\u2026\u00ab\u00bb\u2022\u2122\u00a9\u00b7\u00b0\u20ac\u2116\u3000-\u300f\uff01-\uff5e\u30fb\u30fc]/

function signValue(character: string): number {
  if (COMMON_SIGNS.test(character)) return 0.2
  if (character === '\ufffd' || /[\u0080-\u009f\ue000-\uf8ff]/.test(character)) return -4
  return -0.7
}

function isAsciiLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
}

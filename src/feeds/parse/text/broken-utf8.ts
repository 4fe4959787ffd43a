/**
 * Decodes UTF-8 with a few invalid bytes, such as a quote pasted from an old editor. Invalid bytes are read as windows-1252, which they
 * nearly always are; an incomplete character at the very end is dropped.
 */
import { windows1252Character } from '../../../html/index.ts'

/** Undefined if there are too many invalid bytes for it to be UTF-8; more are allowed if it is declared as UTF-8. */
export function decodeBrokenUtf8(bytes: Buffer, isDeclared: boolean): string | undefined {
  const wrong: number[] = []
  let characters = 0
  let at = 0
  while (at < bytes.length) {
    const length = bytes[at]! < 0x80 ? 1 : sequenceLength(bytes, at)
    if (length > 1) characters++
    if (length === 0) {
      if (isCutOff(bytes, at)) break
      wrong.push(at)
    }
    at += Math.max(1, length)
  }
  if (wrong.length * (isDeclared ? 1 : RIGHT_FOR_EACH_WRONG) > characters) return undefined
  let text = ''
  let from = 0
  for (const position of wrong) {
    text += bytes.toString('utf8', from, position) + characterOf(bytes[position]!)
    from = position + 1
  }
  return text + bytes.toString('utf8', from, at)
}

function characterOf(byte: number): string {
  return byte > 159 ? String.fromCharCode(byte) : (windows1252Character(byte) ?? '')
}

/** By chance, one sequence in ten is valid in other encodings; in real UTF-8, few are invalid. */
const RIGHT_FOR_EACH_WRONG = 3

/** 2 to 4, or 0 if no valid sequence starts here. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at]!
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index]
    if (byte === undefined || byte < 0x80 || byte > 0xbf) return 0
  }
  const second = bytes[at + 1] ?? 0
  const overlong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90)
  const impossible = (lead === 0xed && second > 0x9f) || (lead === 0xf4 && second > 0x8f)
  return overlong || impossible ? 0 : length
}

function isCutOff(bytes: Buffer, at: number): boolean {
  return (
    bytes.length - at < 4 && bytes[at]! >= 0xc2 && bytes.subarray(at + 1).every((byte) => byte >= 0x80 && byte <= 0xbf)
  )
}

/**
 * Removes control characters. Those below 32 are dropped. Those from 128 to 159 are bytes of windows-1252 that were read as Latin-1 and
 * written as UTF-8: dashes, quotes, the euro sign. If the bytes were UTF-8 already and got encoded twice, a punctuation character has
 * become a sequence of three that never occurs otherwise.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { windows1252Character } from '../../../html/index.ts'

/** Drops control characters, or restores the intended ones. */
export function removeControlCharacters(text: string): string {
  return text.search(CONTROL) < 0 ? text : text.replace(MISREAD, restore)
}

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
const MISREAD = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\xe2(?:\x80[\x80-\xbf]|\x82\xac)/g

function restore(misread: string): string {
  if (misread.length > 1) return Buffer.from(misread, 'latin1').toString()
  const code = misread.charCodeAt(0)
  return code < 128 ? '' : (windows1252Character(code) ?? '')
}

/** Whether a document may contain any. Checked once per document, so that clean texts cost nothing. `bytes`: the original. */
export function mayHaveControls(bytes: Uint8Array, text: string): boolean {
  if (isAscii(bytes)) return hasLowControls(text)
  if (!isUtf8(bytes)) return CONTROL.test(text)
  const narrow = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return hasLowControls(narrow) || hasHighControls(narrow)
}

/** `narrow`: UTF-8 bytes as Latin-1. The lead byte of these controls is rare otherwise (used by signs such as ©). */
function hasHighControls(narrow: string): boolean {
  for (let lead = narrow.indexOf('\xc2'); lead >= 0; lead = narrow.indexOf('\xc2', lead + 1)) {
    if (narrow.charCodeAt(lead + 1) < 160) return true
  }
  return false
}

/** Separate searches are faster than one regular expression, and faster still on one-byte strings. */
function hasLowControls(text: string): boolean {
  for (let index = 0; index < LOW_CONTROLS.length; index++) {
    if (text.includes(LOW_CONTROLS[index]!)) return true
  }
  return false
}

const LOW_CONTROLS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((c) => CONTROL.test(c))

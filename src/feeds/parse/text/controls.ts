/**
 * Control characters, which no text means. Those below 32 are dropped. Those from 128 to 159 are bytes of windows-1252 that
 * somebody took for Latin-1 and wrote as UTF-8: dashes, quotes, the euro. Where the bytes were UTF-8 already, and so are UTF-8
 * twice now, a sign of punctuation has become three characters that never stand together otherwise.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { windows1252Character } from '../../../markup/index.ts'

/** Without control characters: dropped, or read as what they were. */
export function cleaned(text: string): string {
  return text.search(CONTROL) < 0 ? text : text.replace(MISREAD, meant)
}

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
const MISREAD = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\xe2(?:\x80[\x80-\xbf]|\x82\xac)/g

function meant(misread: string): string {
  if (misread.length > 1) return Buffer.from(misread, 'latin1').toString()
  const code = misread.charCodeAt(0)
  return code < 128 ? '' : (windows1252Character(code) ?? '')
}

/** Whether anything in a document may need it: asked once, so that it costs no text anything. `bytes`: as it came. */
export function mayHaveControls(bytes: Uint8Array, text: string): boolean {
  if (isAscii(bytes)) return hasLowControls(text)
  if (!isUtf8(bytes)) return CONTROL.test(text)
  const narrow = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return hasLowControls(narrow) || hasHighControls(narrow)
}

/** `narrow`: UTF-8, a character a byte. The byte before them is before few other characters: signs such as ©. */
function hasHighControls(narrow: string): boolean {
  for (let lead = narrow.indexOf('\xc2'); lead >= 0; lead = narrow.indexOf('\xc2', lead + 1)) {
    if (narrow.charCodeAt(lead + 1) < 160) return true
  }
  return false
}

/** One search for each is faster than one for all of them, and faster still where a character takes one byte. */
function hasLowControls(text: string): boolean {
  for (let index = 0; index < LOW_CONTROLS.length; index++) {
    if (text.includes(LOW_CONTROLS[index]!)) return true
  }
  return false
}

const LOW_CONTROLS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((c) => CONTROL.test(c))

/**
 * Limits the nesting depth of JSON before it is parsed: a parser takes seconds for a few megabytes of brackets, and code that walks the
 * value may overflow the stack. Scans every byte once and allocates nothing.
 */
import { Problem } from './problem.ts'

/** No operation needs more than four levels. */
const MAX_DEPTH = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Throws a Problem if the JSON is nested too deeply. Does not check whether it is valid. */
export function assertMaxDepth(json: Uint8Array): void {
  let depth = 0
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (isText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH)
        throw new Problem(400, 'the JSON is nested too deeply', `the limit is ${MAX_DEPTH} levels`)
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
}

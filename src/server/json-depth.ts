/**
 * How deeply JSON is nested, before it is parsed: a parser takes seconds for a few megabytes of brackets, and whoever walks through
 * the value afterwards may run out of stack. One look at every byte; no value is made.
 */
import { Problem } from './problem.ts'

/** No operation takes more than four levels. */
const DEEPEST = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Throws a Problem where brackets stand deeper. What is no JSON at all is for the parser to say. */
export function assertShallow(json: Uint8Array): void {
  let depth = 0
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (isText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > DEEPEST) throw new Problem(400, 'the JSON is nested too deeply', `the limit is ${DEEPEST} levels`)
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
}

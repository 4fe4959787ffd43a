/** Does this look like a feed? Judged by its first element, without reading the document; a web page never does. */
import { decodeText } from '../parse/text/decode-text.ts'
import { findRoot } from '../parse/xml/prolog.ts'

const ENOUGH_BYTES = 4096

export function looksLikeFeed(bytes: Uint8Array): boolean {
  const { text } = decodeText(bytes.subarray(0, ENOUGH_BYTES))
  if (/^[\s\ufeff]*\{/.test(text)) return /"version"\s*:\s*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org/.test(text)
  const root = findRoot(text)
  return root.name !== undefined && !root.afterJunk
}

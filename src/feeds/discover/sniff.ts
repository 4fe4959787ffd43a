/** Whether a document looks like a feed, by its root element only. Never true for a web page. */
import { decodeText } from '../parse/text/decode-text.ts'
import { findRoot } from '../parse/xml/prolog.ts'

const SNIFFED_BYTES = 4096

export function looksLikeFeed(bytes: Uint8Array): boolean {
  const { text } = decodeText(bytes.subarray(0, SNIFFED_BYTES))
  if (/^[\s\ufeff]*\{/.test(text)) return /"version"\s*:\s*"https?:\\?\/\\?\/(?:www\.)?jsonfeed\.org/.test(text)
  const root = findRoot(text)
  return root.name !== undefined && !root.afterJunk
}

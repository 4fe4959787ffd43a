/**
 * Decides whether a response is a page, by its content type and its first bytes: servers serve pages as text/plain, and PDF
 * files as text/html.
 */
import { mayBeTranscript } from './transcript.ts'

const SNIFFED_BYTES = 1024

/** A page or a transcript, by content type alone, before reading the body. */
export function mayBePage(contentType: string | undefined): boolean {
  const type = mediaType(contentType)
  return (
    type === '' ||
    type.startsWith('text/') ||
    type === 'application/octet-stream' ||
    XML.test(type) ||
    mayBeTranscript(type)
  )
}

export function isPage(contentType: string | undefined, body: Uint8Array): boolean {
  const type = mediaType(contentType)
  if (!mayBePage(type)) return false
  const start = Buffer.from(body.subarray(0, SNIFFED_BYTES)).toString('latin1')
  // UTF-16 contains zero bytes; if declared as a page and marked as UTF-16 it is accepted
  if (BINARY.test(start) || (start.includes('\0') && !WIDE.test(start))) return false
  return type === 'text/html' || type === 'application/xhtml+xml' || LIKE_A_PAGE.test(start.replaceAll('\0', ''))
}

const XML = /^application\/(?:xhtml\+)?xml$/
const BINARY = /^(?:%PDF-|PK\x03\x04|GIF8|\xff\xd8\xff|\x89PNG|\x1f\x8b|ID3|OggS|RIFF|Rar!|7z\xbc\xaf)/
const WIDE = /^(?:\xff\xfe|\xfe\xff|<\0|\0<)/
/** The first tag of a page, after byte order mark, white space, declaration and comments. */
const LIKE_A_PAGE =
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]{0,300}>\s*)?(?:<!--[^>]{0,500}-->\s*){0,3}<(?:!doctype\s+html|html|head|body|title)\b/i

export function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase()
}

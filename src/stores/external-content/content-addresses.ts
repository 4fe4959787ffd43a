/**
 * Content addresses, and the references that a store holds in place of external content. A reference is a prefix and a content address.
 * No feed or article page can forge one: a text that begins with the prefix is always externalized, however short. An address is made of
 * the owner and a hash of the content, so the same text of the same feed has one address, and comparing references gives the same result
 * as comparing texts.
 */
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Instant } from '../../model/index.ts'
import type { ContentAddress, ContentOwner, ContentText } from '../../ports/index.ts'

const REFERENCE_PREFIX = '\u0001library '
const REFERENCE_PREFIX_BYTES = Buffer.from(REFERENCE_PREFIX)
/** No content is larger: article pages are bounded when they are fetched. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

/** Shorter texts (in characters) stay in the store: a reference is not shorter. */
export const MIN_EXTERNAL_LENGTH = 200

export function isContentReference(text: string | undefined): boolean {
  return text?.startsWith(REFERENCE_PREFIX) ?? false
}

export function contentReference(address: ContentAddress): string {
  return REFERENCE_PREFIX + address
}

export function contentAddressIn(text: string | undefined): ContentAddress | undefined {
  return isContentReference(text) ? (text!.slice(REFERENCE_PREFIX.length) as ContentAddress) : undefined
}

/** The same for article pages, which are bytes. */
export function contentAddressInBytes(bytes: Uint8Array): ContentAddress | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, REFERENCE_PREFIX_BYTES.length))
  return head.equals(REFERENCE_PREFIX_BYTES)
    ? (Buffer.from(bytes).toString('latin1').slice(REFERENCE_PREFIX.length) as ContentAddress)
    : undefined
}

/** Compresses content for the content store. */
export function packExternalContent(owner: ContentOwner, at: Instant, content: string | Uint8Array): ContentText {
  return { address: contentAddressOf(owner, content), owner, at, bytes: deflateRawSync(content) }
}

export function contentAddressOf(owner: ContentOwner, content: string | Uint8Array): ContentAddress {
  return `${ownerPrefix(owner)}/${createHash('sha256').update(content).digest('base64url')}` as ContentAddress
}

/** The content that {@link packExternalContent} compressed. */
export function unpackContent(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES })
}

function ownerPrefix(owner: ContentOwner): string {
  switch (owner.kind) {
    case 'entry':
      return `f${owner.feedId}`
    case 'found':
      return `s${owner.sourceId}`
    case 'article':
      return `a${owner.articleId}`
  }
}

/**
 * How the ledger names what the library keeps. In the place of a text stands a mark that no feed and no page can write, because
 * whatever begins with it is moved, too, and then the text's name. Names are made of whose it is and what it says: what a feed says
 * twice has one name, so a ledger that compares names finds the same as one that compares texts.
 */
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Instant } from '../../model/index.ts'
import type { LibraryText, TextName, TextOwner } from '../../ports/index.ts'

const MARK = '\u0001library '
const MARK_BYTES = Buffer.from(MARK)
/** No text of ours is larger: pages are bounded where they are fetched. */
const LARGEST = 64 * 1024 * 1024

/** Texts of fewer characters stay in the ledger: a name is no shorter. */
export const SHORTEST = 200

export function isMarked(text: string | undefined): boolean {
  return text?.startsWith(MARK) ?? false
}

export function marked(name: TextName): string {
  return MARK + name
}

export function nameIn(text: string | undefined): TextName | undefined {
  return isMarked(text) ? (text!.slice(MARK.length) as TextName) : undefined
}

/** The same for bytes: pages are no text. */
export function nameInBytes(bytes: Uint8Array): TextName | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MARK_BYTES.length))
  return head.equals(MARK_BYTES) ? (Buffer.from(bytes).toString('latin1').slice(MARK.length) as TextName) : undefined
}

/** A text on its way into the library. */
export function shelved(owner: TextOwner, at: Instant, said: string | Uint8Array): LibraryText {
  return { name: textNameOf(owner, said), owner, at, bytes: deflateRawSync(said) }
}

export function textNameOf(owner: TextOwner, said: string | Uint8Array): TextName {
  return `${shelfOf(owner)}/${createHash('sha256').update(said).digest('base64url')}` as TextName
}

/** What a text of the library says. */
export function saidIn(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: LARGEST })
}

function shelfOf(owner: TextOwner): string {
  switch (owner.kind) {
    case 'entry':
      return `f${owner.feedId}`
    case 'found':
      return `s${owner.sourceId}`
    case 'article':
      return `a${owner.articleId}`
  }
}

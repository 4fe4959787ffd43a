/**
 * The outline of a feed in XML: which elements belong to the feed, which to each entry. The same for all vocabularies, as all
 * of them are a list of items with something before it.
 */
import { FEED_LIMITS } from '../parsed-feed.ts'
import type { XmlPiece } from './piece.ts'
import { walk } from './walk.ts'
import type { XmlText } from './xml-text.ts'

/** In the order of the document. */
export type XmlPieces = XmlPiece[]

export interface EntryOutline {
  item: XmlPiece
  pieces: XmlPieces
  /** Where it is not the document's. */
  language: string | undefined
  /** The document broke off inside; of the piece that it broke off in, nothing is here. */
  cut: boolean
}

export interface FeedOutline {
  root: XmlPiece
  channel: XmlPiece | undefined
  head: XmlPieces
  /** Entries beyond the limit. */
  leftOut: number
  cut: boolean
}

/** Hands over each entry as soon as it is closed, so that what is only needed for reading it is soon forgotten. */
export function outline(xml: XmlText, root: XmlPiece, onEntry: (entry: EntryOutline) => void): FeedOutline {
  const head: XmlPieces = []
  let entries = 0
  let channel: XmlPiece | undefined = root.key === 'channel' ? root : undefined
  let entry: EntryOutline | undefined
  let leftOut = 0
  let cut = false

  const open = (container: XmlPiece) => {
    if (container.key === 'item' || container.key === 'entry') {
      const { language } = container.scope
      const differs = language !== root.scope.language
      entry = { item: container, pieces: [], language: differs ? language : undefined, cut: false }
    } else if (container.key === 'channel') channel ??= container
  }
  const finish = (closed: EntryOutline, wasCut: boolean) => {
    if (wasCut) closed.cut = cut = true
    if (entries++ < FEED_LIMITS.entries) onEntry(closed)
    else leftOut++
  }
  // An Atom document may be a single entry.
  if (root.key === 'entry') open(root)

  walk(xml, root.tag.end, xml.text.length, root.scope, {
    open,
    close(key, wasCut) {
      if (key !== 'item' && key !== 'entry') return
      if (entry) finish(entry, wasCut)
      entry = undefined
    },
    field(piece, wasCut) {
      if (wasCut) cut = true
      else addPiece(entry ? entry.pieces : head, piece)
    },
  })
  if (entry) finish(entry, false)
  return { root, channel, head, leftOut, cut }
}

export function addPiece(pieces: XmlPieces, piece: XmlPiece): void {
  if (pieces.length < MOST_PIECES) pieces.push(piece)
}

const MOST_PIECES = 2_000

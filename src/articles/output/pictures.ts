/**
 * The pictures of an article: those between its blocks, alone or with a short caption. Pictures that link to another page
 * are teasers; small ones are icons.
 */
import { toAbsoluteUrl } from '../facts/urls.ts'
import type { Block } from '../main/blocks.ts'
import { oneVisibleLine, type Page, type PagePiece } from '../page/piece.ts'
import { escapeHtml } from './escape.ts'

export interface Picture {
  index: number
  src: string
  html: string
}

const MOST = 200
const SMALL = 100
/** How many elements up from a picture its text may be. */
const HIGHEST = 8

export function findPictures({ pieces, images }: Page, blocks: readonly Block[], base: URL | undefined): Picture[] {
  if (blocks.length === 0 || images.length === 0) return []
  const kept = keptInside(pieces, blocks)
  const last = blocks[blocks.length - 1]!.to
  const pictures = new Map<string, Picture>()
  for (const index of images) {
    if (index >= last || pictures.size === MOST) break
    const piece = pieces[index]!
    if (isSmall(piece) || leadsElsewhere(pieces, piece) || !standsByText(pieces, index, kept)) continue
    const src = sourceOf(piece, base)
    if (src === undefined || pictures.has(src)) continue
    const alt = oneVisibleLine(piece.attributes.alt ?? '')
    pictures.set(src, {
      index,
      src,
      html: `<figure><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"></figure>`,
    })
  }
  return [...pictures.values()]
}

/** 1 for every element that contains a block of the article. */
function keptInside(pieces: readonly PagePiece[], blocks: readonly Block[]): Uint8Array {
  const kept = new Uint8Array(pieces.length)
  for (const { home } of blocks) kept[home] = 1
  for (let i = pieces.length - 1; i > 0; i--) if (kept[i] === 1) kept[pieces[i]!.parent] = 1
  return kept
}

/** Whether an ancestor of the picture below the page's root contains text of the article. */
function standsByText(pieces: readonly PagePiece[], index: number, kept: Uint8Array): boolean {
  let at = pieces[index]!.parent
  for (let i = 0; i < HIGHEST && at > 0; i++) {
    if (kept[at] === 1) return true
    if (ASIDES.has(pieces[at]!.name)) return false
    at = pieces[at]!.parent
  }
  return false
}

const ASIDES: ReadonlySet<string> = new Set(['aside', 'footer', 'header', 'li', 'nav'])

function isSmall({ attributes: { width, height } }: PagePiece): boolean {
  return [width, height].some(
    (side) => side !== undefined && /^\d+(?:px)?$/.test(side) && Number.parseInt(side, 10) < SMALL,
  )
}

function leadsElsewhere(pieces: readonly PagePiece[], { link }: PagePiece): boolean {
  return link > 0 && !/\.(?:jpe?g|png|gif|webp|avif)(?:$|\?)/i.test(pieces[link]!.attributes.href ?? '')
}

function sourceOf({ attributes }: PagePiece, base: URL | undefined): string | undefined {
  const { src, srcset, lazySrc } = attributes
  for (const candidate of [lazySrc, src, srcset?.trim().split(/\s/, 1)[0]]) {
    const url = toAbsoluteUrl(candidate, base)
    if (url) return url
  }
  return undefined
}

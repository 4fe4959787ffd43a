/**
 * The pictures of an article: those between its blocks, alone or with a short caption. Pictures that link to another page
 * are teasers; small ones are icons.
 */
import { toAbsoluteUrl } from '../facts/urls.ts'
import type { Block } from '../main/blocks.ts'
import { oneVisibleLine, type Page, type PageNode } from '../page/page-node.ts'
import { escapeHtml } from './escape.ts'

export interface Picture {
  index: number
  src: string
  html: string
}

const MAX_PICTURES = 200
const SMALL_SIDE = 100
/** How many elements up from a picture its text may be. */
const MAX_ANCESTORS = 8

export function findPictures({ nodes, images }: Page, blocks: readonly Block[], base: URL | undefined): Picture[] {
  if (blocks.length === 0 || images.length === 0) return []
  const hasText = markAncestorsOfText(nodes, blocks)
  const last = blocks[blocks.length - 1]!.to
  const pictures = new Map<string, Picture>()
  for (const index of images) {
    if (index >= last || pictures.size === MAX_PICTURES) break
    const node = nodes[index]!
    if (isSmall(node) || linksElsewhere(nodes, node) || !isNearText(nodes, index, hasText)) continue
    const src = sourceOf(node, base)
    if (src === undefined || pictures.has(src)) continue
    const alt = oneVisibleLine(node.attributes.alt ?? '')
    pictures.set(src, {
      index,
      src,
      html: `<figure><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"></figure>`,
    })
  }
  return [...pictures.values()]
}

/** 1 for every element that contains a block of the article. */
function markAncestorsOfText(nodes: readonly PageNode[], blocks: readonly Block[]): Uint8Array {
  const hasText = new Uint8Array(nodes.length)
  for (const { home } of blocks) hasText[home] = 1
  for (let i = nodes.length - 1; i > 0; i--) if (hasText[i] === 1) hasText[nodes[i]!.parent] = 1
  return hasText
}

/** Whether an ancestor of the picture below the page's root contains text of the article. */
function isNearText(nodes: readonly PageNode[], index: number, hasText: Uint8Array): boolean {
  let at = nodes[index]!.parent
  for (let i = 0; i < MAX_ANCESTORS && at > 0; i++) {
    if (hasText[at] === 1) return true
    if (ASIDES.has(nodes[at]!.name)) return false
    at = nodes[at]!.parent
  }
  return false
}

const ASIDES: ReadonlySet<string> = new Set(['aside', 'footer', 'header', 'li', 'nav'])

function isSmall({ attributes: { width, height } }: PageNode): boolean {
  return [width, height].some(
    (side) => side !== undefined && /^\d+(?:px)?$/.test(side) && Number.parseInt(side, 10) < SMALL_SIDE,
  )
}

function linksElsewhere(nodes: readonly PageNode[], { link }: PageNode): boolean {
  return link > 0 && !/\.(?:jpe?g|png|gif|webp|avif)(?:$|\?)/i.test(nodes[link]!.attributes.href ?? '')
}

function sourceOf({ attributes }: PageNode, base: URL | undefined): string | undefined {
  const { src, srcset, lazySrc } = attributes
  for (const candidate of [lazySrc, src, srcset?.trim().split(/\s/, 1)[0]]) {
    const url = toAbsoluteUrl(candidate, base)
    if (url) return url
  }
  return undefined
}

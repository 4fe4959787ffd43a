/** Whether the page says that its whole text is for subscribers. A hint: what we got may be all of it, or its beginning. */
import type { FoundFact } from '../article.ts'
import type { PagePiece } from '../page/piece.ts'
import type { PageEvidence } from './evidence.ts'

export type Paywall = 'locked' | 'metered'

export function detectPaywall({ linkedData, metas, page }: PageEvidence): FoundFact<Paywall> | undefined {
  const tier = metas.first('article:content_tier')?.value.toLowerCase()
  if (tier === 'locked' || tier === 'metered') return { value: tier, from: 'opengraph' }
  const { article, things } = linkedData
  const parts = [article, ...things(article?.hasPart)]
  const stated = parts.map((part) => wordOf(part?.isAccessibleForFree))
  if (stated.some((free) => /^(?:false|no|0|https?:\/\/schema\.org\/false)$/.test(free)))
    return { value: 'locked', from: 'json-ld' }
  if (stated[0] === 'true') return undefined
  return page.pieces.some(isWall) ? { value: 'locked', from: 'markup' } : undefined
}

/** Of an object there is none: what it says when it is made a text is its own affair. */
function wordOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '').toLowerCase()
}

function isWall({ attributes: { class: classes, id } }: PagePiece): boolean {
  return (classes !== undefined && namesWall(classes)) || (id !== undefined && namesWall(id))
}

function namesWall(names: string): boolean {
  return names.includes('wall') && WALL.test(names)
}

/** Names of the box that asks for money, and not of text that is merely marked as being behind it. */
const WALL =
  /(?:^|[-_\s])(?:paywall|regwall)[-_]{0,2}(?:overlay|message|container|box|banner|modal|prompt|offer|barrier|teaser)(?:$|[-_\s])/i

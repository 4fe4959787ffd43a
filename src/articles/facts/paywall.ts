/** Whether the page says that its full text is for subscribers. Only a hint: we may have all of the text, or its beginning. */
import type { FoundFact } from '../article.ts'
import type { PageNode } from '../page/page-node.ts'
import type { PageMetadata } from './evidence.ts'

export type Paywall = 'locked' | 'metered'

export function detectPaywall({ linkedData, metas, page }: PageMetadata): FoundFact<Paywall> | undefined {
  const tier = metas.first('article:content_tier')?.value.toLowerCase()
  if (tier === 'locked' || tier === 'metered') return { value: tier, from: 'opengraph' }
  const { article, objectsIn } = linkedData
  const parts = [article, ...objectsIn(article?.hasPart)]
  const stated = parts.map((part) => wordOf(part?.isAccessibleForFree))
  if (stated.some((free) => /^(?:false|no|0|https?:\/\/schema\.org\/false)$/.test(free)))
    return { value: 'locked', from: 'json-ld' }
  if (stated[0] === 'true') return undefined
  return page.nodes.some(isPaywall) ? { value: 'locked', from: 'markup' } : undefined
}

/** Undefined for objects, whose string conversion is not ours. */
function wordOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '').toLowerCase()
}

function isPaywall({ attributes: { class: classes, id } }: PageNode): boolean {
  return (classes !== undefined && hasPaywallName(classes)) || (id !== undefined && hasPaywallName(id))
}

function hasPaywallName(names: string): boolean {
  return names.includes('wall') && WALL.test(names)
}

/** Class names of the box that asks for payment; not of text that is merely marked as paid. */
const WALL =
  /(?:^|[-_\s])(?:paywall|regwall)[-_]{0,2}(?:overlay|message|container|box|banner|modal|prompt|offer|barrier|teaser)(?:$|[-_\s])/i

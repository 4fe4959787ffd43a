/** Parts of a page that belong to something other than its article: comments, lists of other articles, embedded posts. */
import type { PageNode } from '../page/page-node.ts'

/**
 * Whether a node is in such a part. An element that also contains the title is not one, regardless of its name.
 * `cache`: elements known to be no such part, across calls.
 */
export function isUnrelated(
  nodes: readonly PageNode[],
  index: number,
  titleNode = -1,
  cache = new Set<number>(),
): boolean {
  const path: number[] = []
  for (let at = nodes[index]!.name === '' ? nodes[index]!.parent : index; at > 0; at = nodes[at]!.parent) {
    const { name, attributes, end } = nodes[at]!
    if (cache.has(at) || (titleNode >= at && titleNode < end)) break
    path.push(at)
    if (name === 'blockquote' || name === 'nav') return true
    if (isUnrelatedName(attributes.class) || isUnrelatedName(attributes.id)) return true
  }
  for (const at of path) cache.add(at)
  return false
}

function isUnrelatedName(names: string | undefined): boolean {
  return names !== undefined && UNRELATED_NAMES.test(names)
}

/**
 * Whole class names or their beginnings: "comment-form-author" and "sidebar-left", but not "entry-comments" or
 * "has-sidebar".
 */
const UNRELATED_NAMES =
  /(?:^|\s)(?:(?:the-|post-|article-)?comments?(?:list|body|meta|s)?(?![a-z])|respond|disqus|repl(?:y|ies)|side-?bar|widget(?:[_\s]|$)|widget-area|(?:\w{1,12}[-_])?related|(?:recent|latest|popular|other|more|next|prev|previous|adjacent)[-_]?(?:post|article|stor|news|entr|item)|recommend|trending|teaser|read-?(?:next|more|also)|(?:twitter|tweet|instagram|facebook|fb-post|bluesky|mastodon|tiktok|threads|embed|social)(?![a-z]))/i

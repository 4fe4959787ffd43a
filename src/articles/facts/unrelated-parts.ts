/** Parts of a page that belong to something other than its article: comments, lists of other articles, embedded posts. */
import type { PagePiece } from '../page/piece.ts'

/**
 * Whether a piece is in such a part; an element that also contains the title never is, whatever its name. `sound` caches
 * elements that are no such part, across calls.
 */
export function isUnrelated(
  pieces: readonly PagePiece[],
  index: number,
  titlePiece = -1,
  sound = new Set<number>(),
): boolean {
  const way: number[] = []
  for (let at = pieces[index]!.name === '' ? pieces[index]!.parent : index; at > 0; at = pieces[at]!.parent) {
    const { name, attributes, end } = pieces[at]!
    if (sound.has(at) || (titlePiece >= at && titlePiece < end)) break
    way.push(at)
    if (name === 'blockquote' || name === 'nav') return true
    if (isOther(attributes.class) || isOther(attributes.id)) return true
  }
  for (const at of way) sound.add(at)
  return false
}

function isOther(names: string | undefined): boolean {
  return names !== undefined && OTHERS.test(names)
}

/**
 * Whole class names or their beginnings: "comment-form-author" and "sidebar-left", but not "entry-comments" or
 * "has-sidebar".
 */
const OTHERS =
  /(?:^|\s)(?:(?:the-|post-|article-)?comments?(?:list|body|meta|s)?(?![a-z])|respond|disqus|repl(?:y|ies)|side-?bar|widget(?:[_\s]|$)|widget-area|(?:\w{1,12}[-_])?related|(?:recent|latest|popular|other|more|next|prev|previous|adjacent)[-_]?(?:post|article|stor|news|entr|item)|recommend|trending|teaser|read-?(?:next|more|also)|(?:twitter|tweet|instagram|facebook|fb-post|bluesky|mastodon|tiktok|threads|embed|social)(?![a-z]))/i

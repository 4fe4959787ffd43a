/** How a site treats those who follow its feeds' links: pages that are gone, forbid being kept, or are none; detours. */
import type { Instant } from '../../model/index.ts'
import type { Post } from './history.ts'
import { seededRandom } from './seeded-random.ts'
import type { FeedSpec, PageKind, PageSpec } from './spec.ts'

/** The same for ever; most pages are plain. */
export function pageKindOf(name: string, { kinds = {} }: PageSpec, post: Pick<Post, 'id'>): PageKind {
  let left = seededRandom(name, 'page', post.id).next()
  for (const [kind, share] of Object.entries(kinds) as [PageKind, number][]) {
    if (left < share) return kind
    left -= share
  }
  return 'plain'
}

const DETOUR = '/go/'

/** What the feed has for a link. */
export function linkPath({ linked = 'plain' }: PageSpec, { id, path }: Post): string {
  if (linked === 'detour') return DETOUR + id
  return linked === 'tracked' ? withTracking(path, id) : path
}

/** The id of the post that a detour leads to; what stands before it names the visit. */
export function detourOf(path: string): string | undefined {
  return path.startsWith(DETOUR) ? path.slice(path.lastIndexOf('/') + 1) : undefined
}

/** As a feed has it that gives its entries other links, or all but title and text, on each fetch. */
export function rewritePost(post: Post, rewrites: FeedSpec['rewrites'], at: Instant): Post {
  const visit = at.toString(36)
  if (rewrites === 'sessions') return { ...post, path: `${post.path}?sid=${visit}` }
  if (rewrites === 'everything') return { ...post, id: `${visit}-${post.id}`, path: `${DETOUR}${visit}/${post.id}`, at }
  return post
}

/** Another for each post, as counters of clicks have it; before the fragment, if there is one. */
function withTracking(path: string, id: string): string {
  const [page = '', fragment] = path.split('#')
  return `${page}?utm_source=rss&utm_campaign=${id}${fragment === undefined ? '' : `#${fragment}`}`
}

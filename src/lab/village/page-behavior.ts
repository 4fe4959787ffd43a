/** Behavior of a site's article pages: missing pages, directives against archiving, non-pages, redirects. */
import type { Instant } from '../../model/index.ts'
import type { Post } from './history.ts'
import { seededRandom } from './seeded-random.ts'
import type { FeedSpec, PageKind, PageSpec } from './spec.ts'

/** Constant for each post; most pages are plain. */
export function pageKindOf(name: string, { kinds = {} }: PageSpec, post: Pick<Post, 'id'>): PageKind {
  let remaining = seededRandom(name, 'page', post.id).next()
  for (const [kind, share] of Object.entries(kinds) as [PageKind, number][]) {
    if (remaining < share) return kind
    remaining -= share
  }
  return 'plain'
}

const DETOUR = '/go/'

/** The link as written in the feed. */
export function linkPath({ linked = 'plain' }: PageSpec, { id, path }: Post): string {
  if (linked === 'detour') return DETOUR + id
  return linked === 'tracked' ? withTracking(path, id) : path
}

/** The id of the post that a redirect leads to; the part before it identifies the visit. */
export function detourOf(path: string): string | undefined {
  return path.startsWith(DETOUR) ? path.slice(path.lastIndexOf('/') + 1) : undefined
}

/** For feeds that give entries other links, or everything but title and text, on each fetch. */
export function rewritePost(post: Post, rewrites: FeedSpec['rewrites'], at: Instant): Post {
  const visit = at.toString(36)
  if (rewrites === 'sessions') return { ...post, path: `${post.path}?sid=${visit}` }
  if (rewrites === 'everything') return { ...post, id: `${visit}-${post.id}`, path: `${DETOUR}${visit}/${post.id}`, at }
  return post
}

/** A tracking parameter that differs by post, before the fragment if there is one. */
function withTracking(path: string, id: string): string {
  const [page = '', fragment] = path.split('#')
  return `${page}?utm_source=rss&utm_campaign=${id}${fragment === undefined ? '' : `#${fragment}`}`
}

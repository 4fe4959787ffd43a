/** The kind of page it claims to be. Articles state it in several ways, forum threads in few, other pages not at all. */
import type { FoundDate } from '../article.ts'
import type { PageMetadata } from './evidence.ts'
import { typeOf } from './json-ld.ts'

export function detectPageKind(
  evidence: PageMetadata,
  published: FoundDate | undefined,
): 'article' | 'discussion' | undefined {
  const { linkedData, metas, address } = evidence
  if (linkedData.nodes.some((node) => DISCUSSIONS.test(typeOf(node))) || THREADS.test(address?.pathname ?? '')) {
    return 'discussion'
  }
  if (linkedData.article !== undefined || metas.first('og:type')?.value === 'article') return 'article'
  // a page with a publication date in its metadata is an article, too
  return published && published.from !== 'text' && published.from !== 'markup' ? 'article' : undefined
}

const DISCUSSIONS = /DiscussionForumPosting|QAPage/
const THREADS = /\/(?:forums?|threads?|viewtopic|showthread|discussions?|questions)(?:[/._-]|$)/i

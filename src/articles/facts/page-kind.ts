/** What sort of page it says it is. Articles say so in several ways, threads of forums in few, all others in none. */
import type { FoundDate } from '../article.ts'
import type { PageEvidence } from './evidence.ts'
import { typeOf } from './json-ld.ts'

export function detectPageKind(
  evidence: PageEvidence,
  published: FoundDate | undefined,
): 'article' | 'discussion' | undefined {
  const { linkedData, metas, address } = evidence
  if (linkedData.nodes.some((node) => DISCUSSIONS.test(typeOf(node))) || THREADS.test(address?.pathname ?? '')) {
    return 'discussion'
  }
  if (linkedData.article !== undefined || metas.first('og:type')?.value === 'article') return 'article'
  // What states for machines when it was published is an article, too.
  return published && published.from !== 'text' && published.from !== 'markup' ? 'article' : undefined
}

const DISCUSSIONS = /DiscussionForumPosting|QAPage/
const THREADS = /\/(?:forums?|threads?|viewtopic|showthread|discussions?|questions)(?:[/._-]|$)/i

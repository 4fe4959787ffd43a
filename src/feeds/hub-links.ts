/**
 * Which hub tells of a feed's news, and under which name it knows the feed (WebSub, 4): the Link header goes before the
 * document. A feed that does not say what it is called is called as it was asked for.
 */
import type { FeedFacts } from '../model/index.ts'
import { linkAddress } from './address.ts'
import { readLinkHeader } from './html-links-header.ts'

/** `url`: where the document came from. */
export function withHub(facts: FeedFacts, url: string, linkHeader: string | undefined): FeedFacts {
  const links = linkHeader ? readLinkHeader(linkHeader) : []
  const named = (rel: string): string | undefined => {
    const link = links.find(({ parameters }) => parameters.get('rel')?.toLowerCase().split(/\s+/).includes(rel))
    return link && linkAddress(link.href, url)
  }
  const hub = named('hub') ?? facts.hub
  if (hub === undefined) return facts
  return { ...facts, hub, selfUrl: named('self') ?? facts.selfUrl ?? url }
}

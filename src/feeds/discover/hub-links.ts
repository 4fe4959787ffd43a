/**
 * Which hub tells of a feed's news, and under which name it knows the feed (WebSub, 4): the Link header goes before the
 * document. A feed that does not say what it is called is called as it was asked for.
 */
import { type FeedFacts, type WebAddress, webAddress } from '../../model/index.ts'
import { readLinkHeader } from './link-header.ts'

/** `url`: where the document came from. */
export function withHub(facts: FeedFacts, url: WebAddress, linkHeader: string | undefined): FeedFacts {
  const links = linkHeader ? readLinkHeader(linkHeader) : []
  const named = (rel: string): WebAddress | undefined =>
    links
      .filter(({ parameters }) => parameters.get('rel')?.toLowerCase().split(/\s+/).includes(rel))
      .map(({ href }) => webAddress(href.trim(), url))
      .find((address) => address !== undefined)
  const hub = named('hub') ?? facts.hub
  if (hub === undefined) return facts
  return { ...facts, hub, selfUrl: named('self') ?? facts.selfUrl ?? url }
}

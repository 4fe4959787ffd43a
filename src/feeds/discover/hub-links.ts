/**
 * The WebSub hub of a feed and its topic address (WebSub, section 4). The Link header takes precedence over the document. A feed
 * without a self link has the address it was requested at.
 */
import { type FeedFacts, type WebAddress, webAddress } from '../../model/index.ts'
import { parseLinkHeader } from './link-header.ts'

/** `url`: the document's address. */
export function addHub(facts: FeedFacts, url: WebAddress, linkHeader: string | undefined): FeedFacts {
  const links = linkHeader ? parseLinkHeader(linkHeader) : []
  const linkTarget = (rel: string): WebAddress | undefined =>
    links
      .filter(({ parameters }) => parameters.get('rel')?.toLowerCase().split(/\s+/).includes(rel))
      .map(({ href }) => webAddress(href.trim(), url))
      .find((address) => address !== undefined)
  const hub = linkTarget('hub') ?? facts.hub
  if (hub === undefined) return facts
  return { ...facts, hub, selfUrl: linkTarget('self') ?? facts.selfUrl ?? url }
}

/** What happens to the addresses that people give us, a hundred thousand at once included: in portions, with a turn for others between. */
import { givenAddress, normaliseAddress } from '../../feeds/index.ts'
import { type Memory, type WebAddress, withoutCredentials } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Clock, NewFeed, Subscriptions } from '../../ports/index.ts'
import type { Address, Subscription } from '../crawler.ts'
import { inPieces } from '../in-pieces.ts'
import { feedToAdd, saidOf } from '../record/record-discovery.ts'
import { SIBLINGS } from '../record/reschedule.ts'

/** Some milliseconds of work. */
const PORTION = 100

interface SubscribeParts {
  subscriptions: Subscriptions
  clock: Clock
  strategy: string
}

/**
 * An address that is promised to be a feed's becomes a feed at once, due now; any other becomes a source, whose feed has
 * to be found. Answers in the order of the addresses; one that is no address is refused, and harms no other. Name and
 * password leave the address here. One address is one feed: one that is there keeps the login that it has. A portion is
 * there or is not; who is interrupted asks again.
 */
export function subscribe(addresses: Address[], parts: SubscribeParts): Promise<Subscription[]> {
  const siblings = createSiblings(parts)
  return inPieces(addresses, PORTION, (portion) => subscribePortion(portion, parts, siblings))
}

async function subscribePortion(
  addresses: Address[],
  { subscriptions, clock, strategy }: SubscribeParts,
  siblingsOf: (url: WebAddress) => Promise<Memory[]>,
): Promise<Subscription[]> {
  const now = clock.now()
  const asked = addresses.map((address) => {
    const { url, credentials } = givenAddress(address.url) ?? {}
    return { address: { ...(credentials && { credentials }), ...address }, url }
  })
  const feeds = asked.flatMap(({ address, url }) => (url && address.kind === 'feed' ? [{ ...address, url }] : []))
  const others = asked.flatMap(({ address, url }) => (url && address.kind === 'any' ? [{ ...address, url }] : []))

  const newFeeds: NewFeed[] = []
  for (const { url, credentials, title = '', folder, siteUrl, about: said } of feeds) {
    const site = siteUrl ? normaliseAddress(siteUrl) : undefined
    const about = { ...(folder && { folder }), ...(site && { siteUrl: site }), ...(credentials && { credentials }) }
    newFeeds.push(feedToAdd({ url, title, ...about, ...saidOf(said) }, strategy, now, await siblingsOf(url)))
  }
  const newSources = others.map(({ url, credentials, folder, about: said }) => {
    const about = { ...(folder && { folder }), ...(credentials && { credentials }), ...(said && { about: said }) }
    return { url, root: rootOf(url), addedAt: now, dueAt: now, ...about }
  })
  const feedIds = (await subscriptions.addFeeds(newFeeds)).values()
  const sourceIds = (await subscriptions.addSources(newSources)).values()
  return asked.map(({ address, url }): Subscription => {
    if (!url)
      return {
        kind: 'refused',
        url: withoutCredentials(address.url),
        reason: 'this is not an address of the web (http or https)',
      }
    if (address.kind === 'feed') {
      const { id, added } = feedIds.next().value!
      return { kind: 'feed', url, feedId: id, added }
    }
    const { id, added } = sourceIds.next().value!
    return { kind: 'source', url, sourceId: id, added }
  })
}

/** What is known of the feeds of a root; asked once for a root, however many of its feeds are added. */
function createSiblings({ subscriptions, strategy }: SubscribeParts): (url: WebAddress) => Promise<Memory[]> {
  const siblings = new Map<string, Memory[]>()
  return async (url) => {
    const root = rootOf(url)
    const known = siblings.get(root) ?? (await subscriptions.memoriesAt(root, strategy, SIBLINGS))
    siblings.set(root, known)
    return known
  }
}

/** What happens to the addresses that people give us. */
import { givenAddress, normaliseAddress } from '../feeds/index.ts'
import { type Memory, type WebAddress, withoutCredentials } from '../model/index.ts'
import { rootOf } from '../politeness/index.ts'
import type { Clock, Store } from '../ports/index.ts'
import { newFeed } from './apply.ts'
import type { Address, Subscription } from './crawler.ts'
import { SIBLINGS } from './reschedule.ts'

/**
 * An address that is promised to be a feed's becomes a feed at once, due now; any other becomes a source, whose feed has
 * to be found. Answers in the order of the addresses; one that is no address is refused, and harms no other. Name and
 * password leave the address here. One address is one feed: one that is there keeps the login that it has.
 */
export async function subscribe(
  addresses: Address[],
  { store, clock, strategy }: { store: Store; clock: Clock; strategy: string },
): Promise<Subscription[]> {
  const now = clock.now()
  const asked = addresses.map((address) => {
    const { url, credentials } = givenAddress(address.url) ?? {}
    return { address: { ...(credentials && { credentials }), ...address }, url }
  })
  const feeds = asked.flatMap(({ address, url }) => (url && address.kind === 'feed' ? [{ ...address, url }] : []))
  const others = asked.flatMap(({ address, url }) => (url && address.kind === 'any' ? [{ ...address, url }] : []))

  const drafts = feeds.map(({ url, credentials, title, folder, siteUrl }) => {
    const site = siteUrl ? normaliseAddress(siteUrl) : undefined
    const about = { ...(folder && { folder }), ...(site && { siteUrl: site }), ...(credentials && { credentials }) }
    return { url, title: title ?? '', ...about }
  })
  const siblings = await siblingsOf(drafts, store, strategy)
  const feedIds = await store.addFeeds(
    drafts.map((draft) => newFeed(draft, strategy, now, siblings.get(rootOf(draft.url)))),
  )
  const sourceIds = await store.addSources(
    others.map(({ url, credentials, folder }) => {
      const about = { ...(folder && { folder }), ...(credentials && { credentials }) }
      return { url, root: rootOf(url), addedAt: now, dueAt: now, ...about }
    }),
  )
  return asked.map(({ address, url }): Subscription => {
    if (!url)
      return {
        kind: 'refused',
        url: withoutCredentials(address.url),
        reason: 'this is not an address of the web (http or https)',
      }
    if (address.kind === 'feed') {
      const { id, added } = feedIds.shift()!
      return { kind: 'feed', url, feedId: id, added }
    }
    const { id, added } = sourceIds.shift()!
    return { kind: 'source', url, sourceId: id, added }
  })
}

/** What is known of the feeds of each root; asked once for a root, however many of its feeds are added. */
async function siblingsOf(
  feeds: readonly { url: WebAddress }[],
  store: Store,
  strategy: string,
): Promise<Map<string, Memory[]>> {
  const siblings = new Map<string, Memory[]>()
  for (const root of new Set(feeds.map(({ url }) => rootOf(url))))
    siblings.set(root, await store.memoriesAt(root, strategy, SIBLINGS))
  return siblings
}

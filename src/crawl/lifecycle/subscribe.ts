/** What happens to the addresses that people give us, a hundred thousand at once included: in portions, with a turn for others between. */
import { givenAddress, normaliseAddress } from '../../feeds/index.ts'
import {
  isSameLogin,
  type Memory,
  type PersonId,
  type SourceId,
  type WebAddress,
  withoutCredentials,
  withShortLabels,
} from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Catalogue, Clock, NewFeed, People, Readership, Subscriptions } from '../../ports/index.ts'
import type { Address, Subscription } from '../crawler.ts'
import { feedToAdd, saidOf } from '../recorder/record-discovery.ts'
import { SIBLINGS } from '../recorder/reschedule.ts'
import { readingOf, UNREAD_AT_FIRST } from './followers.ts'

/** Addresses that are written in one transaction. */
const PORTION = 250

interface SubscribeParts {
  catalogue: Pick<Catalogue, 'feedAt' | 'feedsById' | 'sourceAt' | 'sourcesById'>
  subscriptions: Subscriptions
  readership: Readership
  people: People
  clock: Clock
  strategy: string
}

/**
 * An address that is promised to be a feed's becomes a feed at once, due now; any other becomes a source, whose feed has
 * to be found. Answers in the order of the addresses; one that is no address is refused, and harms no other. Name and
 * password leave the address here. One address is one feed: one that is there keeps the login that it has. A portion is
 * there or is not; who is interrupted asks again.
 */
export async function subscribe(
  addresses: Address[],
  parts: SubscribeParts,
  { personId, listed }: { personId?: PersonId; listed?: true } = {},
): Promise<Subscription[]> {
  const siblings = createSiblings(parts)
  const first = await parts.people.firstPerson()
  const isAlone = (await parts.people.people()).length <= 1
  const who = {
    id: personId ?? first,
    isForAll: listed === true || (isAlone && (personId === undefined || personId === first)),
    isAlone,
    ...(listed && { listed }),
  }
  const answered: Subscription[] = []
  for (let from = 0; from < addresses.length; from += PORTION) {
    const portion = addresses.slice(from, from + PORTION).map(withShortLabels)
    const refusals = await Promise.all(portion.map((address) => refusalOf(address, parts, who)))
    const taken = portion.filter((_, i) => refusals[i] === undefined)
    const given = await follow(taken, await subscribePortion(taken, parts, siblings, who), parts, who)
    const answers = given.values()
    for (const refusal of refusals) answered.push(refusal ?? answers.next().value!)
  }
  return answered
}

/** What is listed is followed when it is new: who has left it since, has. */
async function follow(
  addresses: Address[],
  given: Subscription[],
  { readership, clock }: SubscribeParts,
  { id, listed }: Who,
): Promise<Subscription[]> {
  const isMeant = (one: Subscription) => one.kind !== 'refused' && (one.added || !listed)
  const readings = given.flatMap((one, i) => (isMeant(one) ? [readingOf(one, addresses[i])] : [])).flat()
  const followed = (await readership.follow(id, readings, clock.now(), UNREAD_AT_FIRST)).values()
  return given.map((one) => (isMeant(one) ? { ...one, followed: followed.next().value ?? false } : one))
}

/** Who asks. */
interface Who {
  id: PersonId
  /** Titles and folders are the crawl's, too: of the only user, and of what freshet.toml lists. */
  isForAll: boolean
  isAlone: boolean
  listed?: true
}

/**
 * One address is one feed, with one login. Whoever follows it reads what came with that login: so, where there are several users, it takes
 * the same login, and nobody gives a login to an address for which others wait.
 */
async function refusalOf(
  address: Address,
  { catalogue, readership }: SubscribeParts,
  { id, isAlone, listed }: Who,
): Promise<Subscription | undefined> {
  const given = isAlone || listed ? undefined : givenAddress(address.url)
  if (!given) return undefined
  const { url, credentials = address.credentials } = given
  const refused = (reason: string): Subscription => ({ kind: 'refused', url, reason })
  const sourceId = address.kind === 'any' ? await catalogue.sourceAt(url) : undefined
  const [source] = sourceId === undefined ? [] : await catalogue.sourcesById([sourceId])
  const feedId = source?.feedId ?? (await catalogue.feedAt(url))
  const [held] = feedId === undefined ? [] : await catalogue.feedsById([feedId])
  if (held) {
    const { listed: isCommon, credentials: needed } = held.feed
    const [own] = await readership.readingsOf(id, [held.feed.id])
    return !needed || own || isCommon || isSameLogin(needed, credentials) ? undefined : refused(NEEDS_LOGIN)
  }
  if (!source || isSameLogin(source.credentials, credentials) || (source.listed && !credentials)) return undefined
  const [first] = await readership.waitingReadings(id, { after: (source.id - 1) as SourceId, limit: 1 })
  const isMine = first?.sourceId === source.id
  const [waiting = 0] = await readership.readersOf([{ sourceId: source.id }])
  const isNobodys = waiting === (isMine ? 1 : 0) && !source.listed
  if (isNobodys && (isMine || !source.credentials)) return undefined
  return refused(source.credentials ? NEEDS_LOGIN : OTHERS_WAIT)
}

const NEEDS_LOGIN = 'another user follows this address with a login; give the same name and password'
const OTHERS_WAIT = 'others wait for this address without a login'

async function subscribePortion(
  addresses: Address[],
  { subscriptions, clock, strategy }: SubscribeParts,
  siblingsOf: (urls: WebAddress[]) => Promise<Memory[][]>,
  { isForAll, listed }: Who,
): Promise<Subscription[]> {
  const now = clock.now()
  const mark = listed ? { listed } : {}
  const asked = addresses.map((address) => {
    const { url, credentials } = givenAddress(address.url) ?? {}
    const { folder, title, ...rest } = address
    const own = { ...rest, ...(isForAll && folder && { folder }), ...(isForAll && title && { title }) }
    return { address: { ...(credentials && { credentials }), ...own }, url }
  })
  const feeds = asked.flatMap(({ address, url }) => (url && address.kind === 'feed' ? [{ ...address, url }] : []))
  const others = asked.flatMap(({ address, url }) => (url && address.kind === 'any' ? [{ ...address, url }] : []))

  const siblings = await siblingsOf(feeds.map(({ url }) => url))
  const newFeeds = feeds.map(({ url, credentials, title = '', folder, siteUrl, about: said }, i): NewFeed => {
    const site = siteUrl ? normaliseAddress(siteUrl) : undefined
    const about = {
      ...(folder && { folder }),
      ...(site && { siteUrl: site }),
      ...(credentials && { credentials }),
      ...mark,
    }
    return feedToAdd({ url, title, ...about, ...saidOf(said) }, strategy, now, siblings[i]!)
  })
  const newSources = others.map(({ url, credentials, folder, about: said }) => {
    const about = {
      ...mark,
      ...(folder && { folder }),
      ...(credentials && { credentials }),
      ...(said && { about: said }),
    }
    return { url, root: rootOf(url), addedAt: now, dueAt: now, ...about }
  })
  const feedIds = (await subscriptions.addFeeds(newFeeds)).values()
  const sourceIds = (await subscriptions.addSources(newSources)).values()
  return asked.map(({ address, url }): Subscription => {
    if (!url)
      return {
        kind: 'refused',
        url: withoutCredentials(address.url),
        reason: 'this is not a web address (http or https)',
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
function createSiblings({ subscriptions, strategy }: SubscribeParts): (urls: WebAddress[]) => Promise<Memory[][]> {
  const siblings = new Map<string, Memory[]>()
  return async (urls) => {
    const roots = urls.map((url) => rootOf(url))
    const unknown = [...new Set(roots)].filter((root) => !siblings.has(root))
    const found = unknown.length > 0 ? await subscriptions.memoriesAt(unknown, strategy, SIBLINGS) : []
    for (const [i, root] of unknown.entries()) siblings.set(root, found[i] ?? [])
    return roots.map((root) => siblings.get(root)!)
  }
}

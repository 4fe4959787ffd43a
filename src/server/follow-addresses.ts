/**
 * Adds addresses to a user's subscriptions, whichever protocol they come by: in batches, within the limit of feeds per user, one long
 * list of a user at a time. The work stops when the client is gone: what was added stays, and sending the list again goes on from there.
 */
import type { Address, Crawler, Subscription } from '../crawl/index.ts'
import { type PersonId, type SourceId, withoutCredentials } from '../model/index.ts'
import type { Readership } from '../ports/index.ts'
import { Problem } from './problem.ts'

/** Who adds, and for how long somebody waits for it. */
export interface SubscribingUser {
  personId: PersonId
  signal: AbortSignal
  /** Who runs the program, on the same machine, is not bound by the limit: they set it. */
  isLocal?: boolean | undefined
}

export interface AddressSubscriber {
  /** How many more feeds the user may follow. */
  remaining(who: SubscribingUser): Promise<number>
  /** Answers in the order of the addresses. What is beyond the limit is refused, and says so. */
  add(addresses: Address[], who: SubscribingUser): Promise<Subscription[]>
}

export const MOST_FEEDS_PER_USER = 10_000
const BATCH = 100
const MOST_LONG_LISTS = 4
const AGAIN_SECONDS = 10
const PAGE = 1000

export function createAddressSubscriber({
  crawler,
  readership,
  maxFeedsPerUser = MOST_FEEDS_PER_USER,
}: {
  crawler: Crawler
  readership: Readership
  maxFeedsPerUser?: number
}): AddressSubscriber {
  /** Users whose long list is being added. */
  const busy = new Set<PersonId>()

  async function left({ personId, isLocal }: SubscribingUser): Promise<number> {
    if (isLocal) return Number.POSITIVE_INFINITY
    const { feeds } = await readership.standing(personId)
    return Math.max(0, maxFeedsPerUser - feeds - (await waiting(personId, maxFeedsPerUser - feeds)))
  }

  /** Addresses whose feed is still looked for; counted up to `most`. */
  async function waiting(personId: PersonId, most: number): Promise<number> {
    let count = 0
    for (let after: SourceId | undefined; count < most; ) {
      const page = await readership.waitingReadings(personId, { limit: PAGE, ...(after !== undefined && { after }) })
      count += page.length
      after = page.at(-1)?.sourceId
      if (page.length < PAGE || after === undefined) break
    }
    return count
  }

  async function addBatches(addresses: Address[], who: SubscribingUser): Promise<Subscription[]> {
    const results: Subscription[] = []
    while (results.length < addresses.length) {
      if (who.signal.aborted) throw new Problem(400, 'the connection was closed', 'send the list again')
      const room = await left(who)
      const rest = addresses.slice(results.length, results.length + Math.min(BATCH, room || BATCH))
      const added = room > 0 ? await crawler.subscribe(rest, { personId: who.personId }) : rest.map(refused)
      for (const one of added) results.push(one)
    }
    return results
  }

  function refused({ url }: Address): Subscription {
    return {
      kind: 'refused',
      url: withoutCredentials(url),
      reason: `you follow ${maxFeedsPerUser} feeds, which is the limit here`,
    }
  }

  return {
    remaining: left,
    async add(addresses, who) {
      if (addresses.length <= BATCH) return addBatches(addresses, who)
      if (busy.has(who.personId) || busy.size >= MOST_LONG_LISTS)
        throw new Problem(429, 'another list is still being added', 'retry when it is done', AGAIN_SECONDS)
      busy.add(who.personId)
      try {
        return await addBatches(addresses, who)
      } finally {
        busy.delete(who.personId)
      }
    },
  }
}

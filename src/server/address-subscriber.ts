/**
 * Adds addresses to a user's subscriptions, for all protocols: in batches, within the limit of feeds per user, and one long list per user at
 * a time. Stops when the client disconnects: added subscriptions stay, and sending the list again continues.
 */
import type { Address, Crawler, SubscribeResult } from '../crawl/index.ts'
import { type SourceId, type UserId, withoutCredentials } from '../model/index.ts'
import type { ReaderState } from '../ports/index.ts'
import { Problem } from './problem.ts'

/** The user who subscribes, and the signal of the connection. */
export interface SubscribingUser {
  userId: UserId
  signal: AbortSignal
  /** The operator, on the same machine, who is not bound by the limit. */
  isLocal?: boolean | undefined
}

export interface AddressSubscriber {
  /** The number of feeds that the user may add. */
  countRemaining(subscriber: SubscribingUser): Promise<number>
  /** Results are in the order of the addresses. Addresses beyond the limit are refused with a reason. */
  add(addresses: Address[], subscriber: SubscribingUser): Promise<SubscribeResult[]>
}

export const MAX_FEEDS_PER_USER = 10_000
const BATCH_SIZE = 100
const MAX_CONCURRENT_LISTS = 4
const RETRY_AFTER_SECONDS = 10
const PAGE = 1000

export function createAddressSubscriber({
  crawler,
  readerState,
  maxFeedsPerUser = MAX_FEEDS_PER_USER,
}: {
  crawler: Crawler
  readerState: ReaderState
  maxFeedsPerUser?: number
}): AddressSubscriber {
  /** Users who are adding a long list. */
  const inProgress = new Set<UserId>()

  async function remainingFeeds({ userId, isLocal }: SubscribingUser): Promise<number> {
    if (isLocal) return Number.POSITIVE_INFINITY
    const { feeds } = await readerState.readerCounts(userId)
    return Math.max(0, maxFeedsPerUser - feeds - (await countPending(userId, maxFeedsPerUser - feeds)))
  }

  /** Addresses whose feed is still looked for; counted up to `most`. */
  async function countPending(userId: UserId, most: number): Promise<number> {
    let count = 0
    for (let after: SourceId | undefined; count < most; ) {
      const page = await readerState.pendingSubscriptions(userId, {
        limit: PAGE,
        ...(after !== undefined && { after }),
      })
      count += page.length
      after = page.at(-1)?.sourceId
      if (page.length < PAGE || after === undefined) break
    }
    return count
  }

  async function addBatches(addresses: Address[], subscriber: SubscribingUser): Promise<SubscribeResult[]> {
    const results: SubscribeResult[] = []
    while (results.length < addresses.length) {
      if (subscriber.signal.aborted) throw new Problem(400, 'the connection was closed', 'send the list again')
      const left = await remainingFeeds(subscriber)
      const batch = addresses.slice(results.length, results.length + Math.min(BATCH_SIZE, left || BATCH_SIZE))
      const added =
        left > 0 ? await crawler.subscribe(batch, { userId: subscriber.userId }) : batch.map(refusedSubscription)
      for (const result of added) results.push(result)
    }
    return results
  }

  function refusedSubscription({ url }: Address): SubscribeResult {
    return {
      kind: 'refused',
      url: withoutCredentials(url),
      reason: `you follow ${maxFeedsPerUser} feeds, which is the limit here`,
    }
  }

  return {
    countRemaining: remainingFeeds,
    async add(addresses, subscriber) {
      if (addresses.length <= BATCH_SIZE) return addBatches(addresses, subscriber)
      if (inProgress.has(subscriber.userId) || inProgress.size >= MAX_CONCURRENT_LISTS)
        throw new Problem(429, 'another list is still being added', 'retry when it is done', RETRY_AFTER_SECONDS)
      inProgress.add(subscriber.userId)
      try {
        return await addBatches(addresses, subscriber)
      } finally {
        inProgress.delete(subscriber.userId)
      }
    },
  }
}

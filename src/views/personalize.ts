/** Adapts feeds and sources to one caller: with the caller's own titles and folders, and without the secrets of other users. */
import {
  type Feed,
  type FeedId,
  type FeedScope,
  type ScheduledFeed,
  type Source,
  type Subscription,
  type Visibility,
  type WebAddress,
  withoutSecrets,
} from '../model/index.ts'
import type { VisibleParts } from './feed-visibility.ts'

export interface Personalizer {
  personalizeFeeds<Held extends ScheduledFeed | undefined>(feeds: readonly Held[]): Promise<Held[]>
  personalizeSources<Held extends Source | undefined>(sources: readonly Held[]): Promise<Held[]>
}

export function createPersonalizer(
  { readerState }: Pick<VisibleParts, 'readerState'>,
  { userId, reach }: Visibility & { userId?: FeedScope['userId'] },
): Personalizer {
  const isAdmin = reach === 'everything'
  const subscriptionsOf = (ids: FeedId[]) =>
    reach === 'public' || userId === undefined
      ? Promise.resolve(ids.map((): Subscription | undefined => undefined))
      : readerState.subscriptionsTo(userId, ids)

  async function isWaitingFor({ id }: Source): Promise<boolean> {
    if (userId === undefined) return false
    const [first] = await readerState.pendingSubscriptions(userId, { after: (id - 1) as Source['id'], limit: 1 })
    return first?.sourceId === id
  }

  return {
    async personalizeFeeds(feeds) {
      const subscriptions = await subscriptionsOf(feeds.flatMap((scheduled) => scheduled?.feed.id ?? []))
      const byFeed = new Map(subscriptions.flatMap((one) => (one ? [[one.feedId, one]] : [])))
      return feeds.map((scheduled) => {
        if (!scheduled) return scheduled
        const subscription = byFeed.get(scheduled.feed.id)
        return {
          ...scheduled,
          feed: subscription ? withOwnTitle(scheduled.feed, subscription) : redactFeed(scheduled.feed, isAdmin),
        }
      })
    },
    async personalizeSources(sources) {
      return Promise.all(
        sources.map(async (source) =>
          !source || (await isWaitingFor(source)) ? source : (redactSource(source, isAdmin) as typeof source),
        ),
      )
    },
  }
}

function withOwnTitle({ folder: _, ...feed }: Feed, { title, folder }: Subscription): Feed {
  return { ...feed, ...(title && { title }), ...(folder && { folder }) }
}

/** The folder is kept if freshet.toml sets it: then it is the same for all users. */
function redactFeed({ credentials, fetching, folder, successorUrl, ...feed }: Feed, isAdmin: boolean): Feed {
  return {
    ...feed,
    url: redactAddress(feed.url),
    ...(successorUrl && { successorUrl: redactAddress(successorUrl) }),
    ...(feed.listed && folder && { folder }),
    ...(isAdmin && credentials && { credentials }),
    ...(isAdmin && fetching && { fetching }),
  }
}

function redactSource({ credentials, ...source }: Source, isAdmin: boolean): Source {
  return {
    ...source,
    url: redactAddress(source.url),
    ...(source.others && { others: source.others.map(redactAddress) }),
    ...(isAdmin && credentials && { credentials }),
  }
}

function redactAddress(address: WebAddress): WebAddress {
  return withoutSecrets(address) as WebAddress
}

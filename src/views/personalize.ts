/** Feeds and sources as one caller is shown them: by their own names, and without the secrets of others. */
import {
  type Feed,
  type FeedId,
  type FeedScope,
  type Reading,
  type ScheduledFeed,
  type Source,
  type Visibility,
  type WebAddress,
  withoutSecrets,
} from '../model/index.ts'
import type { VisibleParts } from './feed-visibility.ts'

/** How a caller is shown feeds and sources. */
export interface Personalizer {
  feeds<Held extends ScheduledFeed | undefined>(feeds: readonly Held[]): Promise<Held[]>
  sources<Held extends Source | undefined>(sources: readonly Held[]): Promise<Held[]>
}

export function createPersonalizer(
  { readership }: Pick<VisibleParts, 'readership'>,
  { personId, reach }: Visibility & { personId?: FeedScope['personId'] },
): Personalizer {
  const isAdmin = reach === 'everything'
  const readingsOf = (ids: FeedId[]) =>
    reach === 'public' || personId === undefined
      ? Promise.resolve(ids.map((): Reading | undefined => undefined))
      : readership.readingsOf(personId, ids)

  async function waitsFor({ id }: Source): Promise<boolean> {
    if (personId === undefined) return false
    const [first] = await readership.waitingReadings(personId, { after: (id - 1) as Source['id'], limit: 1 })
    return first?.sourceId === id
  }

  return {
    async feeds(feeds) {
      const readings = await readingsOf(feeds.flatMap((held) => held?.feed.id ?? []))
      const own = new Map(readings.flatMap((one) => (one ? [[one.feedId, one]] : [])))
      return feeds.map((held) => {
        if (!held) return held
        const reading = own.get(held.feed.id)
        return { ...held, feed: reading ? withOwnTitle(held.feed, reading) : redactFeed(held.feed, isAdmin) }
      })
    },
    async sources(sources) {
      return Promise.all(
        sources.map(async (source) =>
          !source || (await waitsFor(source)) ? source : (redactSource(source, isAdmin) as typeof source),
        ),
      )
    },
  }
}

function withOwnTitle({ folder: _, ...feed }: Feed, { title, folder }: Reading): Feed {
  return { ...feed, ...(title && { title }), ...(folder && { folder }) }
}

/** What freshet.toml says of it is for all. */
function redactFeed({ credentials, folder, successorUrl, ...feed }: Feed, isAdmin: boolean): Feed {
  return {
    ...feed,
    url: redacted(feed.url),
    ...(successorUrl && { successorUrl: redacted(successorUrl) }),
    ...(feed.listed && folder && { folder }),
    ...(isAdmin && credentials && { credentials }),
  }
}

function redactSource({ credentials, ...source }: Source, isAdmin: boolean): Source {
  return {
    ...source,
    url: redacted(source.url),
    ...(source.others && { others: source.others.map(redacted) }),
    ...(isAdmin && credentials && { credentials }),
  }
}

function redacted(address: WebAddress): WebAddress {
  return withoutSecrets(address) as WebAddress
}

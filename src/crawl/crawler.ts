/** What the front rooms may ask of a running crawl: the types. */
import type { Failure, FeedId, Instant, Millis, PollResult, SourceId } from '../model/index.ts'

/** An address as a person gives it; `kind` "feed" promises that it is a feed's own, as in an OPML file. */
export interface Address {
  url: string
  kind: 'any' | 'feed'
  title?: string
  folder?: string
  siteUrl?: string
}

export type Subscription =
  | { kind: 'feed'; url: string; feedId: FeedId; added: boolean }
  | { kind: 'source'; url: string; sourceId: SourceId; added: boolean }
  | { kind: 'refused'; url: string; reason: string }

export interface Activity {
  startedAt: Instant
  /** Tasks that terminals are working on. */
  underWay: { kind: 'poll' | 'discover'; url: string; sinceAt: Instant }[]
  /** Since the start. */
  totals: {
    polls: number
    notModified: number
    failures: number
    fresh: number
    changed: number
    bytes: number
    gaps: number
  }
}

/** What just happened, for logs, progress and the demo. */
export type CrawlEvent =
  | {
      kind: 'polled'
      at: Instant
      feedId: FeedId
      title: string
      url: string
      tookMs: Millis
      bytes: number
      result: PollResult
      dueAt: Instant
    }
  | {
      kind: 'found'
      at: Instant
      sourceId: SourceId
      url: string
      feedId: FeedId
      feedUrl: string
      title: string
      entries: number
      others: string[]
      added: boolean
    }
  | { kind: 'not-found'; at: Instant; sourceId: SourceId; url: string; failure: Failure; dueAt: Instant }
  | { kind: 'host-rests'; at: Instant; root: string; until: Instant; failure: Failure }
  | { kind: 'mistake'; at: Instant; error: unknown; doing: string }

export interface Crawler {
  /** Feeds become due at once; other addresses become sources, whose feed is looked for. Nothing is given twice. */
  subscribe(addresses: Address[]): Promise<Subscription[]>
  /** Makes a feed due as soon as politeness allows, and says when that is; undefined if there is no such feed. */
  pollNow(id: FeedId): Promise<{ dueAt: Instant; why?: string } | undefined>
  pause(id: FeedId): Promise<boolean>
  resume(id: FeedId): Promise<boolean>
  remove(id: FeedId): Promise<boolean>
  removeSource(id: SourceId): Promise<boolean>
  activity(): Activity
  /** Returns how to stop listening. */
  onEvent(listener: (event: CrawlEvent) => void): () => void
}

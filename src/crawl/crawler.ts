/** What the front rooms may ask of a running crawl: the types. */
import type {
  AboutFeed,
  ArticleId,
  Credentials,
  EntryId,
  Failure,
  Feed,
  FeedId,
  GroupLevel,
  GroupMove,
  Instant,
  Millis,
  PagePreference,
  PersonId,
  PollResult,
  SourceId,
  Task,
  Wants,
  WebAddress,
} from '../model/index.ts'
import type { Followed, Join, ReadingChange, Refusal, StoreError } from '../ports/index.ts'

/** An address as a person gives it, perhaps with name and password in it or beside it; `kind` "feed" promises that it is a feed's own, as in an OPML file. */
export interface Address {
  url: string
  kind: 'any' | 'feed'
  credentials?: Credentials
  title?: string
  folder?: string
  siteUrl?: string
  about?: AboutFeed
}

export type Subscription =
  /** `added`: it is new to the crawl. `followed`: to who asks. */
  | { kind: 'feed'; url: string; feedId: FeedId; added: boolean; followed?: boolean }
  | { kind: 'source'; url: string; sourceId: SourceId; added: boolean; followed?: boolean }
  | { kind: 'refused'; url: string; reason: string }

/** What a person may change of a feed; an empty text takes it away. */
export interface FeedEdit {
  title?: string
  folder?: string
  titlePrefix?: string
  /** By which it is known; no other feed has the same. */
  name?: string
  /** In place of what its publisher says. */
  category?: string
  strategy?: string
  url?: WebAddress
  /** Name and password for its address; null takes them away. At another origin they are not kept. */
  credentials?: Credentials | null
  /** Replaces what was wanted of it. */
  wants?: Wants
  /** For how many people it is read; told to its server. */
  subscribers?: number
  /** Whether its entries' pages are fetched. */
  articles?: PagePreference | ''
}

/** The same, in a person's own words. */
export type WrittenEdit = Omit<FeedEdit, 'url'> & { url?: string }

/** What a controller among several owns. */
export interface BucketsHeld {
  owned: number
  /** Of those, how many it does not work on yet, because taking them up has not succeeded; and since when. */
  notTakenUp: number
  sinceAt?: Instant
}

export interface Activity {
  startedAt: Instant
  /** Where several controllers share the store. */
  buckets?: BucketsHeld
  /** Nothing is polled meanwhile, and nothing is lost. */
  refusal?: Refusal
  /** The same of the queue between machines. */
  queueRefusal?: Refusal
  /** Tasks that terminals are working on. */
  underWay: { kind: Task['kind']; url: WebAddress; sinceAt: Instant }[]
  /** Since the start. */
  totals: {
    polls: number
    notModified: number
    failures: number
    fresh: number
    changed: number
    bytes: number
    gaps: number
    /** Pages that were read, and those that could not be had; their bytes are among `bytes`. */
    articles: number
    articleFailures: number
    /** Mistakes of ours. */
    mistakes: number
  }
  /** The latest of them, newest first, in words. */
  mistakes: { at: Instant; words: string }[]
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
      bytes: number
      others: string[]
      added: boolean
    }
  | { kind: 'not-found'; at: Instant; sourceId: SourceId; url: string; failure: Failure; dueAt: Instant }
  /** A page was fetched: read, or found to be one that we have; without `dueAt` a failure is the last. */
  | {
      kind: 'article'
      at: Instant
      articleId: ArticleId
      url: string
      tookMs: Millis
      bytes: number
      result:
        | { kind: 'read'; title?: string; words: number }
        | { kind: 'same' }
        | { kind: 'failed'; failure: Failure; dueAt?: Instant }
    }
  /** A feed that was gone has been found at another address of its site, and was taken there. */
  | { kind: 'moved'; at: Instant; feedId: FeedId; title: string; from: string; to: string }
  /** Its site has another feed; whether that is its successor, a person has to say. */
  | { kind: 'successor'; at: Instant; feedId: FeedId; title: string; url: string; successorUrl: string }
  /** It has moved, by the word of its server, to where another feed is: it stays where it was, and a person may remove one. */
  | { kind: 'duplicate'; at: Instant; feedId: FeedId; title: string; url: string; to: string; sameAs: FeedId }
  /** Another feed led to the same address and had the same entries: it was removed, and its followers have this one. */
  | {
      kind: 'merged'
      at: Instant
      feedId: FeedId
      title: string
      url: string
      mergedId: FeedId
      mergedUrl: string
    }
  /** Its server redirects to another site where no entry is known: nothing is taken from there until a person says so. */
  | { kind: 'move-held'; at: Instant; feedId: FeedId; title: string; url: string; to: string }
  /** Many feeds of a root fail alike: the host is in trouble, not they. Few go and look until it is over. */
  | { kind: 'incident'; at: Instant; root: string; sign: string }
  | { kind: 'incident-over'; at: Instant; root: string }
  /** A hub brought something. */
  | {
      kind: 'pushed'
      at: Instant
      feedId: FeedId
      title: string
      url: string
      hub: string
      bytes: number
      fresh: number
      changed: number
    }
  | { kind: 'push'; at: Instant; what: PushNews; feedId: FeedId; hub: string; failure?: Failure }
  | { kind: 'host-rests'; at: Instant; root: string; until: Instant; failure: Failure }
  /** An entry says something else now, or its article has come, and it belongs elsewhere. */
  | ({ kind: 'regrouped'; title: string } & GroupMove)
  /** An entry found its place for the first time, with others; on which level, and like whom. */
  | ({ kind: 'joined'; at: Instant; entryId: EntryId; title: string; level: GroupLevel } & Pick<
      Join,
      'likeId' | 'likeness' | 'reason'
    >)
  /** The store's signatures are of an earlier version: so many entries are compared anew. */
  | { kind: 'signed-otherwise'; at: Instant; entries: number }
  /** A feed says more in a day than one may: so many new entries were left where they are, so many pages are not fetched. */
  | { kind: 'flood'; at: Instant; feedId: FeedId; title: string; url: string; left: number; pagesLeft: number }
  /** The store is full or locked; work waits, and is tried again, unless it was the last thing before the end. */
  | { kind: 'store-refuses'; at: Instant; error: StoreError; isLast?: true }
  | { kind: 'store-well'; at: Instant; afterMs: Millis }
  /** The machine's clock was set, by so much. */
  | { kind: 'clock-set'; at: Instant; byMs: Millis }
  /** So many dates lay further ahead than any can, as after a clock that was wrong, and were brought back. */
  | { kind: 'dates-mended'; at: Instant; dates: number }
  /** Of several who could, we do this from now on, or do it no longer. */
  | { kind: 'duty'; at: Instant; role: string; what: 'begun' | 'lost' }
  /** A terminal was heard of, or not for long; it was set aside because of what it answers, or is trusted again. */
  | { kind: 'terminal'; at: Instant; name: string; what: 'came' | 'gone' | 'aside' | 'trusted'; why?: string }
  | { kind: 'mistake'; at: Instant; error: unknown; doing: string }

/**
 * begins: the hub tells us from now on. refused: it will not. broken: a poll found what it should have told. empty: it says
 * that there is news and does not bring it, so that we go and look. unsigned: somebody came in its name.
 */
export type PushNews = 'begins' | 'refused' | 'broken' | 'empty' | 'unsigned'

/** What comes to the address that a hub was given. */
export interface Pushed {
  /** Names in lower case. */
  headers: Record<string, string>
  /** How long it says that it is. */
  declaredBytes?: number
  /** The body, as it arrives. Called once, if somebody is expected; what is not asked for need not come. */
  chunks: () => AsyncIterable<Uint8Array>
}

export interface PushAnswer {
  status: 200 | 404 | 503
  body?: string
}

/** Where hubs come in (WebSub). */
export interface PushReceiver {
  /** The hub asks whether we meant it, or says that it will not. */
  confirm(token: string, query: Record<string, string>): Promise<PushAnswer>
  /** Takes over what the hub brought, if it is signed, and looks at it afterwards. 410: we want no more. 503: not now. */
  receive(token: string, brought: Pushed): Promise<{ status: 202 | 410 | 503 }>
}

export interface AddressTaken {
  /** It is the name, and not the address, that the other has. */
  name?: string
  by: Pick<Feed, 'id' | 'title' | 'url'>
}

export interface Crawler {
  /**
   * Feeds become due at once; other addresses become sources, whose feed is looked for. Nothing is given twice. Who asks follows them:
   * the first person, if nobody is named.
   */
  subscribe(addresses: Address[], how?: { personId?: PersonId; listed?: true }): Promise<Subscription[]>
  /** He follows feeds that are there; whether he did not before. */
  follow(personId: PersonId, feedIds: FeedId[]): Promise<boolean[]>
  /** He follows them no longer; what nobody follows and nobody has listed leaves the crawl. Answers whether he did. */
  unsubscribe(personId: PersonId, what: Followed[]): Promise<boolean[]>
  /** His own title and folder; false if he does not follow it. The first person's folder is the crawl's, too. */
  editReading(personId: PersonId, feedId: FeedId, change: ReadingChange): Promise<boolean>
  /** Makes a feed due as soon as politeness allows, and says when that is; undefined if there is no such feed. */
  pollNow(id: FeedId): Promise<{ dueAt: Instant; why?: string } | undefined>
  /**
   * False if there is no such feed. A new strategy learns from the entries that we have; a new address is polled at once, but
   * if another feed has it, nothing at all is changed.
   */
  edit(id: FeedId, edit: FeedEdit): Promise<boolean | AddressTaken>
  /** Replaces what is wanted of a folder. Feeds that would be polled sooner now are. */
  want(folder: string, wants: Wants): Promise<void>
  /**
   * Another budget, in polls a day, for all feeds; undefined: the one that is configured. It has no effect where the configuration
   * names one. The price is reckoned anew at once, and feeds go by it from their next poll on.
   */
  nameBudget(pollsPerDay: number | undefined): Promise<void>
  /** What was said within the window is grouped anew, as after a change of settings; answers of how many entries. */
  placeAgain(): Promise<number>
  pause(id: FeedId): Promise<boolean>
  resume(id: FeedId): Promise<boolean>
  remove(id: FeedId): Promise<boolean>
  removeSource(id: SourceId): Promise<boolean>
  activity(): Activity
  /** Absent where hubs cannot reach us. */
  readonly pushReceiver?: PushReceiver
  /** Returns how to stop listening. */
  onEvent(listener: (event: CrawlEvent) => void): () => void
}

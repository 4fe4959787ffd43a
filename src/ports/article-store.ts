/**
 * What is remembered of articles: the part of Store that the article crawl uses. As there, each method is one transaction,
 * all of an array is written or none of it, and what a resolved promise has acknowledged survives the death of the process.
 *
 * Articles wait in lines, one for each root: the newest goes first. What is due is a line; so a root with ten thousand
 * pages gets its turns like a root with one, and what is asked of a root (`dueAt`) holds for all who wait for it.
 */
import type {
  ArticleFacts,
  ArticleId,
  ArticleState,
  ArticleText,
  Entry,
  EntryId,
  Failure,
  FeedId,
  Instant,
  Millis,
  RawPage,
  StoredArticle,
  WebAddress,
  WholeArticle,
} from '../model/index.ts'

/** A page that is to be fetched. */
export interface PageToFetch {
  /** As it is to be asked for. */
  url: WebAddress
  root: string
  /** Its entry has changed: a page that was read is read again, but not so soon after, nor more than `most` times in all. */
  again?: { afterMs: Millis; most: number }
}

/** The page of an entry. */
export interface ArticleToFetch extends PageToFetch {
  entryId: EntryId
}

/** All that one fetch of an article changes. */
export interface ArticleRecord {
  id: ArticleId
  /** When the terminal set out. */
  at: Instant
  /** From when on the line of its root is due again. */
  lineDueAt: Instant
  result: ArticleResult
}

export type ArticleResult =
  | {
      kind: 'read'
      /** Tells this page from others. */
      pageUrl: WebAddress
      facts: ArticleFacts
      content: ArticleText
      noArchive?: true
      /** Left out where it must not be kept. */
      page?: RawPage
    }
  /** It is the page of that article, which was read: its entries are the other's from now on. */
  | { kind: 'same'; sameAs: ArticleId; pageUrl: WebAddress }
  /** It is to be had on another host: it is due there, in the line of `root`, as it was here. */
  | { kind: 'elsewhere'; to: WebAddress; root: string }
  /** Without `dueAt` it is not asked for again. What was read before stays, unless it is refused now. */
  | { kind: 'failed'; failure: Failure; state: 'failed' | 'refused'; dueAt?: Instant }

export interface ArticleCounts extends Record<Exclude<ArticleState, 'same'>, number> {
  /** Articles whose page is kept as it came. */
  pages: number
  /** Bytes of texts and facts, and of pages, as they are kept: packed. */
  textBytes: number
  pageBytes: number
}

/** What takes how much of the store, in bytes. */
export interface DiskUsage {
  feeds: number
  entries: number
  polls: number
  articles: number
  pages: number
  index: number
  /** All else: what was freed and not given back, the log of changes. */
  rest: number
}

export interface ArticleStore {
  /**
   * Has pages fetched: those that are new, and those to be read again, are due at `at`. An address that is known, also as
   * the `pageUrl` of an article that was read, gives the entry its article without a fetch. An entry has one article, and
   * an article that no entry points at any more is gone, with all that is kept of it. Entries that are gone are left out.
   */
  wantArticles(wants: ArticleToFetch[], at: Instant): Promise<void>
  /** Pages that wait only for entries of this feed, and were never read, are not waited for any more. */
  unwantArticles(feedId: FeedId): Promise<void>
  /**
   * From each line that is due at `now` and in nobody's hands, the newest article that is due; lines that have been due for
   * longest first, at most `limit`. The line is the caller's until `until`.
   */
  takeDueArticles(now: Instant, limit: number, until: Instant): Promise<StoredArticle[]>
  /** Ends leases of lines unperformed. With `dueAt`, nothing is given from the line before then. */
  handBackArticles(items: { id: ArticleId; dueAt?: Instant }[]): Promise<void>
  /** The earliest instant at which takeDueArticles would give something, leases included; undefined if nothing waits. */
  nextArticleDueAt(): Promise<Instant | undefined>
  /**
   * What came of fetches, and the ends of leases. Entries whose article was read wait for the search index. Idempotent: a
   * record whose article is gone, or turned out to be another, or was tried at or after `at`, or is said to be the same as
   * one that was not read, writes nothing and answers false.
   */
  recordArticles(records: ArticleRecord[]): Promise<boolean[]>

  /** In the order of `ids`; undefined for those that are gone. */
  articlesById(ids: ArticleId[]): Promise<(StoredArticle | undefined)[]>
  /** In the order of `ids`; undefined where an entry has none. Never one that is `same`: then it is the other. */
  articlesOfEntries(ids: EntryId[]): Promise<(StoredArticle | undefined)[]>
  /** Of articles that were read, those whose page is at one of these addresses. */
  articlesAt(pageUrls: string[]): Promise<StoredArticle[]>
  /** In the order of `ids`, each list oldest first. */
  entriesOfArticles(ids: ArticleId[]): Promise<Entry[][]>
  /** In the order of `ids`; undefined where there is no text. */
  articleTexts(ids: ArticleId[]): Promise<(ArticleText | undefined)[]>
  /** The page as it came, while it is kept. */
  rawPage(id: ArticleId): Promise<RawPage | undefined>
  /** Articles that were read, in the order in which they were first wanted, for exports. `since`: fetched then or later. */
  everyArticle(filter: { feedId?: FeedId; since?: Instant }): AsyncIterable<WholeArticle>

  /** Drops at most `limit` pages, of articles that were fetched before `before`, oldest first. Texts stay. */
  forgetPages(before: Instant, limit: number): Promise<number>
  /** Drops at most `limit` pages, oldest first, until what is left takes no more than `bytes`. */
  shrinkPages(bytes: number, limit: number): Promise<number>
  /** Forgets text, facts and page of at most `limit` articles fetched before `before`, oldest first. They are not fetched again. */
  forgetArticles(before: Instant, limit: number): Promise<number>
  /** Looks through the store, which takes its time. */
  diskUsage(): Promise<DiskUsage>
}

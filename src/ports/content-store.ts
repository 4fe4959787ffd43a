/**
 * A content-addressed store for texts, in addition to the main store: texts of entries and articles, and original pages, which make up
 * nearly all of the data. The address of a text is derived from its content, so storing a text twice or late changes nothing, and nothing
 * is overwritten. The main store is authoritative: it holds addresses in place of texts. Texts are stored first, then their addresses are
 * written. So after any interruption every address has its text, and garbage collection removes texts without a reference. The content
 * records (content-records.ts) allow finding texts without the main store.
 */
import type { ArticleId, FeedId, Instant, SourceId } from '../model/index.ts'
import type { ContentRecords } from './content-records.ts'

/** The owner of a text. Garbage collection looks it up in the main store. */
export type ContentOwner =
  | { kind: 'entry'; feedId: FeedId; key: string }
  /** An entry from the first poll of a feed that has no id yet. */
  | { kind: 'found'; sourceId: SourceId; key: string }
  | { kind: 'article'; articleId: ArticleId }

/** `partition/digest`: derived from the owner and the content. */
export type ContentAddress = string & { readonly of: 'content-store' }

export interface ContentText {
  address: ContentAddress
  owner: ContentOwner
  /** Time of the write. Storing a text again updates it. */
  at: Instant
  bytes: Uint8Array
}

export type ContentTextInfo = Omit<ContentText, 'bytes'>

export interface ContentStoreHealth {
  /** For users: its location, and which nodes answer. */
  summary: string
  isHealthy: boolean
}

export interface ContentStore extends ContentRecords {
  /** Once acknowledged, texts survive a crash of the process and the loss of as many machines as the replication factor allows. */
  putTexts(texts: readonly ContentText[]): Promise<void>
  /** In the order of `addresses`; undefined for texts that are missing or incomplete. */
  getTexts(addresses: readonly ContentAddress[]): Promise<(Uint8Array | undefined)[]>
  /** Texts written in the hour that starts then, in no particular order. Holds one page of results in memory at a time. */
  textsOfHour(hour: Instant): AsyncIterable<ContentTextInfo>
  /** Deletes texts as written at their `at`. A text that has been stored again since is kept. */
  dropTexts(texts: readonly ContentTextInfo[]): Promise<void>
  /** Never throws: an unreachable store is reported in the result. */
  health(): Promise<ContentStoreHealth>
  close(): Promise<void>
}

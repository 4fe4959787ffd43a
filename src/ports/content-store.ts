/**
 * The large store beside a ledger: what entries and articles say, and pages as they came, which is nearly all that grows. A text is
 * known by a name that is made of what it says, so that what is kept twice, or late, changes nothing, and nothing is ever written
 * over. The ledger alone says what there is: it keeps names in the place of texts. Texts are kept first, then the ledger is told;
 * whatever happens between, no name stands there whose text is not kept, and a text that nobody names is taken out by a walk. What else
 * is kept beside the texts, so that they can be found without the ledger, are the library's stacks.
 */
import type { ArticleId, FeedId, Instant, SourceId } from '../model/index.ts'
import type { LibraryStacks } from './content-records.ts'

/** Whose text it is: the walk asks the ledger for it. */
export type TextOwner =
  | { kind: 'entry'; feedId: FeedId; key: string }
  /** Of the first poll of a feed that has no number yet. */
  | { kind: 'found'; sourceId: SourceId; key: string }
  | { kind: 'article'; articleId: ArticleId }

/** `shelf/digest`: of whom it is, and what it says. */
export type TextName = string & { readonly of: 'library' }

export interface LibraryText {
  name: TextName
  owner: TextOwner
  /** When it was said; what is kept again later is there from then on. */
  at: Instant
  bytes: Uint8Array
}

export type ShelvedText = Omit<LibraryText, 'bytes'>

export interface LibraryHealth {
  /** For people: where it is, and what of it answers. */
  summary: string
  isWell: boolean
}

export interface Library extends LibraryStacks {
  /** When it is acknowledged, it survives the death of the process, and of as many machines as copies allow. */
  keep(texts: readonly LibraryText[]): Promise<void>
  /** In the order of `names`; undefined where there is none, or not all of it. */
  textsOf(names: readonly TextName[]): Promise<(Uint8Array | undefined)[]>
  /** What was kept in the hour that begins then, in no order: a page of it at a time is in memory. */
  keptIn(hour: Instant): AsyncIterable<ShelvedText>
  /** Takes them out as they were kept `at` that time; one that was kept again since stays. */
  drop(texts: readonly ShelvedText[]): Promise<void>
  /** Never throws: that it cannot be reached is the answer. */
  health(): Promise<LibraryHealth>
  close(): Promise<void>
}

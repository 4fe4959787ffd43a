/** What the memory store keeps of articles. */
import type {
  ArticleFacts,
  ArticleId,
  ArticleLife,
  ArticleText,
  Bucket,
  EntryId,
  Instant,
  LeaseToken,
  RawPage,
  StoredArticle,
} from '../../model/index.ts'
import { copyOf } from './copy.ts'

export interface HeldArticle {
  article: ArticleLife
  /** There with the content, and never without. */
  facts?: ArticleFacts
  content?: ArticleText
  page?: RawPage
}

export interface Articles {
  held: Map<ArticleId, HeldArticle>
  idByUrl: Map<string, ArticleId>
  ofEntry: Map<EntryId, ArticleId>
  /** By root; a line is there while somebody waits in it. */
  lines: Map<string, HeldLine>
  last: number
}

export interface HeldLine {
  notBeforeAt: Instant
  lease?: { token: LeaseToken; until: Instant; takenAt: Instant }
  /** What was given under it. */
  taken?: ArticleId
  bucket?: Bucket
  waiting: Map<ArticleId, HeldArticle>
}

export function createArticles(): Articles {
  return { held: new Map(), idByUrl: new Map(), ofEntry: new Map(), lines: new Map(), last: 0 }
}

export function shownArticle({ article, facts }: HeldArticle): StoredArticle {
  return copyOf({ ...article, ...(facts && { facts }) })
}

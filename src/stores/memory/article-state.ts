/** Articles as the memory store holds them. */
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

export interface MemoryArticle {
  article: ArticleLife
  /** Present exactly if `content` is. */
  facts?: ArticleFacts
  content?: ArticleText
  page?: RawPage
}

export interface ArticlesState {
  byId: Map<ArticleId, MemoryArticle>
  idByUrl: Map<string, ArticleId>
  idByEntry: Map<EntryId, ArticleId>
  /** By root. A queue exists while an article waits in it. */
  queues: Map<string, MemoryArticleQueue>
  lastId: number
}

export interface MemoryArticleQueue {
  notBeforeAt: Instant
  lease?: { token: LeaseToken; until: Instant; takenAt: Instant }
  /** The article that was leased. */
  leasedId?: ArticleId
  bucket?: Bucket
  waiting: Map<ArticleId, MemoryArticle>
}

export function createArticles(): ArticlesState {
  return { byId: new Map(), idByUrl: new Map(), idByEntry: new Map(), queues: new Map(), lastId: 0 }
}

export function storedArticleOf({ article, facts }: MemoryArticle): StoredArticle {
  return copyOf({ ...article, ...(facts && { facts }) })
}

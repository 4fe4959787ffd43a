/**
 * Externalizes long texts of entries and articles, and article pages, before they are recorded: replaces them by references, and collects
 * the content that has to be written to the content store.
 */
import { type EntryDraft, type HashedBefore, type Instant, textHash } from '../../model/index.ts'
import type { ArticleRecord, ContentOwner, ContentText, EntryChanges } from '../../ports/index.ts'
import {
  contentAddressInBytes,
  contentReference,
  isContentReference,
  packExternalContent,
} from './content-addresses.ts'

export interface TextExternalizer {
  externalizeNews<T extends EntryChanges>(news: T, ownerOf: (key: string) => ContentOwner, at: Instant): T
  externalizeArticle(record: ArticleRecord): ArticleRecord
  /** The content store must hold these before the records are written. */
  readonly texts: ContentText[]
}

/** Texts of fewer than `minLength` characters stay in the record. */
export function createTextExternalizer(minLength: number): TextExternalizer {
  const texts: ContentText[] = []

  function externalize(content: string | Uint8Array, owner: ContentOwner, at: Instant): string {
    const text = packExternalContent(owner, at, content)
    texts.push(text)
    return contentReference(text.address)
  }

  /** Externalizes summary and content separately: a store that compares versions of an entry compares their references. */
  function externalizeDraft(draft: EntryDraft, owner: ContentOwner, at: Instant): EntryDraft & HashedBefore {
    const { summary, content } = draft
    return {
      ...draft,
      ...((isLong(summary) || isLong(content)) && { textHash: textHash(draft) ?? null }),
      ...(isLong(summary) && { summary: externalize(summary, owner, at) }),
      ...(isLong(content) && { content: externalize(content, owner, at) }),
    }
  }

  function isLong(text: string | undefined): text is string {
    return text !== undefined && (text.length >= minLength || isContentReference(text))
  }

  return {
    texts,

    externalizeNews(news, ownerOf, at) {
      const each = (draft: EntryDraft) => externalizeDraft(draft, ownerOf(draft.key), at)
      return { ...news, fresh: news.fresh.map(each), changed: news.changed.map(each) }
    },

    externalizeArticle(record) {
      const { id, at, result } = record
      if (result.kind !== 'read') return record
      const owner: ContentOwner = { kind: 'article', articleId: id }
      const { content, page } = result
      const isLongPage = page && (page.body.length >= minLength || contentAddressInBytes(page.body) !== undefined)
      const references = {
        ...(isLong(content.text + content.html) && {
          content: { text: externalize(JSON.stringify(content), owner, at), html: '' },
        }),
        ...(isLongPage && { page: { ...page, body: Buffer.from(externalize(page.body, owner, at)) } }),
      }
      return { ...record, result: { ...result, ...references } }
    },
  }
}

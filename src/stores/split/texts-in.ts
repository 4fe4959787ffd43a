/**
 * On their way in: long texts of entries and articles, and pages, leave what is to be recorded, and names stand in their place. What is to
 * be kept in the library is gathered on the way.
 */
import { type EntryDraft, type HashedBefore, type Instant, textHash } from '../../model/index.ts'
import type { ArticleRecord, LibraryText, News, TextOwner } from '../../ports/index.ts'
import { isMarked, marked, nameInBytes, shelved } from './names.ts'

export interface TextsIn {
  news<T extends News>(news: T, ownerOf: (key: string) => TextOwner, at: Instant): T
  article(record: ArticleRecord): ArticleRecord
  /** What has to be kept before the ledger is told. */
  readonly texts: LibraryText[]
}

/** Texts of fewer characters than `shortest` stay where they are: a name is no shorter. */
export function textsIn(shortest: number): TextsIn {
  const texts: LibraryText[] = []

  function moved(said: string | Uint8Array, owner: TextOwner, at: Instant): string {
    const text = shelved(owner, at, said)
    texts.push(text)
    return marked(text.name)
  }

  /** Each on its own: a ledger that compares what was said before and after compares their names. */
  function draftNamed(draft: EntryDraft, owner: TextOwner, at: Instant): EntryDraft & HashedBefore {
    const { summary, content } = draft
    return {
      ...draft,
      ...((isLong(summary) || isLong(content)) && { textHash: textHash(draft) ?? null }),
      ...(isLong(summary) && { summary: moved(summary, owner, at) }),
      ...(isLong(content) && { content: moved(content, owner, at) }),
    }
  }

  function isLong(text: string | undefined): text is string {
    return text !== undefined && (text.length >= shortest || isMarked(text))
  }

  return {
    texts,

    news(news, ownerOf, at) {
      const each = (draft: EntryDraft) => draftNamed(draft, ownerOf(draft.key), at)
      return { ...news, fresh: news.fresh.map(each), changed: news.changed.map(each) }
    },

    article(record) {
      const { id, at, result } = record
      if (result.kind !== 'read') return record
      const owner: TextOwner = { kind: 'article', articleId: id }
      const { content, page } = result
      const isLongPage = page && (page.body.length >= shortest || nameInBytes(page.body) !== undefined)
      const named = {
        ...(isLong(content.text + content.html) && {
          content: { text: moved(JSON.stringify(content), owner, at), html: '' },
        }),
        ...(isLongPage && { page: { ...page, body: Buffer.from(moved(page.body, owner, at)) } }),
      }
      return { ...record, result: { ...result, ...named } }
    },
  }
}

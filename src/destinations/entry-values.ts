/** What templates know of an entry. */
import type { EntryDetailsShape } from '../api/index.ts'
import { withoutControls } from '../model/index.ts'
import type { TemplateValues } from './template.ts'

/** Characters of a text and of other values: presets send the beginning of entries, not whole articles. */
const MAX_TEXT = 2000
const MAX_VALUE = 2000

export const ENTRY_VALUES = ['title', 'url', 'text', 'author', 'source', 'date', 'sendId'] as const

export function entryValues(entry: EntryDetailsShape, sendId: string): TemplateValues {
  const { title, url = '', text = '', author, feedTitle = '', publishedAt = '', article } = entry
  const authors = article && 'authors' in article ? article.authors?.join(', ') : undefined
  return {
    title: line(title) || url || 'Untitled',
    url: url.length > MAX_VALUE ? '' : url,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    author: line(authors ?? author ?? ''),
    source: line(feedTitle),
    date: publishedAt,
    sendId,
  }
}

function line(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim().slice(0, MAX_VALUE).toWellFormed()
}

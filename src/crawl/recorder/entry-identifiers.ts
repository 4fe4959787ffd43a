/** Identifies one entry under different keys: by key, by address in any spelling, or by title and date. */
import { normalizeUrl } from '../../feeds/index.ts'
import { type EntryDraft, SECOND } from '../../model/index.ts'

type Identified = Pick<EntryDraft, 'key' | 'url' | 'title' | 'publishedAt'>

/** The most reliable first. Entries that share one are the same. */
export function identifiersOf({ key, url, title, publishedAt }: Identified): string[] {
  const address = url && (normalizeUrl(url) ?? url)
  return [
    `key ${key}`,
    ...(address ? [`url ${address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/(?=$|[?#])/, '')}`] : []),
    // Other programs drop the milliseconds.
    ...(title && publishedAt !== undefined ? [`title ${Math.floor(publishedAt / SECOND)} ${title}`] : []),
  ]
}

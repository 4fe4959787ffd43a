/** Publishers put their own name before every title; a source can name what is to be taken off. */

/** "Gazette: Goose elected" without "Gazette" is "Goose elected". A title that is nothing but the prefix is kept. */
export function withoutPrefix(title: string, prefix: string): string {
  if (prefix === '' || !title.startsWith(prefix)) return title
  return title.slice(prefix.length).replace(/^[\s:|·•–—-]+/, '') || title
}

/** Removes a publisher's name from the front of entry titles; a source can configure the prefix. */

/** "Gazette: Goose elected" without "Gazette" is "Goose elected". A title that is only the prefix is kept. */
export function removePrefix(title: string, prefix: string): string {
  if (prefix === '' || !title.startsWith(prefix)) return title
  return title.slice(prefix.length).replace(/^[\s:|·•–—-]+/, '') || title
}

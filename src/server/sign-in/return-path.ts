/** The place on our page to which a user returns after signing in elsewhere. Other addresses are replaced by the start of the page. */
const MAX_LENGTH = 1000

export function ownPath(text: string | undefined): string {
  // A backslash counts as a slash in browsers, which also drop tabs and line breaks.
  if (!text || text.length > MAX_LENGTH || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(text)) return '/'
  return text.startsWith('/sign-in') ? '/' : text
}

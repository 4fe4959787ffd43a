/**
 * The address that another page or program asks to add: the bookmarklet, the handler of `feed:` links and the share menu open the add view
 * with it. It is only filled in; the user decides.
 */
const MAX_LENGTH = 8192

/** '' if there is none. The server understands `feed:` and `web+feed:`; other schemes than these and http are ignored. */
export function requestedAddress(params: URLSearchParams): string {
  const given = [params.get('url'), params.get('text'), params.get('title')]
  for (const text of given) {
    const found = /(?:web\+feed:|feed:|https?:\/\/)\S+/i.exec(text ?? '')?.[0]
    if (found && found.length <= MAX_LENGTH) return found.replace(/[)\].,;:!?"'»]+$/, '')
  }
  const bare = given[0]?.trim() ?? ''
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?]\S*)?$/.test(bare) && bare.length <= MAX_LENGTH ? bare : ''
}

/**
 * The address of the page that an entry points at, as it is fetched: without the fragment, which servers do not see, and
 * without what only counts clicks, so that one page is asked for once. Undefined for what is no page by its name.
 */
import { LONGEST_ADDRESS, type WebAddress, webAddress } from '../../model/index.ts'
import { comparableUrl } from './reconcile.ts'

export function pageAddress(url: string): WebAddress | undefined {
  if (url.length > LONGEST_ADDRESS) return undefined
  const comparable = comparableUrl(url.trim())
  if (comparable === undefined) return undefined
  const address = new URL(comparable)
  if (isFrontPage(address) || NO_PAGE.test(address.pathname)) return undefined
  address.hash = ''
  return webAddress(address.href)
}

/** An entry that points at the front of its site has no page of its own. */
function isFrontPage({ pathname, search }: URL): boolean {
  return search === '' && /^\/(?:index\.\w{3,5})?$/i.test(pathname)
}

/** Sound, pictures, archives, PDFs: a server may call them what it likes, but nobody names a page like that. */
const NO_PAGE =
  /\.(?:mp[34]|m4[abv]|aac|og[agv]|opus|flac|wav|web[mp]|mov|avi|mkv|jpe?g|png|gif|svg|avif|ico|pdf|epub|docx?|xlsx?|pptx?|zip|gz|tgz|xz|7z|rar|dmg|iso|exe|msi|deb|rpm|apk|torrent|rss|atom|xml|json|csv|css|js)$/i

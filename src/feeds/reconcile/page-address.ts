/**
 * The address of the page an entry links to: without fragment and tracking parameters, so that each page is fetched once. Undefined if
 * the address cannot be an article's page.
 */
import { MAX_ADDRESS_LENGTH, type WebAddress, webAddress } from '../../model/index.ts'
import { normalizeUrl } from './reconcile.ts'

export function pageAddress(url: string): WebAddress | undefined {
  if (url.length > MAX_ADDRESS_LENGTH) return undefined
  const comparable = normalizeUrl(url.trim())
  if (comparable === undefined) return undefined
  const address = new URL(comparable)
  if (isFrontPage(address) || NO_PAGE.test(address.pathname)) return undefined
  address.hash = ''
  return webAddress(address.href)
}

/** An entry that links to the site's front page has no page of its own. */
function isFrontPage({ pathname, search }: URL): boolean {
  return search === '' && /^\/(?:index\.\w{3,5})?$/i.test(pathname)
}

/** Audio, pictures, archives, PDFs: extensions that web pages never have. */
const NO_PAGE =
  /\.(?:mp[34]|m4[abv]|aac|og[agv]|opus|flac|wav|web[mp]|mov|avi|mkv|jpe?g|png|gif|svg|avif|ico|pdf|epub|docx?|xlsx?|pptx?|zip|gz|tgz|xz|7z|rar|dmg|iso|exe|msi|deb|rpm|apk|torrent|rss|atom|xml|json|csv|css|js)$/i

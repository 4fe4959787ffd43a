/** Exchanges that redirects have parted, put together again: from the address that was asked for to the answer that came. */
import type { ArchivedExchange } from '../../archive/index.ts'
import { type Instant, setBounded, type WebAddress, webAddress } from '../../model/index.ts'
import type { NetRedirect } from '../../ports/index.ts'

/** The address that was asked for first, and when, of an answer that is no redirect any more. */
export interface ArchivedRedirects {
  from: string
  beganAt: Instant
  redirects: NetRedirect[]
}

const MOST_WAYS = 10_000

/** Puts exchanges that redirects have parted together again. */
export function createRedirectChains(): { follow(exchange: ArchivedExchange): ArchivedRedirects | undefined } {
  const underWay = new Map<string, ArchivedRedirects>()
  return {
    follow({ url, at, via, status, headers }) {
      const way = (via !== undefined && underWay.get(via)) || { from: url, beganAt: at, redirects: [] }
      if (via !== undefined) underWay.delete(via)
      const to = status >= 300 && status < 400 && status !== 304 ? targetOf(url, headers.location) : undefined
      if (to === undefined) return way
      const retryAfter = headers['retry-after']
      const redirects = [...way.redirects, { status, to, ...(retryAfter && { retryAfter }) }]
      setBounded(underWay, url, { ...way, redirects }, MOST_WAYS)
      return undefined
    },
  }
}

function targetOf(url: string, location: string | undefined): WebAddress | undefined {
  return location !== undefined && URL.canParse(location, url) ? webAddress(new URL(location, url).href) : undefined
}

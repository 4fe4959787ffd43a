/** Joins exchanges connected by redirects: from the requested address to the final response. */
import type { ArchivedExchange } from '../../archive/index.ts'
import { type Instant, setBounded, type WebAddress, webAddress } from '../../model/index.ts'
import type { NetRedirect } from '../../ports/index.ts'

/** The first requested address and its time, for a final response. */
export interface ArchivedRedirects {
  from: string
  beganAt: Instant
  redirects: NetRedirect[]
}

const MAX_CHAINS = 10_000

/** Joins exchanges connected by redirects. */
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
      setBounded(underWay, url, { ...way, redirects }, MAX_CHAINS)
      return undefined
    },
  }
}

function targetOf(url: string, location: string | undefined): WebAddress | undefined {
  return location !== undefined && URL.canParse(location, url) ? webAddress(new URL(location, url).href) : undefined
}

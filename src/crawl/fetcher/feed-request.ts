/**
 * The request for a feed with the settings that users made for it. Its login and its secret headers are for its own origin, so a bridge,
 * another server that fetches the feed for us, gets neither. A bridge is treated like a temporary redirect: its host needs a free slot,
 * too, and what it answers never changes the feed's address.
 */
import {
  bridgeAddress,
  type FetchSettings,
  type PollTask,
  proxyWithLogin,
  type RedirectChain,
  type WebAddress,
} from '../../model/index.ts'
import type { NetAnswer, NetRequest } from '../../ports/index.ts'
import { redirectedUrl } from './read-feed.ts'

const TEMPORARY_REDIRECT = 307

export interface FeedRequest {
  request: Pick<
    NetRequest,
    'url' | 'named' | 'credentials' | 'secretHeaders' | 'userAgent' | 'proxy' | 'acceptsInvalidCertificate'
  >
  /** The address at the bridge, if the feed has one. */
  bridge?: WebAddress
}

/** Undefined if the feed's bridge has no valid address for it. */
export function feedRequestOf({ url, fetching = {}, credentials, older }: PollTask): FeedRequest | undefined {
  const { userAgent, acceptsInvalidCertificate } = fetching
  const proxy = proxyWithLogin(fetching)
  const common = {
    ...(userAgent && { userAgent }),
    ...(proxy && { proxy }),
    ...(acceptsInvalidCertificate && { acceptsInvalidCertificate }),
  }
  if (fetching.bridge !== undefined && !older) {
    const bridge = bridgeAddress(fetching.bridge, url)
    return bridge && { request: { url: bridge, named: bridge, ...common }, bridge }
  }
  const secretHeaders = secretHeadersOf(fetching)
  return { request: { url, ...common, ...(credentials && { credentials }), ...(secretHeaders && { secretHeaders }) } }
}

function secretHeadersOf({ headers, cookies }: FetchSettings): Record<string, string> | undefined {
  return headers || cookies ? { ...headers, ...(cookies && { cookie: cookies }) } : undefined
}

/** The redirects to the answer, the bridge being the first. */
export function arrivalOf(
  { redirects, url: finalUrl }: Extract<NetAnswer, { ok: true }>,
  bridge: WebAddress | undefined,
): { arrival?: RedirectChain } {
  const all = bridge === undefined ? redirects : [{ status: TEMPORARY_REDIRECT, to: bridge }, ...redirects]
  return all.length > 0 ? { arrival: { redirects: all, finalUrl } } : {}
}

/** The address that failed, if it is not the feed's own. */
export function failedUrl(answer: NetAnswer, bridge: WebAddress | undefined): WebAddress | undefined {
  return redirectedUrl(answer) ?? bridge
}

/**
 * How one feed is fetched and read, where it needs special treatment: set by users, and shared by all followers. Secret values (of headers,
 * cookies, and the login of a proxy) are encrypted in the store, and sent only to the origin that they were given for.
 */
import { MAX_ADDRESS_LENGTH, type WebAddress, webAddress } from './address.ts'
import { mayShareCredentials } from './credentials.ts'

export interface FetchSettings {
  /** Replaces ours. */
  userAgent?: string
  /** Additional request headers, by name in lower case. Values are secret. */
  headers?: Record<string, string>
  /** The Cookie header. Secret. */
  cookies?: string
  /** An HTTP proxy: `http://proxy.example:3128`, without its login. */
  proxy?: string
  /** `user:password` for the proxy. Secret. */
  proxyLogin?: string
  /** Accepts any certificate of the feed's host. */
  acceptsInvalidCertificate?: true
  /** Every poll asks for the whole document. */
  ignoresValidators?: true
  /** Another server that fetches the feed for us: an address that contains `{url}`. */
  bridge?: string
  /** Where the text is on the pages of its entries. */
  extraction?: ExtractionRules
  /** Applied to each entry, in order. */
  rewrites?: RewriteRule[]
  /** An admin changed them last, for all followers. */
  byAdmin?: true
}

/** CSS selectors. */
export interface ExtractionRules {
  /** The elements with the text; absent: found automatically. */
  content?: string
  /** Elements that are removed first. */
  remove?: string
}

/** Replaces matches of a regular expression (RE2) in titles or links; `$1` in `replace` is a group. */
export interface RewriteRule {
  part: 'title' | 'link'
  find: string
  replace: string
}

export const FETCH_SETTING_LIMITS = {
  userAgent: 300,
  headers: 10,
  headerName: 60,
  headerValue: 2000,
  cookies: 4000,
  address: 2000,
  selector: 500,
  rewrites: 10,
  find: 300,
  replace: 300,
} as const

/** Names that the HTTP client sets itself, that only concern one connection, or that have a setting of their own. */
const RESERVED_HEADERS = new Set(
  `accept-encoding connection content-encoding content-length content-type cookie expect host http2-settings if-match if-modified-since
  if-none-match if-range if-unmodified-since keep-alive range te trailer transfer-encoding upgrade user-agent`.split(
    /\s+/,
  ),
)
const RESERVED_PREFIXES = /^(?:proxy-|sec-)/

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
/** Printable ASCII and Latin-1, without line breaks. */
const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]+$/

/** Why a request header cannot be set; undefined if it can. Does not quote the value. */
export function headerProblem(name: string, value: string): string | undefined {
  const { headerName, headerValue } = FETCH_SETTING_LIMITS
  if (!TOKEN.test(name) || name.length > headerName) return `"${name.slice(0, headerName)}" is not a header name`
  if (RESERVED_HEADERS.has(name.toLowerCase()) || RESERVED_PREFIXES.test(name.toLowerCase()))
    return `the header ${name} cannot be set`
  return value.length > headerValue ? `the value of ${name} is too long` : valueProblem(`the value of ${name}`, value)
}

/** Why a text cannot be sent as the value of a header; undefined if it can. `what` names it. */
export function valueProblem(what: string, value: string): string | undefined {
  return HEADER_VALUE.test(value) ? undefined : `${what} is empty or has characters that headers cannot contain`
}

/** Splits the login from the address of a proxy. Undefined if it is not the address of an HTTP proxy. */
export function parseProxyAddress(written: string): { proxy: string; proxyLogin?: string } | undefined {
  const url = URL.parse(written)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return undefined
  const login = url.username === '' && url.password === '' ? '' : `${url.username}:${url.password}`
  return { proxy: url.origin, ...(login && { proxyLogin: login }) }
}

/** The address of a proxy with its login, as `parseProxyAddress` was given. */
export function proxyWithLogin({ proxy, proxyLogin }: FetchSettings): string | undefined {
  return proxy && proxyLogin ? proxy.replace('://', `://${proxyLogin}@`) : proxy
}

const URL_PLACE = '{url}'

/** The address that a bridge has for a feed; undefined if it is not valid. */
export function bridgeAddress(bridge: string, url: WebAddress): WebAddress | undefined {
  if (!bridge.includes(URL_PLACE)) return undefined
  const address = webAddress(URL.parse(bridge.replaceAll(URL_PLACE, encodeURIComponent(url)))?.href)
  return address !== undefined && address.length <= MAX_ADDRESS_LENGTH ? address : undefined
}

/** The settings with each secret value replaced, as for encryption. */
export function mapFetchSecrets(settings: FetchSettings, change: (secret: string) => string): FetchSettings {
  const { headers, cookies, proxyLogin } = settings
  return {
    ...settings,
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)])),
    }),
    ...(cookies !== undefined && { cookies: change(cookies) }),
    ...(proxyLogin !== undefined && { proxyLogin: change(proxyLogin) }),
  }
}

/** The settings without those for the feed's origin: headers, cookies and its certificate; undefined if nothing remains. */
export function withoutOriginSettings({
  headers: _headers,
  cookies: _cookies,
  acceptsInvalidCertificate: _accepts,
  ...rest
}: FetchSettings): FetchSettings | undefined {
  return isEmptySettings(rest) ? undefined : rest
}

/** The settings without any secret; undefined if nothing remains. */
export function withoutFetchSecrets({
  headers: _headers,
  cookies: _cookies,
  proxyLogin: _login,
  ...rest
}: FetchSettings): FetchSettings | undefined {
  return isEmptySettings(rest) ? undefined : rest
}

/** Whether nothing is set. */
export function isEmptySettings({ byAdmin: _byAdmin, ...settings }: FetchSettings): boolean {
  return Object.keys(settings).length === 0
}

/** What applies to the pages of entries, which feeds and users share: nothing that is secret, or decides who answers. */
export type PageSettings = Pick<FetchSettings, 'userAgent' | 'extraction'>

export function pageSettingsOf({ userAgent, extraction }: FetchSettings = {}): PageSettings {
  return { ...(userAgent && { userAgent }), ...(extraction && { extraction }) }
}

/** The settings for a request to `to` on behalf of the feed at `from`: secrets of its origin are not sent to another. */
export function fetchSettingsFor(settings: FetchSettings, from: WebAddress, to: WebAddress): FetchSettings | undefined {
  return mayShareCredentials(from, to) ? settings : withoutOriginSettings(settings)
}

/**
 * Parses addresses as people paste them: with quotes and punctuation around them, as a link of a search engine or a mobile page, or as the
 * name of a profile or a community. For addresses of pages; those of feeds stay as they are written (user-address.ts).
 */
import type { FeedCredentials, WebAddress } from '../../model/index.ts'
import { normalizeUrl } from '../reconcile/reconcile.ts'
import { normalizeUserAddress, parseUserAddress } from './user-address.ts'

/** An address of a page, without its credentials; undefined if the text is none. */
export function parsePastedAddress(text: string): { url: WebAddress; credentials?: FeedCredentials } | undefined {
  if (text.length > MAX_PASTED) return undefined
  const bare = withoutNoise(text)
  const named = addressOfName(bare)
  if (named) return { url: named }
  const parsed = parseUserAddress(bare) ?? parseUserAddress(text)
  return parsed && { ...parsed, url: targetOf(parsed.url) }
}

/** The document of WebFinger (RFC 7033) that describes a user of the Fediverse; `host` may have a port. */
function webFingerAddress(name: string, host: string): WebAddress | undefined {
  const origin = normalizeUserAddress(host)
  if (origin === undefined) return undefined
  const url = new URL('/.well-known/webfinger', origin)
  url.search = `?resource=acct:${encodeURIComponent(name)}@${url.host}`
  return normalizeUserAddress(url.href)
}

const MAX_PASTED = 4_000
/** Rewriting ends where nothing changes; links to links are at most a few levels deep. */
const MAX_ROUNDS = 5

const OPENING = /^(?:[\s\u200b-\u200f\u2060\ufeff"'`<(«»‹›“”„‘’「『【]|URL:|view-source:)+/i
const CLOSING = /[\s\u200b-\u200f\u2060\ufeff"'`>«»‹›“”„‘’」』】.,;:!?…。、，]+$/
const MARKDOWN = /^!?\[[^\]]*\]\((\S+?)(?:\s+"[^"]*")?\)$/

function withoutNoise(text: string): string {
  const trimmed = text.trim()
  const inner = MARKDOWN.exec(trimmed)?.[1] ?? trimmed
  let bare = inner.replace(OPENING, '').replace(CLOSING, '')
  // A closing parenthesis belongs to the address if it has the opening one, too.
  while (/[)\]]$/.test(bare) && !/[([]/.test(bare)) bare = bare.slice(0, -1).replace(CLOSING, '')
  return bare
}

const FEDIVERSE_USER = /^(?:acct:@?|@)([\w.+-]+)@([^\s/@?#]+)$/i
const FEDIVERSE_GROUP = /^!([\w.-]+)@([^\s/@?#]+)$/
const BLUESKY_USER = /^@((?:[\w-]+\.)+[a-z]{2,})$/i
const REDDIT_NAME = /^\/?(r|u)\/([\w+-]+)\/?$/i

/** `@anna@social.example`, `!tides@lemmy.example`, `@anna.bsky.social`, `r/tides`. */
function addressOfName(text: string): WebAddress | undefined {
  const user = FEDIVERSE_USER.exec(text)
  if (user) return webFingerAddress(user[1]!, user[2]!)
  const group = FEDIVERSE_GROUP.exec(text)
  if (group) return normalizeUserAddress(`${group[2]}/c/${group[1]}`)
  const handle = BLUESKY_USER.exec(text)
  if (handle) return normalizeUserAddress(`https://bsky.app/profile/${handle[1]!.toLowerCase()}`)
  const [, kind, name] = REDDIT_NAME.exec(text) ?? []
  if (name) return normalizeUserAddress(`https://www.reddit.com/${kind!.toLowerCase() === 'r' ? 'r' : 'user'}/${name}/`)
  return undefined
}

/** The page that a link leads to, as far as the link itself tells. */
function targetOf(address: WebAddress): WebAddress {
  let url = address
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = rewrite(url)
    if (next === undefined || next === url) break
    url = next
  }
  return url
}

function rewrite(address: WebAddress): WebAddress | undefined {
  const url = new URL(address)
  const redirect = REDIRECTS.find(([host, path]) => host.test(url.hostname) && path.test(url.pathname))
  const named = redirect?.[2]
    .map((name) => url.searchParams.get(name))
    .find((value) => /^https?:\/\//i.test(value ?? ''))
  if (named) return normalizeUserAddress(named)
  const written = `${url.hostname}${url.pathname}${url.search}`
  for (const [pattern, page] of REWRITES) {
    const match = pattern.exec(written)
    if (match) return normalizeUserAddress(page.replace(/\$([1-3])/g, (_, group) => match[Number(group)] ?? ''))
  }
  const remote = /^\/@([\w.+-]+)@([^/@?]+)\/?$/.exec(url.pathname) // a user of another server
  if (remote) return webFingerAddress(remote[1]!, remote[2]!)
  for (const name of AMP_PARAMETERS)
    if (/^(?:1|true|amp)?$/.test(url.searchParams.get(name) ?? '-')) url.searchParams.delete(name)
  url.pathname = url.pathname.replace(/^(\/.+?)(?:\/amp\/?|\.amp(?=\.html$|$))/i, '$1')
  const plain = url.href === new URL(address).href ? address : url.href
  const clean = normalizeUrl(plain)
  return normalizeUserAddress(clean !== undefined && clean.length < plain.length ? clean : plain)
}

const AMP_PARAMETERS = ['amp', 'outputType']

/** Links that name their target in a parameter: host, path, parameters. */
const REDIRECTS: [host: RegExp, path: RegExp, parameters: string[]][] = [
  [/^(?:www\.)?google\.[a-z.]+$/, /^\/url$/, ['q', 'url']],
  [/^(?:www\.|m\.)?youtube\.com$/, /^\/redirect$/, ['q']],
  [/^lm?\.(?:facebook|instagram)\.com$/, /^\//, ['u']],
  [/^out\.reddit\.com$/, /^\//, ['url']],
  [/^(?:www\.)?duckduckgo\.com$/, /^\/l\/?$/, ['uddg']],
  [/^t\.umblr\.com$/, /^\/redirect$/, ['z']],
  [/^slack-redir\.net$/, /^\/link$/, ['url']],
  [/\.safelinks\.protection\.outlook\.com$/, /^\//, ['url']],
  [/^steamcommunity\.com$/, /^\/linkfilter\/?$/, ['u', 'url']],
  [/^vk\.com$/, /^\/away\.php$/, ['to']],
]

/** Other addresses of a page: host with path and query, and the page. */
const REWRITES: [written: RegExp, page: string][] = [
  [/^youtu\.be\/[\w-]+\?(?:.*&)?(list=(?:PL|OL)[\w-]+)/, 'https://www.youtube.com/playlist?$1'],
  [/^youtu\.be\/([\w-]+)/, 'https://www.youtube.com/watch?v=$1'],
  [/^(?:www\.)?google\.[a-z.]+\/amp\/s\/(.+)/, 'https://$1'],
  [/\.cdn\.ampproject\.org\/[acv]\/s\/(.+)/, 'https://$1'],
  [/^([\w-]+)\.m\.(wiki\w+\.org.*)/, 'https://$1.$2'],
]

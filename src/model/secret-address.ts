/**
 * Secret addresses: anyone who knows `https://pod.example/feed?auth=x7…` can read a paid feed. Such a feed is private to its
 * followers; others see its address with the secret parts redacted.
 *
 * Secret parts are user names and passwords, the values of parameters named like a key (`token`, `api_key`, `sig`), and long
 * random parts of the path or query. The heuristic prefers false positives: a public feed that looks secret is merely not shared.
 */
import type { FeedCredentials } from './credentials.ts'
import type { FetchSettings } from './fetch-settings.ts'

/** Words in a parameter's name that mark its value as secret. */
const SECRET_WORDS = new Set(
  `auth authkey apikey authtoken accesstoken credential credentials hmac jwt key pass passwd password pwd private secret session sid
  sig signature signed ticket token`.split(/\s+/),
)

/** Parameters whose random values are public identifiers. */
const PUBLIC_NAMES = new Set(['channel_id', 'playlist_id'])

const MIN_RANDOM_LENGTH = 16
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i
const REDACTED = '***'

export function isSecretAddress(address: string): boolean {
  return secretParts(address).length > 0
}

/** The address with its secret parts redacted, for users who do not follow the feed. */
export function withoutSecrets(address: string): string {
  const parts = secretParts(address).sort((a, b) => b.at - a.at)
  return parts.reduce((text, { at, length }) => text.slice(0, at) + REDACTED + text.slice(at + length), address)
}

/** Whether only its followers may see a feed: it needs a login, its address is secret, or its settings are personal. */
export function isPrivateFeed({
  url,
  credentials,
  fetching,
}: {
  url: string
  credentials?: FeedCredentials | undefined
  fetching?: FetchSettings | undefined
}): boolean {
  return credentials !== undefined || hasPersonalSettings({ fetching }) || isSecretAddress(url)
}

/**
 * Whether the settings are those of the followers they have: with secrets others would read what they may not, and with a bridge, a proxy
 * or other links, something else than the publisher serves, unless an admin chose that for everybody.
 */
export function hasPersonalSettings({ fetching = {} }: { fetching?: FetchSettings | undefined }): boolean {
  const { headers, cookies, bridge, proxy, acceptsInvalidCertificate, rewrites = [], byAdmin } = fetching
  if (headers || cookies || (bridge !== undefined && isSecretAddress(bridge))) return true
  const changesContent = bridge ?? proxy ?? acceptsInvalidCertificate ?? rewrites.find(({ part }) => part === 'link')
  return changesContent !== undefined && !byAdmin
}

interface Part {
  at: number
  length: number
}

function secretParts(address: string): Part[] {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(address) ?? []
  const found: Part[] = []
  const login = authority.lastIndexOf('@')
  if (login >= 0) found.push({ at: scheme.length, length: login })
  let at = scheme.length + authority.length
  for (const part of path.split('/')) {
    const { length } = part.replace(/\.(?:xml|rss|atom|json|rdf|php|html?|aspx?)$/i, '')
    if (looksRandom(decoded(part.slice(0, length)))) found.push({ at, length })
    at += part.length + 1
  }
  at = scheme.length + authority.length + path.length + 1
  for (const pair of query.slice(1).split(/[&;]/)) {
    const [name = '', value = ''] = splitOnce(pair)
    if (value !== '' && isSecretPair(decoded(name), decoded(value)))
      found.push({ at: at + pair.length - value.length, length: value.length })
    else if (value === '' && looksRandom(decoded(name))) found.push({ at, length: name.length })
    at += pair.length + 1
  }
  return found
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

function isSecretPair(name: string, value: string): boolean {
  if (PUBLIC_NAMES.has(name.toLowerCase())) return false
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.some((word) => SECRET_WORDS.has(word)) || value.split(/[^\w.~-]+/).some(looksRandom)
}

/** A long run of letters and digits that nobody types: only digits, digits among letters, or erratic case. */
function looksRandom(text: string): boolean {
  if (UUID.test(text)) return true
  return text.split(/[^A-Za-z0-9]+/).some((run) => {
    if (run.length < MIN_RANDOM_LENGTH) return false
    const digits = run.replace(/\D/g, '').length
    const changes = run.match(/[a-z](?=[A-Z])|[A-Z]{2}(?=[a-z])|[a-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
    return digits === run.length || (digits > 0 && changes >= 2) || changes >= 4
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Keys identify entries of a feed from poll to poll: the guid, else the address, else a hash of the content.
 *
 * Feeds give several entries the same guid or address, or list an entry twice. So identical entries are merged; of different entries
 * with the same key, *each* gets a hash of its content added to its key. No key depends on an entry's position. Which entries share a
 * guid may change from poll to poll: resolve-keys.ts finds the key an entry got first.
 */
import { hash } from 'node:crypto'
import type { EntryDraft, FragmentHabit } from '../../model/index.ts'
import type { ParsedEntry } from './parsed-feed.ts'

export type KeylessEntry = Omit<ParsedEntry, 'key'>

export function assignKeys(entries: KeylessEntry[]): ParsedEntry[] {
  if (haveCommonFragment(entries)) for (const entry of entries) dropFragment(entry)
  const addressOf = ({ url }: KeylessEntry) => (url === undefined ? undefined : addressKey(url))
  const bases = entries.map((entry) => shortened(entry.id ?? addressOf(entry) ?? hashOf(contentOf(entry))))
  const keys = new Set(bases).size === bases.length ? bases : disambiguate(entries, bases, addressOf)
  const keyedEntries: ParsedEntry[] = []
  for (const [index, entry] of entries.entries()) {
    const key = keys[index]
    if (key !== undefined) keyedEntries.push(Object.assign(entry, { key }))
  }
  return keyedEntries
}

/** The keys that an entry may have in its feed if no other entry shares its guid or address, the most likely first. */
export function possibleKeys({ guid, url }: { guid?: string | undefined; url?: string | undefined }): string[] {
  return [...(guid ? [shortened(guid)] : []), ...(url ? [shortened(addressKey(url))] : [])]
}

/** Call before keys are assigned. */
export function detectFragments(entries: readonly KeylessEntry[]): FragmentHabit | undefined {
  if (haveCommonFragment(entries)) return 'shared'
  return entries.some(({ url }) => url !== undefined && fragmentOf(url) !== '') ? 'apart' : undefined
}

const HASH_SUFFIX = / [0-9a-f]{32}#*\d*$/

/** Whether other entries of the document had the same guid or address. */
export function isSharedKey(key: string): boolean {
  return HASH_SUFFIX.test(key)
}

/** The guid or address without the hash. */
export function keyBase(key: string): string {
  return key.replace(HASH_SUFFIX, '')
}

/** Keys that an entry would have got if other entries, or none, had shared its guid or address. */
export function keysWhenShared(draft: EntryDraft): string[] {
  const { url } = draft
  const base = keyBase(draft.key)
  const address = url === undefined ? '' : addressKey(url)
  const text = draft.updatedAt === undefined ? contentOf(draft) : headlineOf(draft)
  const keys = [`${base} ${hashOf(address)}`, `${base} ${hashOf(`${address}\n${text}`)}`, base]
  return keys.filter((key) => key !== draft.key)
}

/** Makes keys unique where entries share one; duplicates of an entry get none. */
function disambiguate(entries: KeylessEntry[], bases: string[], addressOf: AddressKeys): (string | undefined)[] {
  const byBase = Map.groupBy(entries, (_, index) => bases[index]!)
  const keys = new Map<KeylessEntry, string>()
  const usedKeys = new Set<string>()
  for (const [base, sameKey] of byBase) {
    for (const [entry, suffix] of distinguish(sameKey, addressOf)) {
      let key = suffix === '' ? base : `${base} ${suffix}`
      // A guid that looks like one of our keys.
      while (usedKeys.has(key)) key += '#'
      usedKeys.add(key)
      keys.set(entry, key)
    }
  }
  return entries.map((entry) => keys.get(entry))
}

/** Decides which of the entries with the same key are different, and what distinguishes them: the address, else the content. */
function distinguish(sameKey: KeylessEntry[], addressOf: AddressKeys): [KeylessEntry, string][] {
  if (sameKey.length === 1) return [[sameKey[0]!, '']]
  const byAddress = Map.groupBy(sameKey, (entry) => addressOf(entry) ?? '')
  const result: [KeylessEntry, string][] = []
  for (const [address, sameAddress] of byAddress) {
    const byWords = Map.groupBy(sameAddress, (entry) =>
      entry.updatedAt === undefined ? contentOf(entry) : headlineOf(entry),
    )
    for (const [text, copies] of byWords) {
      const suffix = byWords.size > 1 ? hashOf(`${address}\n${text}`) : byAddress.size > 1 ? hashOf(address) : ''
      if (isIdentified(copies[0]!)) result.push([latest(copies), suffix])
      // Nothing distinguishes them, and nothing identifies them as one entry: keep all.
      else result.push(...copies.map((copy, index): [KeylessEntry, string] => [copy, numbered(suffix, index)]))
    }
  }
  return result
}

function numbered(suffix: string, index: number): string {
  return index === 0 ? suffix : `${suffix}#${index + 1}`
}

function isIdentified(entry: KeylessEntry): boolean {
  return entry.id !== undefined || (entry.url !== undefined && entry.title !== '')
}

/** Of several versions of an entry, the last by date of change (RFC 4287, 4.1.1); of equals the first. */
function latest(versions: KeylessEntry[]): KeylessEntry {
  return versions.reduce((best, version) => ((version.updatedAt ?? 0) > (best.updatedAt ?? 0) ? version : best))
}

function headlineOf(entry: KeylessEntry): string {
  return [entry.title, entry.publishedAt ?? '', entry.enclosures?.[0]?.url ?? ''].join('\n')
}

function contentOf(entry: KeylessEntry): string {
  return `${headlineOf(entry)}\n${entry.summary ?? entry.content ?? ''}`
}

/** Keys are stored and looked up often. */
const MAX_BASE_LENGTH = 400

function shortened(key: string): string {
  return key.length <= MAX_BASE_LENGTH ? key : `${key.slice(0, MAX_BASE_LENGTH).toWellFormed()} ${hashOf(key)}`
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** Removes a fragment that all entries share, also from the link; differing fragments distinguish entries and stay. */
function dropFragment(entry: KeylessEntry): void {
  if (entry.url !== undefined) entry.url = entry.url.slice(0, entry.url.length - fragmentOf(entry.url).length)
}

type AddressKeys = (entry: KeylessEntry) => string | undefined

function haveCommonFragment(entries: readonly KeylessEntry[]): boolean {
  const fragments = new Set<string>()
  for (const { url } of entries) if (url !== undefined) fragments.add(fragmentOf(url))
  const [shared = ''] = fragments
  if (fragments.size > 1 || shared === '') return false
  return entries.length > 1 || TRACKING_FRAGMENT.test(shared)
}

const TRACKING_FRAGMENT = /rss|atom|feed|xtor|utm_|ref/i

function fragmentOf(url: string): string {
  const hash = url.indexOf('#')
  return hash < 0 ? '' : url.slice(hash)
}

/** An address as a key: without tracking parameters, with normalized scheme, host and port. */
function addressKey(url: string): string {
  const fragment = fragmentOf(url)
  return withoutTracking(normalizeOrigin(url.slice(0, url.length - fragment.length))) + fragment
}

const NOT_NORMALIZED = /^(?:[a-z]*[A-Z]|https?:\/\/[^/?#]*(?:[A-Z]|:\d))/

function normalizeOrigin(url: string): string {
  if (!NOT_NORMALIZED.test(url)) return url
  return url.replace(/^https?:\/\/[^/?#]*/i, (origin) =>
    origin.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2'),
  )
}

/** Tracking parameters, by prefix and by name. */
const TRACKING_PREFIX = /^(?:utm|mtm|pk|piwik|matomo|hsa|vero|oly|ns)_/i
const TRACKING = new Set(
  (
    'fbclid gclid dclid gbraid wbraid msclkid yclid twclid ttclid igshid mc_cid mc_eid mkt_tok _hsenc _hsmi cmp cmpid ' +
    'xtor wt_mc wtmc s_cid ncid sr_share ref_src spm rss ftcamp campaign_id at_medium at_campaign'
  ).split(' '),
)

function isTracking(pair: string): boolean {
  const name = pair.split('=', 1)[0]!.toLowerCase()
  return TRACKING.has(name) || TRACKING_PREFIX.test(name)
}

function withoutTracking(url: string): string {
  const question = url.indexOf('?')
  if (question < 0) return url
  const parameters = url
    .slice(question + 1)
    .split('&')
    .filter((pair) => pair !== '' && !isTracking(pair))
  return parameters.length === 0 ? url.slice(0, question) : `${url.slice(0, question)}?${parameters.join('&')}`
}

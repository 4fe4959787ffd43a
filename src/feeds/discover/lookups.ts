/**
 * Documents that tell where the feed of an address is: the WebFinger document of a user of the Fediverse, and Apple's public directory of
 * podcasts. One request for JSON, and nothing of the page.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'
import { hostRuleFeeds } from './host-rules.ts'

export interface Lookup {
  url: WebAddress
  /** `json`: the parsed document; undefined if there is none. */
  read: (json: unknown) => LookupResult
}

export interface LookupResult {
  /** Most likely first. */
  feeds: WebAddress[]
  /** Where the search goes on if none of them is a feed. */
  page?: WebAddress
  /** For users, if nothing was found: a sentence without a full stop. */
  reason: string
}

/** Undefined if no document is known for this address. */
export function lookupOf(address: WebAddress): Lookup | undefined {
  const url = new URL(address)
  const account = url.pathname === '/.well-known/webfinger' && ACCOUNT.exec(url.searchParams.get('resource') ?? '')
  if (account) return { url: address, read: (json) => readWebFinger(json, url, account[1]!) }
  const podcast = APPLE_HOST.test(url.hostname) ? APPLE_ID.exec(url.pathname)?.[1] : undefined
  const directory = podcast && webAddress(`https://itunes.apple.com/lookup?id=${podcast}&entity=podcast`)
  return directory ? { url: directory, read: readDirectory } : undefined
}

const ACCOUNT = /^acct:@?([^@\s]+)@[^@\s]+$/i
const APPLE_HOST = /^(?:podcasts|itunes)\.apple\.com$/
const APPLE_ID = /\/id(\d{1,20})(?:\/|$)/
/** A document names a few; more are not read. */
const MAX_LISTED = 50

/** RFC 7033. Servers of before ActivityPub name their feed; all others name the page of the profile, which does. */
function readWebFinger(json: unknown, { origin }: URL, name: string): LookupResult {
  const links = listIn(json, 'links')
  const ofRel = (rel: string, type: RegExp = /^/) =>
    links.flatMap((link) =>
      textIn(link, 'rel') === rel && type.test(textIn(link, 'type') ?? '')
        ? (webAddress(textIn(link, 'href')) ?? [])
        : [],
    )
  const [profile] = ofRel('http://webfinger.net/rel/profile-page')
  const [actor] = ofRel('self', /activity\+json|activitystreams/)
  const stated = ofRel('http://schemas.google.com/g/2010#updates-from', /atom/)
  const page = profile ?? actor ?? webAddress(`${origin}/@${name}`)
  const derived = [profile, actor, page].flatMap((address) => (address ? hostRuleFeeds(address) : []))
  return {
    feeds: [...new Set([...stated, ...derived])].slice(0, MAX_FEEDS),
    ...(page && { page }),
    reason: 'the server offers no feed of this profile',
  }
}

const MAX_FEEDS = 5

/** The lookup API of the iTunes directory. */
function readDirectory(json: unknown): LookupResult {
  const feeds = listIn(json, 'results').flatMap((result) => webAddress(textIn(result, 'feedUrl')) ?? [])
  return {
    feeds: feeds.slice(0, 1),
    reason: "Apple's directory names no feed of this podcast; it may be exclusive to Apple",
  }
}

function listIn(json: unknown, name: string): unknown[] {
  const list = fieldOf(json, name)
  return Array.isArray(list) ? list.slice(0, MAX_LISTED) : []
}

function textIn(json: unknown, name: string): string | undefined {
  const text = fieldOf(json, name)
  return typeof text === 'string' ? text : undefined
}

function fieldOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
}

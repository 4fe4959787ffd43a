/**
 * Redirects of feeds. A permanent redirect is stored with the feed; once it has been confirmed, its target becomes the feed's address. The
 * hosts of redirects are stored, too, since the next poll has to be scheduled for them.
 */
import {
  bucketOf,
  type Feed,
  mayShareCredentials,
  type Outcome,
  type OutcomeResult,
  type WebAddress,
  withoutOriginSettings,
} from '../../model/index.ts'
import { redirectStateAfter, rootOf, rootOfHost, tenantOf } from '../../politeness/index.ts'
import type { FeedChange, PollRecord } from '../../ports/index.ts'

/**
 * The record without the move, since another feed has the target address. The target is stored as a possible successor, and the redirects
 * stay stored: if the other feed is removed, the move happens. Until then, polls follow the redirect, and the feed keeps its login.
 */
export function withoutMove(record: PollRecord, feed: Feed, outcome: Outcome, successorUrl?: WebAddress): PollRecord {
  const {
    url: _url,
    root: _root,
    moving: _moving,
    credentials: _login,
    fetching: _fetching,
    ends: _ends,
    bucket: _bucket,
    ...rest
  } = record.feed ?? {}
  return withRedirectTargets({ ...record, feed: { ...rest, ...(successorUrl && { successorUrl }) } }, feed, outcome)
}

/** Adds the state of a move to the record, and the new address if the move is confirmed. */
export function withMove(record: PollRecord, feed: Feed, { at, result }: Outcome): PollRecord {
  const isFeed = result.kind === 'window' || result.kind === 'not-modified'
  const isOtherDocument = result.kind === 'failed' && result.failure.kind === 'not-a-feed'
  if (!isFeed && !isOtherDocument) return record // a failed poll says nothing about the feed's address
  const { redirects, finalUrl } = (isFeed && result.arrival) || { redirects: [], finalUrl: feed.url }
  const window = windowAt(finalUrl, feed, record.poll.result)
  const { memory, moveTo } = redirectStateAfter(
    feed.moving,
    { redirects, finalUrl, isFeed, ...(window && { window }) },
    at,
  )

  if (!memory && !feed.moving && !moveTo) return record
  const hasEnded = feed.moving !== undefined && memory?.to !== feed.moving.to
  const change: FeedChange = {
    moving: memory ?? null,
    ...(moveTo && movedTo(feed, moveTo)),
    ...(hasEnded && feed.successorUrl === feed.moving?.to && { successorUrl: null }),
  }
  const moving = { ...record, feed: { ...record.feed, ...change } }
  return memory?.held ? withoutForeignContent(moving, memory.to) : moving
}

function windowAt(
  finalUrl: WebAddress,
  feed: Feed,
  result: PollRecord['poll']['result'],
): 'strange' | 'known' | undefined {
  if (result.kind !== 'read') return undefined
  return result.gap && rootOf(finalUrl) !== rootOf(feed.url) ? 'strange' : 'known'
}

/** Drops the content of a document that may belong to somebody else. Only the validators and hashes for the next request are kept, and the address is shown to users. */
function withoutForeignContent(record: PollRecord, to: WebAddress): PollRecord {
  const { articles: _pages, completed: _completed, keyChanges: _rekeyed, ...rest } = record
  const { moving, validators, bodyHash, windowHash, hints } = record.feed ?? {}
  const { poll } = record
  const result = poll.result.kind === 'read' ? { ...poll.result, fresh: 0, changed: 0, gap: false } : poll.result
  return {
    ...rest,
    poll: { ...poll, result },
    feed: {
      ...(moving && { moving }),
      ...(validators && { validators }),
      ...(bodyHash && { bodyHash }),
      ...(windowHash && { windowHash }),
      ...(hints && { hints }),
      successorUrl: to,
    },
    fresh: [],
    changed: [],
  }
}

/** The change that moves a feed to another address. Credentials, secret headers and cookies are removed if the origin changes. */
export function movedTo(
  { url, credentials, fetching }: Feed,
  to: WebAddress,
): Pick<FeedChange, 'credentials' | 'fetching'> & { url: WebAddress; root: string } {
  const isSameOrigin = mayShareCredentials(url, to)
  return {
    url: to,
    root: rootOf(to),
    ...(credentials && !isSameOrigin && { credentials: null }),
    ...(fetching && !isSameOrigin && { fetching: withoutOriginSettings(fetching) ?? null }),
  }
}

/** Adds the hosts of redirects to the record. Failures other than of redirects leave them unchanged. */
export function withRedirectTargets(record: PollRecord, feed: Feed, { result }: Outcome): PollRecord {
  const ends = redirectTargetsAfter(record.feed?.url ?? feed.url, feed.ends, result)
  if (JSON.stringify(ends) === JSON.stringify(feed.ends)) return record
  return { ...record, feed: { ...record.feed, ...redirectTargetsChange(ends) } }
}

/** The last redirect target determines the feed's bucket. */
export function redirectTargetsChange(ends: string[] | undefined): Pick<FeedChange, 'ends' | 'bucket'> {
  const last = ends?.at(-1)
  return last === undefined ? { ends: null, bucket: null } : { ends: ends!, bucket: bucketOf(rootOfHost(last)) }
}

function redirectTargetsAfter(
  url: WebAddress,
  before: string[] | undefined,
  result: OutcomeResult,
): string[] | undefined {
  if (result.kind === 'failed') return result.failure.kind === 'redirects' ? undefined : before
  if (result.kind !== 'window' && result.kind !== 'not-modified') return before
  const own = tenantOf(url)
  const tenants = (result.arrival?.redirects ?? []).map(({ to }) => tenantOf(to)).filter((tenant) => tenant !== own)
  return tenants.length > 0 ? [...new Set(tenants)] : undefined
}

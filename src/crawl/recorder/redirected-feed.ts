/**
 * Permanent redirects: remembered with the feed until they are believed, then taken for the feed's own address. And the
 * hosts to which a poll was led, for whose turn the next one waits.
 */
import {
  bucketOf,
  type Feed,
  mayShareCredentials,
  type Outcome,
  type OutcomeResult,
  type WebAddress,
} from '../../model/index.ts'
import { movedAfter, rootOf, rootOfHost, tenantOf } from '../../politeness/index.ts'
import type { FeedChange, PollRecord } from '../../ports/index.ts'

/**
 * The record without the move: where it leads there is another feed already. That is told, and the redirects stay remembered: if
 * the other feed is removed, the move is made after all. Until then it is led there each time, as before, and keeps its login.
 */
export function withoutMove(record: PollRecord, feed: Feed, outcome: Outcome, successorUrl?: WebAddress): PollRecord {
  const {
    url: _url,
    root: _root,
    moving: _moving,
    credentials: _login,
    ends: _ends,
    bucket: _bucket,
    ...rest
  } = record.feed ?? {}
  return withEnds({ ...record, feed: { ...rest, ...(successorUrl && { successorUrl }) } }, feed, outcome)
}

/** The record, with what is now known of a move, and with the feed's new address, if the move is believed. */
export function withMove(record: PollRecord, feed: Feed, { at, result }: Outcome): PollRecord {
  const isFeed = result.kind === 'window' || result.kind === 'not-modified'
  const isOther = result.kind === 'failed' && result.failure.kind === 'not-a-feed'
  if (!isFeed && !isOther) return record // no answer says nothing about where the feed is
  const { redirects, finalUrl } = (isFeed && result.arrival) || { redirects: [], finalUrl: feed.url }
  const window = windowAt(finalUrl, feed, record.poll.result)
  const { memory, moveTo } = movedAfter(feed.moving, { redirects, finalUrl, isFeed, ...(window && { window }) }, at)

  if (!memory && !feed.moving && !moveTo) return record
  const isOver = feed.moving !== undefined && memory?.to !== feed.moving.to
  const change: FeedChange = {
    moving: memory ?? null,
    ...(moveTo && movedTo(feed, moveTo)),
    ...(isOver && feed.successorUrl === feed.moving?.to && { successorUrl: null }),
  }
  const moving = { ...record, feed: { ...record.feed, ...change } }
  return memory?.held ? withoutStrangers(moving, memory.to) : moving
}

function windowAt(
  finalUrl: WebAddress,
  feed: Feed,
  result: PollRecord['poll']['result'],
): 'strange' | 'known' | undefined {
  if (result.kind !== 'read') return undefined
  return result.gap && rootOf(finalUrl) !== rootOf(feed.url) ? 'strange' : 'known'
}

/** Of a document that strangers may have written nothing is kept but what makes the next request cheap; the address is shown. */
function withoutStrangers(record: PollRecord, to: WebAddress): PollRecord {
  const { pages: _pages, completed: _completed, rekeyed: _rekeyed, ...rest } = record
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

/** A feed at another address. Name and password stay with the origin that they were given for. */
export function movedTo(
  { url, credentials }: Feed,
  to: WebAddress,
): { url: WebAddress; root: string; credentials?: null } {
  return { url: to, root: rootOf(to), ...(credentials && !mayShareCredentials(url, to) && { credentials: null }) }
}

/** The record, with the hosts that the poll has led to. Trouble on the way says nothing of them, but for one kind. */
export function withEnds(record: PollRecord, feed: Feed, { result }: Outcome): PollRecord {
  const ends = endsAfter(record.feed?.url ?? feed.url, feed.ends, result)
  if (JSON.stringify(ends) === JSON.stringify(feed.ends)) return record
  return { ...record, feed: { ...record.feed, ...endsOf(ends) } }
}

/** Where requests end decides whose bucket a feed is in. */
export function endsOf(ends: string[] | undefined): Pick<FeedChange, 'ends' | 'bucket'> {
  const last = ends?.at(-1)
  return last === undefined ? { ends: null, bucket: null } : { ends: ends!, bucket: bucketOf(rootOfHost(last)) }
}

function endsAfter(url: WebAddress, before: string[] | undefined, result: OutcomeResult): string[] | undefined {
  if (result.kind === 'failed') return result.failure.kind === 'redirects' ? undefined : before
  if (result.kind !== 'window' && result.kind !== 'not-modified') return before
  const own = tenantOf(url)
  const passed = (result.arrival?.redirects ?? []).map(({ to }) => tenantOf(to)).filter((tenant) => tenant !== own)
  return passed.length > 0 ? [...new Set(passed)] : undefined
}

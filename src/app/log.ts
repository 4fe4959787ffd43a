/**
 * Logs one line per event, as text or as a JSON object. Titles are untrusted: control characters in them are removed, so they cannot
 * move the cursor or start a new line. Only the stack of an internal error takes further lines, which are indented.
 */
import type { CrawlEvent } from '../crawl/index.ts'
import {
  describeFailure,
  failureHint,
  formatDuration,
  formatSize,
  type Instant,
  jsonText,
  printable,
  withoutCredentials,
} from '../model/index.ts'

import type { LoggedChange, ServerWarning } from '../server/index.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface Log {
  debug(message: string, facts?: Facts): void
  info(message: string, facts?: Facts): void
  warn(message: string, facts?: Facts): void
  error(message: string, facts?: Facts): void
}

type Facts = Readonly<Record<string, unknown>>

const LEVELS: LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export interface LogOptions {
  level: LogLevel
  format: 'text' | 'json'
  now: () => Instant
  write: (line: string) => void
}

export function createLog({ level, format, now, write }: LogOptions): Log {
  const from = LEVELS.indexOf(level)
  const at =
    (one: LogLevel) =>
    (message: string, facts: Facts = {}): void => {
      if (LEVELS.indexOf(one) < from) return
      const time = new Date(now()).toISOString()
      const start = `${time.slice(11, 19)} ${one === 'info' ? '' : `${one}: `}`
      if (format === 'json') write(jsonText({ time, level: one, message, ...facts }))
      else for (const line of [start + printable(message), ...stackLines(facts)]) write(line)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function stackLines({ stack }: Facts): string[] {
  return typeof stack === 'string' ? stack.split('\n').map((line) => `  ${printable(line)}`) : []
}

/** Logs an event: notable events as info, failures as warnings, and all other polls as debug. */
export function logEvent(log: Log, event: CrawlEvent): void {
  const { level, message, facts } = describeEvent(event)
  log[level](message, { event: event.kind, ...facts })
}

/** Logs a change that a user made through the API, without the values that were sent. */
export function logChange(
  log: Log,
  { user = 'anonymous', operation, target, fields = [], requestId }: LoggedChange,
): void {
  const named = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  log.info(`${user}: ${operation}${target === undefined ? '' : ` of ${target}`}${named}`, {
    audit: operation,
    user,
    target,
    fields,
    requestId,
  })
}

export function logWarning(log: Log, warning: ServerWarning): void {
  if (warning.kind === 'untrusted-proxy') {
    const words = `requests from ${warning.peer} have X-Forwarded-For, but it is not a trusted proxy`
    log.warn(`${words}: if it is your proxy, set --trust-proxy; otherwise all its clients count as one`, {
      peer: warning.peer,
    })
    return
  }
  if (warning.kind === 'store-outage') {
    log.error(`the store does not answer: ${warning.words} (${warning.hint})`)
    return
  }
  if (warning.kind === 'oidc') {
    log.warn(`sign-in through the OpenID Connect provider failed: ${warning.words}`)
    return
  }
  const { by, client, name, failures } = warning
  const of = name ?? 'an unknown user'
  const what = {
    token: 'a wrong or revoked token',
    password: `a wrong password for ${of}`,
    code: `a wrong code for ${of}`,
  }[by]
  log.warn(`failed login from ${client}: ${what}${failures > 1 ? ` (${failures} times)` : ''}`, {
    client,
    name,
    by,
    failures,
  })
}

interface LogEntry {
  level: keyof Log
  message: string
  facts: Facts
}

export function describeEvent(event: CrawlEvent): LogEntry {
  switch (event.kind) {
    case 'polled':
      return describePoll(event)
    case 'found': {
      const { sourceId, url, feedId, feedUrl, title, entries, others } = event
      const more = others.length > 0 ? `; it has ${others.length} more` : ''
      const message = `${url}: found the feed ${feedUrl} (${title || 'untitled'}, ${entries} ${entries === 1 ? 'entry' : 'entries'})${more}`
      return { level: 'info', message, facts: { sourceId, feedId, feedUrl } }
    }
    case 'not-found': {
      const { sourceId, url, failure, dueAt, at } = event
      const next = failureHint(failure) ?? `looking again in ${formatDuration(dueAt - at)}`
      const message = `${url}: ${describeFailure(failure)}; ${next}`
      return { level: 'warn', message, facts: { sourceId, url, failure } }
    }
    case 'article':
      return describeArticleFetch(event)
    case 'moved': {
      const { feedId, title, from, to } = event
      const message = `${title || from}: the feed moved to ${to} and was updated`
      return { level: 'info', message, facts: { feedId } }
    }
    case 'successor': {
      const { feedId, title, url, successorUrl } = event
      const message = `${title || url}: gone; its site has ${successorUrl}, a possible successor`
      return { level: 'warn', message, facts: { feedId } }
    }
    case 'duplicate': {
      const { feedId, title, url, to, sameAs } = event
      const message = `${title || url}: redirects to ${to}, which is feed ${sameAs}; consider removing one`
      return { level: 'warn', message, facts: { feedId, sameAs } }
    }
    case 'merged': {
      const { feedId, title, url, mergedId, mergedUrl } = event
      const message = `${title || url}: ${mergedUrl} (feed ${mergedId}) is the same feed and was merged into this one`
      return { level: 'info', message, facts: { feedId, mergedId } }
    }
    case 'move-on-hold': {
      const { feedId, title, url, to } = event
      const message = `${title || url}: redirects to ${to}, another site without any known entry; if the feed moved: freshet edit ${feedId} --url ${to}`
      return { level: 'warn', message, facts: { feedId } }
    }
    case 'incident': {
      const { root, sign } = event
      return {
        level: 'warn',
        message: `${root}: many of its feeds fail alike (${sign}); only a few canaries are polled until it is over`,
        facts: { root },
      }
    }
    case 'incident-over': {
      const { root } = event
      return { level: 'info', message: `${root}: its feeds work again`, facts: { root } }
    }
    case 'pushed': {
      const { feedId, title, url, hub, bytes, fresh, changed } = event
      const message = `${title || url}: pushed, ${describeNews(fresh, changed)} (${formatSize(bytes)})`
      return { level: fresh + changed > 0 ? 'info' : 'debug', message, facts: { feedId, hub, fresh, changed } }
    }
    case 'push': {
      const { what, feedId, hub, failure } = event
      const message = `feed ${feedId}: ${PUSH_MESSAGES[what]} ${hub}${failure ? `: ${describeFailure(failure)}` : ''}`
      return { level: what === 'begins' || what === 'empty' ? 'info' : 'warn', message, facts: { what, feedId, hub } }
    }
    case 'regrouped': {
      const { entryId, title, level, from, to, comparedBy } = event
      const by = comparedBy === 'article' ? 'by its article' : 'by the current text of its feed'
      const where = to === undefined ? `it left its ${level} group` : `it belongs to the ${level} group ${to}`
      const message = `entry ${entryId} (${title || 'untitled'}): ${by}, ${where}`
      return { level: 'debug', message, facts: { entryId, level, from, to, comparedBy } }
    }
    case 'joined': {
      const { entryId, title, level, likeId, reason } = event
      const message = `entry ${entryId} (${title || 'untitled'}) joined a ${level} group: ${reason}`
      return { level: 'debug', message, facts: { entryId, level, likeId } }
    }
    case 'signatures-outdated': {
      const message = `${event.entries} entries are compared again: an earlier version detected copies differently`
      return { level: 'info', message, facts: { entries: event.entries } }
    }
    case 'host-backing-off': {
      const { root, until, at, failure } = event
      const message = `${root} asks to wait (${describeFailure(failure)}); backing off for ${formatDuration(until - at)}`
      return { level: 'warn', message, facts: { root, failure } }
    }
    case 'flood': {
      const { feedId, title, url, left, pagesLeft } = event
      const problems = [
        ...(left > 0 ? [`more new entries per day than allowed; ${left} postponed`] : []),
        ...(pagesLeft > 0 ? [`more pages per day than allowed; ${pagesLeft} not fetched`] : []),
      ]
      return { level: 'warn', message: `${title || url}: ${problems.join('; ')}`, facts: { feedId, left, pagesLeft } }
    }
    case 'store-unavailable': {
      const { error, isLast } = event
      const comfort = isLast
        ? 'work in flight is due again when its leases expire'
        : 'no data is lost; retrying until it works'
      const message = `${error.message}; ${comfort}. ${error.hint}`
      return { level: 'error', message, facts: { trouble: error.kind } }
    }
    case 'store-recovered':
      return { level: 'info', message: `the store works again, after ${formatDuration(event.afterMs)}`, facts: {} }
    case 'clock-set': {
      const { byMs } = event
      const message =
        byMs > 0
          ? `the clock was set ahead by ${formatDuration(byMs)}; following it`
          : `the clock was set back by ${formatDuration(-byMs)}; intervals are kept`
      return { level: 'warn', message, facts: { byMs } }
    }
    case 'dates-repaired': {
      const { dates } = event
      const message = `${dates} dates in the store were too far in the future, as after a wrong clock; they were corrected`
      return { level: 'warn', message, facts: { dates } }
    }
    case 'leader-task': {
      const { role, what } = event
      const message = what === 'started' ? `this process leads ${role} now` : `another process leads ${role} now`
      return { level: 'info', message, facts: { role } }
    }
    case 'fetcher': {
      const { name, what, reason } = event
      const message = `fetcher ${name} ${FETCHER_MESSAGES[what]}${reason ? `: ${reason}` : ''}`
      return {
        level: what === 'joined' || what === 'trusted' ? 'info' : 'warn',
        message,
        facts: { fetcher: name, what },
      }
    }
    case 'internal-error': {
      const { error } = event
      const doing = withoutCredentials(event.doing)
      const what = withoutCredentials(error instanceof Error ? error.message : String(error))
      const stack = error instanceof Error && error.stack ? { stack: withoutCredentials(error.stack) } : {}
      return { level: 'error', message: `internal error while ${doing}: ${what}`, facts: { doing, ...stack } }
    }
  }
}

function describePoll({ feedId, title, url, tookMs, bytes, result, dueAt, at }: Polled): LogEntry {
  const name = title || url
  const next = `next in ${formatDuration(Math.max(0, dueAt - at))}`
  const facts = { feedId, url, tookMs, bytes, result, dueAt: new Date(dueAt).toISOString() }
  if (result.kind === 'failed')
    return {
      level: 'warn',
      message: `${name}: ${describeFailure(result.failure)}; ${failureHint(result.failure) ?? next}`,
      facts,
    }
  if (result.kind === 'not-modified') return { level: 'debug', message: `${name}: not modified; ${next}`, facts }
  const { fresh, changed, gap } = result
  const missed = gap ? ', a gap: no entry in the feed was known, so some may be missing' : ''
  const message = `${name}: ${describeNews(fresh, changed)}${missed} (${formatSize(bytes)}); ${next}`
  return { level: gap ? 'warn' : fresh + changed > 0 ? 'info' : 'debug', message, facts }
}

function describeNews(fresh: number, changed: number): string {
  const news = [...(fresh > 0 ? [`${fresh} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])]
  return news.join(', ') || 'nothing new'
}

const FETCHER_MESSAGES = {
  joined: 'joined',
  left: 'left; its tasks go to others, or are due again when their leases expire',
  quarantined: 'is quarantined for a while',
  trusted: 'gets tasks again',
}

const PUSH_MESSAGES = {
  begins: 'is now pushed by',
  refused: 'is not pushed by',
  broken: 'is polled as usual again; an entry was not pushed by',
  empty: 'is polled soon; a ping without the feed came from',
  unsigned: 'ignored an unsigned message from',
}

/** Fetched pages are many, and a missing page needs no action, so all of them are debug. */
function describeArticleFetch({
  articleId,
  url,
  tookMs,
  bytes,
  result,
}: Extract<CrawlEvent, { kind: 'article' }>): LogEntry {
  const facts = { articleId, url, tookMs, bytes, result }
  switch (result.kind) {
    case 'read': {
      const message = `${result.title || url}: read its page, ${result.words} words (${formatSize(bytes)})`
      return { level: 'debug', message, facts }
    }
    case 'same':
      return { level: 'debug', message: `${url}: page already stored`, facts }
    case 'failed': {
      const end = result.dueAt === undefined ? '; not fetched again' : ''
      return { level: 'debug', message: `${url}: ${describeFailure(result.failure)}${end}`, facts }
    }
  }
}

type Polled = Extract<CrawlEvent, { kind: 'polled' }>

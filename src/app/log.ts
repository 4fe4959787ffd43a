/**
 * One line an event: for people by default, one JSON object where a machine reads along. Titles come from outside: nothing in
 * them moves the cursor or begins a line of its own. Only the stack of a mistake of ours takes further lines, which are indented.
 */
import type { CrawlEvent } from '../crawl/index.ts'
import {
  failureHint,
  failureInWords,
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

export interface LogParts {
  level: LogLevel
  format: 'text' | 'json'
  now: () => Instant
  write: (line: string) => void
}

export function createLog({ level, format, now, write }: LogParts): Log {
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

/** Says an event: what an operator would tell a colleague is info, trouble a warning, and every other poll debug. */
export function logEvent(log: Log, event: CrawlEvent): void {
  const { level, message, facts } = eventInWords(event)
  log[level](message, { event: event.kind, ...facts })
}

/** What a person did, through the page or a program: no value that was sent is in it. */
export function logChange(log: Log, { who = 'somebody', what, on, fields = [], requestId }: LoggedChange): void {
  const named = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  log.info(`${who}: ${what}${on === undefined ? '' : ` of ${on}`}${named}`, { audit: what, who, on, fields, requestId })
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
  const { by, client, name, failures } = warning
  const what = by === 'token' ? 'a wrong or revoked token' : `a wrong password for ${name ?? 'an unknown user'}`
  log.warn(`failed login from ${client}: ${what}${failures > 1 ? ` (${failures} times)` : ''}`, {
    client,
    name,
    by,
    failures,
  })
}

interface Said {
  level: keyof Log
  message: string
  facts: Facts
}

export function eventInWords(event: CrawlEvent): Said {
  switch (event.kind) {
    case 'polled':
      return pollInWords(event)
    case 'found': {
      const { sourceId, url, feedId, feedUrl, title, entries, others } = event
      const more = others.length > 0 ? `; it has ${others.length} more` : ''
      const message = `${url}: found the feed ${feedUrl} (${title || 'untitled'}, ${entries} ${entries === 1 ? 'entry' : 'entries'})${more}`
      return { level: 'info', message, facts: { sourceId, feedId, feedUrl } }
    }
    case 'not-found': {
      const { sourceId, url, failure, dueAt, at } = event
      const next = failureHint(failure) ?? `looking again in ${formatDuration(dueAt - at)}`
      const message = `${url}: ${failureInWords(failure)}; ${next}`
      return { level: 'warn', message, facts: { sourceId, url, failure } }
    }
    case 'article':
      return pageInWords(event)
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
    case 'move-held': {
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
      const message = `${title || url}: pushed, ${newsInWords(fresh, changed)} (${formatSize(bytes)})`
      return { level: fresh + changed > 0 ? 'info' : 'debug', message, facts: { feedId, hub, fresh, changed } }
    }
    case 'push': {
      const { what, feedId, hub, failure } = event
      const message = `feed ${feedId}: ${PUSH_NEWS[what]} ${hub}${failure ? `: ${failureInWords(failure)}` : ''}`
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
    case 'signed-otherwise': {
      const message = `${event.entries} entries are compared again: an earlier version detected copies differently`
      return { level: 'info', message, facts: { entries: event.entries } }
    }
    case 'host-rests': {
      const { root, until, at, failure } = event
      const message = `${root} asks to wait (${failureInWords(failure)}); backing off for ${formatDuration(until - at)}`
      return { level: 'warn', message, facts: { root, failure } }
    }
    case 'flood': {
      const { feedId, title, url, left, pagesLeft } = event
      const said = [
        ...(left > 0 ? [`more new entries per day than allowed; ${left} postponed`] : []),
        ...(pagesLeft > 0 ? [`more pages per day than allowed; ${pagesLeft} not fetched`] : []),
      ]
      return { level: 'warn', message: `${title || url}: ${said.join('; ')}`, facts: { feedId, left, pagesLeft } }
    }
    case 'store-refuses': {
      const { error, isLast } = event
      const comfort = isLast
        ? 'work in flight is due again when its leases expire'
        : 'no data is lost; retrying until it works'
      const message = `${error.message}; ${comfort}. ${error.hint}`
      return { level: 'error', message, facts: { trouble: error.trouble } }
    }
    case 'store-well':
      return { level: 'info', message: `the store works again, after ${formatDuration(event.afterMs)}`, facts: {} }
    case 'clock-set': {
      const { byMs } = event
      const message =
        byMs > 0
          ? `the clock was set ahead by ${formatDuration(byMs)}; following it`
          : `the clock was set back by ${formatDuration(-byMs)}; intervals are kept`
      return { level: 'warn', message, facts: { byMs } }
    }
    case 'dates-mended': {
      const { dates } = event
      const message = `${dates} dates in the store were too far in the future, as after a wrong clock; they were corrected`
      return { level: 'warn', message, facts: { dates } }
    }
    case 'duty': {
      const { role, what } = event
      const message = what === 'begun' ? `this process leads ${role} now` : `another process leads ${role} now`
      return { level: 'info', message, facts: { role } }
    }
    case 'terminal': {
      const { name, what, why } = event
      const message = `fetcher ${name} ${TERMINAL_NEWS[what]}${why ? `: ${why}` : ''}`
      return {
        level: what === 'came' || what === 'trusted' ? 'info' : 'warn',
        message,
        facts: { fetcher: name, what },
      }
    }
    case 'mistake': {
      const { error } = event
      const doing = withoutCredentials(event.doing)
      const what = withoutCredentials(error instanceof Error ? error.message : String(error))
      const stack = error instanceof Error && error.stack ? { stack: withoutCredentials(error.stack) } : {}
      return { level: 'error', message: `internal error while ${doing}: ${what}`, facts: { doing, ...stack } }
    }
  }
}

function pollInWords({ feedId, title, url, tookMs, bytes, result, dueAt, at }: Polled): Said {
  const name = title || url
  const next = `next in ${formatDuration(Math.max(0, dueAt - at))}`
  const facts = { feedId, url, tookMs, bytes, result, dueAt: new Date(dueAt).toISOString() }
  if (result.kind === 'failed')
    return {
      level: 'warn',
      message: `${name}: ${failureInWords(result.failure)}; ${failureHint(result.failure) ?? next}`,
      facts,
    }
  if (result.kind === 'not-modified') return { level: 'debug', message: `${name}: not modified; ${next}`, facts }
  const { fresh, changed, gap } = result
  const missed = gap ? ', a gap: no entry in the feed was known, so some may be missing' : ''
  const message = `${name}: ${newsInWords(fresh, changed)}${missed} (${formatSize(bytes)}); ${next}`
  return { level: gap ? 'warn' : fresh + changed > 0 ? 'info' : 'debug', message, facts }
}

function newsInWords(fresh: number, changed: number): string {
  const news = [...(fresh > 0 ? [`${fresh} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])]
  return news.join(', ') || 'nothing new'
}

const TERMINAL_NEWS = {
  came: 'joined',
  gone: 'left; its tasks go to others, or are due again when their leases expire',
  aside: 'is quarantined for a while',
  trusted: 'gets tasks again',
}

const PUSH_NEWS = {
  begins: 'is now pushed by',
  refused: 'is not pushed by',
  broken: 'is polled as usual again; an entry was not pushed by',
  empty: 'is polled soon; a ping without the feed came from',
  unsigned: 'ignored an unsigned message from',
}

/** There are many, and one that is gone is nobody's concern: all of it is debug. */
function pageInWords({ articleId, url, tookMs, bytes, result }: Extract<CrawlEvent, { kind: 'article' }>): Said {
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
      return { level: 'debug', message: `${url}: ${failureInWords(result.failure)}${end}`, facts }
    }
  }
}

type Polled = Extract<CrawlEvent, { kind: 'polled' }>

/**
 * Goes out and comes back with a value. Has no store and no opinion, so a hundred of them need no agreement. Whatever
 * goes wrong on the way, a mistake of ours included, is an outcome.
 */
import {
  type DiscoverTask,
  type HubTask,
  type OutcomeResult,
  type PollTask,
  SECOND,
  type SeekTask,
  type Task,
  type Validators,
} from '../../model/index.ts'
import { validatorsOf } from '../../politeness/index.ts'
import type { Clock, Net, Perform } from '../../ports/index.ts'
import { internalFailure } from '../error-boundary.ts'
import { TooLate, timelyNet } from './deadline-net.ts'
import { type DiscoverParts, discover } from './discover.ts'
import { createFailedProbes } from './failed-probes.ts'
import { fetchPage } from './fetch-page.ts'
import { type ReadDocument, type ReadPage, readHere } from './read-document.ts'
import { awayFrom, awayMs, bodyHashOf, failed, httpFailure } from './read-feed.ts'
import { createRobotsCache } from './robots-cache.ts'
import { namedFor, namedNet } from './robots-exemption.ts'
import { elsewhere, within } from './unplanned-redirect.ts'

export interface TerminalParts {
  net: Net
  clock: Clock
  /** Feeds that somebody asked for are read whatever robots.txt says, unless `all`. */
  obeyRobots: 'guesses' | 'all'
  /** Where documents are read: here, if nothing else is said. */
  read?: ReadDocument
  readPage?: ReadPage
}

const LONGEST_HUB_ANSWER = 100_000 // nobody reads it

export function createTerminal(parts: TerminalParts): Perform {
  const misses = createFailedProbes()
  const robots = createRobotsCache(parts)
  return async (task, signal, isLate) => {
    const at = parts.clock.now()
    const counted = countingNet(timelyNet(namedNet(parts.net, namedFor(task)), isLate))
    if ('robots' in task && task.robots) robots.know(task.url, task.robots)
    if ('misses' in task && task.misses) misses.know(task.misses)
    let result: OutcomeResult
    try {
      result = await perform(task, { ...parts, net: counted.net, misses, robots: robots.through(counted.net) }, signal)
    } catch (error) {
      if (error instanceof TooLate) throw error
      result = failed(internalFailure(error))
    }
    const [sites, missed] = [robots.news(), misses.news()]
    const outcome = { task: detachKnown(task), at, tookMs: parts.clock.now() - at, bytes: counted.bytes(), result }
    return {
      ...outcome,
      ...(sites.length > 0 && { robots: sites }),
      ...(missed.length > 0 && { misses: missed }),
    }
  }
}

/** What was sent along with a task need not come back with it, and a password must not. */
function detachKnown(task: Task): Task {
  if (!('robots' in task || 'misses' in task || 'credentials' in task)) return task
  const none = { misses: undefined, robots: undefined, credentials: undefined }
  const { robots: _robots, misses: _misses, credentials: _credentials, ...rest } = { ...none, ...task }
  return rest
}

type Tools = TerminalParts & Required<Omit<DiscoverParts, 'read'>>

function perform(task: Task, tools: Tools, signal: AbortSignal): Promise<OutcomeResult> {
  switch (task.kind) {
    case 'poll':
      return poll(task, tools, signal)
    case 'discover':
    case 'seek':
      return bestFeed(task, tools, signal)
    case 'hub':
      return askHub(task, tools, signal)
    case 'article':
      return fetchPage(task, tools, signal)
  }
}

/** Any 2xx will do: what counts is that the hub comes back (WebSub, 5.1). */
async function askHub(task: HubTask, { net, clock }: Tools, signal: AbortSignal): Promise<OutcomeResult> {
  const { url, mode, topic, callback, secret, leaseMs } = task
  const asked = { mode, topic, callback, ...(mode === 'subscribe' && { secret, lease_seconds: `${leaseMs / SECOND}` }) }
  const form = Object.fromEntries(Object.entries(asked).map(([name, value]) => [`hub.${name}`, value]))
  const answer = await net.post({ url, form, maxBytes: LONGEST_HUB_ANSWER, signal })
  if (!answer.ok) return failed(answer.failure, awayFrom(answer))
  const isTaken = answer.status >= 200 && answer.status < 300
  return isTaken ? { kind: 'accepted' } : failed(httpFailure(answer, clock.now()), awayFrom(answer))
}

async function bestFeed(
  task: DiscoverTask | SeekTask,
  parts: DiscoverParts,
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { feeds, failure, from, away } = await discover({ ...task, ends: task.ends ?? [] }, parts, signal)
  if (away) return elsewhere(task, away)
  const [best, ...others] = feeds.filter(({ sameListAs }) => sameListAs === undefined)
  if (best) {
    const { url, reading, via: by } = best
    return { kind: 'found', url, reading, others: others.map((other) => other.url), ...(by && { by }) }
  }
  return failed(failure ?? { kind: 'no-feed-found' }, from)
}

async function poll(
  task: PollTask,
  { net, clock, obeyRobots, robots, read: readDocument = readHere }: Tools,
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { url, validators, bodyHash, windowHash, subscribers, gapMs } = task
  if (obeyRobots === 'all' && !(await robots.allows(url, gapMs, signal))) return failed({ kind: 'forbidden-by-robots' })
  const login = task.credentials && { credentials: task.credentials }
  const asked = { url, headers: conditional(validators), subscribers, ...login }
  const answer = await net.get({ ...asked, follows: within(task), signal })
  const now = clock.now()
  if (!answer.ok) return failed(answer.failure, awayFrom(answer))
  if (answer.leadsTo !== undefined) return elsewhere(task, [answer.leadsTo])

  const { status, headers, body, redirects, url: finalUrl } = answer
  const arrival = redirects.length > 0 ? { arrival: { redirects, finalUrl } } : {}
  const rest = awayMs(answer, now)
  // To whom nothing was said that could be unchanged, 304 is no answer.
  if (status === 304 && (validators.etag || validators.lastModified)) {
    const seen = { ...validators, ...validatorsOf(headers) }
    return { kind: 'not-modified', by: 'server', validators: seen, restMs: rest, ...arrival }
  }
  const hash = bodyHashOf(body)
  if (status === 200 && hash === bodyHash)
    return { kind: 'not-modified', by: 'hash', validators: validatorsOf(headers), restMs: rest, ...arrival }

  const read = await readDocument(answer, now, hash)
  if (read.kind === 'failed') return failed(read.failure, awayFrom(answer))
  const { reading } = read
  if (reading.windowHash !== windowHash) return { kind: 'window', reading, ...arrival }
  const { validators: seen, bodyHash: newHash } = reading
  return { kind: 'not-modified', by: 'titles', validators: seen, bodyHash: newHash, restMs: rest, ...arrival }
}

function conditional({ etag, lastModified }: Validators): Record<string, string> {
  return { ...(etag && { 'if-none-match': etag }), ...(lastModified && { 'if-modified-since': lastModified }) }
}

function countingNet(net: Net): { net: Net; bytes: () => number } {
  let bytes = 0
  return {
    net: {
      ...net,
      async get(request) {
        const answer = await net.get(request)
        if (answer.ok) bytes += answer.wireBytes
        return answer
      },
    },
    bytes: () => bytes,
  }
}

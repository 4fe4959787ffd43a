/**
 * The fetcher performs tasks and returns their outcomes. It has no store and decides nothing, so any number of fetchers can run
 * without coordination. Every failure, internal errors included, becomes an outcome; only a task past its deadline has none.
 */
import {
  type DiscoverTask,
  type HubTask,
  type MovedFeedTask,
  type OutcomeResult,
  type PollTask,
  SECOND,
  type Task,
  type Validators,
} from '../../model/index.ts'
import { validatorsOf } from '../../politeness/index.ts'
import type { Clock, Net, PerformTask } from '../../ports/index.ts'
import { internalFailure } from '../error-boundary.ts'
import { DeadlineExceeded, deadlineNet } from './deadline-net.ts'
import { discover } from './discover.ts'
import type { DiscoverParts } from './discovery-requests.ts'
import { createFailedProbes } from './failed-probes.ts'
import { arrivalOf, failedUrl, feedRequestOf } from './feed-request.ts'
import { fetchArticlePage } from './fetch-article-page.ts'
import { type ReadDocument, type ReadPage, readInProcess } from './read-document.ts'
import { bodyHashOf, failedResult, httpFailure, redirectedUrl, requestedRestMs } from './read-feed.ts'
import { createRobotsCache } from './robots-cache.ts'
import { canReach, elsewhereResult } from './unplanned-redirect.ts'
import { userGivenAddress, withUserGivenAddress } from './user-given-address.ts'

export interface FetcherParts {
  net: Net
  clock: Clock
  /** guesses: feeds that a user added are read whatever robots.txt says. all: robots.txt applies to them, too. */
  obeyRobots: 'guesses' | 'all'
  /** Reads documents; in process by default. */
  read?: ReadDocument
  readPage?: ReadPage
}

const MAX_HUB_RESPONSE_BYTES = 100_000 // the body is ignored

export function createFetcher(parts: FetcherParts): PerformTask {
  const failedProbes = createFailedProbes()
  const robots = createRobotsCache(parts)
  return async (task, signal, isLate) => {
    const at = parts.clock.now()
    const counted = countingNet(deadlineNet(withUserGivenAddress(parts.net, userGivenAddress(task)), isLate))
    if ('robots' in task && task.robots) robots.add(task.url, task.robots)
    if ('misses' in task && task.misses) failedProbes.add(task.misses)
    let result: OutcomeResult
    try {
      result = await perform(
        task,
        { ...parts, net: counted.net, failedProbes, robots: robots.withNet(counted.net) },
        signal,
      )
    } catch (error) {
      if (error instanceof DeadlineExceeded) throw error
      result = failedResult(internalFailure(error))
    }
    const [newRobots, newFailedProbes] = [robots.takeNew(), failedProbes.takeNew()]
    const outcome = {
      task: withoutAttachments(task),
      at,
      tookMs: parts.clock.now() - at,
      bytes: counted.bytes(),
      result,
    }
    return {
      ...outcome,
      ...(newRobots.length > 0 && { robots: newRobots }),
      ...(newFailedProbes.length > 0 && { misses: newFailedProbes }),
    }
  }
}

/** The task without the data that was attached for the fetcher: the outcome does not need it, and must not contain passwords. */
function withoutAttachments(task: Task): Task {
  const rest: Record<string, unknown> = { ...task }
  for (const name of ATTACHMENTS) delete rest[name]
  return rest as unknown as Task
}

const ATTACHMENTS = ['robots', 'misses', 'credentials', 'fetching']

type FetchContext = FetcherParts & Required<Omit<DiscoverParts, 'read'>>

function perform(task: Task, tools: FetchContext, signal: AbortSignal): Promise<OutcomeResult> {
  switch (task.kind) {
    case 'poll':
      return poll(task, tools, signal)
    case 'discover':
    case 'moved-feed':
      return findBestFeed(task, tools, signal)
    case 'hub':
      return requestHub(task, tools, signal)
    case 'article':
      return fetchArticlePage(task, tools, signal)
  }
}

/** Any 2xx status is accepted: the hub confirms the subscription in a request of its own (WebSub, 5.1). */
async function requestHub(task: HubTask, { net, clock }: FetchContext, signal: AbortSignal): Promise<OutcomeResult> {
  const { url, mode, topic, callback, secret, leaseMs } = task
  const parameters = {
    mode,
    topic,
    callback,
    ...(mode === 'subscribe' && { secret, lease_seconds: `${leaseMs / SECOND}` }),
  }
  const form = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`hub.${name}`, value]))
  const answer = await net.post({ url, form, maxBytes: MAX_HUB_RESPONSE_BYTES, signal })
  if (!answer.ok) return failedResult(answer.failure, redirectedUrl(answer))
  const isAccepted = answer.status >= 200 && answer.status < 300
  return isAccepted ? { kind: 'accepted' } : failedResult(httpFailure(answer, clock.now()), redirectedUrl(answer))
}

async function findBestFeed(
  task: DiscoverTask | MovedFeedTask,
  parts: DiscoverParts,
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { feeds, failure, from, otherHosts } = await discover({ ...task, ends: task.ends ?? [] }, parts, signal)
  if (otherHosts) return elsewhereResult(task, otherHosts)
  const [best, ...alternatives] = feeds.filter(({ sameListAs }) => sameListAs === undefined)
  if (best) {
    const { url, reading, via: by } = best
    return { kind: 'found', url, reading, others: alternatives.map((feed) => feed.url), ...(by && { by }) }
  }
  return failedResult(failure ?? { kind: 'no-feed-found' }, from)
}

async function poll(
  task: PollTask,
  { net, clock, obeyRobots, robots, read: readDocument = readInProcess }: FetchContext,
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { url, validators, bodyHash, windowHash, subscribers, gapMs } = task
  const feedRequest = feedRequestOf(task)
  if (!feedRequest) return failedResult({ kind: 'forbidden-address', detail: 'the bridge has no valid address for it' })
  const { request, bridge } = feedRequest
  if (bridge && !canReach(task)(bridge)) return elsewhereResult(task, [bridge])
  for (const address of obeyRobots === 'all' ? [url, bridge] : [])
    if (address && !(await robots.allows(address, gapMs, signal))) return failedResult({ kind: 'forbidden-by-robots' })
  const headers = conditional(validators)
  const answer = await net.get({ ...request, headers, subscribers, shouldFollow: canReach(task), signal })
  const now = clock.now()
  if (!answer.ok) return failedResult(answer.failure, failedUrl(answer, bridge))
  if (answer.leadsTo !== undefined) return elsewhereResult(task, [answer.leadsTo])

  const { status, headers: received, body } = answer
  const arrival = arrivalOf(answer, bridge)
  const rest = requestedRestMs(answer, now)
  // 304 is invalid as the answer to a request without validators.
  if (status === 304 && (validators.etag || validators.lastModified)) {
    const current = { ...validators, ...validatorsOf(received) }
    return { kind: 'not-modified', by: 'server', validators: current, restMs: rest, ...arrival }
  }
  const hash = bodyHashOf(body)
  if (status === 200 && hash === bodyHash)
    return { kind: 'not-modified', by: 'hash', validators: validatorsOf(received), restMs: rest, ...arrival }

  const read = await readDocument(answer, now, hash)
  if (read.kind === 'failed') return failedResult(read.failure, failedUrl(answer, bridge))
  const { reading } = read
  if (reading.windowHash !== windowHash) return { kind: 'window', reading, ...arrival }
  const { validators: current, bodyHash: newHash } = reading
  return { kind: 'not-modified', by: 'titles', validators: current, bodyHash: newHash, restMs: rest, ...arrival }
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

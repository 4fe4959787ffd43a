/**
 * Goes out and comes back with a value. Has no store and no opinion, so a hundred of them need no agreement. Whatever
 * goes wrong on the way, a mistake of ours included, is an outcome.
 */
import type { DiscoverTask, Outcome, OutcomeResult, PollTask, SeekTask, Task, Validators } from '../model/index.ts'
import { restMs } from '../politeness/index.ts'
import type { Clock, Net } from '../ports/index.ts'
import { type ExploreParts, explore } from './explore.ts'
import { createMisses } from './misses.ts'
import { failed, hashOf, readAnswer, validatorsOf } from './reading.ts'
import { createRobotsKeeper, type RobotsKeeper } from './robots-keeper.ts'

export interface TerminalParts {
  net: Net
  clock: Clock
  /** Feeds that somebody asked for are read whatever robots.txt says, unless `all`. */
  obeyRobots: 'guesses' | 'all'
}

export function createTerminal(parts: TerminalParts): (task: Task, signal: AbortSignal) => Promise<Outcome> {
  const misses = createMisses()
  const robots = createRobotsKeeper(parts)
  return async function perform(task, signal) {
    const at = parts.clock.now()
    const counted = countingNet(parts.net)
    let result: OutcomeResult
    try {
      result = await (task.kind === 'poll'
        ? poll(task, { ...parts, net: counted.net }, robots, signal)
        : discover(task, { ...parts, net: counted.net, misses, robots }, signal))
    } catch (error) {
      result = failed({ kind: 'internal', detail: error instanceof Error ? error.message : String(error) })
    }
    return { task, at, tookMs: parts.clock.now() - at, bytes: counted.bytes(), result }
  }
}

async function discover(
  task: DiscoverTask | SeekTask,
  parts: ExploreParts,
  signal: AbortSignal,
): Promise<OutcomeResult> {
  const { feeds, failure } = await explore(task, parts, signal)
  const [best, ...others] = feeds.filter(({ sameListAs }) => sameListAs === undefined)
  if (best) return { kind: 'found', url: best.url, reading: best.reading, others: others.map(({ url }) => url) }
  return failed(failure ?? { kind: 'no-feed-found' })
}

async function poll(
  { url, validators, bodyHash, windowHash, subscribers, gapMs }: PollTask,
  { net, clock, obeyRobots }: TerminalParts,
  robots: RobotsKeeper,
  signal: AbortSignal,
): Promise<OutcomeResult> {
  if (obeyRobots === 'all' && !(await robots.allows(url, gapMs, signal))) return failed({ kind: 'forbidden-by-robots' })
  const answer = await net.get({ url, headers: conditional(validators), subscribers, signal })
  const now = clock.now()
  if (!answer.ok) return failed(answer.failure)

  const { status, headers, body, redirects, url: finalUrl } = answer
  const arrival = redirects.length > 0 ? { arrival: { redirects, finalUrl } } : {}
  const rest = restMs(headers, now)
  // To whom nothing was said that could be unchanged, 304 is no answer.
  if (status === 304 && (validators.etag || validators.lastModified)) {
    const seen = { ...validators, ...validatorsOf(headers) }
    return { kind: 'not-modified', by: 'server', validators: seen, restMs: rest, ...arrival }
  }
  if (status === 200 && hashOf(body) === bodyHash)
    return { kind: 'not-modified', by: 'hash', validators: validatorsOf(headers), restMs: rest, ...arrival }

  const read = readAnswer(answer, now)
  if (read.kind === 'failed') return read
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

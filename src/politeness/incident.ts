/**
 * Incidents of a host. When many feeds of one root fail in the same way within an hour, the host is at fault. Then only one feed at a
 * time is polled, the canary, with exponential backoff; the others wait, and failures caused by the host do not count against a
 * feed (`excused`), so that no feed ends up with a backoff of days.
 *
 *     none --(5 feeds, half of all, same failure)--> incident --(a success)--> recovering --(1, 2, 4, 8 succeeded)--> none
 *                                                       ^------(more than a quarter of a stage fails)------'
 *
 * The state belongs to one root, has bounded size and is plain JSON. Pauses requested by 429 are independent of this.
 */
import {
  type Failure,
  type FeedId,
  HOUR,
  type Incident,
  type IncidentSymptom,
  type Instant,
  MINUTE,
  type Millis,
} from '../model/index.ts'

export type IncidentMemory =
  /** `recent`: the last result of each feed, oldest first. */
  { state: 'none'; recent: [feedId: FeedId, sign: IncidentSymptom | 'well', at: Instant][] } | Incident

const MIN_FAILING_FEEDS = 5 // ours: fewer may fail together by chance
const MIN_FAILING_SHARE = 1 / 2 // ours
const WITHIN_MS: Millis = HOUR // ours
const MAX_RECENT = 64 // most recent feeds of a root
const FIRST_CANARY_MS: Millis = 2 * MINUTE // ours: most incidents are a restart
const MAX_CANARY_MS: Millis = HOUR // ours: one request an hour is harmless, and a thousand feeds depend on its result
const STAGE_MS: Millis = MINUTE // ours: lets a server fail again before more polls are sent
const LAST_STAGE = 8
const FAILED_SHARE = 1 / 4 // of a stage; single feeds may fail for other reasons
const SPREAD_MS: Millis = 10 * MINUTE // jitter of waiting feeds

/** Call after each task for one of the root's feeds, started at `at`. `excused`: the host is at fault, do not count it as the feed's failure. */
export function incidentAfter(
  memory: IncidentMemory | undefined,
  { feedId, result }: { feedId: FeedId; result: Failure | 'well' },
  at: Instant,
): { memory: IncidentMemory; excused: boolean } {
  const before = memory ?? { state: 'none', recent: [] }
  const sign = result === 'well' ? 'well' : signOf(result)
  if (sign === undefined) return { memory: before, excused: false }
  const failed = sign !== 'well'
  switch (before.state) {
    case 'none': {
      const after = recordResult(before.recent, feedId, sign, at)
      return { memory: after, excused: after.state === 'incident' }
    }
    case 'incident':
      if (!failed) return { memory: nextStage({ ...before, width: 0 }, at), excused: false }
      // Polls sent before the incident are not canaries.
      return { memory: at < before.canaryAt ? before : nextCanary(before, at), excused: true }
    case 'recovering':
      return { memory: countStageResult(before, failed, at), excused: failed }
  }
}

/**
 * Whether one more feed of the root may be polled while `underWay` of its feeds are in flight; else when to ask again. `chance` in
 * [0, 1) adds jitter. The gap between requests is checked separately, afterwards.
 */
export function admitDuringIncident(
  memory: IncidentMemory | undefined,
  inFlight: number,
  now: Instant,
  chance: number,
): { kind: 'go' } | { kind: 'wait'; until: Instant } {
  if (!memory || memory.state === 'none') return { kind: 'go' }
  const [fromAt, maxInFlight] =
    memory.state === 'incident' ? [memory.canaryAt, 1] : [memory.stageAt, memory.width - memory.well - memory.failed]
  if (now >= fromAt && inFlight < maxInFlight) return { kind: 'go' }
  const spreadMs = memory.state === 'incident' ? SPREAD_MS : STAGE_MS
  return { kind: 'wait', until: Math.ceil(Math.max(fromAt, now + STAGE_MS) + chance * spreadMs) }
}

/**
 * How a failure reflects on the host; undefined if no request reached it. A failure specific to the feed shows that the host works.
 */
function signOf(failure: Failure): IncidentSymptom | 'well' | undefined {
  switch (failure.kind) {
    case 'unreachable':
    case 'timeout':
    case 'broken-body':
    case 'not-a-feed': // if all feeds return this, it is a bot check or a maintenance page
      return failure.kind
    case 'http':
      if (failure.status >= 500) return 'server-error'
      return failure.status === 403 || failure.status === 429 ? 'refused' : 'well'
    case 'too-large':
    case 'redirects':
    case 'not-a-page':
    case 'forbidden-by-page':
      return 'well'
    case 'forbidden-address':
    case 'forbidden-by-robots':
    case 'no-feed-found':
    case 'hub-refused':
    case 'hub-silent':
    case 'internal':
      return undefined
  }
}

function recordResult(
  before: Extract<IncidentMemory, { state: 'none' }>['recent'],
  feedId: FeedId,
  sign: IncidentSymptom | 'well',
  at: Instant,
): IncidentMemory {
  const otherFeeds = before.filter(([id, , lastAt]) => id !== feedId && at - lastAt < WITHIN_MS)
  const recent = [...otherFeeds, [feedId, sign, at] as (typeof otherFeeds)[number]].slice(-MAX_RECENT)
  const sameResult = recent.filter(([, result]) => result === sign)
  if (sign === 'well' || sameResult.length < MIN_FAILING_FEEDS || sameResult.length < recent.length * MIN_FAILING_SHARE)
    return { state: 'none', recent }
  return { state: 'incident', sign, sinceAt: sameResult[0]![2], canaries: 0, canaryAt: at + FIRST_CANARY_MS }
}

type IncidentFacts = Pick<Extract<IncidentMemory, { state: 'incident' }>, 'sign' | 'sinceAt' | 'canaries'>

function nextCanary({ sign, sinceAt, canaries }: IncidentFacts, at: Instant): IncidentMemory {
  const waitMs = Math.min(MAX_CANARY_MS, FIRST_CANARY_MS * 2 ** Math.min(16, canaries + 1))
  return { state: 'incident', sign, sinceAt, canaries: canaries + 1, canaryAt: at + waitMs }
}

function nextStage({ sign, sinceAt, canaries, width }: IncidentFacts & { width: number }, at: Instant): IncidentMemory {
  if (width >= LAST_STAGE) return { state: 'none', recent: [] }
  const stage = { width: Math.max(1, width * 2), stageAt: width === 0 ? at : at + STAGE_MS, well: 0, failed: 0 }
  return { state: 'recovering', sign, sinceAt, canaries, ...stage }
}

function countStageResult(
  before: Extract<IncidentMemory, { state: 'recovering' }>,
  isFailure: boolean,
  at: Instant,
): IncidentMemory {
  const failed = before.failed + (isFailure ? 1 : 0)
  const well = before.well + (isFailure ? 0 : 1)
  if (failed > before.width * FAILED_SHARE) return nextCanary(before, at)
  return failed + well >= before.width ? nextStage(before, at) : { ...before, failed, well }
}

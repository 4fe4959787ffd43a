/**
 * How often we may knock. Pure: from what servers and publishers say and do, the earliest moment at which we may come
 * again. The crawl asks; nothing here knows a clock, a socket or a store.
 *
 * `tldts` is here for the public suffix list: politeness is owed to a registrable domain, not to a host name.
 */
export { backoffUntil } from './backoff.ts'
export { type Budget, budgetAfter, factorAt, type OwnPace } from './budget.ts'
export { conductOf, type Judgement, joinedConduct, type PromisedGaps } from './conduct.ts'
export { crawlDelayAfter } from './crawl-delay.ts'
export { restMs, retryAfterMs } from './freshness.ts'
export { type Hints, LONGEST_HINT_MS, notBeforeByHints } from './hints.ts'
export { type IncidentMemory, incidentAfter, mayGo } from './incident.ts'
export { type Arrival, type MoveMemory, movedAfter } from './moves.ts'
export { createPace, type Pace, type PaceParts } from './pace.ts'
export { type PageDirectives, pageDirectives } from './page-directives.ts'
export { isRefusal, isSilence, lineRestMs, pageRetryAt } from './page-retry.ts'
export { hostAfter } from './patience.ts'
export { isAllowed, LONGEST_CRAWL_DELAY_MS, parseRobots } from './robots.ts'
export { type RobotsAnswer, robotsAfter } from './robots-answer.ts'
export { rootOf, rootOfHost } from './root.ts'
export { auditDue, type Trust, type TrustEvidence, type TrustMemory, trustAfter } from './trust.ts'
export {
  answerToHub,
  askedAfter,
  asking,
  ending,
  type HubAnswer,
  isRelied,
  isSigned,
  newPush,
  polledAfter,
  pushedAfter,
  SAFETY_POLL_MS,
  WISHED_LEASE_MS,
} from './websub.ts'

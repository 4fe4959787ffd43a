/**
 * How often we may knock. Pure: from what servers and publishers say and do, the earliest moment at which we may come
 * again. The crawl asks; nothing here knows a clock, a socket or a store.
 *
 * `tldts` is here for the public suffix list: politeness is owed to a registrable domain, not to a host name.
 */

export { budgetAfter, factorAt, type HostBudget, type OwnPace } from './adaptive-gap.ts'
export { auditFeed, type Judgement, joinedAudits, type PromisedGaps } from './audit-rules.ts'
export { backoffUntil } from './backoff.ts'
export { LONGEST_RETRY_MS, restMs, retryAfterMs } from './cache-headers.ts'
export { crawlDelayAfter } from './crawl-delay.ts'
export { hostAfter } from './host-rest.ts'
export { type IncidentMemory, incidentAfter, mayGo } from './incident.ts'
export { createPace, type Pace, type PaceParts, type Turn } from './pace.ts'
export { type PageDirectives, pageDirectives } from './page-directives.ts'
export { isRefusal, isSilence, lineRestMs, pageRetryAt } from './page-retry.ts'
export { LONGEST_HINT_MS, notBeforeByHints } from './publisher-hints.ts'
export { type FeedArrival, movedAfter, type RedirectMemory } from './redirects.ts'
export { isAllowed, LARGEST_ROBOTS, LONGEST_CRAWL_DELAY_MS, parseRobots } from './robots.ts'
export { type RobotsAnswer, robotsAfter } from './robots-answer.ts'
export { doorsOf, rootOf, rootOfHost, tenantOf } from './root.ts'
export { auditDue, type Trust, type TrustEvidence, type TrustMemory, trustAfter } from './validator-trust.ts'
export {
  answerToHub,
  askedAfter,
  asking,
  ending,
  type HubAnswer,
  hubSignatureOf,
  isRelied,
  newPush,
  polledAfter,
  pushedAfter,
  SAFETY_POLL_MS,
  WISHED_LEASE_MS,
} from './websub.ts'

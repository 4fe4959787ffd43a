/**
 * How often we may knock. Pure: from what servers and publishers say and do, the earliest moment at which we may come
 * again. The crawl asks; nothing here knows a clock, a socket or a store. `tldts` is here for the public suffix list:
 * politeness is owed to a registrable domain, not to a host name. Its own words, beside those of the model:
 *
 * - tenant:     on a hosting platform, which is one root, each of its customers; elsewhere the root itself
 * - door:       of a root or tenant: one visitor at a time is inside, and a *gap* passes between two
 * - turn:       when a visitor who has to wait may ask again; it keeps its ticket until it was in
 * - rest:       until when a host is left alone, because it said so
 * - adaptive gap: how many usual gaps make one of a root's own, learnt from its refusals
 * - incident:   many feeds of a host fail alike; a *canary* goes and looks, and nobody is blamed (*excused*)
 * - trust:      whether a server's 304 is believed; an *audit* is a poll that asks for everything to find out
 * - hint:       what a publisher's document says about how often to come
 * - refusal:    the server will not have us; *silence*: it does not answer at all
 */

export { type AdaptiveGap, factorAt, gapAfter, type OwnPace } from './adaptive-gap.ts'
export { auditRoot, type RootVisit } from './audit-roots.ts'
export { AFTER_FAILURE_MS, auditFeed, type Judgement, joinedAudits, type PromisedGaps } from './audit-rules.ts'
export { TOLD_BY_ARCHIVE, UNTOLD } from './audit-untold.ts'
export { createWireAudit, type WireExchange } from './audit-wire.ts'
export { backoffUntil } from './backoff.ts'
export { LONGEST_RETRY_MS, restMs, retryAfterMs, validatorsOf } from './cache-headers.ts'
export { crawlDelayAfter } from './crawl-delay.ts'
export { hostAfter } from './host-rest.ts'
export { type IncidentMemory, incidentAfter, mayGo } from './incident.ts'
export { createPace, type Pace, type PaceParts, type Turn } from './pace.ts'
export { type PageDirectives, pageDirectives } from './page-directives.ts'
export { isRefusal, isSilence, lineRestMs, pageRetryAt } from './page-retry.ts'
export { LONGEST_HINT_MS, notBeforeByHints } from './publisher-hints.ts'
export { withMore } from './push-quality.ts'
export { type FeedArrival, movedAfter, type RedirectMemory } from './redirects.ts'
export { isAllowed, LARGEST_ROBOTS, LONGEST_CRAWL_DELAY_MS, parseRobots } from './robots.ts'
export { type RobotsAnswer, robotsAfter } from './robots-answer.ts'
export { doorsOf, rootOf, rootOfHost, tenantOf } from './root.ts'
export {
  auditDue,
  longestSilenceMs,
  type Trust,
  type TrustEvidence,
  type TrustMemory,
  trustAfter,
} from './validator-trust.ts'
export {
  ASKED_LEASE_MS,
  answerToHub,
  askedAfter,
  asking,
  ending,
  type HubAnswer,
  hubSignatureOf,
  isRelied,
  newPush,
  notAsked,
  polledAfter,
  pushedAfter,
  SAFETY_POLL_MS,
} from './websub.ts'

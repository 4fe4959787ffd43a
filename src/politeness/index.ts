/**
 * Politeness: when the next request to a server is allowed, given its responses and the publisher's hints. Pure: no clock, no I/O.
 * Uses `tldts` for the public suffix list, because rate limits apply per registrable domain, not per host name. Terms beside those of
 * the model:
 *
 * - tenant:     a customer of a hosting platform; the platform is one root. Elsewhere the root itself
 * - slot:       of a root or tenant: one request at a time, with a *gap* between two
 * - turn:       when a waiting request may ask again; it keeps its *ticket*, its place in the queue, until it gets the slot
 * - rest:       a pause requested by a host
 * - adaptive gap: a factor on the default gap of a root, learned from its refusals
 * - incident:   many feeds of a host fail in the same way; a *canary* tests it, and feeds are *excused*
 * - trust:      whether a server's 304 is trusted; an *audit* is an unconditional poll that checks it
 * - hint:       a publisher's statement about polling frequency, in the document
 * - refusal:    the server rejects our requests; *silence*: it does not answer at all
 */

export { type AdaptiveGap, factorAt, gapAfter, type RootGapState } from './adaptive-gap.ts'
export { type AuditedExchange, createWireAudit } from './audit-archive.ts'
export {
  auditFeed,
  type Judgement,
  MIN_WAIT_AFTER_FAILURE_MS,
  type MinimumGaps,
  mergeAudits,
} from './audit-poll-log.ts'
export { auditRoot, type RootVisit } from './audit-root.ts'
export { backoffUntil } from './backoff.ts'
export { MAX_RETRY_AFTER_MS, restMs, retryAfterMs, validatorsOf } from './cache-headers.ts'
export { crawlDelayAfter } from './crawl-delay.ts'
export { hostPauseAfter } from './host-pause.ts'
export { type Admission, createHostQueue, type HostQueue, type HostQueueOptions } from './host-queue.ts'
export { admitDuringIncident, type IncidentMemory, incidentAfter } from './incident.ts'
export { type PageDirectives, pageDirectives } from './page-directives.ts'
export { articleQueuePauseMs, isNoResponse, isRefusal, pageRetryAt } from './page-retry.ts'
export { MAX_HINT_MS, notBeforeByHints } from './publisher-hints.ts'
export { addPushCounts } from './push-statistics.ts'
export { type FeedArrival, type RedirectState, redirectStateAfter } from './redirects.ts'
export { isAllowed, MAX_CRAWL_DELAY_MS, MAX_ROBOTS_BYTES, parseRobots } from './robots.ts'
export { type RobotsResponse, robotsAfter } from './robots-response.ts'
export { hostSlotsOf, isSameTenant, rootOf, rootOfHost, tenantOf } from './root.ts'
export { AUDITED_BY_ARCHIVE, UNAUDITED_RULES } from './unaudited-rules.ts'
export {
  auditDue,
  longestSilenceMs,
  type Trust,
  type TrustEvidence,
  type TrustState,
  trustAfter,
} from './validator-trust.ts'
export {
  afterHubRequest,
  afterPoll,
  afterPush,
  answerHub,
  beforeHubRequest,
  type HubAnswer,
  hubRequestNotSent,
  hubSignatureOf,
  isReliable,
  newHubSubscription,
  REQUESTED_LEASE_MS,
  SAFETY_POLL_MS,
  startUnsubscribing,
} from './websub.ts'

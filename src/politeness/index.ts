/**
 * How often we may knock. Pure: from what servers and publishers say and do, the earliest moment at which we may come
 * again. The crawl asks; nothing here knows a clock, a socket or a store.
 *
 * `tldts` is here for the public suffix list: politeness is owed to a registrable domain, not to a host name.
 */
export { backoffUntil } from './backoff.ts'
export { restMs, retryAfterMs } from './freshness.ts'
export { notBeforeByHints } from './hints.ts'
export { movedAfter } from './moves.ts'
export { createPace, type Pace } from './pace.ts'
export { hostAfter } from './patience.ts'
export { isAllowed } from './robots.ts'
export { type RobotsRecord, robotsAfter } from './robots-answer.ts'
export { rootOf } from './root.ts'

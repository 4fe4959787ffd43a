/**
 * What a whole host asks of us. 429 and 503 speak for the server, not for the one feed that drew the answer: the host
 * rests, longer each time it has to ask again, and one good answer ends that.
 */
import { DAY, type Failure, type Host, type Instant, MINUTE } from '../model/index.ts'

const FIRST_REST_MS = 5 * MINUTE // ours, for a server that names no time
const LONGEST_REST_MS = DAY // ours, as above; a time that the server names is kept, up to a week (cache-headers.ts)

/** The host after an answer; undefined when nothing changes. `chance` in [0, 1) spreads the returns. */
export function hostAfter(
  before: Host | undefined,
  root: string,
  failure: Failure | undefined,
  now: Instant,
  chance: number,
): Host | undefined {
  if (!failure)
    return before && before.strikes > 0 && before.notBeforeAt <= now ? { root, notBeforeAt: 0, strikes: 0 } : undefined
  if (failure.kind !== 'http') return undefined
  const asksForPatience = failure.status === 429 || (failure.status === 503 && failure.retryAfterMs !== undefined)
  if (!asksForPatience) return undefined

  const strikes = before?.strikes ?? 0
  const ours = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(16, strikes)) * (1 + chance / 4)
  const restMs = failure.retryAfterMs ?? ours
  return {
    root,
    notBeforeAt: Math.max(before?.notBeforeAt ?? 0, Math.ceil(now + restMs)),
    strikes: strikes + 1,
    trouble: failure,
  }
}

/** A line of the log as our JSON has it. */
import type { PollShape } from '../../api/index.ts'
import type { Poll } from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'
import { troubleShape } from './trouble.ts'

export function pollShape({
  feedId,
  at,
  tookMs,
  bytes,
  conditional,
  unconditionalFor,
  occasion,
  restUntil,
  result,
}: Poll): PollShape {
  return {
    feedId,
    at: iso(at),
    tookMs,
    bytes,
    conditional,
    ...present({ unconditionalFor, occasion, restUntil: isoIfAny(restUntil) }),
    result: pollResultShape(result),
  }
}

export function pollResultShape(result: Poll['result']): PollShape['result'] {
  return result.kind === 'failed' ? { kind: 'failed', trouble: troubleShape(result.failure) } : result
}

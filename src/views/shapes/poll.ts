/** The JSON shape of a poll in the log. */
import type { PollShape } from '../../api/index.ts'
import type { Poll } from '../../model/index.ts'
import { troubleShape } from './trouble.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

export function pollShape({
  feedId,
  at,
  tookMs,
  bytes,
  conditional,
  unconditionalFor,
  occasion,
  waitUntil,
  result,
}: Poll): PollShape {
  return {
    feedId,
    at: isoDate(at),
    tookMs,
    bytes,
    conditional,
    ...omitUndefined({ unconditionalFor, occasion, waitUntil: isoOrUndefined(waitUntil) }),
    result: pollResultShape(result),
  }
}

export function pollResultShape(result: Poll['result']): PollShape['result'] {
  return result.kind === 'failed' ? { kind: 'failed', trouble: troubleShape(result.failure) } : result
}

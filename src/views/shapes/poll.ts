/** A line of the log as our JSON has it. */
import type { Poll, Sameness } from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'
import { type TroubleShape, troubleShape } from './trouble.ts'

export interface PollShape {
  feedId: number
  at: string
  tookMs: number
  bytes: number
  /** We asked only for what is new. */
  conditional: boolean
  /** Why not, where that was right. */
  unconditionalFor?: 'no-validators' | 'audit' | 'lies'
  /** Why it was made, where it was not due by itself. */
  occasion?: 'hand' | 'older' | 'seek'
  /** Until when the answer asked us to stay away. */
  restUntil?: string
  result:
    | { kind: 'read'; fresh: number; changed: number; window: number; gap: boolean }
    | { kind: 'not-modified'; by: Sameness }
    | { kind: 'failed'; trouble: TroubleShape }
}

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
    result: result.kind === 'failed' ? { kind: 'failed', trouble: troubleShape(result.failure) } : result,
  }
}

/** Encodes result, request kind and occasion of a poll as small numbers, because the poll log is long. */
import type { Failure, Poll, PollResult, Sameness } from '../../model/index.ts'
import { parseJsonColumn } from './columns.ts'

const READ = 0
const READ_WITH_GAP = 1
export const FAILED = 4

/** Codes of unchanged results, by how sameness was determined. */
export const UNCHANGED: Record<Sameness, number> = { server: 2, hash: 3, titles: 5 }
const SAMENESS = new Map(Object.entries(UNCHANGED).map(([by, code]) => [code, by as Sameness]))

/** Request kinds: conditional, or the reason why not; 0 is unconditional without a reason. */
const REQUESTS = ['', 'conditional', 'no-validators', 'audit', 'lies'] as const

export function requestColumn({
  conditional,
  unconditionalFor,
}: Pick<Poll, 'conditional' | 'unconditionalFor'>): number {
  return Math.max(0, REQUESTS.indexOf(conditional ? 'conditional' : (unconditionalFor ?? '')))
}

export function requestOf(column: number): Pick<Poll, 'conditional' | 'unconditionalFor'> {
  const kind = REQUESTS[column]
  if (kind === 'conditional') return { conditional: true }
  return { conditional: false, ...(kind && { unconditionalFor: kind }) }
}

/** Occasions of a poll; 0: it was due. */
const OCCASIONS = [undefined, 'manual', 'older', 'moved-feed'] as const

export function occasionColumn({ occasion }: Pick<Poll, 'occasion'>): number {
  return Math.max(0, OCCASIONS.indexOf(occasion))
}

export function occasionOf(column: number): Pick<Poll, 'occasion'> {
  const occasion = OCCASIONS[column]
  return occasion ? { occasion } : {}
}

interface ResultRow {
  result: number
  fresh: number | null
  changed: number | null
  window_size: number | null
  failure: string | null
}

/** result, fresh, changed, window_size, failure */
export function resultColumns(result: PollResult): (number | string | null)[] {
  switch (result.kind) {
    case 'read':
      return [result.gap ? READ_WITH_GAP : READ, result.fresh, result.changed, result.window, null]
    case 'not-modified':
      return [UNCHANGED[result.by], null, null, null, null]
    case 'failed':
      return [FAILED, null, null, null, JSON.stringify(result.failure)]
  }
}

export function resultOf({ result, fresh, changed, window_size, failure }: ResultRow): PollResult {
  const by = SAMENESS.get(result)
  if (by) return { kind: 'not-modified', by }
  if (result === FAILED) return { kind: 'failed', failure: parseJsonColumn<Failure>(failure) ?? { kind: 'internal' } }
  return { kind: 'read', fresh: fresh!, changed: changed!, window: window_size!, gap: result === READ_WITH_GAP }
}

/**
 * Runs the analysis in a thread, so that comparing texts does not delay polls and page views. The thread starts with the first call. A
 * crash loses its similarity indexes; the caller builds them again from the store (group-entries.ts).
 */
import { HintedError, MINUTE, type ThreadStatus } from '../../model/index.ts'
import { createThreadClient, PRIORITY, remoteObject, type ThreadFailure } from '../../runtime/index.ts'
import { ANALYSIS_METHODS, type Analysis, createAnalysis } from './analysis.ts'
import type { Grouping } from './similarity-indexes.ts'

export interface AnalysisThread {
  analysis: Analysis
  status(): ThreadStatus
  close(): Promise<void>
}

export interface AnalysisThreadOptions extends Pick<Grouping, 'groupMemoryBytes'> {
  /** Replaced in tests of crashes; defaults to this module. */
  threadModule?: string
}

/** For texts and temporary data, in addition to the indexes. */
const MEMORY_MB = 256
/** Callers await each call, so more queued calls are a bug. */
const MAX_QUEUED = 100

export function createAnalysisThread({
  groupMemoryBytes,
  threadModule = import.meta.url,
}: AnalysisThreadOptions): AnalysisThread {
  const thread = createThreadClient({
    name: 'analysis',
    module: threadModule,
    open: 'openAnalysis',
    data: undefined,
    memoryMb: MEMORY_MB + Math.ceil(groupMemoryBytes / 1_000_000),
    maxQueued: MAX_QUEUED,
    callTimeoutMs: MINUTE,
    failed: (failure) => new AnalysisError(failure),
  })
  const route = () => ({ thread, priority: PRIORITY.normal })
  return {
    analysis: remoteObject<Analysis>({ target: 'analysis', methods: ANALYSIS_METHODS, streams: [], route }),
    status: thread.status,
    close: thread.close,
  }
}

/** Runs in the thread. */
export function openAnalysis(): Record<string, object> {
  return { analysis: createAnalysis() }
}

class AnalysisError extends HintedError {
  readonly kind: ThreadFailure['kind']

  constructor({ kind, detail }: ThreadFailure) {
    super(detail, 'Nothing is lost: waiting entries are grouped and indexed later.')
    this.kind = kind
  }
}

/** Whether the thread rejects all calls at the moment, so entries have to wait. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AnalysisError && error.kind !== 'crashed' && error.kind !== 'timed-out'
}

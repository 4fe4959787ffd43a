/**
 * The analysis in a thread of its own, so that comparing texts keeps no poll and no page waiting. The thread starts with the first
 * call. When it crashes, its similarity index is lost, and is built again from the store by whoever uses it (group-entries.ts).
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
  /** For tests of crashes; else this one. */
  threadModule?: string
}

/** For texts and what is made of them, beside the index. */
const MEMORY_MB = 256
/** Each waits for the one before: more than this are a mistake of ours. */
const MOST_QUEUED = 100

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
    maxQueued: MOST_QUEUED,
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

/** In the thread. */
export function openAnalysis(): Record<string, object> {
  return { analysis: createAnalysis() }
}

class AnalysisError extends HintedError {
  readonly kind: ThreadFailure['kind']

  constructor({ kind, detail }: ThreadFailure) {
    super(detail, 'Nothing is lost: what waits for it is compared and indexed later.')
    this.kind = kind
  }
}

/** The thread takes no calls at the moment, whatever they are: entries go on waiting. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AnalysisError && error.kind !== 'crashed' && error.kind !== 'timed-out'
}

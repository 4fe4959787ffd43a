/** Compares strategies on trace files. */
import { DAY, HintedError, type Millis } from '../model/index.ts'
import { type AlignedTrace, alignTrace, planOf, type ReplayPlan, toSharedMemory } from './aligned-trace.ts'
import { type ComparisonOptions, compare, KNOWN_FROM } from './comparison.ts'
import type { Findings } from './findings.ts'
import { computePending, ranking, replayPaperRounds } from './paper-experiments.ts'
import type { Traces } from './traces/read-traces.ts'
import { createTrialWorkers, type WorkersOptions } from './trial-workers.ts'

export interface ReplayOptions extends ComparisonOptions {
  warmupMs: Millis
  scoreMs: Millis
}

export async function replayTraces(
  read: Traces,
  options: ReplayOptions,
  workersOptions: WorkersOptions,
): Promise<Findings> {
  const plan = planOf(options.warmupMs, options.scoreMs)
  const alignedTraces = toSharedMemory(read.traces.flatMap((trace) => alignTrace(trace, plan, options.seed) ?? []))
  if (alignedTraces.length === 0) throw tooShort(read, plan)
  const workers = createTrialWorkers({ alignedTraces, plan, limits: options.limits }, workersOptions)
  try {
    const found = await compare(workers, alignedTraces, plan, options)
    const names = options.thorough ? ranking(options.strategies) : []
    const rounds = names.length > 0 ? replayPaperRounds(read.traces, plan, options.seed) : undefined
    const pending = rounds && (await computePending(workers, names, rounds))
    return {
      ...found,
      traces: describeTraces(read, alignedTraces),
      ...(found.papers && { papers: { ...found.papers, ...(pending && { pending }) } }),
    }
  } finally {
    await workers.close()
  }
}

export function describeTraces({ traces, files, messages }: Traces, alignedTraces: AlignedTrace[]): Findings['traces'] {
  const kinds = new Map<string, number>()
  for (const { kind } of alignedTraces) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return {
    files,
    feeds: alignedTraces.length,
    short: traces.length - alignedTraces.length,
    known: alignedTraces.filter(({ known }) => known >= KNOWN_FROM).length,
    kinds: Object.fromEntries(kinds),
    words: messages,
  }
}

function tooShort({ traces }: Traces, { startAt, endAt }: ReplayPlan): HintedError {
  const longest = traces.reduce((most, { published }) => Math.max(most, published.at(-1)! - published[0]!), 0)
  return new HintedError(
    `no history is as long as warm-up and score together, ${(endAt - startAt) / DAY} days`,
    `the longest has ${Math.floor(longest / DAY)} days: try a shorter --warmup and --score`,
  )
}

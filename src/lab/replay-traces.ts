/** Strategies compared on trace files. */
import { DAY, HintedError, type Millis } from '../model/index.ts'
import { type Course, courseOf, type Plan, planOf, shared } from './course.ts'
import { type CrewOptions, createCrew } from './crew.ts'
import type { Findings } from './findings.ts'
import { pendingOf, ranking, roundsOf } from './papers.ts'
import { KNOWN_FROM, type StudyOptions, study } from './study.ts'
import type { Traces } from './traces/read-traces.ts'

export interface ReplayOptions extends StudyOptions {
  warmupMs: Millis
  scoreMs: Millis
}

export async function replayTraces(read: Traces, options: ReplayOptions, crewOptions: CrewOptions): Promise<Findings> {
  const plan = planOf(options.warmupMs, options.scoreMs)
  const courses = shared(read.traces.flatMap((trace) => courseOf(trace, plan, options.seed) ?? []))
  if (courses.length === 0) throw tooShort(read, plan)
  const crew = createCrew({ courses, plan, limits: options.limits }, crewOptions)
  try {
    const found = await study(crew, courses, plan, options)
    const names = options.thorough ? ranking(options.strategies) : []
    const rounds = names.length > 0 ? roundsOf(read.traces, plan, options.seed) : undefined
    const pending = rounds && (await pendingOf(crew, names, rounds))
    return {
      ...found,
      traces: aboutTraces(read, courses),
      ...(found.papers && { papers: { ...found.papers, ...(pending && { pending }) } }),
    }
  } finally {
    await crew.close()
  }
}

export function aboutTraces({ traces, files, words }: Traces, courses: Course[]): Findings['traces'] {
  const kinds = new Map<string, number>()
  for (const { kind } of courses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return {
    files,
    feeds: courses.length,
    short: traces.length - courses.length,
    known: courses.filter(({ known }) => known >= KNOWN_FROM).length,
    kinds: Object.fromEntries(kinds),
    words,
  }
}

function tooShort({ traces }: Traces, { startAt, endAt }: Plan): HintedError {
  const longest = traces.reduce((most, { published }) => Math.max(most, published.at(-1)! - published[0]!), 0)
  return new HintedError(
    `no history is as long as warm-up and score together, ${(endAt - startAt) / DAY} days`,
    `the longest has ${Math.floor(longest / DAY)} days: try a shorter --warmup and --score`,
  )
}

/**
 * Incidents of hosts, as the controller sees them: one for each root, in memory. After a restart they are noticed again
 * within a few failures.
 */
import type { Instant, Outcome } from '../model/index.ts'
import { type IncidentMemory, incidentAfter, mayGo, rootOf } from '../politeness/index.ts'
import type { CrawlEvent } from './crawler.ts'
import { feedIdOf } from './tasks.ts'

export interface Incidents {
  /** Undefined: nothing is in the way. */
  mayGo(root: string, underWay: () => number, now: Instant): { kind: 'wait'; until: Instant } | undefined
  /** Which of these outcomes are failures of the host, and not to be counted as the feed's. */
  after(outcomes: Outcome[]): ReadonlySet<Outcome>
}

const MOST_ROOTS = 20_000

export function createIncidents(random: () => number, emit: (event: CrawlEvent) => void): Incidents {
  const memories = new Map<string, IncidentMemory>()

  function tell(root: string, before: IncidentMemory | undefined, after: IncidentMemory, at: Instant): void {
    const was = before?.state ?? 'none'
    if (was === 'none' && after.state === 'incident') emit({ kind: 'incident', at, root, sign: after.sign })
    if (was !== 'none' && after.state === 'none') emit({ kind: 'incident-over', at, root })
  }

  return {
    mayGo(root, underWay, now) {
      const memory = memories.get(root)
      if (!memory || memory.state === 'none') return undefined
      const turn = mayGo(memory, underWay(), now, random())
      return turn.kind === 'wait' ? turn : undefined
    },

    after(outcomes) {
      const excused = new Set<Outcome>()
      for (const outcome of outcomes) {
        const { task, at, result } = outcome
        if (task.kind !== 'poll') continue
        const root = rootOf(task.url)
        const before = memories.get(root)
        const seen = {
          feedId: feedIdOf(outcome),
          result: result.kind === 'failed' ? result.failure : ('well' as const),
        }
        const { memory, excused: isExcused } = incidentAfter(before, seen, at)
        memories.delete(root)
        memories.set(root, memory)
        const [oldest] = memories.keys()
        if (memories.size > MOST_ROOTS && oldest !== undefined) memories.delete(oldest)
        if (isExcused) excused.add(outcome)
        tell(root, before, memory, at)
      }
      return excused
    },
  }
}

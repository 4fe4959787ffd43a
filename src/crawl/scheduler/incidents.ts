/** Incidents of hosts: one for each root. What feeds last said is in memory alone; an incident is kept with its host. */
import type { Incident, Instant, Outcome } from '../../model/index.ts'
import { type IncidentMemory, incidentAfter, mayGo } from '../../politeness/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { feedIdOf } from '../task.ts'

export interface Incidents {
  /** It was under way when the store was last written; what is known here is newer. */
  recall(root: string, incident: Incident): void
  forget(isTheirs: (root: string) => boolean): void
  /** Undefined: nothing is in the way. */
  mayGo(root: string, underWay: () => number, now: Instant): { kind: 'wait'; until: Instant } | undefined
  /** Undefined if the outcome says nothing of a host; `incident` is there if it changed, and undefined if it is over. */
  after(root: string, outcome: Outcome): { isExcused: boolean; incident?: Incident | undefined } | undefined
}

const MOST_ROOTS = 20_000

export function createIncidents(random: () => number, emit: (event: CrawlEvent) => void): Incidents {
  const memories = new Map<string, IncidentMemory>()

  function remember(root: string, memory: IncidentMemory): void {
    memories.delete(root)
    memories.set(root, memory)
    const [oldest] = memories.keys()
    if (memories.size > MOST_ROOTS && oldest !== undefined) memories.delete(oldest)
  }

  function tell(root: string, before: IncidentMemory | undefined, after: IncidentMemory, at: Instant): void {
    const was = before?.state ?? 'none'
    if (was === 'none' && after.state === 'incident') emit({ kind: 'incident', at, root, sign: after.sign })
    if (was !== 'none' && after.state === 'none') emit({ kind: 'incident-over', at, root })
  }

  return {
    recall(root, incident) {
      if (!memories.has(root)) remember(root, incident)
    },

    forget(isTheirs) {
      for (const root of memories.keys()) if (isTheirs(root)) memories.delete(root)
    },

    mayGo(root, underWay, now) {
      const memory = memories.get(root)
      if (!memory || memory.state === 'none') return undefined
      const turn = mayGo(memory, underWay(), now, random())
      return turn.kind === 'wait' ? turn : undefined
    },

    after(root, outcome) {
      const { task, at, result } = outcome
      if (task.kind !== 'poll' || result.kind === 'elsewhere') return undefined
      const before = memories.get(root)
      const seen = {
        feedId: feedIdOf(outcome),
        result: result.kind === 'failed' ? result.failure : ('well' as const),
      }
      const { memory, excused: isExcused } = incidentAfter(before, seen, at)
      remember(root, memory)
      tell(root, before, memory, at)
      const incident = ongoing(memory)
      return incident === ongoing(before) ? { isExcused } : { isExcused, incident }
    },
  }
}

function ongoing(memory: IncidentMemory | undefined): Incident | undefined {
  return memory?.state === 'none' ? undefined : memory
}

/** Incidents of hosts, one per root. The latest results of feeds are only in memory; an ongoing incident is stored with its host. */
import type { Incident, Instant, Outcome } from '../../model/index.ts'
import { admitDuringIncident, type IncidentMemory, incidentAfter } from '../../politeness/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { feedIdOf } from '../task.ts'

export interface Incidents {
  /** Restores a stored incident, unless memory has a newer state. */
  load(root: string, incident: Incident): void
  forget(isForgotten: (root: string) => boolean): void
  /** Until when one more visit has to wait; undefined if it need not. `inFlightThere` counts the tasks in flight to this root. */
  waitOf(root: string, inFlightThere: () => number, now: Instant): { kind: 'wait'; until: Instant } | undefined
  /** Undefined if the outcome says nothing about the host. `incident` is set if the incident changed, to undefined if it is over. */
  learn(root: string, outcome: Outcome): { isExcused: boolean; incident?: Incident | undefined } | undefined
}

const MAX_ROOTS = 20_000

export function createIncidents(random: () => number, emit: (event: CrawlEvent) => void): Incidents {
  const memories = new Map<string, IncidentMemory>()

  function remember(root: string, memory: IncidentMemory): void {
    memories.delete(root)
    memories.set(root, memory)
    const [oldest] = memories.keys()
    if (memories.size > MAX_ROOTS && oldest !== undefined) memories.delete(oldest)
  }

  function announce(root: string, before: IncidentMemory | undefined, after: IncidentMemory, at: Instant): void {
    const previous = before?.state ?? 'none'
    if (previous === 'none' && after.state === 'incident') emit({ kind: 'incident', at, root, sign: after.sign })
    if (previous !== 'none' && after.state === 'none') emit({ kind: 'incident-over', at, root })
  }

  return {
    load(root, incident) {
      if (!memories.has(root)) remember(root, incident)
    },

    forget(isForgotten) {
      for (const root of memories.keys()) if (isForgotten(root)) memories.delete(root)
    },

    waitOf(root, inFlightThere, now) {
      const memory = memories.get(root)
      if (!memory || memory.state === 'none') return undefined
      const admission = admitDuringIncident(memory, inFlightThere(), now, random())
      return admission.kind === 'wait' ? admission : undefined
    },

    learn(root, outcome) {
      const { task, at, result } = outcome
      if (task.kind !== 'poll' || result.kind === 'elsewhere') return undefined
      const before = memories.get(root)
      const observation = {
        feedId: feedIdOf(outcome),
        result: result.kind === 'failed' ? result.failure : ('well' as const),
      }
      const { memory, excused: isExcused } = incidentAfter(before, observation, at)
      remember(root, memory)
      announce(root, before, memory, at)
      const incident = ongoing(memory)
      return incident === ongoing(before) ? { isExcused } : { isExcused, incident }
    },
  }
}

function ongoing(memory: IncidentMemory | undefined): Incident | undefined {
  return memory?.state === 'none' ? undefined : memory
}

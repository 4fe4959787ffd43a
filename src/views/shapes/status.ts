/** How it stands as our JSON has it: of a crawl that runs, and of a store that somebody looks into. */
import type { ActivityShape, HostShape } from '../../api/index.ts'
import type { Activity } from '../../crawl/index.ts'
import type { Host } from '../../model/index.ts'
import { iso, present } from './present.ts'
import { troubleShape } from './trouble.ts'

const MOST_TASKS = 50

export function activityShape({ startedAt, underWay, totals, mistakes }: Activity): ActivityShape {
  const tasks = underWay.toSorted((a, b) => a.sinceAt - b.sinceAt).slice(0, MOST_TASKS)
  return {
    startedAt: iso(startedAt),
    underWay: underWay.length,
    tasks: tasks.map(({ kind, url, sinceAt }) => ({ kind, url, since: iso(sinceAt) })),
    totals,
    mistakes: mistakes.map(({ at, words }) => ({ at: iso(at), words })),
  }
}

export function hostShape({ root, notBeforeAt, strikes, trouble }: Host): HostShape {
  return { root, notBeforeAt: iso(notBeforeAt), strikes, ...present({ trouble: troubleShape(trouble) }) }
}

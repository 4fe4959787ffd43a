/**
 * What the store has kept of sites goes along with the tasks whose terminal would ask for it: a restart costs sites nothing.
 * Tasks are out by now, and go in any case.
 */
import { type Instant, type Miss, originOf, type RobotsRecord, type Task } from '../../model/index.ts'
import type { Ledger } from '../../ports/index.ts'
import type { Wall } from '../error-boundary.ts'
import { MISSES_KEPT_MS } from '../fetcher/failed-probes.ts'
import { tenantsOf } from '../task.ts'

export async function attachKnown(
  tasks: Task[],
  { ledger, wall, obeyRobots }: { ledger: Ledger; wall: Wall; obeyRobots: 'guesses' | 'all' },
  now: Instant,
): Promise<Task[]> {
  const asking = tasks.filter(
    ({ kind }) =>
      kind === 'discover' || kind === 'seek' || kind === 'article' || (kind === 'poll' && obeyRobots === 'all'),
  )
  if (asking.length === 0) return tasks
  const robots = new Map<Task, RobotsRecord | undefined>()
  const misses = new Map<Task, Miss[]>()
  await wall.guarded('looking up what is known of sites', async () => {
    const known = await ledger.robots(asking.map(({ url }) => originOf(url)))
    for (const [i, task] of asking.entries()) robots.set(task, known[i])
    for (const task of asking)
      if (isGuessing(task)) misses.set(task, await ledger.misses(tenantsOf(task), now - MISSES_KEPT_MS))
  })
  return tasks.map((task) => {
    const said = robots.get(task)
    const missed = misses.get(task) ?? []
    return { ...task, ...(said && { robots: said }), ...(missed.length > 0 && { misses: missed }) }
  })
}

/** Whether it looks for feeds in likely places. */
function isGuessing({ kind }: Task): boolean {
  return kind === 'discover' || kind === 'seek'
}

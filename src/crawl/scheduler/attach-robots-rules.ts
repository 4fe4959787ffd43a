/**
 * Attaches stored robots.txt rules and failed probes to tasks whose fetcher needs them, so a restart causes no extra requests.
 * Runs when the tasks are already in flight: they are sent even if it fails.
 */
import { type FailedProbe, type Instant, originOf, type RobotsRecord, type Task } from '../../model/index.ts'
import type { PollResults } from '../../ports/index.ts'
import type { ErrorBoundary } from '../error-boundary.ts'
import { FAILED_PROBE_TTL_MS } from '../fetcher/failed-probes.ts'
import { tenantsOf } from '../task.ts'

export async function attachRobotsRules(
  tasks: Task[],
  {
    pollResults,
    errorBoundary,
    obeyRobots,
  }: { pollResults: PollResults; errorBoundary: ErrorBoundary; obeyRobots: 'guesses' | 'all' },
  now: Instant,
): Promise<Task[]> {
  const needing = tasks.filter(
    ({ kind }) =>
      kind === 'discover' || kind === 'moved-feed' || kind === 'article' || (kind === 'poll' && obeyRobots === 'all'),
  )
  if (needing.length === 0) return tasks
  const robots = new Map<Task, RobotsRecord | undefined>()
  const misses = new Map<Task, FailedProbe[]>()
  await errorBoundary.guard('loading robots.txt rules and failed probes', async () => {
    const rules = await pollResults.robots(needing.map(({ url }) => originOf(url)))
    for (const [i, task] of needing.entries()) robots.set(task, rules[i])
    for (const task of needing)
      if (probesAddresses(task))
        misses.set(task, await pollResults.failedProbes(tenantsOf(task), now - FAILED_PROBE_TTL_MS))
  })
  return tasks.map((task) => {
    const record = robots.get(task)
    const probes = misses.get(task) ?? []
    return { ...task, ...(record && { robots: record }), ...(probes.length > 0 && { misses: probes }) }
  })
}

/** Whether the task probes likely feed addresses. */
function probesAddresses({ kind }: Task): boolean {
  return kind === 'discover' || kind === 'moved-feed'
}

/** What the store has kept of robots.txt goes along with the tasks whose terminal will ask for it: a restart costs sites nothing. */
import { originOf, type Task } from '../model/index.ts'
import type { Store } from '../ports/index.ts'

export async function withRobots(tasks: Task[], store: Store, obeyRobots: 'guesses' | 'all'): Promise<Task[]> {
  const asking = tasks.filter(
    ({ kind }) =>
      kind === 'discover' || kind === 'seek' || kind === 'article' || (kind === 'poll' && obeyRobots === 'all'),
  )
  if (asking.length === 0) return tasks
  const known = await store.robots(asking.map(({ url }) => originOf(url)))
  const byTask = new Map(asking.map((task, i) => [task, known[i]]))
  return tasks.map((task) => {
    const robots = byTask.get(task)
    return robots ? { ...task, robots } : task
  })
}

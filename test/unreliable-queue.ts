/**
 * A queue as one between machines is: it loses tasks, brings outcomes twice and late, and carries nothing but text. By a
 * chance that follows from a seed.
 */
import { outcomeFromJson, outcomeToJson } from '../src/drivers/queues/outcome-json.ts'
import type { Outcome, Task } from '../src/model/index.ts'
import type { Queue } from '../src/ports/index.ts'

export interface Unreliability {
  /** In [0, 1). */
  random: () => number
  /** How often a task is lost on its way, and how often an outcome comes a second time. */
  loses: number
  doubles: number
}

export function createUnreliableQueue(
  inner: Queue,
  { random, loses, doubles }: Unreliability,
): Queue & { lost: Task[]; doubled: Outcome[] } {
  const lost: Task[] = []
  const doubled: Outcome[] = []
  return {
    ...inner,
    lost,
    doubled,
    async send(tasks) {
      const carried = tasks.filter((task) => {
        if (random() >= loses) return true
        lost.push(task)
        return false
      })
      await inner.send(carried.map(taskCarried))
    },
    collect(apply) {
      inner.collect(async (outcomes) => {
        const late = doubled.splice(0)
        await apply(await outcomesCarried([...late, ...outcomes]))
        const again = outcomes.filter(() => random() < doubles)
        if (again.length > 0) await apply(await outcomesCarried(again)) // at once
        doubled.push(...again) // and with the next ones
      })
    },
  }
}

function taskCarried(task: Task): Task {
  return JSON.parse(JSON.stringify(task))
}

function outcomesCarried(outcomes: Outcome[]): Promise<Outcome[]> {
  return Promise.all(outcomes.map(async (outcome) => outcomeFromJson(await outcomeToJson(outcome))))
}

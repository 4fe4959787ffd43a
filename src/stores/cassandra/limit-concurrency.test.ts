import { expect, test } from 'vitest'
import { limitConcurrency, MAX_CONCURRENT_QUERIES } from './limit-concurrency.ts'

/** Tasks, of which one may fail, and a count of those that run. */
function createTasks(count: number, failing?: number) {
  const seen = { started: 0, running: 0, max: 0 }
  const tasks = Array.from({ length: count }, (_, i) => async () => {
    seen.started++
    seen.running++
    seen.max = Math.max(seen.max, seen.running)
    for (let ticks = 0; ticks <= i % 5; ticks++) await Promise.resolve()
    seen.running--
    if (i === failing) throw new Error(`${i} failed`)
  })
  return { seen, tasks }
}

test('runs all tasks, and never more than the limit at once', async () => {
  const { seen, tasks } = createTasks(500)
  await limitConcurrency(tasks)
  expect(seen).toEqual({ started: 500, running: 0, max: MAX_CONCURRENT_QUERIES })
  await limitConcurrency([])
})

test('starts no task after a failure, and throws when the running tasks have ended', async () => {
  const { seen, tasks } = createTasks(500, 40)
  await expect(limitConcurrency(tasks)).rejects.toThrow('40 failed')
  expect(seen.running).toBe(0)
  expect(seen.started).toBeLessThan(40 + 3 * MAX_CONCURRENT_QUERIES)
})

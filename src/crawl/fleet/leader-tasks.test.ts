/** Two indexers on one store: one runs the tasks, the other takes finished when the leadership of the first expires. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { SECOND } from '../../model/index.ts'
import type { Leadership } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createLeaderTasks } from './leader-tasks.ts'

function setup() {
  const clock = createSteppedClock(1_000_000)
  const store = createMemoryStore()
  const working = new Set<string>()
  const log: string[] = []
  function join(name: string, leadership: Leadership = store) {
    const end = new AbortController()
    const leaderTasks = createLeaderTasks({
      leadership,
      clock,
      name,
      emit: () => {},
      reportError: (error) => log.push(`${name}: ${error}`),
      tasks: {
        async index(signal, isLeader) {
          log.push(`${name} begins`)
          while (!signal.aborted) {
            if (isLeader()) working.add(name)
            else working.delete(name)
            if (working.size > 1) log.push('concurrent callers')
            await clock.sleepUntil(clock.now() + SECOND, signal)
          }
          working.delete(name)
          log.push(`${name} ends`)
        },
      },
    })
    const finished = leaderTasks.run(end.signal)
    return { leaderTasks, stop: () => end.abort(), finished }
  }
  return { clock, store, join, log, working }
}

it('runs a task in one process at a time, and in another as soon as the leader leaves', async () => {
  const { clock, join, log } = setup()
  const ada = join('ada')
  await clock.advance(SECOND)
  const bob = join('bob')
  await clock.advance(60 * SECOND)
  expect([ada.leaderTasks.active(), bob.leaderTasks.active(), log]).toEqual([['index'], [], ['ada begins']])
  ada.stop()
  await clock.advance(5 * SECOND)
  await ada.finished
  expect([bob.leaderTasks.active(), log]).toEqual([['index'], ['ada begins', 'ada ends', 'bob begins']])
  bob.stop()
  await clock.advance(SECOND)
  await bob.finished
})

it('stops the task of a leader that cannot reach the store before another one starts', async () => {
  const { clock, store, join, log } = setup()
  let isDisconnected = false
  const disconnectable: Leadership = {
    ...store,
    lead: (...args) => (isDisconnected ? Promise.reject(new Error('cut off')) : store.lead(...args)),
  }
  const ada = join('ada', disconnectable)
  await clock.advance(SECOND)
  const bob = join('bob')
  await clock.advance(10 * SECOND)
  isDisconnected = true
  await clock.advance(30 * SECOND)
  expect(log).not.toContain('concurrent callers')
  expect(log.filter((line) => /begins|ends/.test(line))).toEqual(['ada begins', 'ada ends', 'bob begins'])
  for (const process of [ada, bob]) process.stop()
  await clock.advance(SECOND)
  await Promise.all([ada.finished, bob.finished])
})

it('restarts a task that fails, and lets other processes lead meanwhile', async () => {
  const { clock, store } = setup()
  const started: string[] = []
  const broken = new Set(['ada', 'bob'])
  const join = (name: string) => {
    const end = new AbortController()
    const leaderTasks = createLeaderTasks({
      leadership: store,
      clock,
      name,
      emit: () => {},
      reportError: () => {},
      tasks: {
        async market(signal) {
          started.push(name)
          if (broken.has(name)) throw new Error('connection lost')
          while (!signal.aborted) await clock.sleepUntil(clock.now() + SECOND, signal)
        },
      },
    })
    const finished = leaderTasks.run(end.signal)
    return { leaderTasks, stop: () => end.abort(), finished }
  }
  const ada = join('ada')
  await clock.advance(120 * SECOND)
  expect(started.length).toBeGreaterThan(3)
  expect(started.length).toBeLessThan(10) // with a backoff
  const bob = join('bob')
  await clock.advance(120 * SECOND)
  expect(started).toContain('bob')
  broken.clear()
  await clock.advance(400 * SECOND)
  expect([...ada.leaderTasks.active(), ...bob.leaderTasks.active()]).toEqual(['market'])
  for (const process of [ada, bob]) process.stop()
  await clock.advance(SECOND)
  await Promise.all([ada.finished, bob.finished])
})

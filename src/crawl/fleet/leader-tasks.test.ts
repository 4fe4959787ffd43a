/** Two keepers on one store: one does what there is to do, the other when that one cannot say any more that it lives. */
import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { SECOND } from '../../model/index.ts'
import type { Leadership } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createDuties } from './leader-tasks.ts'

function town() {
  const clock = createSteppedClock(1_000_000)
  const store = createMemoryStore()
  const working = new Set<string>()
  const log: string[] = []
  function keeper(name: string, leadership: Leadership = store) {
    const end = new AbortController()
    const duties = createDuties({
      leadership,
      clock,
      name,
      emit: () => {},
      trouble: (error) => log.push(`${name}: ${error}`),
      duties: {
        async index(signal, isSure) {
          log.push(`${name} begins`)
          while (!signal.aborted) {
            if (isSure()) working.add(name)
            else working.delete(name)
            if (working.size > 1) log.push('two at once')
            await clock.sleepUntil(clock.now() + SECOND, signal)
          }
          working.delete(name)
          log.push(`${name} ends`)
        },
      },
    })
    const over = duties.run(end.signal)
    return { duties, stop: () => end.abort(), over }
  }
  return { clock, store, keeper, log, working }
}

it('one at a time, and another as soon as that one leaves', async () => {
  const { clock, keeper, log } = town()
  const ada = keeper('ada')
  await clock.advance(SECOND)
  const bob = keeper('bob')
  await clock.advance(60 * SECOND)
  expect([ada.duties.led(), bob.duties.led(), log]).toEqual([['index'], [], ['ada begins']])
  ada.stop()
  await clock.advance(5 * SECOND)
  await ada.over
  expect([bob.duties.led(), log]).toEqual([['index'], ['ada begins', 'ada ends', 'bob begins']])
  bob.stop()
  await clock.advance(SECOND)
  await bob.over
})

it('who cannot reach the store stops before another may begin', async () => {
  const { clock, store, keeper, log } = town()
  let isCut = false
  const cut: Leadership = {
    ...store,
    lead: (...asked) => (isCut ? Promise.reject(new Error('cut off')) : store.lead(...asked)),
  }
  const ada = keeper('ada', cut)
  await clock.advance(SECOND)
  const bob = keeper('bob')
  await clock.advance(10 * SECOND)
  isCut = true
  await clock.advance(30 * SECOND)
  expect(log).not.toContain('two at once')
  expect(log.filter((line) => /begins|ends/.test(line))).toEqual(['ada begins', 'ada ends', 'bob begins'])
  for (const one of [ada, bob]) one.stop()
  await clock.advance(SECOND)
  await Promise.all([ada.over, bob.over])
})

it('a task that fails is begun again, and while it fails its leadership is free for others', async () => {
  const { clock, store } = town()
  const begun: string[] = []
  const broken = new Set(['ada', 'bob'])
  const join = (name: string) => {
    const end = new AbortController()
    const duties = createDuties({
      leadership: store,
      clock,
      name,
      emit: () => {},
      trouble: () => {},
      duties: {
        async market(signal) {
          begun.push(name)
          if (broken.has(name)) throw new Error('connection lost')
          while (!signal.aborted) await clock.sleepUntil(clock.now() + SECOND, signal)
        },
      },
    })
    const over = duties.run(end.signal)
    return { duties, stop: () => end.abort(), over }
  }
  const ada = join('ada')
  await clock.advance(120 * SECOND)
  expect(begun.length).toBeGreaterThan(3)
  expect(begun.length).toBeLessThan(10) // with a backoff
  const bob = join('bob')
  await clock.advance(120 * SECOND)
  expect(begun).toContain('bob')
  broken.clear()
  await clock.advance(400 * SECOND)
  expect([...ada.duties.led(), ...bob.duties.led()]).toEqual(['market'])
  for (const one of [ada, bob]) one.stop()
  await clock.advance(SECOND)
  await Promise.all([ada.over, bob.over])
})

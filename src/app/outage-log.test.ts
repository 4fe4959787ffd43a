import { expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import { MINUTE, SECOND } from '../model/index.ts'
import { QueueError, StoreError } from '../ports/index.ts'
import { createLog } from './log.ts'
import { createOutageLog } from './outage-log.ts'

const AWAY = new StoreError('no-access', 'the database server cannot be reached', 'See that it runs.', {
  isTransient: true,
})

function logged() {
  const clock = createSteppedClock(1_000_000)
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'text', now: clock.now, write: (line) => lines.push(line.slice(9)) })
  const outages = createOutageLog({ log, clock })
  let isWell = false
  outages.watch({ store: () => (isWell ? Promise.resolve() : Promise.reject(AWAY)) })
  return {
    clock,
    lines,
    outages,
    mend: () => {
      isWell = true
    },
  }
}

it('logs an outage of the store in one line, one a minute, and one when it is over', async () => {
  const { clock, lines, outages, mend } = logged()
  for (let n = 0; n < 100; n++) {
    if (n % 2) outages.mistake(AWAY, 'asking who leads')
    else outages.note({ kind: 'store-unavailable', at: clock.now(), error: AWAY })
    await clock.advance(SECOND)
  }
  mend()
  await clock.advance(10 * SECOND)
  expect(lines).toEqual([
    'error: the database server cannot be reached; no data is lost; retrying until it works. See that it runs.',
    'warn: the store has been unavailable for 1m; 61 attempts failed',
    'the store works again, after 1m42s (100 attempts failed)',
  ])
})

it('logs an outage of the queue likewise, and every internal error with its stack', async () => {
  const { clock, lines, outages } = logged()
  for (let n = 0; n < 5; n++) outages.mistake(new QueueError('NATS cannot be reached', 'See that it runs.'), 'sending')
  await clock.advance(MINUTE)
  outages.mistake(new TypeError('x is undefined'), 'reading a feed')
  outages.mistake(new TypeError('x is undefined'), 'reading a feed')
  expect(lines[0]).toBe('error: NATS cannot be reached. See that it runs.')
  expect(lines.filter((line) => line.includes('NATS'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('internal error while reading a feed'))).toHaveLength(2)
  outages.close()
})

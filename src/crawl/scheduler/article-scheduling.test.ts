import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type ArticleId, MINUTE, type Outcome } from '../../model/index.ts'
import { createPace } from '../../politeness/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createPageTurns } from './article-scheduling.ts'
import { createFlights } from './in-flight-tasks.ts'
import { createRedirectPace } from './redirect-pacing.ts'

const START = Date.UTC(2026, 0, 5, 8)

it('a root that does not answer rests longer after each outcome, however often an outcome is recorded', () => {
  const turns = createPageTurns({
    ...rolesOf(createMemoryStore()),
    clock: createSteppedClock(START),
    redirectPace: createRedirectPace(createPace({ gapMs: 0 })),
    hosts: { mayGo: () => undefined, recall: async () => {} },
    handBack: { owe: () => {}, settle: async () => {} },
    setAside: async () => {},
    flights: createFlights(),
    take: async () => [],
    send: async () => {},
    orRelease: (_, work) => work(),
    hands: () => 1,
  })
  const silent: Outcome = {
    task: { kind: 'article', articleId: 1 as ArticleId, url: address('https://a.example/1'), gapMs: 0 },
    at: START,
    tookMs: 1,
    bytes: 0,
    result: { kind: 'failed', failure: { kind: 'timeout' } },
  }
  const restMs = () => turns.lineDueAt(silent, START) - START
  turns.learn([silent])
  expect(Array.from({ length: 12 }, restMs)).toEqual(Array.from({ length: 12 }, () => MINUTE))
  turns.learn([silent])
  expect([restMs(), restMs()]).toEqual([2 * MINUTE, 2 * MINUTE])
  turns.learn([{ ...silent, result: { kind: 'failed', failure: { kind: 'http', status: 404 } } }])
  turns.learn([silent])
  expect(restMs()).toBe(MINUTE)
})

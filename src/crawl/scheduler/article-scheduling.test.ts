import { expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { type ArticleId, MINUTE, type Outcome } from '../../model/index.ts'
import { createHostQueue } from '../../politeness/index.ts'
import { rolesOf } from '../../ports/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { createArticleScheduling } from './article-scheduling.ts'
import { createInFlightTasks } from './in-flight-tasks.ts'
import { createRedirectPacing } from './redirect-pacing.ts'

const START = Date.UTC(2026, 0, 5, 8)

it('pauses a root that does not answer longer after each outcome, and counts an outcome once', () => {
  const turns = createArticleScheduling({
    ...rolesOf(createMemoryStore()),
    clock: createSteppedClock(START),
    redirectPacing: createRedirectPacing(createHostQueue({ gapMs: 0 })),
    hosts: { incidentWait: () => undefined, load: async () => {} },
    leaseReleaser: { addPending: () => {}, releasePending: async () => {} },
    quarantine: async () => {},
    inFlight: createInFlightTasks(),
    leaseDue: async () => [],
    send: async () => {},
    releaseOnFailure: (_, work) => work(),
    slots: () => 1,
  })
  const silent: Outcome = {
    task: { kind: 'article', articleId: 1 as ArticleId, url: address('https://a.example/1'), gapMs: 0 },
    at: START,
    tookMs: 1,
    bytes: 0,
    result: { kind: 'failed', failure: { kind: 'timeout' } },
  }
  const restMs = () => turns.articleQueueDueAt(silent, START) - START
  turns.learn([silent])
  expect(Array.from({ length: 12 }, restMs)).toEqual(Array.from({ length: 12 }, () => MINUTE))
  turns.learn([silent])
  expect([restMs(), restMs()]).toEqual([2 * MINUTE, 2 * MINUTE])
  turns.learn([{ ...silent, result: { kind: 'failed', failure: { kind: 'http', status: 404 } } }])
  turns.learn([silent])
  expect(restMs()).toBe(MINUTE)
})

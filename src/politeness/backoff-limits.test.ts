/** Upper limits of backoff without Retry-After: nothing is abandoned. */
import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, type Host, type HubSubscription } from '../model/index.ts'
import { answerHub, hostPauseAfter, newHubSubscription } from './index.ts'

const now = 1000 * DAY

it('pauses a host that answers 429 without Retry-After for at most a day', () => {
  let host: Host | undefined
  for (let n = 0; n < 30; n++) host = hostPauseAfter(host, 'a.example', { kind: 'http', status: 429 }, now, 0)
  expect(host).toMatchObject({ strikes: 30, notBeforeAt: now + DAY })
})

it('retries a hub that refuses after at most a month', () => {
  const hub = address('https://hub.example/')
  let subscription: HubSubscription = newHubSubscription(
    { feedId: 1 as FeedId, hub, topic: hub, token: 't', secret: 's' },
    now,
  )
  for (let n = 0; n < 30; n++) {
    const answer = answerHub(subscription, { 'hub.mode': 'denied', 'hub.topic': subscription.topic }, now, 0)
    if (answer.kind !== 'denied' || !answer.push) throw new Error('it is a refusal')
    subscription = answer.push
  }
  expect(subscription).toMatchObject({ failures: 30, dueAt: now + 30 * DAY })
})

/** Upper limits of backoff without Retry-After: nothing is abandoned. */
import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, type Host, type Push } from '../model/index.ts'
import { answerToHub, hostAfter, newPush } from './index.ts'

const now = 1000 * DAY

it('pauses a host that answers 429 without Retry-After for at most a day', () => {
  let host: Host | undefined
  for (let n = 0; n < 30; n++) host = hostAfter(host, 'a.example', { kind: 'http', status: 429 }, now, 0)
  expect(host).toMatchObject({ strikes: 30, notBeforeAt: now + DAY })
})

it('retries a hub that refuses after at most a month', () => {
  const hub = address('https://hub.example/')
  let push: Push = newPush({ feedId: 1 as FeedId, hub, topic: hub, token: 't', secret: 's' }, now)
  for (let n = 0; n < 30; n++) {
    const said = answerToHub(push, { 'hub.mode': 'denied', 'hub.topic': push.topic }, now, 0)
    if (said.kind !== 'denied' || !said.push) throw new Error('it is a refusal')
    push = said.push
  }
  expect(push).toMatchObject({ failures: 30, dueAt: now + 30 * DAY })
})

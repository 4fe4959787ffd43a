/** How long we stay away at most where nobody names a date: what is asked ever more seldom is never given up. */
import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, type Host, type Push } from '../model/index.ts'
import { answerToHub, hostAfter, newPush } from './index.ts'

const now = 1000 * DAY

it('a host that says 429 without a date rests for a day at most', () => {
  let host: Host | undefined
  for (let n = 0; n < 30; n++) host = hostAfter(host, 'a.example', { kind: 'http', status: 429 }, now, 0)
  expect(host).toMatchObject({ strikes: 30, notBeforeAt: now + DAY })
})

it('a hub that refuses is asked again after a month at the latest', () => {
  const hub = address('https://hub.example/')
  let push: Push = newPush({ feedId: 1 as FeedId, hub, topic: hub, token: 't', secret: 's' }, now)
  for (let n = 0; n < 30; n++) {
    const said = answerToHub(push, { 'hub.mode': 'denied', 'hub.topic': push.topic }, now, 0)
    if (said.kind !== 'denied' || !said.push) throw new Error('it is a refusal')
    push = said.push
  }
  expect(push).toMatchObject({ failures: 30, dueAt: now + 30 * DAY })
})

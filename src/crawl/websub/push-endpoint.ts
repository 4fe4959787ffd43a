/**
 * Where hubs come in, in a process that crawls nothing: whoever owns the hub's bucket answers whether a subscription was meant, and
 * what a hub brings is acknowledged once the queue keeps it for that owner.
 */
import { bucketOf, type Push } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import type { Catalogue, Clock, Fleet, KeepPushed, Ledger } from '../../ports/index.ts'
import type { PushAnswer, PushReceiver } from '../crawler.ts'
import { createPushIntake } from './receive-push.ts'

export interface PushDoorParts {
  ledger: Pick<Ledger, 'pushByToken'>
  catalogue: Pick<Catalogue, 'feedsById'>
  clock: Clock
  fleet: Pick<Fleet, 'ask'>
  keepPushed: KeepPushed
}

export function createPushDoor({ ledger, catalogue, clock, fleet, keepPushed }: PushDoorParts): PushReceiver {
  const takeIn = createPushIntake(clock)
  const bucketOfPush = ({ bucket, hub }: Push) => bucket ?? bucketOf(rootOf(hub))

  return {
    async confirm(token, query) {
      const push = await ledger.pushByToken(token)
      if (!push) return { status: 404 }
      try {
        return (await fleet.ask(bucketOfPush(push), { kind: 'confirm', token, query })) as PushAnswer
      } catch {
        return { status: 503 } // it changes hands; the hub asks again, or we do
      }
    },
    async receive(token, brought) {
      const push = await ledger.pushByToken(token)
      const [held] = push ? await catalogue.feedsById([push.feedId]) : []
      if (!push || push.state === 'ending' || held?.feed.state !== 'active') return { status: 410 }
      const taken = await takeIn(token, brought, push.secret)
      if (taken.kind === 'not-now') return { status: 503 }
      if (taken.kind === 'unsigned') return { status: 202 } // as WebSub asks (8): who tries to guess the secret learns nothing
      try {
        await keepPushed({ token, bucket: bucketOfPush(push), headers: brought.headers, body: taken.body })
        return { status: 202 }
      } catch {
        return { status: 503 }
      } finally {
        taken.letGo()
      }
    },
  }
}

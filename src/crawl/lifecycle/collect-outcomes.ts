/** Takes outcomes and forwarded pushes from the queue, for as long as this controller's claim on its buckets is valid. */
import { type ControllerQueue, NotOwnerError } from '../../ports/index.ts'
import type { BucketOwner } from '../fleet/bucket-owner.ts'
import type { FleetMembership } from '../fleet/fleet-membership.ts'
import type { Controller } from '../scheduler/controller.ts'
import type { BackgroundLoop } from './background-loop.ts'
import type { MainLoop } from './main-loop.ts'

export interface CollectParts {
  queue: ControllerQueue
  owner: BucketOwner | undefined
  membership: FleetMembership | undefined
  controller: Controller
  loop: MainLoop
  backgroundLoop: Pick<BackgroundLoop, 'notify'>
  reportError: (error: unknown, doing: string) => void
}

export function collectOutcomes(parts: CollectParts): void {
  const { queue, owner, membership, controller, loop, backgroundLoop, reportError } = parts
  queue.collect(
    async (outcomes) => {
      if (owner && !owner.isClaimValid()) throw new NotOwnerError()
      membership?.fetcherStatus.noteOutcomes(outcomes)
      try {
        await controller.apply(outcomes)
      } catch (error) {
        reportError(error, `applying ${outcomes.length} outcomes`)
      }
      loop.wake()
      backgroundLoop.notify()
    },
    async (pushed) => {
      if (owner && !owner.isClaimValid()) throw new NotOwnerError()
      await controller.applyForwardedPush?.(pushed)
    },
  )
}

/** Destinations and sends in JSON. */
import type { DestinationShape, SendAttemptShape, SendShape } from '../../api/index.ts'
import type { Destination, SendAttempt, SendJob } from '../../model/index.ts'
import { isoDate, omitUndefined } from './values.ts'

export function destinationShape({ id, name, preset, fields, secrets = {}, addedAt }: Destination): DestinationShape {
  return { id, name, preset, fields, secretFields: Object.keys(secrets), addedAt: isoDate(addedAt) }
}

export function attemptShape({ at, status, trouble }: SendAttempt): SendAttemptShape {
  return { at: isoDate(at), ...omitUndefined({ status, trouble }) }
}

/** `title`: of the entry, if the user sees it. */
export function sendShape(job: SendJob, title: string | undefined): SendShape {
  const { entryId, destinationId, state, queuedAt, dueAt, failures, last } = job
  return {
    id: `${entryId}-${destinationId}`,
    entryId,
    destinationId,
    state,
    queuedAt: isoDate(queuedAt),
    failures,
    ...omitUndefined({ title, last: last && attemptShape(last) }),
    ...(state === 'waiting' && { dueAt: isoDate(dueAt) }),
  }
}

/** The JSON shapes of a crawl's activity and of hosts. */
import type { ActivityShape, HostShape, KnownHostShape } from '../../api/index.ts'
import type { Activity } from '../../crawl/index.ts'
import type { Host, Instant } from '../../model/index.ts'
import type { Refusal } from '../../ports/index.ts'
import { troubleShape } from './trouble.ts'
import { isoDate, omitUndefined } from './values.ts'

const MAX_TASKS = 50

export function activityShape(activity: Activity): ActivityShape {
  const { startedAt, inFlight, totals, internalErrors, refusal, queueRefusal } = activity
  const refusals = [refusalShape('store', refusal), refusalShape('queue', queueRefusal)].flat()
  const tasks = inFlight.toSorted((a, b) => a.sinceAt - b.sinceAt).slice(0, MAX_TASKS)
  return {
    startedAt: isoDate(startedAt),
    inFlight: inFlight.length,
    tasks: tasks.map(({ kind, url, sinceAt }) => ({ kind, url, since: isoDate(sinceAt) })),
    totals,
    internalErrors: internalErrors.map(({ at, words }) => ({ at: isoDate(at), words })),
    ...(refusals.length > 0 && { refusals }),
  }
}

function refusalShape(of: 'store' | 'queue', refusal: Refusal | undefined): NonNullable<ActivityShape['refusals']> {
  return refusal ? [{ of, since: isoDate(refusal.sinceAt), words: refusal.message, hint: refusal.hint }] : []
}

export function hostShape({ root, notBeforeAt, strikes, trouble }: Host): HostShape {
  return { root, notBeforeAt: isoDate(notBeforeAt), strikes, ...omitUndefined({ trouble: troubleShape(trouble) }) }
}

/** Everything known about a host, without anything that has expired. */
export function knownHostShape(host: Host, now: Instant): KnownHostShape {
  const { root, notBeforeAt, strikes, trouble, adaptiveGap, crawlDelay, incident } = host
  return {
    root,
    strikes,
    ...(notBeforeAt > now && { backingOffUntil: isoDate(notBeforeAt) }),
    ...omitUndefined({ trouble: troubleShape(trouble) }),
    ...(adaptiveGap && adaptiveGap.factor !== 1 && { gapFactor: adaptiveGap.factor }),
    ...(crawlDelay &&
      crawlDelay.until > now && {
        crawlDelay: { ms: crawlDelay.ms, origin: crawlDelay.origin, until: isoDate(crawlDelay.until) },
      }),
    ...(incident && {
      incident: {
        state: incident.state,
        sign: incident.sign,
        since: isoDate(incident.sinceAt),
        canaries: incident.canaries,
      },
    }),
  }
}

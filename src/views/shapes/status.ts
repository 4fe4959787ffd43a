/** How it stands as our JSON has it: of a crawl that runs, and of a store that somebody looks into. */
import type { ActivityShape, HostShape, KnownHostShape } from '../../api/index.ts'
import type { Activity } from '../../crawl/index.ts'
import type { Host, Instant } from '../../model/index.ts'
import type { Refusal } from '../../ports/index.ts'
import { troubleShape } from './trouble.ts'
import { isoDate, omitUndefined } from './values.ts'

const MOST_TASKS = 50

export function activityShape(activity: Activity): ActivityShape {
  const { startedAt, underWay, totals, mistakes, refusal, queueRefusal } = activity
  const refusals = [refusalShape('store', refusal), refusalShape('queue', queueRefusal)].flat()
  const tasks = underWay.toSorted((a, b) => a.sinceAt - b.sinceAt).slice(0, MOST_TASKS)
  return {
    startedAt: isoDate(startedAt),
    underWay: underWay.length,
    tasks: tasks.map(({ kind, url, sinceAt }) => ({ kind, url, since: isoDate(sinceAt) })),
    totals,
    mistakes: mistakes.map(({ at, words }) => ({ at: isoDate(at), words })),
    ...(refusals.length > 0 && { refusals }),
  }
}

function refusalShape(of: 'store' | 'queue', refusal: Refusal | undefined): NonNullable<ActivityShape['refusals']> {
  return refusal ? [{ of, since: isoDate(refusal.sinceAt), words: refusal.words, hint: refusal.hint }] : []
}

export function hostShape({ root, notBeforeAt, strikes, trouble }: Host): HostShape {
  return { root, notBeforeAt: isoDate(notBeforeAt), strikes, ...omitUndefined({ trouble: troubleShape(trouble) }) }
}

/** All that is known of a host; of what is over nothing is told. */
export function knownHostShape(host: Host, now: Instant): KnownHostShape {
  const { root, notBeforeAt, strikes, trouble, adaptiveGap, crawlDelay, incident } = host
  return {
    root,
    strikes,
    ...(notBeforeAt > now && { restsUntil: isoDate(notBeforeAt) }),
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

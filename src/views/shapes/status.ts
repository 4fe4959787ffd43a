/** How it stands as our JSON has it: of a crawl that runs, and of a store that somebody looks into. */
import type { ActivityShape, HostShape, KnownHostShape } from '../../api/index.ts'
import type { Activity } from '../../crawl/index.ts'
import type { Host, Instant } from '../../model/index.ts'
import type { Refusal } from '../../ports/index.ts'
import { iso, present } from './present.ts'
import { troubleShape } from './trouble.ts'

const MOST_TASKS = 50

export function activityShape(activity: Activity): ActivityShape {
  const { startedAt, underWay, totals, mistakes, refusal, queueRefusal } = activity
  const refusals = [refusalShape('store', refusal), refusalShape('queue', queueRefusal)].flat()
  const tasks = underWay.toSorted((a, b) => a.sinceAt - b.sinceAt).slice(0, MOST_TASKS)
  return {
    startedAt: iso(startedAt),
    underWay: underWay.length,
    tasks: tasks.map(({ kind, url, sinceAt }) => ({ kind, url, since: iso(sinceAt) })),
    totals,
    mistakes: mistakes.map(({ at, words }) => ({ at: iso(at), words })),
    ...(refusals.length > 0 && { refusals }),
  }
}

function refusalShape(of: 'store' | 'queue', refusal: Refusal | undefined): NonNullable<ActivityShape['refusals']> {
  return refusal ? [{ of, since: iso(refusal.sinceAt), words: refusal.words, hint: refusal.hint }] : []
}

export function hostShape({ root, notBeforeAt, strikes, trouble }: Host): HostShape {
  return { root, notBeforeAt: iso(notBeforeAt), strikes, ...present({ trouble: troubleShape(trouble) }) }
}

/** All that is known of a host; of what is over nothing is told. */
export function knownHostShape(host: Host, now: Instant): KnownHostShape {
  const { root, notBeforeAt, strikes, trouble, adaptiveGap, crawlDelay, incident } = host
  return {
    root,
    strikes,
    ...(notBeforeAt > now && { restsUntil: iso(notBeforeAt) }),
    ...present({ trouble: troubleShape(trouble) }),
    ...(adaptiveGap && adaptiveGap.factor !== 1 && { gapFactor: adaptiveGap.factor }),
    ...(crawlDelay &&
      crawlDelay.until > now && {
        crawlDelay: { ms: crawlDelay.ms, origin: crawlDelay.origin, until: iso(crawlDelay.until) },
      }),
    ...(incident && {
      incident: {
        state: incident.state,
        sign: incident.sign,
        since: iso(incident.sinceAt),
        canaries: incident.canaries,
      },
    }),
  }
}

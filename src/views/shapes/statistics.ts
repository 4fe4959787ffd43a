/** The JSON shape of statistics: entries, and the share of copies among them. */
import type { StatisticsShape } from '../../api/index.ts'
import type { Failure, Instant, Statistics } from '../../model/index.ts'
import { troubleShape } from './trouble.ts'
import { isoDate, omitUndefined } from './values.ts'

export function statisticsShape(
  { byFeed, byHour, failures, failureTexts, series, discovery, ...all }: Statistics,
  since: Instant,
  titleOf: (feedId: number) => string | undefined,
): StatisticsShape {
  return {
    since: isoDate(since),
    ...withShare(all),
    byFeed: byFeed.map((feed) => ({ ...withShare(feed), ...omitUndefined({ feedTitle: titleOf(feed.feedId) }) })),
    byHour: byHour.map(withShare),
    failureTexts: failureTexts.map(({ count, ...failure }) => ({ ...troubleShape(failure as Failure), count })),
    discovery: { ...discovery, foundBy: { ...(discovery.foundBy as Record<string, number>) } },
    series: series.map(({ at, ...hour }) => ({ at: isoDate(at), ...hour })),
    failures: failures.map(({ count, ...failure }) => ({ ...troubleShape(failure as Failure), count })),
  }
}

function withShare<Counted extends { entries: number; copies: number }>(counted: Counted): Counted & { share: number } {
  return { ...counted, share: counted.entries === 0 ? 0 : counted.copies / counted.entries }
}

/** Draws the plots of the report from the results, into a box. */
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import type { BudgetFindings, Findings, Point } from '../findings.ts'
import type { PendingFindings, Timeliness } from '../paper-experiments.ts'
import {
  acrossOf,
  type ChartBox,
  chart,
  chartLine,
  dot,
  type End,
  endLabels,
  linear,
  logarithmic,
  round,
  series,
  upOf,
} from './chart.ts'
import { escapedForReport, evenNumbers, namedTimes, roundNumber, roundNumbers, shownDelay } from './markup.ts'
import type { Palette } from './palette.ts'

/** Delay against polls: lower and further left is better. */
export function frontierPlot(findings: Findings, by: 'item' | 'feed', palette: Palette, box: ChartBox): string {
  const { oracle, today } = findings
  const frontier = nearBudgets(findings)
  const delayOf = (point: Point) => (by === 'item' ? point.itemDelayMs : (point.feedDelayMs ?? 0))
  const asItWas = today && today.score.items > 0 ? todaysPoint(findings) : undefined
  const points = [...frontier.flatMap((line) => line.points), ...(asItWas ? [asItWas] : [])]
  const polls = points.map(({ pollsPerDay }) => pollsPerDay).filter((n) => n > 0)
  const delays = points.map(delayOf).filter((ms) => ms > 0)
  if (polls.length === 0 || delays.length === 0) return ''
  const x = logarithmic(Math.min(...polls) / 1.15, Math.max(...polls) * 1.15, ...acrossOf(box))
  const y = logarithmic(Math.max(SECOND, Math.min(...delays) / 2), Math.max(...delays) * 1.3, ...upOf(box))
  const positionOf = (point: Point): [number, number] => [x.at(point.pollsPerDay), y.at(delayOf(point))]
  const labelOf = (name: string, point: Point) =>
    `${name}: ${roundNumber(point.pollsPerDay)} polls a day, ${shownDelay(delayOf(point))} per ${by}`

  const curves = frontier.map(({ strategy, points: all }) => {
    const dots = all.map((point) =>
      point.own
        ? dot(positionOf(point), `${labelOf(strategy, point)}, at its own pace`, 'ring')
        : dot(positionOf(point), labelOf(strategy, point)),
    )
    return series(strategy, palette.number(strategy), chartLine(all.map(positionOf)) + dots.join(''))
  })
  const todayMark = asItWas
    ? `<g class="today">${dot(positionOf(asItWas), labelOf('as it was', asItWas), 'ring')}</g>`
    : ''
  const ends = frontier.flatMap(({ strategy, points: all }) => {
    const last = all.at(-1)
    return last ? [endOf(strategy, positionOf(last), palette)] : []
  })
  const bound = by === 'item' ? oracle.filter(({ itemDelayMs }) => itemDelayMs >= y.from).map(positionOf) : []
  return chart(
    box,
    { scale: x, ticks: roundNumbers(x.from, x.to), title: 'polls a day' },
    { scale: y, ticks: namedTimes(y.from, y.to), title: `mean delay per ${by}` },
    shade(bound, upOf(box)[0]) + curves.join('') + todayMark + endLabels(ends, box, palette.name),
    `Delay per ${by} against polls a day`,
  )
}

/** Excludes runs far away from the budgets, which would compress the plot. */
function nearBudgets({ frontier, budgets }: Findings): Findings['frontier'] {
  const polls = budgets.map(({ pollsPerDay }) => pollsPerDay)
  if (polls.length === 0) return frontier
  const [fewest, most] = [Math.min(...polls) / FAR, Math.max(...polls) * FAR]
  const isNear = ({ pollsPerDay, own }: Point) => own || (pollsPerDay >= fewest && pollsPerDay <= most)
  return frontier.map(({ strategy, points }) => ({ strategy, points: points.filter(isNear) }))
}

const FAR = 4

function todaysPoint({ today, protocol }: Findings): Point | undefined {
  return (
    today && {
      pollsPerDay: today.score.polls / daysOf({ protocol }),
      itemDelayMs: today.score.byPolls.delayMs,
      feedDelayMs: today.score.byFeeds.delayMs,
    }
  )
}

/** The region that no strategy can reach. */
function shade(bound: [number, number][], bottom: number): string {
  const [first, last] = [bound[0], bound.at(-1)]
  if (!first || !last || first === last) return ''
  const along = bound.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')
  return `<path class="bound" d="M${along}L${round(last[0])} ${bottom}H${round(first[0])}Z"><title>an oracle that knows the future</title></path>`
}

/** Share of the entries found within a time. */
export function delaysPlot(budget: BudgetFindings, endsMs: Millis[], palette: Palette, box: ChartBox): string {
  const x = logarithmic(10 * SECOND, 10 * DAY, ...acrossOf(box))
  const y = linear(0, 1, ...upOf(box))
  const ends: End[] = []
  const curves = budget.rows.map(({ strategy, delays }) => {
    const total = delays.reduce((sum, n) => sum + n, 0) || 1
    let within = 0
    let withinHour = 0
    const points: [number, number][] = []
    for (const [bin, n] of delays.entries()) {
      within += n
      const ms = endsMs[bin] ?? 0
      if (ms <= HOUR) withinHour = within
      if (ms >= x.from && ms <= x.to) points.push([x.at(ms), y.at(within / total)])
    }
    // All lines end at the top; labels point to the lines at one hour.
    ends.push(endOf(strategy, [x.at(HOUR), y.at(withinHour / total)], palette))
    const words = `${strategy}: ${((100 * withinHour) / total).toFixed(0)} % within an hour`
    return series(strategy, palette.number(strategy), `${chartLine(points)}<title>${escapedForReport(words)}</title>`)
  })
  return chart(
    box,
    { scale: x, ticks: namedTimes(x.from, x.to), title: 'known within this time of publication' },
    {
      scale: y,
      ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: `${100 * value} %` })),
      title: 'share of entries',
    },
    curves.join('') + endLabels(ends, box, palette.name),
    'Share of entries that were known within a time',
  )
}

/** Pending articles by hour of day (Adam et al. 2010, figures 6 and 7). */
export function pendingPlot(
  { rows }: PendingFindings,
  which: 'total' | 'worst',
  palette: Palette,
  box: ChartBox,
): string {
  const x = linear(0, 23, ...acrossOf(box))
  const y = linear(0, 1.08 * Math.max(1, ...rows.flatMap((row) => row[which])), ...upOf(box))
  const curves = rows.map((row) => {
    const points = row[which].map((pending, hour): [number, number] => [x.at(hour), y.at(pending)])
    const dots = points.map((at, hour) => dot(at, `${row.strategy}: ${row[which][hour]?.toFixed(1)} at ${hour}:00 UTC`))
    return series(row.strategy, palette.number(row.strategy), chartLine(points) + dots.join(''))
  })
  const ends = rows.map((row) => endOf(row.strategy, [x.at(23), y.at(row[which][23] ?? 0)], palette))
  return chart(
    box,
    {
      scale: x,
      ticks: [0, 4, 8, 12, 16, 20].map((value) => ({ value, label: `${value}:00` })),
      title: 'hour of day, UTC',
    },
    {
      scale: y,
      ticks: evenNumbers(y.to),
      title: `articles pending in ${which === 'total' ? 'all sources' : 'the worst source'}`,
    },
    curves.join('') + endLabels(ends, box, palette.name),
    `Pending articles by hour, ${which}`,
  )
}

/** The delay at the first finds (Urbansky et al. 2011, figure 3). */
export function timelinessPlot(
  curves: { strategy: string; curve: Timeliness }[],
  palette: Palette,
  box: ChartBox,
): string {
  const smooth = curves
    .map(({ strategy, curve }) => ({ strategy, delays: smoothed(curve) }))
    .filter(({ delays }) => delays.length > 1)
  const all = smooth.flatMap(({ delays }) => delays).filter((ms) => ms > 0)
  if (all.length === 0) return ''
  const x = linear(1, Math.max(...smooth.map(({ delays }) => delays.length)), ...acrossOf(box))
  const y = logarithmic(Math.max(SECOND, Math.min(...all) / 1.3), Math.max(...all) * 1.3, ...upOf(box))
  const lines = smooth.map(({ strategy, delays }) => {
    const points = delays.map((ms, i): [number, number] => [x.at(i + 1), y.at(ms)])
    return series(
      strategy,
      palette.number(strategy),
      `${chartLine(points)}<title>${escapedForReport(strategy)}</title>`,
    )
  })
  const ends = smooth.map(({ strategy, delays }) =>
    endOf(strategy, [x.at(delays.length), y.at(delays.at(-1) ?? 0)], palette),
  )
  return chart(
    box,
    { scale: x, ticks: evenNumbers(x.to), title: 'polls that found something' },
    { scale: y, ticks: namedTimes(y.from, y.to), title: 'mean delay' },
    lines.join('') + endLabels(ends, box, palette.name),
    'Delay at the first finds',
  )
}

const SMOOTHED_OVER = 9

function smoothed({ delayMs }: Timeliness): Millis[] {
  return delayMs.map((_, i) => {
    const neighbors = delayMs.slice(Math.max(0, i - SMOOTHED_OVER), i + SMOOTHED_OVER + 1)
    return neighbors.reduce((sum, ms) => sum + ms, 0) / neighbors.length
  })
}

/** The price of a poll set by the market. */
export function pricesPlot(
  { online }: BudgetFindings,
  { startAt, endAt }: Findings['protocol'],
  palette: Palette,
  box: ChartBox,
): string {
  const prices = online.flatMap((row) => row.prices.map(({ price }) => price)).filter((price) => price > 0)
  if (prices.length === 0) return ''
  const x = linear(0, (endAt - startAt) / DAY, ...acrossOf(box))
  const y = logarithmic(Math.min(...prices) / 1.3, Math.max(...prices) * 1.3, ...upOf(box))
  const curves = online.map(({ strategy, prices: all }) => {
    const points = all.map(({ at, price }): [number, number] => [x.at((at - startAt) / DAY), y.at(price)])
    return series(
      strategy,
      palette.number(strategy),
      `${chartLine(points)}<title>${escapedForReport(strategy)}</title>`,
    )
  })
  const ends = online.map(({ strategy, prices: all }) =>
    endOf(strategy, [acrossOf(box)[1], y.at(all.at(-1)?.price ?? MINUTE)], palette),
  )
  return chart(
    box,
    { scale: x, ticks: evenNumbers(x.to), title: 'days since the first poll' },
    { scale: y, ticks: namedTimes(y.from, y.to), title: 'price of a poll' },
    curves.join('') + endLabels(ends, box, palette.name),
    'The price of a poll over time',
  )
}

export function daysOf({ protocol }: Pick<Findings, 'protocol'>): number {
  return (protocol.endAt - protocol.scoreAt) / DAY
}

function endOf(strategy: string, [x, y]: [number, number], palette: Palette): End {
  return { x, y, strategy, number: palette.number(strategy) }
}

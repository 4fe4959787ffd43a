/** The plots of the report, each from what was found. `number` gives a strategy its colour. */
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import type { BudgetFindings, Findings, Point } from '../findings.ts'
import type { HeatMap, PendingFindings, Timeliness } from '../papers.ts'
import {
  acrossOf,
  BOX,
  type Box,
  chart,
  dot,
  endLabels,
  line,
  linear,
  logarithmic,
  round,
  series,
  upOf,
} from './chart.ts'
import { escaped, namedTimes, roundNumbers, shownDelay, whole } from './markup.ts'

export type NumberOf = (strategy: string) => number

/** Delay against polls: the lower and the further left, the better. */
export function frontierPlot(findings: Findings, by: 'item' | 'feed', number: NumberOf): string {
  const { frontier, oracle, today } = findings
  const delayOf = (point: Point) => (by === 'item' ? point.itemDelayMs : (point.feedDelayMs ?? 0))
  const points = frontier.flatMap((one) => one.points)
  const polls = points.map(({ pollsPerDay }) => pollsPerDay).filter((n) => n > 0)
  const delays = points.map(delayOf).filter((ms) => ms > 0)
  if (polls.length === 0 || delays.length === 0) return ''
  const x = logarithmic(Math.min(...polls) / 1.15, Math.max(...polls) * 1.15, ...acrossOf(BOX))
  const y = logarithmic(Math.max(SECOND, Math.min(...delays) / 2), Math.max(...delays) * 1.3, ...upOf(BOX))
  const place = (point: Point): [number, number] => [x.at(point.pollsPerDay), y.at(delayOf(point))]
  const words = (name: string, point: Point) =>
    `${name}: ${whole(point.pollsPerDay)} polls a day, ${shownDelay(delayOf(point))} per ${by}`

  const bound = by === 'item' ? oracle.filter(({ itemDelayMs }) => itemDelayMs >= y.from) : []
  const curves = frontier.map(({ strategy, points: all }) =>
    series(
      strategy,
      number(strategy),
      line(all.map(place)) +
        all.map((point) => dot(place(point), words(strategy, point))).join('') +
        all
          .filter(({ own }) => own)
          .map((point) => dot(place(point), `${words(strategy, point)}, at its own pace`, 'ring'))
          .join(''),
    ),
  )
  const asItWas =
    today && today.score.items > 0
      ? `<g class="today">${dot(place({ pollsPerDay: today.score.polls / daysOf(findings), itemDelayMs: today.score.byPolls.delayMs, feedDelayMs: today.score.byFeeds.delayMs }), 'as it was', 'ring')}</g>`
      : ''
  const ends = frontier.flatMap(({ strategy, points: all }) => {
    const last = all.at(-1)
    return last ? [{ x: x.at(last.pollsPerDay), y: y.at(delayOf(last)), strategy, number: number(strategy) }] : []
  })
  const shade =
    bound.length > 1
      ? `<path class="bound" d="M${bound.map((point) => place(point).map(round).join(' ')).join('L')}L${round(x.at(bound.at(-1)?.pollsPerDay ?? 1))} ${upOf(BOX)[0]}H${round(x.at(bound[0]?.pollsPerDay ?? 1))}Z"><title>no strategy can be here: the oracle, which knows the future</title></path>`
      : ''
  return chart(
    BOX,
    { scale: x, ticks: roundNumbers(x.from, x.to), title: 'polls a day' },
    { scale: y, ticks: namedTimes(y.from, y.to), title: `mean delay per ${by}` },
    shade + curves.join('') + asItWas + endLabels(ends, BOX),
    `Delay per ${by} against polls a day`,
  )
}

/** Which share of the entries was here how soon. */
export function delaysPlot(budget: BudgetFindings, endsMs: Millis[], number: NumberOf): string {
  const x = logarithmic(10 * SECOND, 10 * DAY, ...acrossOf(BOX))
  const y = linear(0, 1, ...upOf(BOX))
  const ends: Parameters<typeof endLabels>[0] = []
  const curves = budget.rows.map(({ strategy, delays }) => {
    const total = delays.reduce((sum, n) => sum + n, 0) || 1
    let sum = 0
    const points = delays.flatMap((n, bin): [number, number][] => {
      sum += n
      const ms = endsMs[bin] ?? 0
      return ms >= x.from && ms <= x.to ? [[x.at(ms), y.at(sum / total)]] : []
    })
    const hour = points.length > 0 ? shareWithin(delays, endsMs, HOUR) / total : 0
    // Labels stand at the right, but lines meet there: they are sorted by the share within an hour.
    ends.push({ x: 0, y: y.at(hour), strategy, number: number(strategy) })
    return series(
      strategy,
      number(strategy),
      `${line(points)}<title>${escaped(strategy)}: ${(100 * hour).toFixed(0)} % within an hour</title>`,
    )
  })
  return chart(
    BOX,
    { scale: x, ticks: namedTimes(x.from, x.to), title: 'known within this time of publication' },
    {
      scale: y,
      ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: `${100 * value} %` })),
      title: 'share of entries',
    },
    curves.join('') + endLabels(ends, BOX),
    'Share of entries that were known within a time',
  )
}

function shareWithin(delays: number[], endsMs: Millis[], ms: Millis): number {
  return delays.reduce((sum, n, bin) => sum + ((endsMs[bin] ?? 0) <= ms ? n : 0), 0)
}

/** What waits to be retrieved, by hour of day (Adam et al. 2010, figures 6 and 7). */
export function pendingPlot({ rows }: PendingFindings, which: 'total' | 'worst', number: NumberOf): string {
  const most = Math.max(1, ...rows.flatMap((row) => row[which]))
  const x = linear(0, 23, ...acrossOf(BOX))
  const y = linear(0, most * 1.08, ...upOf(BOX))
  const curves = rows.map((row) =>
    series(
      row.strategy,
      number(row.strategy),
      line(row[which].map((pending, hour) => [x.at(hour), y.at(pending)])) +
        row[which]
          .map((pending, hour) =>
            dot([x.at(hour), y.at(pending)], `${row.strategy}: ${pending.toFixed(1)} at ${hour}:00 UTC`),
          )
          .join(''),
    ),
  )
  const ends = rows.map((row) => ({
    x: x.at(23),
    y: y.at(row[which][23] ?? 0),
    strategy: row.strategy,
    number: number(row.strategy),
  }))
  return chart(
    BOX,
    {
      scale: x,
      ticks: [0, 4, 8, 12, 16, 20, 23].map((value) => ({ value, label: `${value}:00` })),
      title: 'hour of day, UTC',
    },
    {
      scale: y,
      ticks: [0, ...roundNumbers(most / 20, most * 1.08).map(({ value }) => value)].map((value) => ({
        value,
        label: String(value),
      })),
      title: which === 'total' ? 'pending in all sources' : 'pending in the worst source',
    },
    curves.join('') + endLabels(ends, BOX),
    `Pending articles by hour, ${which}`,
  )
}

/** The delay at the first finds (Urbansky et al. 2011, figure 3). */
export function timelinessPlot(curves: { strategy: string; curve: Timeliness }[], number: NumberOf): string {
  const smooth = curves
    .map(({ strategy, curve }) => ({ strategy, delays: smoothed(curve) }))
    .filter(({ delays }) => delays.length > 1)
  if (smooth.length === 0) return ''
  const all = smooth.flatMap(({ delays }) => delays).filter((ms) => ms > 0)
  const most = Math.max(...smooth.map(({ delays }) => delays.length))
  const x = linear(1, most, ...acrossOf(BOX))
  const y = logarithmic(Math.max(SECOND, Math.min(...all) / 1.3), Math.max(...all) * 1.3, ...upOf(BOX))
  const lines = smooth.map(({ strategy, delays }) =>
    series(
      strategy,
      number(strategy),
      `${line(delays.map((ms, i) => [x.at(i + 1), y.at(ms)]))}<title>${escaped(strategy)}</title>`,
    ),
  )
  const ends = smooth.map(({ strategy, delays }) => ({
    x: x.at(delays.length),
    y: y.at(delays.at(-1) ?? 0),
    strategy,
    number: number(strategy),
  }))
  return chart(
    BOX,
    {
      scale: x,
      ticks: [1, 50, 100, 150, 200, 250, 300]
        .map((value) => ({ value, label: String(value) }))
        .filter(({ value }) => value <= most),
      title: 'polls that found something',
    },
    { scale: y, ticks: namedTimes(y.from, y.to), title: 'mean delay' },
    lines.join('') + endLabels(ends, BOX),
    'Delay at the first finds',
  )
}

const SMOOTHED_OVER = 9

function smoothed({ delayMs }: Timeliness): Millis[] {
  return delayMs.map((_, i) => {
    const near = delayMs.slice(Math.max(0, i - SMOOTHED_OVER), i + SMOOTHED_OVER + 1)
    return near.reduce((sum, ms) => sum + ms, 0) / near.length
  })
}

const SQUARE: Box = { width: 330, height: 330, left: 54, right: 8, top: 8, bottom: 44 }

/** Predicted against real intervals (Urbansky et al. 2011, figure 4): on the diagonal a strategy is right. */
export function heatPlot({ edgesMs, cells }: HeatMap, strategy: string): string {
  const from = edgesMs[0] ?? MINUTE
  const to = edgesMs.at(-1) ?? DAY
  const x = logarithmic(from, to, ...acrossOf(SQUARE))
  const y = logarithmic(from, to, ...upOf(SQUARE))
  const most = Math.log1p(Math.max(1, ...cells.flat()))
  const squares = cells.flatMap((row, predicted) =>
    row.flatMap((feeds, real) => {
      if (feeds === 0) return []
      const [left, right] = [x.at(edgesMs[real] ?? from), x.at(edgesMs[real + 1] ?? to)]
      const [bottom, top] = [y.at(edgesMs[predicted] ?? from), y.at(edgesMs[predicted + 1] ?? to)]
      const heat = (0.15 + 0.85 * (Math.log1p(feeds) / most)).toFixed(2)
      const words = `${feeds} ${feeds === 1 ? 'feed' : 'feeds'}: an entry every ${shownDelay(edgesMs[real] ?? 0)}, polled every ${shownDelay(edgesMs[predicted] ?? 0)} or more`
      return [
        `<rect x="${round(left)}" y="${round(top)}" width="${round(right - left)}" height="${round(bottom - top)}" fill-opacity="${heat}"><title>${words}</title></rect>`,
      ]
    }),
  )
  const diagonal = `<path class="diagonal" d="M${x.at(from)} ${y.at(from)}L${x.at(to)} ${y.at(to)}"/>`
  const ticks = namedTimes(from, to).filter(({ value }) =>
    [5 * MINUTE, HOUR, 12 * HOUR, 3 * DAY, 30 * DAY].includes(value),
  )
  return chart(
    SQUARE,
    { scale: x, ticks, title: 'real interval' },
    { scale: y, ticks, title: 'predicted' },
    `<g class="heat">${squares.join('')}</g>${diagonal}`,
    `Predicted against real intervals, ${strategy}`,
  )
}

const LOW: Box = { ...BOX, height: 220 }

/** The price of a poll as the market found it. */
export function pricesPlot(
  { online }: BudgetFindings,
  { startAt, endAt }: Findings['protocol'],
  number: NumberOf,
): string {
  const prices = online.flatMap((row) => row.prices.map(({ price }) => price)).filter((price) => price > 0)
  if (prices.length === 0) return ''
  const x = linear(0, (endAt - startAt) / DAY, ...acrossOf(LOW))
  const y = logarithmic(Math.min(...prices) / 1.3, Math.max(...prices) * 1.3, ...upOf(LOW))
  const place = ({ at, price }: { at: number; price: Millis }): [number, number] => [
    x.at((at - startAt) / DAY),
    y.at(price),
  ]
  const curves = online.map(({ strategy, prices: all }) =>
    series(strategy, number(strategy), `${line(all.map(place))}<title>${escaped(strategy)}</title>`),
  )
  const ends = online.map(({ strategy, prices: all }) => ({
    x: 0,
    y: y.at(all.at(-1)?.price ?? 1),
    strategy,
    number: number(strategy),
  }))
  const days = Array.from({ length: Math.floor(x.to / 7) + 1 }, (_, i) => ({ value: 7 * i, label: `day ${7 * i}` }))
  return chart(
    LOW,
    { scale: x, ticks: days, title: 'since the first poll' },
    { scale: y, ticks: namedTimes(y.from, y.to), title: 'price of a poll' },
    curves.join('') + endLabels(ends, LOW),
    'The price of a poll over time',
  )
}

export function daysOf({ protocol }: Findings): number {
  return (protocol.endAt - protocol.scoreAt) / DAY
}

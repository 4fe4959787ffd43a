/** Writes the tables of the report. The bar after a figure shows its share of the column's maximum. */
import { formatSize } from '../../model/index.ts'
import { type BudgetFindings, type Findings, knobInWords, listWeeks, type OnlineRow, type Row } from '../findings.ts'
import { FIRST_DAYS } from '../market-replay.ts'
import { escapedForReport, roundNumber, shownDelay, shownShare } from './markup.ts'
import type { Palette } from './palette.ts'
import { daysOf } from './plots.ts'

interface Column<R> {
  title: string
  of(row: R): string
  /** For a bar. */
  size?(row: R): number
}

/** Deviations from a weekly budget above 3% are highlighted. */
const TOLERANCE = 0.03

export function ownTable(findings: Findings, palette: Palette): string {
  const days = daysOf(findings)
  return table(findings.own, palette, (row) => (row.knob.kind === 'stretch' ? '' : '*'), [
    {
      title: 'delay by feeds',
      of: (row) => shownDelay(row.all.byFeeds.delayMs),
      size: (row) => row.all.byFeeds.delayMs,
    },
    { title: 'polls per item', of: (row) => row.all.byFeeds.pollsPerItem.toFixed(2) },
    { title: 'error', of: (row) => roundNumber(row.all.byFeeds.error) },
    {
      title: 'delay by polls',
      of: (row) => shownDelay(row.all.byPolls.delayMs),
      size: (row) => row.all.byPolls.delayMs,
    },
    { title: 'polls per item', of: (row) => row.all.byPolls.pollsPerItem.toFixed(2) },
    { title: 'error', of: (row) => roundNumber(row.all.byPolls.error) },
    { title: 'missed', of: (row) => roundNumber(row.all.missed) },
    { title: 'polls a day', of: (row) => roundNumber(row.all.polls / days), size: (row) => row.all.polls },
    { title: 'traffic a day', of: (row) => formatSize(Math.round(row.all.bytes / days)) },
  ])
}

export function budgetTable({ rows }: BudgetFindings, { traces, protocol }: Findings, palette: Palette): string {
  const isFiltered = traces.known < traces.feeds
  const sorted = rows.toSorted((a, b) => a.all.byPolls.delayMs - b.all.byPolls.delayMs)
  return table(sorted, palette, (row) => (row.met ? '' : '!'), [
    {
      title: 'delay per item',
      of: (row) => shownDelay(row.all.byPolls.delayMs),
      size: (row) => row.all.byPolls.delayMs,
    },
    { title: 'per feed', of: (row) => shownDelay(row.all.byFeeds.delayMs), size: (row) => row.all.byFeeds.delayMs },
    { title: 'half within', of: (row) => shownDelay(row.quantiles.half) },
    { title: '90 % within', of: (row) => shownDelay(row.quantiles.nineTenths) },
    { title: 'missed', of: (row) => roundNumber(row.all.missed), size: (row) => row.all.missed },
    ...(isFiltered
      ? [
          {
            title: `${protocol.knownFrom} known: per item`,
            of: (row: Row) => shownDelay(row.known.byPolls.delayMs),
          },
          { title: 'per feed', of: (row: Row) => shownDelay(row.known.byFeeds.delayMs) },
        ]
      : []),
    {
      title: 'by',
      of: knobInWords,
    },
  ])
}

export function onlineTable({ online }: BudgetFindings, palette: Palette): string {
  const first = listWeeks(online[0]?.weeks ?? [])
  const columns: Column<OnlineRow>[] = [
    {
      title: 'delay per item',
      of: (row) => shownDelay(row.all.byPolls.delayMs),
      size: (row) => row.all.byPolls.delayMs,
    },
    { title: 'per feed', of: (row) => shownDelay(row.all.byFeeds.delayMs), size: (row) => row.all.byFeeds.delayMs },
    { title: 'promised', of: (row) => (row.promisedMs === undefined ? '–' : shownDelay(row.promisedMs)) },
    { title: 'missed', of: (row) => roundNumber(row.all.missed) },
    ...FIRST_DAYS.map(
      (days, i): Column<OnlineRow> => ({
        title: `first ${days === 1 ? 'day' : `${days} days`}`,
        of: (row) => shownDelay(row.firstDays[i]?.delayMs ?? 0),
      }),
    ),
  ]
  const formatOff = (off: number) => (Math.abs(off) > TOLERANCE ? `<em>${shownShare(off)}</em>` : shownShare(off))
  for (const week of first.off.keys())
    columns.push({ title: `week ${week + 1}`, of: (row) => formatOff(row.weeks[week]?.off ?? 0) })
  if (first.worstLater !== undefined)
    columns.push({
      title: 'then at most',
      of: (row) => formatOff(listWeeks(row.weeks).worstLater ?? 0).replace('+', '±'),
    })
  return table(online, palette, () => '', columns)
}

function table<R extends { strategy: string }>(
  rows: R[],
  palette: Palette,
  highlight: (row: R) => string,
  columns: Column<R>[],
): string {
  const largest = columns.map(({ size }) => (size ? Math.max(...rows.map(size)) : 0))
  const head = columns.map(({ title }) => `<th scope="col">${title}</th>`).join('')
  const body = rows.map((row) => {
    const cells = columns.map(({ of, size }, i) => {
      const share = size && largest[i] ? (100 * size(row)) / largest[i] : 0
      const bar = size ? ` class="bar" style="--share:${share.toFixed(1)}%"` : ''
      return `<td${bar}>${of(row)}</td>`
    })
    return `<tr class="series s${palette.number(row.strategy)}" data-strategy="${escapedForReport(row.strategy)}"><th scope="row" title="${escapedForReport(row.strategy)}"><i></i>${escapedForReport(palette.name(row.strategy))}${highlight(row)}</th>${cells.join('')}</tr>`
  })
  return `<div class="scroll"><table><thead><tr><th scope="col">strategy</th>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

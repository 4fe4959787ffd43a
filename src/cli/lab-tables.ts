/** Prints the results of the lab as tables. */
import {
  type BudgetFindings,
  FIRST_DAYS,
  type Findings,
  knobInWords,
  listWeeks,
  type OnlineRow,
  type Row,
  type Today,
} from '../lab/index.ts'
import { DAY, formatDuration, formatSize, type Millis } from '../model/index.ts'
import { type Column, count, type Io, printTable } from './io.ts'

export function printFindings(io: Io, findings: Findings): void {
  const { protocol, traces, own, budgets, today } = findings
  const { startAt, scoreAt, endAt } = protocol
  const days = (endAt - scoreAt) / DAY
  const short = traces.short > 0 ? `; ${count(traces.short, 'history', 'histories')} too short` : ''
  const items = own[0]?.all.items ?? 0
  io.out(
    `${count(traces.feeds, 'feed')}, ${count(items, 'entry', 'entries')} in ${count(Number(days.toFixed(1)), 'day')}${short}`,
  )
  io.out(`Polls and entries of the first ${formatDuration(scoreAt - startAt)} are not counted.`)
  if (today) printToday(io, today, days)

  io.out('\nEach at its own pace (Table 1 of Urbansky et al. 2011: error = delay in minutes x polls per item)')
  const priced = own.some(({ knob }) => knob.kind === 'price')
  printTable(io, own, [
    { title: 'strategy', of: nameOf, shrinks: true },
    right('delay by feeds', (row) => delay(row.all.byFeeds.delayMs)),
    right('polls/item', (row) => row.all.byFeeds.pollsPerItem.toFixed(2)),
    right('error', (row) => whole(row.all.byFeeds.error)),
    right('delay by polls', (row) => delay(row.all.byPolls.delayMs)),
    right('polls/item', (row) => row.all.byPolls.pollsPerItem.toFixed(2)),
    right('error', (row) => whole(row.all.byPolls.error)),
    right('missed', (row) => whole(row.all.missed)),
    right('polls/day', (row) => whole(row.all.polls / days)),
    right('traffic/day', (row) => formatSize(Math.round(row.all.bytes / days))),
  ])
  if (priced) io.out(`* at a price of ${formatDuration(priceOf(own))}: these have no pace of their own`)
  for (const budget of budgets) printBudget(io, budget, findings)
  if (findings.papers) printPapers(io, findings.papers)
}

/** Experiments with figures. The report also has those with plots. */
function printPapers(io: Io, { pending, timeliness }: NonNullable<Findings['papers']>): void {
  const curves = timeliness.filter(({ curve }) => curve.delayMs.length > 0)
  const at = (find: number) =>
    right(`find ${find}`, ({ curve }: (typeof curves)[number]) => {
      const ms = curve.delayMs[find - 1]
      return ms === undefined ? '-' : delay(ms)
    })
  if (curves.length > 0) {
    io.out('\nDelay at the first finds of feeds with many entries (figure 3 of Urbansky et al. 2011)')
    printTable(io, curves, [
      { title: 'strategy', of: (row) => row.strategy, shrinks: true },
      ...[1, 25, 100, 200, 300].map(at),
    ])
  }
  if (!pending) return
  const mean = (hours: number[]) => (hours.reduce((sum, n) => sum + n, 0) / hours.length).toFixed(1)
  io.out(
    `\nPending articles of ${count(pending.sources, 'source')}, ${pending.k} retrieved every ${formatDuration(pending.everyMs)} (Adam et al. 2010)`,
  )
  printTable(io, pending.rows, [
    { title: 'policy', of: (row) => row.strategy, shrinks: true },
    right('in all', (row) => mean(row.total)),
    right('in the worst', (row) => mean(row.worst)),
    right('mean delay', (row) => delay(row.delayMs)),
  ])
}

function printToday(io: Io, { strategies, score, failed, undated }: Today, days: number): void {
  io.out(
    `\nAs it was: ${whole(score.polls / days)} requests a day, ${delay(score.byPolls.delayMs)} per item, ${delay(score.byFeeds.delayMs)} per feed (${strategies.join(', ')})`,
  )
  if (failed > 0) io.out(`${count(failed, 'poll')} failed; a replay knows no failures`)
  if (undated > 0) io.out(`${count(undated, 'feed')} without dates of their own; their delay is unknown`)
}

function printBudget(io: Io, budget: BudgetFindings, { protocol, traces }: Findings): void {
  io.out(`\nAll with the same budget: ${budget.name}, ${whole(budget.pollsPerDay)} a day`)
  const some = `${traces.known < traces.feeds ? `, ${count(traces.known, 'feed')} with ${protocol.knownFrom} known` : ''}`
  printTable(io, budget.rows, [
    { title: 'strategy', of: (row) => row.strategy, shrinks: true },
    right('delay per item', (row) => delay(row.all.byPolls.delayMs)),
    right('per feed', (row) => delay(row.all.byFeeds.delayMs)),
    right('half within', (row) => delay(row.quantiles.half)),
    right('90% within', (row) => delay(row.quantiles.nineTenths)),
    right('missed', (row) => whole(row.all.missed)),
    ...(some
      ? [
          right(`known: per item`, (row: Row) => delay(row.known.byPolls.delayMs)),
          right('per feed', (row: Row) => delay(row.known.byFeeds.delayMs)),
          right('missed', (row: Row) => whole(row.known.missed)),
        ]
      : []),
    right('polls', (row) => `${whole(row.all.polls)}${row.met ? '' : ' !'}`),
    right('by', knobInWords),
  ])
  if (budget.rows.some(({ met }) => !met)) io.out('! the limits of intervals do not allow that budget')
  const bounds = budget.oracle.map(
    ({ share, delayMs }) =>
      `${delay(delayMs)} with ${share === 1 ? 'these' : share === 0.5 ? 'half' : 'a quarter'} of the polls`,
  )
  io.out(`No strategy can do better than: ${bounds.join(', ')}`.replace('these of the polls', 'these polls'))
  io.out('\nThe same budget met as it goes, without hindsight, by the scheduler of the crawl')
  printTable(io, budget.online, [
    { title: 'strategy', of: (row) => row.strategy, shrinks: true },
    right('delay per item', (row) => delay(row.all.byPolls.delayMs)),
    right('promised', (row) => (row.promisedMs === undefined ? '–' : delay(row.promisedMs))),
    right('per feed', (row) => delay(row.all.byFeeds.delayMs)),
    right('missed', (row) => whole(row.all.missed)),
    ...FIRST_DAYS.map((days, i) =>
      right(`first ${count(days, 'day')}`, (row: OnlineRow) => delay(row.firstDays[i]?.delayMs ?? 0)),
    ),
    right('polls off the budget, by week', (row) => {
      const { off, worstLater } = listWeeks(row.weeks)
      const later = worstLater === undefined ? '' : `, then at most ${percent(worstLater).slice(1)}`
      return `${off.map(percent).join(', ')}${later}`
    }),
  ])
}

function nameOf({ strategy, knob }: Row): string {
  return knob.kind === 'stretch' ? strategy : `${strategy} *`
}

function priceOf(rows: Row[]): Millis {
  return rows.flatMap(({ knob }) => (knob.kind === 'price' ? [knob.priceMs] : []))[0] ?? 0
}

function right<R>(title: string, of: (row: R) => string): Column<R> {
  return { title, of, right: true }
}

function delay(ms: Millis): string {
  return formatDuration(ms)
}

function whole(n: number): string {
  return Math.round(n).toLocaleString('en')
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(100 * share).toFixed(1)} %`
}

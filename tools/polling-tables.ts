/**
 * Writes the figures of a replay into docs/polling.md: each table is between two comments that name it, and only the text between them is
 * replaced. The papers' own figures are listed beside ours.
 *
 *   freshet lab replay --traces traces.ndjson.gz --report lab.html --json lab.json && node tools/polling-tables.ts lab.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type BudgetFindings, FIRST_DAYS, type Findings, knobInWords } from '../src/lab/index.ts'
import { PENDING, TABLE_1 } from '../src/lab/papers/figures.ts'
import { DAY, formatDuration, formatSize, type Millis } from '../src/model/index.ts'

const [file] = process.argv.slice(2)
if (!file) throw new Error('say which file: node tools/polling-tables.ts lab.json')
const page = new URL('../docs/polling.md', import.meta.url)
const findings: Findings = JSON.parse(readFileSync(file, 'utf8'))
writeFileSync(page, filled(readFileSync(page, 'utf8'), tablesOf(findings)))

function tablesOf(found: Findings): Record<string, string> {
  const tables: Record<string, string> = { own: ownTable(found) }
  for (const [i, budget] of found.budgets.entries()) {
    tables[`budget ${i + 1}`] = budgetTable(budget)
    tables[`market ${i + 1}`] = marketTable(budget)
  }
  if (found.papers?.pending) tables.pending = pendingTable(found.papers.pending)
  if (found.papers) tables.timeliness = timelinessTable(found.papers.timeliness)
  return tables
}

/** Throws for a table without a place in the page, and for a place without a table. */
function filled(text: string, tables: Record<string, string>): string {
  const left = new Set(Object.keys(tables))
  const written = text.replace(/(<!-- table: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`the findings have no table "${name}"`)
    left.delete(name)
    return `${begin}\n${table}\n\n${end}`
  })
  if (left.size > 0) throw new Error(`docs/polling.md has no place for: ${[...left].join(', ')}`)
  return written
}

function ownTable({ own, protocol }: Findings): string {
  const days = (protocol.endAt - protocol.scoreAt) / DAY
  return table(
    [
      'strategy',
      'by feeds: delay; polls per item; error',
      'paper',
      'by polls: delay; polls per item; error',
      'paper',
      'missed',
      'polls a day',
      'traffic a day',
    ],
    own
      .filter(({ knob }) => knob.kind === 'stretch')
      .map(({ strategy, all }) => [
        `\`${strategy}\``,
        figures(all.byFeeds),
        TABLE_1[strategy]?.[0] ?? '',
        figures(all.byPolls),
        TABLE_1[strategy]?.[1] ?? '',
        whole(all.missed),
        whole(all.polls / days),
        formatSize(Math.round(all.bytes / days)),
      ]),
  )
}

function figures({ delayMs, pollsPerItem, error }: { delayMs: Millis; pollsPerItem: number; error: number }): string {
  return `${formatDuration(delayMs)}; ${pollsPerItem.toFixed(2)}; ${whole(error)}`
}

function budgetTable({ rows, oracle }: BudgetFindings): string {
  const sorted = rows.toSorted((a, b) => a.all.byPolls.delayMs - b.all.byPolls.delayMs)
  const lines = sorted.map(({ strategy, all, known, quantiles, knob }) => [
    `\`${strategy}\``,
    formatDuration(all.byPolls.delayMs),
    formatDuration(all.byFeeds.delayMs),
    formatDuration(quantiles.half),
    formatDuration(quantiles.nineTenths),
    whole(all.missed),
    formatDuration(known.byPolls.delayMs),
    formatDuration(known.byFeeds.delayMs),
    whole(known.missed),
    knobInWords({ knob }),
  ])
  for (const { share, delayMs } of oracle)
    lines.push([
      `*oracle${share === 1 ? '' : `, ${share === 0.5 ? 'half' : 'a quarter'} of the polls`}*`,
      formatDuration(delayMs),
      ...Array(8).fill(''),
    ])
  return table(
    [
      'strategy',
      'delay per item',
      'per feed',
      'half within',
      '90 % within',
      'missed',
      'known: per item',
      'per feed',
      'missed',
      'by',
    ],
    lines,
  )
}

function marketTable({ online }: BudgetFindings): string {
  return table(
    [
      'strategy',
      'delay per item',
      'promised',
      'per feed',
      'missed',
      ...FIRST_DAYS.map((days) => `first ${days === 1 ? 'day' : `${days} days`}`),
      'polls off the budget, by week',
    ],
    online.map(({ strategy, all, weeks, promisedMs, firstDays }) => [
      `\`${strategy}\``,
      formatDuration(all.byPolls.delayMs),
      promisedMs === undefined ? '–' : formatDuration(promisedMs),
      formatDuration(all.byFeeds.delayMs),
      whole(all.missed),
      ...firstDays.map(({ delayMs }) => formatDuration(delayMs)),
      weeks.map(({ off }) => `${off >= 0 ? '+' : '−'}${Math.abs(100 * off).toFixed(1)} %`).join(', '),
    ]),
  )
}

type Papers = NonNullable<Findings['papers']>

function pendingTable({ rows }: NonNullable<Papers['pending']>): string {
  const mean = (hours: number[]) => hours.reduce((sum, n) => sum + n, 0) / hours.length
  const recipe = (strategy: string) => strategy.split(':', 1)[0] ?? strategy
  const reference = rows.find(({ strategy }) => recipe(strategy) === 'posting-history')
  const times = (hours: number[], of: number[] | undefined) => (mean(hours) / mean(of ?? hours)).toFixed(3)
  return table(
    ['policy', 'pending in all', 'times', 'paper', 'in the worst source', 'times', 'paper', 'mean delay'],
    rows.map(({ strategy, total, worst, delayMs }) => [
      `\`${recipe(strategy)}\``,
      mean(total).toFixed(1),
      times(total, reference?.total),
      PENDING[recipe(strategy)]?.[0] ?? '',
      mean(worst).toFixed(2),
      times(worst, reference?.worst),
      PENDING[recipe(strategy)]?.[1] ?? '',
      formatDuration(delayMs),
    ]),
  )
}

function timelinessTable(curves: Papers['timeliness']): string {
  const finds = [1, 25, 100, 200, 300]
  return table(
    ['strategy', ...finds.map((n) => `find ${n}`), 'feeds that reached it'],
    curves.map(({ strategy, curve }) => [
      `\`${strategy}\``,
      ...finds.map((n) => (curve.delayMs[n - 1] === undefined ? '' : formatDuration(near(curve.delayMs, n - 1)))),
      finds.map((n) => curve.feeds[n - 1] ?? 0).join(', '),
    ]),
  )
}

/** A moving average: single results of a hundred feeds are noise. */
function near(delays: Millis[], i: number): Millis {
  const some = delays.slice(Math.max(0, i - 5), i === 0 ? 1 : i + 6)
  return some.reduce((sum, ms) => sum + ms, 0) / some.length
}

function table(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

function whole(n: number): string {
  return Math.round(n).toLocaleString('en')
}

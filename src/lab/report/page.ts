/**
 * Writes the results as a page: one file without external resources, for light and dark themes. Plots are generated
 * here; a short script dims the strategies that are not selected.
 */
import { readFileSync } from 'node:fs'
import { formatDuration, formatSize } from '../../model/index.ts'
import type { BudgetFindings, Findings, Row } from '../findings.ts'
import { FIRST_FINDS } from '../tally.ts'
import { DOCUMENT_BYTES, ENTRY_BYTES, HEADERS_BYTES } from '../traffic.ts'
import { figure } from './chart.ts'
import { heatPlot } from './heat-plot.ts'
import { escapedForReport, roundNumber, shownDelay } from './markup.ts'
import { type Palette, paletteOf } from './palette.ts'
import { daysOf, delaysPlot, frontierPlot, pendingPlot, pricesPlot, timelinessPlot } from './plots.ts'
import { budgetTable, onlineTable, ownTable } from './tables.ts'

const PRICES_HEIGHT = 240
const WORDS_SHOWN = 50

export function reportPage(findings: Findings): string {
  const strategies = findings.own.map(({ strategy }) => strategy)
  const palette = paletteOf(strategies)
  const parts = [
    head(findings),
    legend(strategies, palette),
    frontier(findings, palette),
    budgets(findings, palette),
    own(findings, palette),
    papers(findings, palette),
    about(findings),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Freshet: when to poll</title>
<style>${asset('style.css')}</style>
</head>
<body>
${parts.filter((part) => part !== '').join('\n')}
<script>${asset('script.js')}</script>
</body>
</html>`
}

function asset(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
}

function head(findings: Findings): string {
  const { traces, own, today } = findings
  const days = daysOf(findings)
  const items = own[0]?.all.items ?? 0
  const scope = `${roundNumber(traces.feeds)} feeds and the ${roundNumber(items)} entries that they published in ${days.toFixed(days < 10 ? 1 : 0)} days`
  const todayText = today
    ? `<p>As it was, with ${roundNumber(today.score.polls / days)} requests a day (${escapedForReport(today.strategies.join(', '))}): ${shownDelay(today.score.byPolls.delayMs)} after publication on average, ${shownDelay(today.score.byFeeds.delayMs)} as a mean of feeds.</p>`
    : ''
  return `<header><h1>When to poll</h1><p class="lead">${scope}, polled by ${own.length} strategies.</p>${budgetSentence(findings.budgets[0])}${todayText}</header>`
}

/** Summary of the first budget: the best strategy, and its advantage. */
function budgetSentence(budget: BudgetFindings | undefined): string {
  const sorted = budget?.rows.filter(({ met }) => met).toSorted((a, b) => delayOf(a) - delayOf(b)) ?? []
  const [best] = sorted
  const reference = sorted.find(({ strategy }) => strategy === 'moving-average') ?? sorted.at(-1)
  if (!budget || !best || !reference || best === reference) return ''
  const times = delayOf(reference) / Math.max(1, delayOf(best))
  return `<p>With ${roundNumber(budget.pollsPerDay)} polls a day, <b>${escapedForReport(best.strategy)}</b> has an entry <b>${shownDelay(delayOf(best))}</b> after its publication on average; ${escapedForReport(reference.strategy)} with as many takes ${shownDelay(delayOf(reference))}, ${times.toFixed(1)} times as long.</p>`
}

function delayOf({ all }: Row): number {
  return all.byPolls.delayMs
}

function legend(strategies: string[], palette: Palette): string {
  const buttons = strategies.map(
    (name) =>
      `<button type="button" class="series s${palette.number(name)}" data-pick="${escapedForReport(name)}" aria-pressed="false"><i></i>${escapedForReport(palette.name(name))}</button>`,
  )
  return `<nav aria-label="Strategies">${buttons.join('')}</nav>`
}

function frontier(findings: Findings, palette: Palette): string {
  const byItem = figure((box) => frontierPlot(findings, 'item', palette, box))
  const byFeed = figure((box) => frontierPlot(findings, 'feed', palette, box))
  if (byItem === '') return ''
  const legendText = `Rings are strategies at their own pace${findings.today ? '; the filled one is the current setting' : ''}. The grey area is unreachable: only an oracle that knows the future gets there.`
  return section(
    'Freshness against polls',
    `Each point is a replay. Points further left need fewer requests, points further down have less delay. ${legendText}`,
    choice('frontier', [
      ['per item', byItem],
      ['per feed', byFeed],
    ]),
  )
}

function budgets(findings: Findings, palette: Palette): string {
  return findings.budgets
    .map((budget) => {
      const bounds = budget.oracle.map(
        ({ share, delayMs }) =>
          `${shownDelay(delayMs)} with ${share === 1 ? 'these polls' : share === 0.5 ? 'half of them' : 'a quarter'}`,
      )
      const unmet = budget.rows.some(({ met }) => !met) ? ' ! marks those whose limits do not allow this budget.' : ''
      const market =
        budget.online.length > 0
          ? `<h3>The same budget, met as it goes</h3><p>By the scheduler of the crawl, without hindsight. Delay per item beside what the scheduler promised, and in the first days; polls off the budget, week by week, more than 3 % marked.</p>${onlineTable(budget, palette)}${figure((box) => pricesPlot(budget, findings.protocol, palette, box), PRICES_HEIGHT)}`
          : ''
      return section(
        `All with ${roundNumber(budget.pollsPerDay)} polls a day`,
        `${escapedForReport(capital(budget.name))}. Found in hindsight, to within 0.3 %: the price of a poll, or the stretch of all intervals. No strategy can do better than ${bounds.join(', ')}.${unmet}`,
        `${budgetTable(budget, findings, palette)}${figure((box) => delaysPlot(budget, findings.delayEndsMs, palette, box))}${market}`,
      )
    })
    .join('\n')
}

function own(findings: Findings, palette: Palette): string {
  const priced = findings.own.find(({ knob }) => knob.kind === 'price')
  const note =
    priced?.knob.kind === 'price'
      ? ` * follows the price of a poll, here ${shownDelay(priced.knob.priceMs)}, and has no pace of its own.`
      : ''
  return section(
    'Each at its own pace',
    `Table 1 of Urbansky et al. (2011): averaged by feeds, with equal weight, and by polls. Error is delay in minutes times polls per item; it favors polling too little, so compare at equal budgets, too.${note}`,
    ownTable(findings, palette),
  )
}

function papers({ papers: found }: Findings, palette: Palette): string {
  if (!found) return ''
  const { pending, timeliness, intervals } = found
  const parts: string[] = []
  const timely = figure((box) => timelinessPlot(timeliness, palette, box))
  if (timely !== '')
    parts.push(
      section(
        'Timeliness over the first finds',
        `Urbansky et al. (2011), figure 3: feeds with at least ${FIRST_FINDS} entries, from the first poll on; a moving average.`,
        timely,
      ),
    )
  const maps = intervals
    .filter(({ strategy }) => !strategy.startsWith('fixed') && strategy !== 'round-robin')
    .map(
      ({ strategy, map }) =>
        `<figure class="series s${palette.number(strategy)}" data-strategy="${escapedForReport(strategy)}"><figcaption><i></i>${escapedForReport(palette.name(strategy))}</figcaption>${heatPlot(map, strategy)}</figure>`,
    )
  if (maps.length > 0)
    parts.push(
      section(
        'Predicted and actual intervals',
        'Urbansky et al. (2011), figure 4: how often a feed publishes, and how often it is polled. Above the diagonal a strategy polls too late, below too often.',
        `<div class="maps">${maps.join('')}</div>`,
      ),
    )
  if (pending)
    parts.push(
      section(
        'Pending articles',
        `Adam et al. (2010), figures 6 and 7: ${pending.sources} sources, of which ${pending.k} may be retrieved every ${formatDuration(pending.everyMs)}; means over ${pending.days} days. Published and not yet retrieved:`,
        choice('pending', [
          ['in all sources', figure((box) => pendingPlot(pending, 'total', palette, box))],
          ['in the worst', figure((box) => pendingPlot(pending, 'worst', palette, box))],
        ]),
      ),
    )
  return parts.join('\n')
}

function about({ protocol, traces, today }: Findings): string {
  const kinds = Object.entries(traces.kinds)
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, feeds]) => `${escapedForReport(kind)} ${roundNumber(feeds)}`)
  const files = traces.files.map(
    ({ file, feeds, repaired, refused }) =>
      `<li>${escapedForReport(file.split(/[\\/]/).at(-1) ?? '')}: ${roundNumber(feeds)} feeds${repaired > 0 ? `, ${repaired} repaired` : ''}${refused > 0 ? `, ${refused} refused` : ''}</li>`,
  )
  const messageItems = traces.words.slice(0, WORDS_SHOWN).map((line) => `<li>${escapedForReport(line)}</li>`)
  const facts = [
    today
      ? `The history is the store's own, from ${dateOf(protocol.startAt)} to ${dateOf(protocol.endAt)}; ${roundNumber(today.failed)} polls failed, which the replay ignores; ${roundNumber(today.undated)} feeds have no dates.`
      : 'Each history is shifted by whole weeks to a common start; the first polls are spread over the first hour.',
    `Polls and entries of the first ${shownDelay(protocol.scoreAt - protocol.startAt)} are not counted. The delay of entries that no poll found counts until the end; entries that left the window unseen are missed, and their delay counts until the next poll.`,
    `Intervals are kept between ${formatDuration(protocol.limits.minMs)} and ${formatDuration(protocol.limits.maxMs)}.`,
    `Traffic is estimated: ${formatSize(HEADERS_BYTES)} of headers per poll, and for new entries a compressed document of its measured size, or else of ${formatSize(DOCUMENT_BYTES)} and ${formatSize(ENTRY_BYTES)} per entry.`,
    `${roundNumber(traces.feeds)} feeds: ${kinds.join(', ')}. ${traces.short > 0 ? `${roundNumber(traces.short)} histories were too short. ` : ''}Of ${roundNumber(traces.known)}, at least ${protocol.knownFrom} entries were known at the start.`,
  ]
  return section(
    'What was replayed',
    '',
    `<ul>${facts.map((fact) => `<li>${fact}</li>`).join('')}${files.join('')}</ul>${messageItems.length > 0 ? `<details><summary>Repaired and refused</summary><ul>${messageItems.join('')}</ul></details>` : ''}`,
  )
}

function section(title: string, words: string, inside: string): string {
  return `<section><h2>${title}</h2>${words ? `<p>${words}</p>` : ''}${inside}</section>`
}

/** Selects one of several plots, without script, too. */
function choice(name: string, plots: [string, string][]): string {
  const inputs = plots.map(
    ([title], i) =>
      `<label><input type="radio" name="${name}" value="${i}"${i === 0 ? ' checked' : ''}>${title}</label>`,
  )
  return `<div class="choice"><div class="tabs">${inputs.join('')}</div>${plots.map(([, plot]) => plot).join('')}</div>`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

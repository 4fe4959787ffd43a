/**
 * Writes the papers' experiments as one page of Markdown: each figure of the papers next to ours, with the reason for
 * differences.
 */
import { formatDuration, formatSize, type Millis } from '../../model/index.ts'
import type { HeatMap, PendingFindings } from '../paper-experiments.ts'
import type { Averages } from '../score.ts'
import { type Adaptation, PACE_NAMES } from './adaptation.ts'
import { PENDING, ROUND_TIMES, TABLE_1, TIMELINESS, TRAFFIC_SAVED } from './figures.ts'
import type { PaperStudy } from './study.ts'

export function paperPage(study: PaperStudy): string {
  return [
    '# The papers, repeated',
    `${whole(study.feeds)} feeds with ${whole(study.items)} entries in ${study.days} days, after ${study.warmupDays} days of warm-up; seed ${study.seed}. What follows comes from one run of \`freshet lab papers\`.`,
    ...urbansky(study),
    ...adam(study),
  ].join('\n\n')
}

function urbansky({ table: rows, feeds, busyFeeds, byPace, traffic, timeliness, intervals }: PaperStudy): string[] {
  const [first] = rows
  const hourly = traffic.rows.find(({ strategy }) => strategy === 'fixed')
  const saved = (perDay: number, i: number) => percent(1 - perDay / Math.max(1, hourly?.perDay[i] ?? 1))
  return [
    '## Urbansky et al. 2011',
    '### Table 1: delay; polls per item; error',
    '*Mixed*: as many feeds drawn anew, slow and very busy ones more often, until an hourly poll needs as many polls per item as in the paper, by feeds and by polls.',
    table(
      ['strategy', 'by feeds', 'mixed', 'paper', 'by polls', 'mixed', 'paper'],
      rows.map(({ strategy, ours, mixed }) => [
        `\`${strategy}\``,
        figures(ours.byFeeds),
        figures(mixed.byFeeds),
        TABLE_1[strategy]?.[0] ?? '',
        figures(ours.byPolls),
        figures(mixed.byPolls),
        TABLE_1[strategy]?.[1] ?? '',
      ]),
    ),
    `An hourly poll needs ${first?.mixed.byFeeds.pollsPerItem.toFixed(0)} and ${first?.mixed.byPolls.pollsPerItem.toFixed(1)} polls per item in the mix, 222 and 21 in the paper.`,
    '### By polls: why the order is another',
    `The averages by polls are shorter in the paper, and in another order; its mix of rates alone does not make them so. But the paper counts 19 million items of 180,000 feeds in three weeks, 106 a feed, and an hourly poll that needs 21.02 polls per item found 24. Both are true if a poll that finds something counts once, and some feeds bring something always. *With busy feeds*: as many of these as the two figures ask for, ${whole(busyFeeds[0] ?? 0)} among ${whole(feeds)}, each made of several of our busiest; then twice as many. *Per find*: each poll that found something counts once, with the mean delay of what it found. *Per poll*: each poll counts, with what its feed has per find, "so feeds with many polls dominate".`,
    table(
      [
        'strategy',
        'mixed, per find',
        'per poll',
        'with busy feeds, per find',
        'per poll',
        'with twice as many, per find',
        'per poll',
        'busy feeds alone; polls per find',
        'paper',
      ],
      rows.map(({ strategy, finds, busyFinds, busiestFinds }) => [
        `\`${strategy}\``,
        shownMs(finds.perFindMs),
        shownMs(finds.perPollMs),
        ...busyFinds.flatMap(({ perFindMs, perPollMs }) => [shownMs(perFindMs), shownMs(perPollMs)]),
        busyFeeds[0] ? `${shownMs(busiestFinds.perFindMs)}; ${busiestFinds.pollsPerFind.toFixed(2)}` : NOTHING,
        TABLE_1[strategy]?.[1] ?? '',
      ]),
    ),
    orderByPolls(rows, busyFeeds[0] ?? 0),
    'The delay per item by the pace of the feed:',
    table(
      ['feeds with', 'feeds', ...rows.map(({ strategy }) => `\`${strategy}\``)],
      byPace.map(({ pace, feeds, delayMs }) => [
        pace,
        whole(feeds),
        ...delayMs.map((ms) => (feeds === 0 ? NOTHING : formatDuration(ms))),
      ]),
    ),
    '### Traffic (figure 2)',
    `Traffic saved compared with an hourly poll, by the share of servers that never answer \`304\`: none, the ${percent(traffic.shares[1] ?? 0)} without validators in the paper, and all.`,
    table(
      [
        'strategy',
        'a day, all with 304',
        'saved',
        ...traffic.shares.slice(1).map((share) => `saved, ${percent(share)} without`),
        'paper',
      ],
      traffic.rows.map(({ strategy, perDay }) => [
        `\`${strategy}\``,
        formatSize(Math.round(perDay[0] ?? 0)),
        ...perDay.map(saved),
        TRAFFIC_SAVED[strategy] ?? '',
      ]),
    ),
    'If a server always sends the document, traffic is proportional to polls. If it answers `304`, only documents with news remain, which every strategy has to fetch.',
    '### Timeliness (figure 3)',
    'Mean delay of new entries at the first find, the 25th and so on, for feeds with at least 300 entries.',
    table(
      ['strategy', ...FINDS.map((n) => `find ${n}`), 'paper'],
      timeliness.map(({ strategy, curve }) => [
        `\`${strategy}\``,
        ...FINDS.map((n) => shownNear(curve.delayMs, n - 1)),
        TIMELINESS[strategy] ?? '',
      ]),
    ),
    '### Predicted and actual intervals (figure 4)',
    'Feeds whose mean predicted interval is less than half of the actual one, within a factor of two, and more than twice as long.',
    table(
      ['strategy', 'polled too often', 'about right', 'too late'],
      intervals.map(({ strategy, map }) => [`\`${strategy}\``, ...sides(map).map(percent)]),
    ),
  ]
}

const FINDS = [1, 25, 100, 200, 300]
/** Shown if there is no mean. */
const NOTHING = '–'

function shownMs(ms: Millis): string {
  return formatDuration(Math.round(ms))
}

/** Whether the strategies are in the paper's order by delay, in our mix and in the paper's. */
function orderByPolls(rows: PaperStudy['table'], busyFeeds: number): string {
  const learning = rows.filter(({ strategy }) => !strategy.startsWith('fixed'))
  const order = (delayOf: (row: PaperStudy['table'][number]) => Millis) =>
    learning
      .toSorted((a, b) => delayOf(a) - delayOf(b))
      .map(({ strategy }) => `\`${strategy}\``)
      .join(', ')
  const ours = order(({ ours: { byPolls } }) => byPolls.delayMs)
  const mixed = order(({ finds }) => finds.perFindMs)
  const busy = [0, 1].map((i) => order(({ busyFinds }) => busyFinds[i]?.perFindMs ?? 0))
  const orders = `Learning strategies by their delay by polls, the shortest first. Paper: ${PAPERS_ORDER}. Ours: ${ours}. Mixed, per find: ${mixed}.`
  if (busyFeeds === 0)
    return `${orders} None of these feeds is as busy as those of the paper must have been, so what they change cannot be seen.`
  const found = `${orders} With busy feeds, per find: ${busy[0]}; with twice as many: ${busy[1]}.`
  const busyOnly = rows.find(({ strategy }) => strategy === 'moving-average')?.busiestFinds.perFindMs ?? 0
  const onThem = `On busy feeds alone \`moving-average\` has ${shownMs(busyOnly)}, in the paper on all feeds 4m; its figures do not explain why all other feeds have almost no weight there.`
  if (mixed === PAPERS_ORDER || !busy.includes(PAPERS_ORDER)) return `${found} ${onThem}`
  return `${found} So busy feeds decide the order: a strategy that polls silent feeds rarely and busy ones often has the delays of busy feeds, because finds are counted. ${onThem}`
}

const PAPERS_ORDER = '`moving-average`, `post-rate`, `fix-learned`'

function sides({ edgesMs, cells }: HeatMap): number[] {
  const counts = [0, 0, 0]
  let total = 0
  for (const [i, row] of cells.entries())
    for (const [j, feeds] of row.entries()) {
      const times = (edgesMs[i] ?? 1) / (edgesMs[j] ?? 1)
      counts[times < 0.5 ? 0 : times <= 2 ? 1 : 2]! += feeds
      total += feeds
    }
  return counts.map((n) => n / Math.max(1, total))
}

function adam(study: PaperStudy): string[] {
  const { pending, similarSources, latencies, rounds } = study
  return [
    '## Adam et al. 2009 and 2010',
    '### A round of 793 feeds (2009, figure 3)',
    `Here every response takes ${rounds.answerMs} ms; ${rounds.feeds} feeds.`,
    table(
      ['setup', 'slots', 'feeds requested', 'takes', 'paper'],
      rounds.rows.map(({ setUp, slots, requested, tookMs }, i) => [
        setUp,
        String(slots),
        whole(requested),
        formatDuration(Math.round(tookMs)),
        ROUND_TIMES[i] ?? '',
      ]),
    ),
    '### M, T and ToE over time (2009, figures 4 to 6)',
    ...PACE_NAMES.flatMap((name) => {
      const found = study.adaptations.find(({ pace }) => pace === name)
      return found ? adaptation(found) : [`**A feed that posts ${name}** is not among these.`]
    }),
    '### Latency, and polls a day (2009, IV; 2010, IV.A)',
    `advaRSS on ${whole(latencies.feeds)} feeds, ${whole(latencies.items)} articles: ${formatDuration(latencies.meanMs)} in the mean (paper: 14m), ${percent(latencies.withinAim)} within half an hour. The ten worst: ${latencies.worstMs.map((ms) => formatDuration(ms)).join(', ')} (paper: 27m to 35m). M may grow to 80 rounds, and then a feed waits for some ten hours: articles that end such a silence are the worst cases here, and can have been none of the paper's.`,
    table(
      ['feeds with', 'feeds', 'polls a day', 'paper'],
      latencies.polls.map(({ pace, feeds, perDay }, i) => [
        pace,
        whole(feeds),
        feeds === 0 ? NOTHING : perDay.toFixed(1),
        i === 0 ? '20' : 'less than 10',
      ]),
    ),
    '### Pending articles (2010, figures 6 and 7)',
    pendingTable(pending),
    `The same with ${similarSources.sources} sources of similar rates, from one to ten articles a day: the more similar the rates, the less is gained by ranking, and the closer round robin comes.`,
    pendingTable(similarSources),
    'The paper does not say how it computes minimum delay. Here it ranks by the accumulated delay at the same rates, which grows with the square of the time, so even sources that post little are polled regularly.',
  ]
}

function pendingTable({ rows, sources, k, everyMs }: PendingFindings): string {
  const mean = (hours: number[]) => hours.reduce((sum, n) => sum + n, 0) / Math.max(1, hours.length)
  const nameOf = (strategy: string) => strategy.split(':', 1)[0] ?? strategy
  const reference = rows.find(({ strategy }) => nameOf(strategy) === 'posting-history')
  const times = (hours: number[], of: number[] | undefined) => (mean(hours) / mean(of ?? hours)).toFixed(3)
  return table(
    [
      `${sources} sources, ${k} every ${formatDuration(everyMs)}`,
      'in all',
      'times',
      'paper',
      'in the worst',
      'times',
      'paper',
      'mean delay',
    ],
    rows.map(({ strategy, total, worst, delayMs }) => [
      `\`${nameOf(strategy)}\``,
      mean(total).toFixed(1),
      times(total, reference?.total),
      PENDING[nameOf(strategy)]?.[0] ?? '',
      mean(worst).toFixed(2),
      times(worst, reference?.worst),
      PENDING[nameOf(strategy)]?.[1] ?? '',
      formatDuration(delayMs),
    ]),
  )
}

const POLLS_SHOWN = 24

function adaptation({ pace, entriesPerDay, pollsPerDay, polls, hours }: Adaptation): string[] {
  const shownPolls = polls.slice(0, POLLS_SHOWN)
  const busiest = hours.toSorted((a, b) => b.share - a.share).slice(0, 3)
  return [
    `**A feed that posts ${pace}**: ${entriesPerDay.toFixed(2)} entries and ${pollsPerDay.toFixed(1)} polls a day. Its first ${shownPolls.length} polls:`,
    table(
      ['poll', ...shownPolls.map((_, i) => String(i + 1))],
      [
        ['hour', ...shownPolls.map(({ at }) => new Date(at).toISOString().slice(11, 16))],
        ['fresh', ...shownPolls.map(({ fresh }) => String(fresh))],
        ['M', ...shownPolls.map(({ M }) => M.toFixed(1))],
        ['T', ...shownPolls.map(({ T }) => T.toFixed(0))],
        ['ToE', ...shownPolls.map(({ ToE }) => String(ToE))],
      ],
    ),
    `Share of its articles by hour, UTC, from 0 to 23 (2009, figure 2; 2010, figures 2 and 3): ${hours.map(({ share }) => percent(share)).join(', ')}. In its three busiest hours ${percent(busiest.reduce((sum, { share }) => sum + share, 0))} of them come, in the paper's example almost 30 %.`,
  ]
}

function figures({ delayMs, pollsPerItem, error }: Averages): string {
  return `${formatDuration(delayMs)}; ${pollsPerItem.toFixed(2)}; ${whole(error)}`
}

/** A moving average: a single find of a hundred feeds is noise. */
function shownNear(delays: Millis[], i: number): string {
  const neighbors = delays.slice(Math.max(0, i - 5), i === 0 ? 1 : i + 6)
  return delays[i] === undefined ? '' : formatDuration(neighbors.reduce((sum, ms) => sum + ms, 0) / neighbors.length)
}

function table(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}

function whole(n: number): string {
  return Math.round(n).toLocaleString('en')
}

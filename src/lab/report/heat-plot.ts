/** Predicted against actual intervals (Urbansky et al. 2011, figure 4): on the diagonal the prediction is right. */
import { DAY, HOUR, MINUTE } from '../../model/index.ts'
import type { HeatMap } from '../paper-experiments.ts'
import { acrossOf, type ChartBox, chart, logarithmic, round, upOf } from './chart.ts'
import { namedTimes, shownDelay } from './markup.ts'

const SQUARE: ChartBox = { width: 300, height: 300, left: 44, right: 8, top: 28, bottom: 42 }
const TICKS = [5 * MINUTE, HOUR, 12 * HOUR, 3 * DAY, 30 * DAY]
/** Minimum opacity, so that a cell with one feed is visible. */
const FAINTEST = 0.15

export function heatPlot({ edgesMs, cells }: HeatMap, strategy: string): string {
  const from = edgesMs[0] ?? MINUTE
  const to = edgesMs.at(-1) ?? DAY
  const x = logarithmic(from, to, ...acrossOf(SQUARE))
  const y = logarithmic(from, to, ...upOf(SQUARE))
  const most = Math.log1p(Math.max(1, ...cells.flat()))
  const squares: string[] = []
  for (const [predicted, row] of cells.entries())
    for (const [real, feeds] of row.entries()) {
      if (feeds === 0) continue
      const [left, right] = [x.at(edgesMs[real] ?? from), x.at(edgesMs[real + 1] ?? to)]
      const [bottom, top] = [y.at(edgesMs[predicted] ?? from), y.at(edgesMs[predicted + 1] ?? to)]
      const heat = FAINTEST + (1 - FAINTEST) * (Math.log1p(feeds) / most)
      const words = `${feeds} ${feeds === 1 ? 'feed' : 'feeds'}: an entry every ${shownDelay(edgesMs[real] ?? 0)} or so, a poll every ${shownDelay(edgesMs[predicted] ?? 0)}`
      squares.push(
        `<rect x="${round(left)}" y="${round(top)}" width="${round(right - left)}" height="${round(bottom - top)}" fill-opacity="${heat.toFixed(2)}"><title>${words}</title></rect>`,
      )
    }
  const diagonal = `<path class="diagonal" d="M${x.at(from)} ${y.at(from)}L${x.at(to)} ${y.at(to)}"/>`
  const ticks = namedTimes(from, to).filter(({ value }) => TICKS.includes(value))
  return chart(
    SQUARE,
    { scale: x, ticks, title: 'real interval' },
    { scale: y, ticks, title: 'predicted interval' },
    `<g class="heat">${squares.join('')}</g>${diagonal}`,
    `Predicted and actual intervals, ${strategy}`,
  )
}

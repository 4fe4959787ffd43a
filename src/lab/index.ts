/**
 * Simulations, and a web for them. The village is a fake web on loopback. `replayTraces` computes how strategies would
 * have polled recorded histories, and how well; `liveThrough` runs the whole crawl through the same history, with
 * other drivers.
 *
 * Terms, in addition to those of the model:
 *
 * - trace:      publication times of a feed's entries, and its window size; *aligned*: shifted by whole weeks
 * - run:        one strategy on one trace; a *trial* is a strategy on all traces at one price, stretch or number per
 *   round (the *knob*)
 * - item:       an entry in a trace, of which only the instant is known
 * - tally:      cost and result of a run for one feed; a *score* summarizes all tallies
 * - known:      of a trace, the number of entries that the first poll shows
 * - assignment: the input of all workers of a comparison; unrelated to the crawl's tasks
 * - oracle:     the minimum delay that any strategy could achieve
 * - papers:     scientific papers, whose experiments are repeated; publishers of news are newspapers
 * - village:    sites whose past and future follow from a seed; the *hostile server* runs its hostile ones
 */
export { type BacktestOptions, backtest } from './backtest.ts'
export type { BudgetArgument } from './comparison.ts'
export { type DemoWorld, openDemoWorld } from './demo-world.ts'
export {
  type BudgetFindings,
  type Findings,
  knobInWords,
  listWeeks,
  type OnlineRow,
  type Row,
  type Today,
} from './findings.ts'
export { historiesIn } from './histories.ts'
export { runLiveCrawl } from './live-crawl.ts'
export { FIRST_DAYS } from './market-replay.ts'
export { paperPage } from './papers/markdown-report.ts'
export { type PaperStudy, studyPapers } from './papers/study.ts'
export { type ReplaySpan, replayPolls } from './replay.ts'
export { budgetsIn, strategiesIn } from './replay-arguments.ts'
export { type ReplayOptions, replayTraces } from './replay-traces.ts'
export { reportPage } from './report/page.ts'
export { readTraces, type TraceFile, type Traces } from './traces/read-traces.ts'
export { type Trace, traceLine } from './traces/trace.ts'
export type { WorkersOptions } from './trial-workers.ts'
export { type TudcsFile, tudcsFiles } from './tudcs-files.ts'
export { generateTraces } from './village/generated-traces.ts'
export { type HostileServer, openHostileServer } from './village/hostile/hostile-server.ts'
export { PRIVATE_NAMES } from './village/hostile/redirects.ts'
export { excerpt, type HostileSite } from './village/hostile/site.ts'
export { HOSTILE_SITES } from './village/hostile/sites.ts'
export { pageKindOf } from './village/page-behavior.ts'
export type { SiteSpec } from './village/spec.ts'
export { createVillage, type Village, type VillageSite } from './village/village.ts'
export { type ArchiveFindings, replayArchive } from './warc/archive-replay.ts'

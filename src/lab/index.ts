/**
 * Time machines, and a web to try them on. The village is a fake web on loopback; `replayTraces` asks strategies how they
 * would have polled recorded histories, and what that would have been worth; `liveThrough` runs the whole crawl through
 * the same history, with other drivers in its sockets. Its own words, beside those of the model:
 *
 * - trace:      when a feed's entries were published, and how many it shows at once; *aligned*, it is moved by whole weeks
 * - run:        a strategy taken through one trace; a *trial* is all of them at one price, stretch or number a round (the *knob*)
 * - item:       an entry in a trace, of which nothing is known but its instant
 * - tally:      what a run cost and brought, of one feed; a *score* is all of them in figures
 * - known:      of a trace, the entries that the feed shows at the first poll
 * - assignment: what all workers of a comparison are given; nothing to do with the crawl's tasks
 * - oracle:     the least delay that any strategy could have had
 * - papers:     those of science, whose experiments are repeated; what publishes news is a newspaper
 * - village:    sites whose past and future follow from a seed; the *quarter* is where its hostile ones live
 */
export { type BacktestOptions, backtest } from './backtest.ts'
export type { BudgetArgument } from './comparison.ts'
export { type DemoWorld, openDemoWorld } from './demo-world.ts'
export {
  type BudgetFindings,
  type Findings,
  knobInWords,
  type OnlineRow,
  type Row,
  type Today,
  weeksTold,
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
export { countyTraces } from './village/generated-traces.ts'
export { type HostileServer, openHostileServer } from './village/hostile/hostile-server.ts'
export { PRIVATE_NAMES } from './village/hostile/redirects.ts'
export { excerpt, type HostileSite } from './village/hostile/site.ts'
export { HOSTILE_SITES } from './village/hostile/sites.ts'
export { pageKindOf } from './village/page-behavior.ts'
export type { SiteSpec } from './village/spec.ts'
export { createVillage, type Village, type VillageSite } from './village/village.ts'
export { type ArchiveFindings, replayArchive } from './warc/archive-replay.ts'

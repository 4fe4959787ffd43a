/**
 * Time machines, and a web to try them on. The village is a fake web on loopback; `replayTraces` asks strategies how they
 * would have polled recorded histories, and what that would have been worth; `liveThrough` runs the whole crawl through
 * the same history, with other drivers in its sockets.
 */
export { type DemoWorld, openDemoWorld } from './demo-world.ts'
export {
  type BudgetFindings,
  type BudgetWish,
  type Findings,
  type LabOptions,
  type OnlineRow,
  replayTraces,
  type Row,
} from './findings.ts'
export { liveThrough } from './live-through.ts'
export { pollsOf, type Span } from './replay.ts'
export type { Score } from './score.ts'
export { readTraces, type TraceFile, type Traces } from './traces/read-traces.ts'
export { type Trace, traceLine } from './traces/trace.ts'
export type { SiteSpec } from './village/spec.ts'
export { createVillage, type Village, type VillageSite } from './village/village.ts'
export { budgetsIn, strategiesIn } from './wishes.ts'

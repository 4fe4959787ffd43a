/**
 * Time machines, and a web to try them on. The village is a fake web on loopback; `replay` asks a strategy alone how it
 * would have polled a feed; `liveThrough` runs the whole crawl through the same history, with other drivers in its sockets.
 */
export { type DemoWorld, openDemoWorld } from './demo-world.ts'
export { liveThrough } from './live-through.ts'
export { type Replayed, replay, type Span } from './replay.ts'
export { pageKindOf } from './village/page-habits.ts'
export type { SiteSpec } from './village/spec.ts'
export { createVillage, type Village, type VillageSite } from './village/village.ts'

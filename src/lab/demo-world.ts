/** The world of `freshet demo`: a lively part of the village on real sockets, in which a day takes seconds. */
import { createFastClock } from '../clocks/index.ts'
import { DAY, type Instant } from '../model/index.ts'
import type { Clock } from '../ports/index.ts'
import { LIVELY_SITES } from './village/default-sites.ts'
import { createVillage, type Village } from './village/village.ts'

export interface DemoWorld {
  clock: Clock
  village: Village
  close(): Promise<void>
}

/** The village starts in the morning, when feeds publish. */
export async function openDemoWorld(options: { startAt: Instant; speed: number; seed: number }): Promise<DemoWorld> {
  const { startAt, speed, seed } = options
  const clock = createFastClock({ startAt: Math.floor(startAt / DAY) * DAY + DAY / 3, speed })
  const village = createVillage({ clock, seed, sites: LIVELY_SITES })
  const listening = await village.listen()
  return { clock, village, close: listening.close }
}

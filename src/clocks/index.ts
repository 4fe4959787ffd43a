/** Clocks: the machine's, a fast one for demos, and one that advances on command for tests and the lab. */
export { createSteppedClock, type SteppedClock } from './stepped-clock.ts'
export { createFastClock, systemClock } from './system-clock.ts'

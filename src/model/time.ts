/** Milliseconds since 1970, UTC. Names of instants end in `At`, names of durations in `Ms`. */
export type Instant = number
export type Millis = number

export const SECOND: Millis = 1000
export const MINUTE: Millis = 60 * SECOND
export const HOUR: Millis = 60 * MINUTE
export const DAY: Millis = 24 * HOUR

/** The largest valid date: the due date of something that has stopped. */
export const NEVER: Instant = 8_640_000_000_000_000

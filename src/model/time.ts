/** Milliseconds since 1970, UTC. Names of instants end in `At`; names of lengths of time end in `Ms`. */
export type Instant = number
export type Millis = number

export const SECOND: Millis = 1000
export const MINUTE: Millis = 60 * SECOND
export const HOUR: Millis = 60 * MINUTE
export const DAY: Millis = 24 * HOUR

/** Further away than any date we deal with, and still a date: when something that has stopped would be due. */
export const NEVER: Instant = 8_640_000_000_000_000

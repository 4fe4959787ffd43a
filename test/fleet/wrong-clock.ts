/** Preloaded into test processes: shifts the system clock they see. */
const offMs = Number(process.env.CLOCK_OFF_MS ?? 0)
const right = Date.now
const RightDate = Date
Date.now = () => right() + offMs
globalThis.Date = new Proxy(RightDate, {
  construct: (target, given) => (given.length === 0 ? new target(right() + offMs) : Reflect.construct(target, given)),
})

/**
 * Work without a clock that can be interrupted: it stops after each of its steps, and goes on when it is told to. Who does long work beside
 * others yields between them (`inSlices` of runtime); who has nothing else to do takes them all at once.
 */
export type Steps<Made> = Generator<void, Made>

export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * CPU-bound work as a generator that can pause after each step. Callers that share a thread yield to the event loop between steps
 * (`inSlices` of runtime); others run it to the end at once.
 */
export type Steps<Made> = Generator<void, Made>

export function runToEnd<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

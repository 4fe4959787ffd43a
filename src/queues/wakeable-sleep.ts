/** A sleep that can be interrupted. One sleeper at a time; `wake` has no effect without a sleeper. */
export interface WakeableSleep {
  sleep(ms: number): Promise<void>
  wake(): void
}

export function createWakeableSleep(): WakeableSleep {
  let wake = () => {}
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake: () => wake(),
  }
}

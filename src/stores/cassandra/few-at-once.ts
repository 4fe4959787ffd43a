/** Back pressure: of much work, so much is under way and no more. */

export const UNDER_WAY = 128

/**
 * The first that fails ends it: nothing more is begun, and it is told once all that was under way has ended. Else who tries again would
 * have ever more under way, just when there is too much of it.
 */
export async function fewAtOnce(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = work.values()
  let failure: { error: unknown } | undefined
  const hand = async () => {
    for (const one of queue) {
      await one().catch((error) => {
        failure ??= { error }
      })
      if (failure) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(UNDER_WAY, work.length) }, hand))
  if (failure) throw (failure as { error: unknown }).error
}

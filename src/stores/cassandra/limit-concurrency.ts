/** Back pressure: limits how many requests run at once. */

export const MAX_CONCURRENT_QUERIES = 128

/**
 * Runs all tasks. After the first failure no task is started, and the error is thrown once all running tasks have ended: otherwise a
 * caller that retries would pile up requests just when the cluster is overloaded.
 */
export async function limitConcurrency(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = tasks.values()
  let failure: { error: unknown } | undefined
  const runWorker = async () => {
    for (const task of queue) {
      await task().catch((error) => {
        failure ??= { error }
      })
      if (failure) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_QUERIES, tasks.length) }, runWorker))
  if (failure) throw (failure as { error: unknown }).error
}

/**
 * The steps that are retried while the store fails transiently, and why each may be repeated: a step that fails may have taken effect.
 * Nothing else is retried. Counting and announcing follow a step and are not part of it.
 */
export const RETRIED_STEPS = {
  'repair dates': 'repaired dates are not found again',
  'load the budget': 'only reads, and keeps the result once it is complete',
  'start the controller': 'reads, and releases orphaned leases: an ended lease is not changed',
  'drop unwanted articles': 'dropped articles are not found again',
  'take over buckets': 'repeated claims of an owner return the same buckets, and a lease is adopted once',
  'run a tick': 'starts from the state in the store; leases of tasks that were not sent are released first',
  'release leases': 'an ended lease is not changed',
  'read hosts': 'only reads',
  'save hosts': 'each row replaces the previous one',
  'record redirect targets': 'replaces the targets, and an ended lease is not changed',
  'read feeds': 'only reads',
  'read articles': 'only reads',
  'prepare records': 'only reads',
  'read known entries': 'only reads',
  'record polls': 'under an ended lease nothing is written, and an existing record is found by its date',
  'record articles': 'under an ended lease nothing is written, and an existing record is found by its date',
  'record entries': 'known entries are not written twice',
  'record a found feed': 'under an ended lease nothing is written, and the source names its feed',
  'record a failed source': 'under an ended lease nothing is counted',
  'change a feed': 'sets the same values',
  'merge duplicates': 'read states that have moved stay where they are, and deleted entries are not found again',
  'merge feeds': 'moved data is found at its new place, and the feed is removed last',
  'save the market': 'replaces the previous one',
  'take spent polls':
    'each answer returns different polls: none are counted twice, and a lost answer loses those of five seconds',
  'read hub subscriptions': 'only reads',
  'write a hub subscription': 'under an outdated revision nothing is written',
  'count reads': 'only reads',
  'index, group and clean up': 'a chunk stays in the store until it is done',
  'apply retention': 'deleted data is not found again',
} as const

export type RetriedStep = keyof typeof RETRIED_STEPS

/** Retries a step until it succeeds, if the caller can wait; otherwise runs it once. */
export type RetryTransient = <T>(step: RetriedStep, work: () => Promise<T>) => Promise<T>

/** For callers that cannot wait: no retries. */
export const doOnce: RetryTransient = (_, work) => work()

/** Runs a step and returns its answer, and whether it was repeated: an earlier attempt may have taken effect without an answer. */
export async function runRetried<T>(
  retryTransient: RetryTransient,
  step: RetriedStep,
  work: () => Promise<T>,
): Promise<{ answer: T; isRepeated: boolean }> {
  let isRepeated = false
  const answer = await retryTransient(step, async () => {
    try {
      return await work()
    } catch (error) {
      isRepeated = true
      throw error
    }
  })
  return { answer, isRepeated }
}

/**
 * The steps that are repeated while the store fails transiently, and why each of them may be: a step that fails may have taken effect.
 * Nothing else is repeated. Whatever is counted, announced or remembered follows a step and is no part of it.
 */
export const RETRIED_STEPS = {
  'mend dates': 'dates that were mended are not found again',
  'begin the budget': 'it reads, and keeps what it read once all of it is there',
  'begin the controller': 'it reads, and releases orphaned leases: one that has ended is left alone',
  'drop unwanted pages': 'a page that was let go is not found again',
  'take up buckets': 'a claim of the same owner gives the same buckets, and a lease is adopted once',
  'work a round': 'begins from what the store says; what was taken and not sent is released first',
  'release leases': 'a lease that has ended is left alone',
  'read hosts': 'it reads',
  'save hosts': 'each row replaces the one before',
  'note redirect targets': 'the same targets replace those before, and a lease that has ended is left alone',
  'read feeds': 'it reads',
  'read articles': 'it reads',
  'prepare records': 'it reads',
  'read known entries': 'it reads',
  'record polls': 'a record under a lease that has ended writes nothing, and is found by its date',
  'record pages': 'a record under a lease that has ended writes nothing, and is found by its date',
  'record entries': 'an entry that is known is not written twice',
  'record a found feed': 'under a lease that has ended nothing is written, and the source tells its feed',
  'record a failed source': 'under a lease that has ended nothing is counted',
  'change a feed': 'it sets the same values',
  'merge duplicates': 'marks that have moved stay where they are, and what was forgotten is not found again',
  'merge feeds': 'what has moved is found where it belongs, and the feed is removed last',
  'save the market': 'it replaces the one before',
  'take spent polls':
    'what one answer gives no other does: polls are never counted twice, and a lost answer loses five seconds of them',
  'read push subscriptions': 'it reads',
  'write a push subscription': 'under a revision that is gone nothing is written',
  'read counts of readers': 'it reads',
  'index, group and sweep': 'each chunk is taken from the store, which has it until it is done',
  'apply retention': 'what was forgotten is not found again',
} as const

export type RetriedStep = keyof typeof RETRIED_STEPS

/** Repeats a step until the store takes it, if whoever calls can wait; else does it once. */
export type RetryTransient = <T>(step: RetriedStep, work: () => Promise<T>) => Promise<T>

/** For callers that cannot wait. */
export const doOnce: RetryTransient = (_, work) => work()

/** The step's answer, and whether it failed before: then it may have been answered to nobody. */
export async function repeated<T>(
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

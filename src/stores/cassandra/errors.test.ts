import { errors } from 'cassandra-driver'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../ports/index.ts'
import { clusterError, retryUnconnected } from './errors.ts'

/** As the driver's connection pool throws it. */
const noConnection = () => new Error('No connection available')

describe('a host whose connections have just been lost', () => {
  test('is skipped in favor of the next host', async () => {
    const answers = [noConnection(), noConnection(), 'the text']
    expect(await retryUnconnected(async () => throwOrReturn(answers.shift()))).toBe('the text')
  })

  test('leads to a transient error if there is no other host', async () => {
    let attempts = 0
    const call = retryUnconnected(async () => {
      attempts++
      throw noConnection()
    })
    const error = await call.catch((cause) => clusterError(cause, 'read from', 'Cassandra at a'))
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({
      isTransient: true,
      message: 'could not read from Cassandra at a: No connection available',
    })
    expect(attempts).toBe(3)
  })
})

test.each([
  ['no host available', new errors.NoHostAvailableError({}, 'nobody'), true],
  ['no answer in time', new errors.OperationTimedOutError('late', 'a'), true],
  ['a busy connection', new errors.BusyConnectionError('a', 1, 1), true],
  ['a reset connection', Object.assign(new Error('read ECONNRESET'), { isSocketError: true }), true],
  ['a wrong password', new errors.AuthenticationError('no'), false],
])('reports %s as a StoreError', (_, cause, isTransient) => {
  expect(clusterError(cause, 'open', 'there')).toMatchObject({ kind: 'no-access', isTransient })
})

test('passes on other errors unchanged, without a retry', async () => {
  const internalError = new TypeError('x is not a function')
  let attempts = 0
  const call = retryUnconnected(async () => {
    attempts++
    throw internalError
  })
  await expect(call).rejects.toBe(internalError)
  expect([attempts, clusterError(internalError, 'open', 'there')]).toEqual([1, internalError])
})

function throwOrReturn<T>(answer: T | Error): T {
  if (answer instanceof Error) throw answer
  return answer
}

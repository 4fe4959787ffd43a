import { errors } from 'cassandra-driver'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../ports/index.ts'
import { clusterTrouble, whereConnected } from './trouble.ts'

/** As the driver's pool of connections throws it. */
const unconnected = () => new Error('No connection available')

describe('a machine whose connections have just been lost', () => {
  test('is passed over: the next is asked', async () => {
    const answers = [unconnected(), unconnected(), 'the text']
    expect(await whereConnected(async () => thrown(answers.shift()))).toBe('the text')
  })

  test('is told as trouble that may pass where there is no other', async () => {
    let tries = 0
    const asked = whereConnected(async () => {
      tries++
      throw unconnected()
    })
    const error = await asked.catch((cause) => clusterTrouble(cause, 'read from', 'Cassandra at a'))
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({
      isPassing: true,
      message: 'could not read from Cassandra at a: No connection available',
    })
    expect(tries).toBe(3)
  })
})

test.each([
  ['nobody there', new errors.NoHostAvailableError({}, 'nobody'), true],
  ['no answer in time', new errors.OperationTimedOutError('late', 'a'), true],
  ['too much to do', new errors.BusyConnectionError('a', 1, 1), true],
  ['a cut line', Object.assign(new Error('read ECONNRESET'), { isSocketError: true }), true],
  ['a wrong password', new errors.AuthenticationError('no'), false],
])('%s is of the world', (_, cause, isPassing) => {
  expect(clusterTrouble(cause, 'open', 'there')).toMatchObject({ trouble: 'no-access', isPassing })
})

test('a mistake of ours stays one, and is not tried again', async () => {
  const mistake = new TypeError('x is not a function')
  let tries = 0
  const asked = whereConnected(async () => {
    tries++
    throw mistake
  })
  await expect(asked).rejects.toBe(mistake)
  expect([tries, clusterTrouble(mistake, 'open', 'there')]).toEqual([1, mistake])
})

function thrown<T>(answer: T | Error): T {
  if (answer instanceof Error) throw answer
  return answer
}

import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../model/index.ts'
import {
  createAttemptLimiter,
  findNameProblem,
  findPasswordProblem,
  hashOfSecret,
  hashPassword,
  newSecret,
  verifyPassword,
} from './index.ts'

const START = 1_700_000_000_000

describe('a password', () => {
  it('is verified by its hash, which is salted and contains the parameters', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword('correct horse', one)).toBe(true)
    expect(await verifyPassword('correct horsf', one)).toBe(false)
    expect(await verifyPassword('', one)).toBe(false)
  })

  it('is normalized, however its accents were typed', async () => {
    expect(await verifyPassword('cafe\u0301 corretto', await hashPassword('caf\u00e9 corretto'))).toBe(true)
  })

  it('of an unknown user is rejected, as is any with an invalid hash', async () => {
    for (const storedHash of [undefined, '', 'scrypt$1$1', 'plain', 'scrypt$32768$8$1$$'])
      expect(await verifyPassword('correct horse', storedHash)).toBe(false)
  })

  it('hashed with other parameters is still accepted', async () => {
    const storedHash = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA$'
    const { scryptSync } = await import('node:crypto')
    const hash = scryptSync('correct horse', Buffer.from('c2FsdHNhbHRzYWx0c2FsdA', 'base64url'), 32, {
      N: 1024,
      r: 8,
      p: 1,
    })
    expect(await verifyPassword('correct horse', storedHash + hash.toString('base64url'))).toBe(true)
  })

  it.each([
    ['short', 9],
    ['long', 501],
  ])('that is too %s is rejected with a hint', (word, length) => {
    expect(findPasswordProblem('x'.repeat(length))?.message).toContain(word)
    expect(findPasswordProblem('x'.repeat(10))).toBeUndefined()
  })
})

it.each(['ada', 'Ada.Lovelace', 'ada@example.org', 'Ünï', 'a', '李'])('%s is a valid name', (name) => {
  expect(findNameProblem(name)).toBeUndefined()
})

it.each(['', ' ada', 'ada ', 'a b', '-a', 'a/b', 'a\u0000b', '\u202eada', 'x'.repeat(65)])(
  '%j is not a valid name',
  (name) => {
    expect(findNameProblem(name)?.hint).toMatch(/1 to 64/)
  },
)

it('secrets differ, and are identified by their hash', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^freshet_[\w-]{43}$/)
  expect(secret).not.toBe(newSecret())
  expect(hashOfSecret(secret)).toEqual(hashOfSecret(secret))
  expect(hashOfSecret(secret)).toHaveLength(32)
})

describe('attempts', () => {
  const keys = (key: string, { freeFailures = 5, resetsOnSuccess = true } = {}) => [
    { key, freeFailures, resetsOnSuccess },
  ]
  const failTimes = (attempts: ReturnType<typeof createAttemptLimiter>, key: string, times: number, at = START) => {
    for (let i = 0; i < times; i++) attempts.start(keys(key), 'somewhere')?.(false, at)
  }

  it('back off after five failures, only under their own key', () => {
    const attempts = createAttemptLimiter()
    failTimes(attempts, 'ada', 4)
    expect(attempts.nextAllowedAt(keys('ada'), START)).toBeUndefined()
    failTimes(attempts, 'ada', 1)
    expect(attempts.nextAllowedAt(keys('ada'), START)).toBe(START + SECOND)
    expect(attempts.nextAllowedAt([...keys('bob'), ...keys('ada')], START)).toBe(START + SECOND)
    expect(attempts.nextAllowedAt(keys('bob'), START)).toBeUndefined()
    expect(attempts.nextAllowedAt(keys('ada', { freeFailures: 6 }), START)).toBeUndefined()
    failTimes(attempts, 'ada', 3)
    expect(attempts.nextAllowedAt(keys('ada'), START)).toBe(START + 8 * SECOND)
    failTimes(attempts, 'ada', 30)
    expect(attempts.nextAllowedAt(keys('ada'), START)).toBe(START + 15 * MINUTE)
    expect(attempts.nextAllowedAt(keys('ada'), START + 15 * MINUTE)).toBeUndefined()
  })

  it('are reset after an hour, and by success for keys that allow it', () => {
    const attempts = createAttemptLimiter()
    failTimes(attempts, 'ada', 9)
    attempts.start(keys('ada', { resetsOnSuccess: false }), 'somewhere')?.(true, START)
    expect(attempts.nextAllowedAt(keys('ada'), START)).toBeDefined()
    attempts.start(keys('ada'), 'somewhere')?.(true, START)
    expect(attempts.nextAllowedAt(keys('ada'), START)).toBeUndefined()
    failTimes(attempts, 'bob', 9)
    failTimes(attempts, 'bob', 1, START + HOUR + 1)
    expect(attempts.nextAllowedAt(keys('bob'), START + HOUR + 1)).toBeUndefined()
  })

  it('are limited to four at once, and two per client', () => {
    const attempts = createAttemptLimiter()
    const finish = [1, 2].map(() => attempts.start(keys('a'), 'one'))
    expect(attempts.start(keys('b'), 'one')).toBeUndefined()
    expect([1, 2].map(() => attempts.start(keys('a'), 'two')).every(Boolean)).toBe(true)
    expect(attempts.start(keys('b'), 'three')).toBeUndefined()
    finish[0]?.(true, START)
    expect(attempts.start(keys('b'), 'three')).toBeDefined()
  })
})

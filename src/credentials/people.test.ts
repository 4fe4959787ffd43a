import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../model/index.ts'
import {
  createAttempts,
  hashOfSecret,
  hashPassword,
  isPassword,
  newSecret,
  troubleWithName,
  troubleWithPassword,
} from './index.ts'

const START = 1_700_000_000_000

describe('a password', () => {
  it('is verified by its hash, which is salted and contains the parameters', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$/)
    expect(one).not.toBe(two)
    expect(await isPassword('correct horse', one)).toBe(true)
    expect(await isPassword('correct horsf', one)).toBe(false)
    expect(await isPassword('', one)).toBe(false)
  })

  it('is normalized, however its accents were typed', async () => {
    expect(await isPassword('cafe\u0301 corretto', await hashPassword('caf\u00e9 corretto'))).toBe(true)
  })

  it('of an unknown user is rejected, as is any with an invalid hash', async () => {
    for (const kept of [undefined, '', 'scrypt$1$1', 'plain', 'scrypt$32768$8$1$$'])
      expect(await isPassword('correct horse', kept)).toBe(false)
  })

  it('hashed with other parameters is still accepted', async () => {
    const kept = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA$'
    const { scryptSync } = await import('node:crypto')
    const hash = scryptSync('correct horse', Buffer.from('c2FsdHNhbHRzYWx0c2FsdA', 'base64url'), 32, {
      N: 1024,
      r: 8,
      p: 1,
    })
    expect(await isPassword('correct horse', kept + hash.toString('base64url'))).toBe(true)
  })

  it.each([
    ['short', 9],
    ['long', 501],
  ])('that is too %s is rejected with a hint', (word, length) => {
    expect(troubleWithPassword('x'.repeat(length))?.message).toContain(word)
    expect(troubleWithPassword('x'.repeat(10))).toBeUndefined()
  })
})

it.each(['ada', 'Ada.Lovelace', 'ada@example.org', 'Ünï', 'a', '李'])('%s is a valid name', (name) => {
  expect(troubleWithName(name)).toBeUndefined()
})

it.each(['', ' ada', 'ada ', 'a b', '-a', 'a/b', 'a\u0000b', '\u202eada', 'x'.repeat(65)])(
  '%j is not a valid name',
  (name) => {
    expect(troubleWithName(name)?.hint).toMatch(/1 to 64/)
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
  const by = (key: string, { free = 5, forgives = true } = {}) => [{ key, free, forgives }]
  const failing = (attempts: ReturnType<typeof createAttempts>, key: string, times: number, at = START) => {
    for (let i = 0; i < times; i++) attempts.begin(by(key), 'somewhere')?.(false, at)
  }

  it('back off after five failures, only under their own key', () => {
    const attempts = createAttempts()
    failing(attempts, 'ada', 4)
    expect(attempts.mayAt(by('ada'), START)).toBeUndefined()
    failing(attempts, 'ada', 1)
    expect(attempts.mayAt(by('ada'), START)).toBe(START + SECOND)
    expect(attempts.mayAt([...by('bob'), ...by('ada')], START)).toBe(START + SECOND)
    expect(attempts.mayAt(by('bob'), START)).toBeUndefined()
    expect(attempts.mayAt(by('ada', { free: 6 }), START)).toBeUndefined()
    failing(attempts, 'ada', 3)
    expect(attempts.mayAt(by('ada'), START)).toBe(START + 8 * SECOND)
    failing(attempts, 'ada', 30)
    expect(attempts.mayAt(by('ada'), START)).toBe(START + 15 * MINUTE)
    expect(attempts.mayAt(by('ada'), START + 15 * MINUTE)).toBeUndefined()
  })

  it('are reset after an hour, or by success where that forgives', () => {
    const attempts = createAttempts()
    failing(attempts, 'ada', 9)
    attempts.begin(by('ada', { forgives: false }), 'somewhere')?.(true, START)
    expect(attempts.mayAt(by('ada'), START)).toBeDefined()
    attempts.begin(by('ada'), 'somewhere')?.(true, START)
    expect(attempts.mayAt(by('ada'), START)).toBeUndefined()
    failing(attempts, 'bob', 9)
    failing(attempts, 'bob', 1, START + HOUR + 1)
    expect(attempts.mayAt(by('bob'), START + HOUR + 1)).toBeUndefined()
  })

  it('are limited to four at once, and two per client', () => {
    const attempts = createAttempts()
    const ends = [1, 2].map(() => attempts.begin(by('a'), 'one'))
    expect(attempts.begin(by('b'), 'one')).toBeUndefined()
    expect([1, 2].map(() => attempts.begin(by('a'), 'two')).every(Boolean)).toBe(true)
    expect(attempts.begin(by('b'), 'three')).toBeUndefined()
    ends[0]?.(true, START)
    expect(attempts.begin(by('b'), 'three')).toBeDefined()
  })
})

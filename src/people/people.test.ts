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
  it('is known by its hash, which is another each time and says how it was made', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$/)
    expect(one).not.toBe(two)
    expect(await isPassword('correct horse', one)).toBe(true)
    expect(await isPassword('correct horsf', one)).toBe(false)
    expect(await isPassword('', one)).toBe(false)
  })

  it('is the same however its accents were typed', async () => {
    expect(await isPassword('cafe\u0301 corretto', await hashPassword('caf\u00e9 corretto'))).toBe(true)
  })

  it('of nobody is refused, as is anything by a hash that is none', async () => {
    for (const kept of [undefined, '', 'scrypt$1$1', 'plain', 'scrypt$32768$8$1$$'])
      expect(await isPassword('correct horse', kept)).toBe(false)
  })

  it('made by other parameters is still known', async () => {
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
  ])('that is too %s is refused with what to do', (word, length) => {
    expect(troubleWithPassword('x'.repeat(length))?.message).toContain(word)
    expect(troubleWithPassword('x'.repeat(10))).toBeUndefined()
  })
})

it.each(['ada', 'Ada.Lovelace', 'ada@example.org', 'Ünï', 'a', '李'])('%s is a name', (name) => {
  expect(troubleWithName(name)).toBeUndefined()
})

it.each(['', ' ada', 'ada ', 'a b', '-a', 'a/b', 'a\u0000b', '\u202eada', 'x'.repeat(65)])('%j is no name', (name) => {
  expect(troubleWithName(name)?.hint).toMatch(/1 to 64/)
})

it('secrets differ, and are known by their hash', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^freshet_[\w-]{43}$/)
  expect(secret).not.toBe(newSecret())
  expect(hashOfSecret(secret)).toEqual(hashOfSecret(secret))
  expect(hashOfSecret(secret)).toHaveLength(32)
})

describe('attempts', () => {
  const failing = (attempts: ReturnType<typeof createAttempts>, by: string[], times: number, at = START) => {
    for (let i = 0; i < times; i++) attempts.begin(by)?.(false, at)
  }

  it('wait ever longer after five failures, by name and by address', () => {
    const attempts = createAttempts()
    failing(attempts, ['ada', '192.0.2.1'], 4)
    expect(attempts.mayAt(['ada', '192.0.2.1'], START)).toBeUndefined()
    failing(attempts, ['ada', '192.0.2.1'], 1)
    expect(attempts.mayAt(['ada', '198.51.100.1'], START)).toBe(START + SECOND)
    expect(attempts.mayAt(['bob', '192.0.2.1'], START)).toBe(START + SECOND)
    failing(attempts, ['ada', '192.0.2.1'], 3)
    expect(attempts.mayAt(['ada'], START)).toBe(START + 8 * SECOND)
    failing(attempts, ['ada', '192.0.2.1'], 30)
    expect(attempts.mayAt(['ada'], START)).toBe(START + 15 * MINUTE)
    expect(attempts.mayAt(['ada'], START + 15 * MINUTE)).toBeUndefined()
  })

  it('are forgiven after an hour, or by success', () => {
    const attempts = createAttempts()
    failing(attempts, ['ada'], 9)
    attempts.begin(['ada'])?.(true, START)
    expect(attempts.mayAt(['ada'], START)).toBeUndefined()
    failing(attempts, ['bob'], 9)
    failing(attempts, ['bob'], 1, START + HOUR + 1)
    expect(attempts.mayAt(['bob'], START + HOUR + 1)).toBeUndefined()
  })

  it('are four at once at most', () => {
    const attempts = createAttempts()
    const ends = [1, 2, 3, 4].map(() => attempts.begin(['a']))
    expect(attempts.begin(['b'])).toBeUndefined()
    ends[0]?.(true, START)
    expect(attempts.begin(['b'])).toBeDefined()
  })
})

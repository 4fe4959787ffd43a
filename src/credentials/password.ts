/**
 * Password hashing with scrypt. The parameters are stored with the hash, so they can be raised later. Takes some 50 ms and 32 MB in another
 * thread; the caller limits how many run at once.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const COST = { N: 2 ** 15, r: 8, p: 1 }
const HASH_BYTES = 32
const MAX_MEMORY = 256 * 1024 * 1024
const MIN_LENGTH = 10
const MAX_LENGTH = 500

/** Undefined if the password is acceptable. */
export function findPasswordProblem(password: string): { message: string; hint: string } | undefined {
  if (password.length >= MIN_LENGTH && password.length <= MAX_LENGTH) return undefined
  return {
    message: `the password is too ${password.length < MIN_LENGTH ? 'short' : 'long'}`,
    hint: `use ${MIN_LENGTH} to ${MAX_LENGTH} characters, such as several unrelated words`,
  }
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST, HASH_BYTES)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** `storedHash` is undefined for unknown users: takes the same time, so that the existence of a user name is not revealed. */
export async function verifyPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] =
    /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(storedHash ?? '') ?? []
  if (password.length > MAX_LENGTH) return false
  const expected = Buffer.from(hash, 'base64url')
  const cost = N === undefined ? COST : { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), cost, expected.length || HASH_BYTES)
  return expected.length > 0 && timingSafeEqual(actual, expected)
}

function derive(password: string, salt: Buffer, cost: ScryptOptions, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, bytes, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/**
 * Password hashing with scrypt. The parameters are stored with the hash, so they can be raised later. Takes some 50 ms and 32 MB in another
 * thread; the caller limits how many run at once.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const COST = { N: 2 ** 15, r: 8, p: 1 }
const BYTES = 32
const MOST_MEMORY = 256 * 1024 * 1024
const SHORTEST = 10
const LONGEST = 500

/** Undefined if the password is acceptable. */
export function troubleWithPassword(password: string): { message: string; hint: string } | undefined {
  if (password.length >= SHORTEST && password.length <= LONGEST) return undefined
  return {
    message: `the password is too ${password.length < SHORTEST ? 'short' : 'long'}`,
    hint: `take one of ${SHORTEST} to ${LONGEST} characters; some words that have nothing to do with each other will do`,
  }
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST, BYTES)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** `kept` is undefined for unknown users: takes the same time, so that the existence of a user name is not revealed. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] =
    /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(kept ?? '') ?? []
  if (password.length > LONGEST) return false
  const wanted = Buffer.from(hash, 'base64url')
  const cost = N === undefined ? COST : { N: Number(N), r: Number(r), p: Number(p) }
  const found = await derive(password, Buffer.from(salt, 'base64url'), cost, wanted.length || BYTES)
  return wanted.length > 0 && timingSafeEqual(found, wanted)
}

function derive(password: string, salt: Buffer, cost: ScryptOptions, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, bytes, { ...cost, maxmem: MOST_MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/** Recovery codes for users who have lost their second factor: random, stored as hashes, and valid once. */
import { randomInt } from 'node:crypto'
import { hashOfSecret } from './secret.ts'

const COUNT = 10
/** No letters that look alike. 16 of them have 79 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: COUNT }, () => [group(), group(), group(), group()].join('-'))
}

/** Hyphens, spaces and case do not matter. */
export function hashOfRecoveryCode(code: string): string {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return Buffer.from(hashOfSecret(`recovery code ${letters}`)).toString('base64url')
}

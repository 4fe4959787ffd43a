/**
 * Credentials of the Fever protocol. Clients send the MD5 of name and password, so a hash of that is stored. The password is 256 random
 * bits long, so the weakness of MD5 does not help to guess it.
 */
import { createHash } from 'node:crypto'
import { hashOfSecret } from './secret.ts'

export function feverKey(name: string, secret: string): string {
  return createHash('md5').update(`${name}:${secret}`).digest('hex')
}

export function feverHash(key: string): Uint8Array {
  return hashOfSecret(feverSecret(key))
}

/** The text to hash; the prefix distinguishes it from other secrets. */
export function feverSecret(key: string): string {
  return `fever ${key.toLowerCase()}`
}

export function isFeverSecret(secret: string): boolean {
  return secret.startsWith('fever ')
}

/**
 * Passwords for programs that speak the Fever protocol. What they send is the MD5 of name and password, so of such a password the hash of
 * that is kept. It is 256 random bits long: that MD5 is weak helps nobody to guess it.
 */
import { createHash } from 'node:crypto'
import { hashOfSecret } from './secret.ts'

export function feverKey(name: string, secret: string): string {
  return createHash('md5').update(`${name}:${secret}`).digest('hex')
}

export function feverHash(key: string): Uint8Array {
  return hashOfSecret(feverProof(key))
}

/** What is hashed; no other secret begins so. */
export function feverProof(key: string): string {
  return `fever ${key.toLowerCase()}`
}

export function isFeverProof(secret: string): boolean {
  return secret.startsWith('fever ')
}

/** Secrets of access tokens: 256 random bits. They cannot be guessed, so a plain hash is safe and can be looked up by an index. */
import { createHash, randomBytes } from 'node:crypto'

/** Lets users and secret scanners recognize our tokens. */
const PREFIX = 'freshet_'

export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

export function hashOfSecret(secret: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

/** Secrets of passes: 256 random bits. Nobody guesses one, so a plain hash keeps it as well as a slow one, and is found by an index. */
import { createHash, randomBytes } from 'node:crypto'

/** So that whoever finds one knows what it is, and tools that look for leaked secrets do. */
const BEGINNING = 'freshet_'

export function newSecret(): string {
  return BEGINNING + randomBytes(32).toString('base64url')
}

export function hashOfSecret(secret: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(secret).digest())
}

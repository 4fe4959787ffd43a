/**
 * Encrypts short secrets for storage: AES-256-GCM under a key derived (HKDF-SHA-256) from one secret key, another for each purpose, so
 * that a value copied into a column of another purpose cannot be opened there.
 *
 *   sealed:1:<id of the key>:<nonce, ciphertext and tag, base64url>
 *
 * Nonces are random, except where equal secrets must have equal ciphertexts because the store looks them up: there the nonce is an HMAC
 * of the secret. That tells only whether two secrets are the same, and such secrets are random themselves.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type SecretPurpose = 'feed-login' | 'webhook-secret' | 'feed-out-key' | 'push-secret'

export interface SecretCipher {
  seal(purpose: SecretPurpose, secret: string): string
  /** Undefined if it was sealed with another key, or was changed since. */
  open(purpose: SecretPurpose, sealed: string): string | undefined
}

export const SECRET_KEY_BYTES = 32
const PREFIX = 'sealed:1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const LOOKED_UP: ReadonlySet<SecretPurpose> = new Set(['feed-out-key'])

export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX)
}

export function createSecretCipher(secretKey: Uint8Array): SecretCipher {
  if (secretKey.length !== SECRET_KEY_BYTES) throw new RangeError(`a secret key has ${SECRET_KEY_BYTES} bytes`)
  const derived = new Map<string, Buffer>()
  const keyFor = (use: string) => {
    const known = derived.get(use) ?? Buffer.from(hkdfSync('sha256', secretKey, '', `freshet ${use}`, SECRET_KEY_BYTES))
    derived.set(use, known)
    return known
  }
  const keyId = keyFor('key id').toString('base64url').slice(0, 8)

  return {
    seal(purpose, secret) {
      const nonce = LOOKED_UP.has(purpose)
        ? createHmac('sha256', keyFor(`nonce of ${purpose}`))
            .update(secret)
            .digest()
            .subarray(0, NONCE_BYTES)
        : randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce)
      const bytes = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${PREFIX}${keyId}:${bytes.toString('base64url')}`
    },
    open(purpose, sealed) {
      const [id, encoded] = sealed.slice(PREFIX.length).split(':')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (!isSealed(sealed) || id !== keyId || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

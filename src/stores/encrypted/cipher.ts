/**
 * Encrypts short secrets for storage with AES-256-GCM. Each purpose has its own key, derived from one secret key with HKDF-SHA-256, so
 * a value copied into a column of another purpose cannot be decrypted there.
 *
 *   sealed:1:<id of the key>:<nonce, ciphertext and tag, base64url>
 *
 * Nonces are random, except for secrets that the store looks up, whose ciphertexts must be equal if the secrets are: there the nonce is
 * an HMAC of the secret. This reveals only whether two secrets are equal, and such secrets are random themselves.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type SecretPurpose =
  | 'feed-login'
  | 'fetch-setting'
  | 'webhook-secret'
  | 'feed-out-key'
  | 'push-secret'
  | 'destination-secrets'
  | 'second-factor'
  | `user-value:${string}`

export interface SecretCipher {
  encrypt(purpose: SecretPurpose, secret: string): string
  /** Undefined if the value was encrypted with another key or has been modified. */
  decrypt(purpose: SecretPurpose, ciphertext: string): string | undefined
}

export const SECRET_KEY_BYTES = 32
const PREFIX = 'sealed:1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DETERMINISTIC: ReadonlySet<SecretPurpose> = new Set(['feed-out-key'])

export function isEncrypted(text: string): boolean {
  return text.startsWith(PREFIX)
}

export function createSecretCipher(secretKey: Uint8Array): SecretCipher {
  if (secretKey.length !== SECRET_KEY_BYTES)
    throw new RangeError(`the secret key must have ${SECRET_KEY_BYTES} bytes, not ${secretKey.length}`)
  const derived = new Map<string, Buffer>()
  const keyFor = (use: string) => {
    const key = derived.get(use) ?? Buffer.from(hkdfSync('sha256', secretKey, '', `freshet ${use}`, SECRET_KEY_BYTES))
    derived.set(use, key)
    return key
  }
  const keyId = keyFor('key id').toString('base64url').slice(0, 8)

  return {
    encrypt(purpose, secret) {
      const nonce = DETERMINISTIC.has(purpose)
        ? createHmac('sha256', keyFor(`nonce of ${purpose}`))
            .update(secret)
            .digest()
            .subarray(0, NONCE_BYTES)
        : randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce)
      const bytes = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${PREFIX}${keyId}:${bytes.toString('base64url')}`
    },
    decrypt(purpose, ciphertext) {
      const [id, encoded] = ciphertext.slice(PREFIX.length).split(':')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (!isEncrypted(ciphertext) || id !== keyId || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
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

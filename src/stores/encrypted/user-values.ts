/** Encrypts the secrets in values of users: those of some kinds as a whole, and the string `secrets` of destinations. */
import type { Store, UserValueKind, UserValues } from '../../ports/index.ts'
import { isEncrypted, type SecretCipher, type SecretPurpose } from './cipher.ts'
import { wrongKeyError } from './wrong-key.ts'

/** Kinds whose values are encrypted as a whole: they are stored as a string. */
export const ENCRYPTED_AS_A_WHOLE = { secondFactor: 'second-factor' } as const satisfies Partial<
  Record<UserValueKind, SecretPurpose>
>

interface ValueEncryption {
  encrypt(value: unknown): unknown
  decrypt(value: unknown): unknown
}

export function secretsOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'secrets' in value ? String(value.secrets) : ''
}

function wholeValueEncryption(cipher: SecretCipher, purpose: SecretPurpose): ValueEncryption {
  return {
    encrypt: (value) => cipher.encrypt(purpose, JSON.stringify(value)),
    decrypt(value) {
      if (typeof value !== 'string' || !isEncrypted(value)) return value
      const plain = cipher.decrypt(purpose, value)
      if (plain === undefined) throw wrongKeyError()
      return JSON.parse(plain) as unknown
    },
  }
}

/** By kind; other kinds have no secrets. */
function valueEncryptions(cipher: SecretCipher): Partial<Record<UserValueKind, ValueEncryption>> {
  const asAWhole = Object.entries(ENCRYPTED_AS_A_WHOLE).map(([kind, purpose]) => [
    kind,
    wholeValueEncryption(cipher, purpose),
  ])
  return {
    ...Object.fromEntries(asAWhole),
    // Secrets that were encrypted with another key are empty: their destination asks for them again.
    destination: {
      encrypt: (value) => ({
        ...(value as object),
        secrets: cipher.encrypt('destination-secrets', secretsOf(value)),
      }),
      decrypt(value) {
        const secrets = secretsOf(value)
        if (!isEncrypted(secrets)) return value
        return { ...(value as object), secrets: cipher.decrypt('destination-secrets', secrets) ?? '' }
      },
    },
  }
}

export function encryptedUserValues(
  store: Store,
  cipher: SecretCipher | undefined,
): Partial<Pick<UserValues, 'userValues' | 'putUserValues' | 'everyUserValue'>> {
  if (!cipher) return {}
  const encryptions = valueEncryptions(cipher)
  return {
    async userValues(userId, kind, query) {
      const values = await store.userValues(userId, kind, query)
      const encryption = encryptions[kind]
      return encryption ? values.map((item) => ({ ...item, value: encryption.decrypt(item.value) })) : values
    },
    putUserValues(userId, kind, changes, at) {
      const encryption = encryptions[kind]
      const encrypted = encryption
        ? changes.map(({ key, value }) => ({ key, value: value === undefined ? value : encryption.encrypt(value) }))
        : changes
      return store.putUserValues(userId, kind, encrypted, at)
    },
    async *everyUserValue(kind) {
      const encryption = encryptions[kind]
      for await (const item of store.everyUserValue(kind))
        yield encryption ? { ...item, value: encryption.decrypt(item.value) } : item
    },
  }
}

/** Encrypts the secrets in values of users: the string `secrets` of destinations and second factors. */
import type { Store, UserValueKind, UserValues } from '../../ports/index.ts'
import { isEncrypted, type SecretCipher, type SecretPurpose } from './cipher.ts'

/** The kinds of values that have secrets. */
const PURPOSES: { readonly [Kind in UserValueKind]?: SecretPurpose } = {
  destination: 'destination-secrets',
  secondFactor: 'second-factor',
}

export function secretsOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'secrets' in value ? String(value.secrets) : ''
}

/** Secrets that were encrypted with another key are empty: their destination asks for them again, and their second factor
 * accepts no code. */
export function encryptedUserValues(
  store: Store,
  cipher: SecretCipher | undefined,
): Partial<Pick<UserValues, 'userValues' | 'putUserValues' | 'everyUserValue'>> {
  if (!cipher) return {}
  const encrypt = (value: unknown, purpose: SecretPurpose) =>
    value === undefined ? value : { ...(value as object), secrets: cipher.encrypt(purpose, secretsOf(value)) }
  const decrypt = <Item extends { value: unknown }>(item: Item, purpose: SecretPurpose): Item => {
    const secrets = secretsOf(item.value)
    if (!isEncrypted(secrets)) return item
    return { ...item, value: { ...(item.value as object), secrets: cipher.decrypt(purpose, secrets) ?? '' } }
  }
  return {
    async userValues(userId, kind, query) {
      const [values, purpose] = [await store.userValues(userId, kind, query), PURPOSES[kind]]
      return purpose ? values.map((value) => decrypt(value, purpose)) : values
    },
    putUserValues(userId, kind, changes, at) {
      const purpose = PURPOSES[kind]
      const encrypted = purpose && changes.map(({ key, value }) => ({ key, value: encrypt(value, purpose) }))
      return store.putUserValues(userId, kind, encrypted ?? changes, at)
    },
    async *everyUserValue(kind) {
      const purpose = PURPOSES[kind]
      for await (const value of store.everyUserValue(kind)) yield purpose ? decrypt(value, purpose) : value
    },
  }
}

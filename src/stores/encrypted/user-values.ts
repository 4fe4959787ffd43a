/** Encrypts the secrets in values of users: the string `secrets` of destinations. */
import type { Store, UserValueKind, UserValues } from '../../ports/index.ts'
import { isEncrypted, type SecretCipher } from './cipher.ts'

const WITH_SECRETS: UserValueKind = 'destination'

export function secretsOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'secrets' in value ? String(value.secrets) : ''
}

/** Secrets that were encrypted with another key are empty: their destination asks for them again. */
export function encryptedUserValues(
  store: Store,
  cipher: SecretCipher | undefined,
): Partial<Pick<UserValues, 'userValues' | 'putUserValues' | 'everyUserValue'>> {
  if (!cipher) return {}
  const encrypt = (value: unknown) =>
    value === undefined
      ? value
      : { ...(value as object), secrets: cipher.encrypt('destination-secrets', secretsOf(value)) }
  const decrypt = <Item extends { value: unknown }>(item: Item): Item => {
    const secrets = secretsOf(item.value)
    if (!isEncrypted(secrets)) return item
    return {
      ...item,
      value: { ...(item.value as object), secrets: cipher.decrypt('destination-secrets', secrets) ?? '' },
    }
  }
  return {
    async userValues(userId, kind, query) {
      const values = await store.userValues(userId, kind, query)
      return kind === WITH_SECRETS ? values.map(decrypt) : values
    },
    putUserValues: (userId, kind, changes, at) =>
      store.putUserValues(
        userId,
        kind,
        kind === WITH_SECRETS ? changes.map(({ key, value }) => ({ key, value: encrypt(value) })) : changes,
        at,
      ),
    async *everyUserValue(kind) {
      for await (const value of store.everyUserValue(kind)) yield kind === WITH_SECRETS ? decrypt(value) : value
    },
  }
}

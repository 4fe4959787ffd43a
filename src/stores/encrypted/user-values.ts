/** Encrypts the secrets in values of users: the string `secrets` of destinations, and all of a value of other kinds. */
import { SECRET_USER_VALUE_KINDS, type Store, type UserValueKind, type UserValues } from '../../ports/index.ts'
import { isEncrypted, type SecretCipher } from './cipher.ts'

const WITH_SECRETS: UserValueKind = 'destination'

export function secretsOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'secrets' in value ? String(value.secrets) : ''
}

/** A value that is encrypted as a whole. */
export function isSealed(value: unknown): value is { sealed: string } {
  return typeof (value as { sealed?: unknown } | null)?.sealed === 'string'
}

/**
 * Secrets that were encrypted with another key are empty: their destination asks for them again. Whole values of another key are returned
 * as they are, which their readers treat as absent.
 */
export function encryptedUserValues(
  store: Store,
  cipher: SecretCipher | undefined,
): Partial<Pick<UserValues, 'userValues' | 'putUserValues' | 'everyUserValue'>> {
  if (!cipher) return {}
  const encrypt = (kind: UserValueKind, value: unknown) => {
    if (value === undefined) return value
    if (kind === WITH_SECRETS)
      return { ...(value as object), secrets: cipher.encrypt('destination-secrets', secretsOf(value)) }
    if (SECRET_USER_VALUE_KINDS.has(kind)) return { sealed: cipher.encrypt('user-value', JSON.stringify(value)) }
    return value
  }
  const decrypt = <Item extends { value: unknown }>(kind: UserValueKind, item: Item): Item => {
    if (SECRET_USER_VALUE_KINDS.has(kind)) {
      const text = isSealed(item.value) ? cipher.decrypt('user-value', item.value.sealed) : undefined
      return text === undefined ? item : { ...item, value: JSON.parse(text) as unknown }
    }
    const secrets = kind === WITH_SECRETS ? secretsOf(item.value) : ''
    if (!isEncrypted(secrets)) return item
    return {
      ...item,
      value: { ...(item.value as object), secrets: cipher.decrypt('destination-secrets', secrets) ?? '' },
    }
  }
  return {
    userValues: async (userId, kind, query) =>
      (await store.userValues(userId, kind, query)).map((item) => decrypt(kind, item)),
    putUserValues: (userId, kind, changes, at) =>
      store.putUserValues(
        userId,
        kind,
        changes.map(({ key, value }) => ({ key, value: encrypt(kind, value) })),
        at,
      ),
    async *everyUserValue(kind) {
      for await (const item of store.everyUserValue(kind)) yield decrypt(kind, item)
    },
  }
}

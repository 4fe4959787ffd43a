/** Encrypts the secrets in values of users: the string `secrets` of some kinds, and all of a value of others. */
import { SECRET_USER_VALUE_KINDS, type Store, type UserValueKind, type UserValues } from '../../ports/index.ts'
import { isEncrypted, type SecretCipher, type SecretPurpose } from './cipher.ts'

/** The kinds whose values have the string `secrets`. */
const PURPOSES: { readonly [Kind in UserValueKind]?: SecretPurpose } = {
  destination: 'destination-secrets',
  secondFactor: 'second-factor',
}

export function secretsOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'secrets' in value ? String(value.secrets) : ''
}

/** A value that is encrypted as a whole. */
export function isSealed(value: unknown): value is { sealed: string } {
  return typeof (value as { sealed?: unknown } | null)?.sealed === 'string'
}

/**
 * Secrets that were encrypted with another key are empty: their destination asks for them again, and their second factor accepts no code.
 * Whole values of another key are returned as they are, which their readers treat as absent.
 */
export function encryptedUserValues(
  store: Store,
  cipher: SecretCipher | undefined,
): Partial<Pick<UserValues, 'userValues' | 'putUserValues' | 'everyUserValue'>> {
  if (!cipher) return {}
  const encrypt = (kind: UserValueKind, value: unknown) => {
    const purpose = PURPOSES[kind]
    if (value === undefined) return value
    if (purpose) return { ...(value as object), secrets: cipher.encrypt(purpose, secretsOf(value)) }
    if (!SECRET_USER_VALUE_KINDS.has(kind)) return value
    return { sealed: cipher.encrypt(`user-value:${kind}`, JSON.stringify(value)) }
  }
  const decrypt = <Item extends { value: unknown }>(kind: UserValueKind, item: Item): Item => {
    const purpose = PURPOSES[kind]
    const secrets = purpose ? secretsOf(item.value) : ''
    if (purpose && isEncrypted(secrets))
      return { ...item, value: { ...(item.value as object), secrets: cipher.decrypt(purpose, secrets) ?? '' } }
    if (!SECRET_USER_VALUE_KINDS.has(kind) || !isSealed(item.value)) return item
    const text = cipher.decrypt(`user-value:${kind}`, item.value.sealed)
    return text === undefined ? item : { ...item, value: JSON.parse(text) as unknown }
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

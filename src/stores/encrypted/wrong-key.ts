/** The error of secrets that were encrypted with another key. */
import { StoreError } from '../../ports/index.ts'

export function wrongKeyError(): StoreError {
  return new StoreError(
    'no-access',
    'passwords in this store are encrypted with another key',
    'restore the key file from your backup (--secret-key-file), or start once with --forget-secrets to drop what cannot be decrypted',
  )
}

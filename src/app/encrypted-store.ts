/**
 * Manages the key that encrypts stored passwords, secrets of webhooks and hubs, and keys of outgoing feeds. A SQLite store has a key file
 * beside it, created when the store is first opened for writing. A store on a server uses the file of --secret-key-file, which must be the
 * same on each machine, or no encryption.
 *
 * The file has the key in base64. A second line is added once everything that earlier versions stored in plain text is encrypted.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { HintedError } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { createSecretCipher, SECRET_KEY_BYTES } from '../stores/encrypted/cipher.ts'
import { encryptExisting } from '../stores/encrypted/encrypt-existing.ts'
import { withEncryption } from '../stores/encrypted/index.ts'

const OWNER_ONLY = 0o600
/** Marks the current set of encrypted columns. A file with another mark is from an earlier version. */
const ALL_ENCRYPTED = 'all-encrypted 2'

interface KeyFile {
  key: Buffer
  isAllEncrypted: boolean
}

export interface SecretKeyLocation {
  /** Undefined: secrets are stored in plain text. */
  file: string | undefined
  /** --secret-key-file is set: the file must exist, and is never created. */
  isConfigured: boolean
  /** Drops secrets that another key encrypted. */
  forget: boolean
  mode: 'write' | 'read'
  /** Encrypts what is stored in plain text before the store is used. */
  encryptExisting: boolean
}

/** Returns a wrapper that encrypts secrets. Closes the store and throws if another key encrypted its secrets. */
export async function openEncryption(store: Store, location: SecretKeyLocation): Promise<(store: Store) => Store> {
  try {
    const keyFile = readOrCreateKey(location)
    const cipher = keyFile && createSecretCipher(keyFile.key)
    if (cipher && location.encryptExisting && (!keyFile.isAllEncrypted || location.forget)) {
      await encryptExisting(store, cipher, location.forget)
      if (location.file && !location.isConfigured) writeKeyFile(location.file, { ...keyFile, isAllEncrypted: true })
    }
    return (plain) => withEncryption(plain, cipher)
  } catch (error) {
    await store.close()
    throw error
  }
}

function readOrCreateKey({ file, isConfigured, mode }: SecretKeyLocation): KeyFile | undefined {
  if (file === undefined) return undefined
  const keyFile = readKeyFile(file)
  if (keyFile === 'unreadable') return mode === 'read' ? undefined : rejectKeyFile(file, 'cannot be read')
  if (keyFile || (mode === 'read' && !isConfigured)) return keyFile
  if (isConfigured) rejectKeyFile(file, 'does not exist')
  const created = { key: randomBytes(SECRET_KEY_BYTES), isAllEncrypted: false }
  writeKeyFile(file, created)
  return created
}

/** Returns undefined if the file does not exist. */
function readKeyFile(file: string): KeyFile | 'unreadable' | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES') return 'unreadable'
    throw error
  }
  const [keyLine = '', markLine = ''] = text.split('\n')
  const key = Buffer.from(keyLine.trim(), 'base64')
  if (key.length !== SECRET_KEY_BYTES)
    rejectKeyFile(file, `is not a key: it must hold ${SECRET_KEY_BYTES} bytes in base64`)
  return { key, isAllEncrypted: markLine.trim() === ALL_ENCRYPTED }
}

/** Writes atomically: an interruption leaves the old file or the new one. */
function writeKeyFile(file: string, { key, isAllEncrypted }: KeyFile): void {
  const lines = [key.toString('base64'), ...(isAllEncrypted ? [ALL_ENCRYPTED] : [])]
  writeFileSync(`${file}.new`, `${lines.join('\n')}\n`, { mode: OWNER_ONLY, flush: true })
  renameSync(`${file}.new`, file)
}

function rejectKeyFile(file: string, why: string): never {
  throw new HintedError(
    `the key file ${file} ${why}`,
    'restore it from your backup, or make one: head -c 32 /dev/urandom | base64 > FILE',
  )
}

/**
 * The key that encrypts stored passwords, secrets of webhooks and hubs, and keys of feeds out. A SQLite store has it in a file beside it, made when
 * the store is first opened for writing; a store on a server has it where --secret-key-file says, the same key on each machine, or none.
 *
 * The file has the key in base64, and a second line once everything that an earlier version stored in plain text is encrypted.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { HintedError } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { createSecretCipher, SECRET_KEY_BYTES } from '../stores/encrypted/cipher.ts'
import { encryptExisting } from '../stores/encrypted/encrypt-existing.ts'
import { withEncryption } from '../stores/encrypted/index.ts'

const OWNER_ONLY = 0o600
/** Everything that is encrypted today; a file that says something else is of an earlier version. */
const ALL_ENCRYPTED = 'all-encrypted 2'

interface KeyFile {
  key: Buffer
  isAllEncrypted: boolean
}

export interface SecretKeyPlace {
  /** Undefined: secrets are stored in plain text. */
  file: string | undefined
  /** Somebody else makes the file: it must be there. */
  isNamed: boolean
  /** Drops secrets of another key. */
  forget: boolean
  mode: 'write' | 'read'
  /** Encrypts what is stored in plain text before the store is used. */
  encryptExisting: boolean
}

/** Answers what encrypts on the way into a store. Closes the store and throws where its secrets were encrypted with another key. */
export async function encryptedStore(store: Store, place: SecretKeyPlace): Promise<(store: Store) => Store> {
  try {
    const found = keyIn(place)
    const cipher = found && createSecretCipher(found.key)
    if (cipher && place.encryptExisting && (!found.isAllEncrypted || place.forget)) {
      await encryptExisting(store, cipher, place.forget)
      if (place.file && !place.isNamed) writeKeyFile(place.file, { ...found, isAllEncrypted: true })
    }
    return (plain) => withEncryption(plain, cipher)
  } catch (error) {
    await store.close()
    throw error
  }
}

function keyIn({ file, isNamed, mode }: SecretKeyPlace): KeyFile | undefined {
  if (file === undefined) return undefined
  const found = readKeyFile(file)
  if (found === 'unreadable') return mode === 'read' ? undefined : refuse(file, 'cannot be read')
  if (found || (mode === 'read' && !isNamed)) return found
  if (isNamed) refuse(file, 'does not exist')
  const made = { key: randomBytes(SECRET_KEY_BYTES), isAllEncrypted: false }
  writeKeyFile(file, made)
  return made
}

/** Undefined if there is none. */
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
  const [line = '', second = ''] = text.split('\n')
  const key = Buffer.from(line.trim(), 'base64')
  if (key.length !== SECRET_KEY_BYTES) refuse(file, `is not a key: it must hold ${SECRET_KEY_BYTES} bytes in base64`)
  return { key, isAllEncrypted: second.trim() === ALL_ENCRYPTED }
}

/** In one step: whoever is interrupted leaves the old file or the new one. */
function writeKeyFile(file: string, { key, isAllEncrypted }: KeyFile): void {
  const lines = [key.toString('base64'), ...(isAllEncrypted ? [ALL_ENCRYPTED] : [])]
  writeFileSync(`${file}.new`, `${lines.join('\n')}\n`, { mode: OWNER_ONLY, flush: true })
  renameSync(`${file}.new`, file)
}

function refuse(file: string, why: string): never {
  throw new HintedError(
    `the key file ${file} ${why}`,
    'restore it from your backup, or make one: head -c 32 /dev/urandom | base64 > FILE',
  )
}

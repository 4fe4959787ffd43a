/**
 * Logins at servers elsewhere, kept in one file in the user's folder of settings: name, address and token of each. Who can read it can
 * speak for its owner, so it is for its owner's eyes only, and written whole or not at all.
 */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'

interface Profile {
  /** By which `--server` finds it. */
  name: string
  url: string
  token: string
  /** Who it speaks for, where the server has accounts. */
  person?: string
}

const OWNER_ONLY = 0o600
const FOLDER_OWNER_ONLY = 0o700
/** A file of logins is small; what is larger is something else. */
const MOST_BYTES = 1_000_000

export async function readProfiles(config: Config): Promise<Profile[]> {
  const name = profilesFile(config)
  const text = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw new InputError(
      `${name} cannot be read: ${error.message}`,
      'check its owner, or set another file with --profiles',
    )
  })
  const found = text.length > MOST_BYTES ? undefined : parsed(text)
  if (Array.isArray(found) && found.every(isProfile)) return found
  throw new InputError(`${name} is not a profiles file`, 'remove it and log in again')
}

/** The login of this name, or at this address, in its place. */
export async function saveProfile(config: Config, profile: Profile): Promise<string> {
  const others = (await readProfiles(config)).filter(({ name }) => name !== profile.name)
  return writeProfiles(config, [...others, profile])
}

export async function forgetProfile(config: Config, name: string): Promise<void> {
  const others = (await readProfiles(config)).filter((one) => one.name !== name)
  await writeProfiles(config, others)
}

/** By its name, else by its address. */
export function profileMeant(profiles: readonly Profile[], word: string): Profile | undefined {
  return profiles.find(({ name }) => name === word) ?? profiles.find(({ url }) => url === serverAddress(word))
}

/** As it is compared and kept: without what stands behind the path, and without a slash at its end. */
export function serverAddress(word: string): string | undefined {
  if (!/^https?:\/\//i.test(word) || !URL.canParse(word)) return undefined
  const { origin, pathname } = new URL(word)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

function profilesFile({ profiles }: Config): string {
  if (profiles !== '') return profiles
  const folder =
    process.platform === 'win32'
      ? (process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'))
      : (process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'))
  return join(folder, 'freshet', 'profiles.json')
}

async function writeProfiles(config: Config, profiles: Profile[]): Promise<string> {
  const name = profilesFile(config)
  const part = `${name}.part`
  try {
    await mkdir(dirname(name), { recursive: true, mode: FOLDER_OWNER_ONLY })
    await writeFile(part, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: OWNER_ONLY })
    await chmod(part, OWNER_ONLY) // one that was left behind keeps its mode
    await rename(part, name)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InputError(
      `${name} could not be written: ${reason}`,
      'check the owner of the folder, or set another file with --profiles',
    )
  }
  return name
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProfile(value: unknown): value is Profile {
  const { name, url, token } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && typeof token === 'string' && typeof url === 'string' && serverAddress(url) === url
}

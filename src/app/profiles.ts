/**
 * Saves logins at remote servers (name, address and token) in one file in the user's config folder. The tokens give access to the server, so
 * only the owner can read the file. It is written atomically.
 */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'

interface Profile {
  /** The name for `--server`. */
  name: string
  url: string
  token: string
  /** The user of the token, if the server has accounts. */
  user?: string
}

const OWNER_ONLY = 0o600
const FOLDER_OWNER_ONLY = 0o700
/** A larger file is not a profiles file. */
const MAX_PROFILES_BYTES = 1_000_000

export async function readProfiles(config: Config): Promise<Profile[]> {
  const name = profilesFile(config)
  const text = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw new InputError(
      `${name} cannot be read: ${error.message}`,
      'check its owner, or set another file with --profiles',
    )
  })
  const profiles = text.length > MAX_PROFILES_BYTES ? undefined : parseJson(text)
  if (Array.isArray(profiles) && profiles.every(isProfile)) return profiles.map(withUser)
  throw new InputError(`${name} is not a profiles file`, 'remove it and log in again')
}

/** Files written before 0.2.0 say "person" instead of "user". */
function withUser({ person, ...profile }: Profile & { person?: string }): Profile {
  return { ...(person !== undefined && { user: person }), ...profile }
}

/** Replaces a login of the same name. Returns the path of the file. */
export async function saveProfile(config: Config, profile: Profile): Promise<string> {
  const otherProfiles = (await readProfiles(config)).filter(({ name }) => name !== profile.name)
  return writeProfiles(config, [...otherProfiles, profile])
}

export async function removeProfile(config: Config, name: string): Promise<void> {
  const otherProfiles = (await readProfiles(config)).filter((one) => one.name !== name)
  await writeProfiles(config, otherProfiles)
}

/** Finds a login by name, or else by address. */
export function findProfile(profiles: readonly Profile[], nameOrUrl: string): Profile | undefined {
  return (
    profiles.find(({ name }) => name === nameOrUrl) ?? profiles.find(({ url }) => url === normalizeServerUrl(nameOrUrl))
  )
}

/** Removes query, fragment and trailing slashes. Returns undefined if the text is no URL. */
export function normalizeServerUrl(nameOrUrl: string): string | undefined {
  if (!/^https?:\/\//i.test(nameOrUrl) || !URL.canParse(nameOrUrl)) return undefined
  const { origin, pathname } = new URL(nameOrUrl)
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
    await chmod(part, OWNER_ONLY) // a leftover file keeps its mode
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProfile(value: unknown): value is Profile {
  const { name, url, token } = (value ?? {}) as Record<string, unknown>
  return (
    typeof name === 'string' && typeof token === 'string' && typeof url === 'string' && normalizeServerUrl(url) === url
  )
}

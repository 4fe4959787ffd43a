/** `freshet login` and `logout`: create, save and revoke tokens for remote servers. */
import { hostname } from 'node:os'
import type { Command } from 'commander'
import {
  findProfile,
  InputError,
  normalizeServerUrl,
  readProfiles,
  removeProfile,
  saveProfile,
} from '../../app/index.ts'
import { ClientError, createClient } from '../../client/index.ts'
import { ACCESS_SCOPES, type AccessScope } from '../../model/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { type Io, plainLine, printJson, printTable } from '../io.ts'
import { readSecretLine } from '../stdin-line.ts'

export function loginCommand(command: Command, io: Io): void {
  command
    .description(
      'Log in to a Freshet server, for --server.\nCreates a token there with your name and password, or saves a token that you have. Without an address, lists the logins.',
    )
    .argument('[address]', 'Address of the server, such as https://news.example.org.')
    .option('--as <name>', 'Local name of the login. (default: host name)')
    .option('--name <name>', 'User name. Prompts for it by default.')
    .option('--password-stdin', 'Read the password from standard input instead of prompting.')
    .option('--scope <scope>', 'Scope of the token: read, write or admin. (default: all that you have)')
    .option('--json', 'Print one JSON object.')
    .action(async (argument: string | undefined, flags: Flags) =>
      argument === undefined ? list(io, flags) : logIn(io, argument, flags),
    )
  withSettings(command, ['token', 'profiles'])
  withExamples(
    command,
    'freshet login https://news.example.org',
    'freshet feeds --server news.example.org',
    'FRESHET_TOKEN=freshet_… freshet login https://news.example.org --as home',
    'FRESHET_SERVER=home freshet status',
  )
}

export function logoutCommand(command: Command, io: Io): void {
  command
    .description('Log out of a Freshet server.\nRevokes the token there and forgets it here.')
    .argument('[server]', 'Name or address of the login. Optional if there is only one.')
    .action(async (argument: string | undefined, flags: Flags) => logOut(io, argument, flags))
  withSettings(command, ['profiles'])
  withExamples(command, 'freshet logout', 'freshet logout news.example.org')
}

async function logIn(io: Io, argument: string, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const url = normalizeServerUrl(argument)
  if (url === undefined)
    throw new InputError(
      `"${argument}" is not the address of a server`,
      'give it with its scheme, such as https://news.example.org',
    )
  const name = typeof flags.as === 'string' ? flags.as : new URL(url).hostname.replace(/[^\w.-]/g, '')
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new InputError(`"${name}" is not a valid name for a login`, 'use letters, digits, . and -')
  const isPlain = url.startsWith('http:') && !/^(localhost|127\.|\[::1\])/.test(new URL(url).host)
  if (isPlain) io.note(`${url} is not encrypted: others on the network can read the password and the token`)
  const token = config.token || (await createToken(io, url, flags))
  const { user, scope } = await createClient({ url, ...(token && { token }) }).getSession()
  if (scope === undefined)
    throw new InputError(`${url} rejects this token`, 'create another one: freshet token add NAME')
  const profile = { name, url, token, ...(user && { user: user.name }) }
  const file = await saveProfile(config, profile)
  if (flags.json) return printJson(io, { name, url, ...(user && { user: user.name }), scope, file })
  const identity = user ? `as ${user.name}` : 'where nobody has to log in'
  io.out(plainLine(`logged in at ${url} ${identity}, and may ${SCOPE_WORDS[scope]}; saved in ${file}`))
  io.note(`next: freshet status --server ${name}, or FRESHET_SERVER=${name} for all commands`)
}

const SCOPE_WORDS: Record<AccessScope, string> = { read: 'read', write: 'read and write', admin: 'do everything' }

/** Creates a token with name and password. Returns an empty token if the server has no accounts. */
async function createToken(io: Io, url: string, flags: Flags): Promise<string> {
  const client = createClient({ url })
  if ((await client.getSession()).scope !== undefined) return ''
  const scope = scopeFlag(flags.scope)
  const name = typeof flags.name === 'string' ? flags.name : await io.ask?.('name: ', false)
  const password = flags.passwordStdin ? await readSecretLine(io, 'password') : await io.ask?.('password: ', true)
  if (name === undefined || password === undefined)
    throw new InputError(
      'cannot prompt for name and password here',
      'give --name and --password-stdin, or a token in FRESHET_TOKEN',
    )
  const body = { name, password, token: `freshet on ${hostname()}`.slice(0, 100), ...(scope && { scope }) }
  try {
    return await client.logInProgram({ body }).then(
      ({ secret }) => secret,
      async (error: unknown) => {
        if (!(error instanceof ClientError) || error.needs !== 'code') throw error
        const code = (await io.ask?.('code of your second factor: ', false))?.trim()
        if (!code)
          throw new InputError(
            'cannot prompt for the code of your second factor here',
            'create a token on the page, and give it in FRESHET_TOKEN',
          )
        return (await client.logInProgram({ body: { ...body, code } })).secret
      },
    )
  } catch (error) {
    if (error instanceof ClientError && error.problem !== undefined && (error.status ?? 500) < 500)
      throw new InputError(error.problem, error.status === 401 ? 'try again' : error.hint)
    throw error
  }
}

function scopeFlag(argument: Flags[string]): AccessScope | undefined {
  if (typeof argument !== 'string') return undefined
  const scope = ACCESS_SCOPES.find((one) => one === argument)
  if (scope) return scope
  throw new InputError(`"${argument}" is not a valid scope`, `expected one of ${ACCESS_SCOPES.join(', ')}`)
}

async function logOut(io: Io, argument: string | undefined, flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const profiles = await readProfiles(config)
  const [firstProfile, ...otherProfiles] = profiles
  const profile =
    argument === undefined ? (otherProfiles.length === 0 ? firstProfile : undefined) : findProfile(profiles, argument)
  if (!profile)
    throw new InputError(
      argument === undefined ? `there are ${profiles.length} logins` : `there is no login "${argument}"`,
      profiles.length === 0
        ? 'log in first: freshet login https://…'
        : `known logins: ${profiles.map(({ name }) => name).join(', ')}`,
    )
  const { name, url, token } = profile
  const revocationError = await createClient({ url, ...(token && { token }) })
    .logOut()
    .then(() => undefined)
    .catch((error: unknown) => error)
  await removeProfile(config, name)
  io.out(plainLine(`logged out: ${name}, ${url}`))
  if (!(revocationError instanceof Error)) return
  io.note(plainLine(`its token could not be revoked there: ${revocationError.message}`))
  io.note('hint: freshet token list shows it on the machine that the server runs on')
  throw new Exit(EXIT.failed)
}

async function list(io: Io, flags: Flags): Promise<void> {
  const profiles = await readProfiles(configOf(io, flags))
  const rows = profiles.map(({ name, url, user }) => ({ name, url, ...(user !== undefined && { user }) }))
  if (flags.json) return printJson(io, { logins: rows })
  if (rows.length === 0) return io.out('No logins. Log in with freshet login https://news.example.org')
  printTable(io, rows, [
    { title: 'name', of: ({ name }) => name },
    { title: 'server', of: ({ url }) => url, shrinks: true },
    { title: 'as', of: ({ user = '' }) => user },
  ])
}

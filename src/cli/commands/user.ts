/** `freshet user`: manages accounts. Passwords come from standard input or are generated, never from the command line. */
import { randomInt } from 'node:crypto'
import type { Command } from 'commander'
import { InputError, openAccounts } from '../../app/index.ts'
import { ACCESS_SCOPES, type AccessScope, type User } from '../../model/index.ts'
import { configOf, type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, printTable, timeAgo } from '../io.ts'
import { readSecretLine } from '../stdin-line.ts'

export function userCommand(user: Command, io: Io): void {
  user.description(
    'Manage user accounts.\nWithout accounts nobody has to log in, and Freshet listens on this machine only. The first account is an admin.',
  )
  withExamples(user, 'freshet user add ada', 'freshet user add bob --scope read', 'freshet user list')

  const adding = user
    .command('add')
    .argument('<name>', 'User name.')
    .summary('Add an account')
    .description('Add an account.\nPrints a generated password, unless you pass one on standard input.')
    .option('--scope <scope>', 'Scope: read, write or admin. (default: write; admin for the first account)')
    .option('--password-stdin', 'Read the password from standard input.')
    .action((name: string, flags: Flags) => add(io, name, flags))
  const listing = user
    .command('list')
    .summary('List accounts')
    .description('List accounts.')
    .option('--json', 'Print one JSON object.')
    .action((flags: Flags) => list(io, flags))
  const changing = user
    .command('password')
    .argument('<name>', 'User name.')
    .summary('Change a password')
    .description("Change a password.\nEnds the user's sessions and revokes their tokens.")
    .option('--password-stdin', 'Read the password from standard input.')
    .action((name: string, flags: Flags) => changePassword(io, name, flags))
  const changingScope = user
    .command('scope')
    .argument('<name>', 'User name.')
    .argument('<scope>', 'Scope: read, write or admin.')
    .summary('Change the scope of a user')
    .description('Change the scope of a user.')
    .action((name: string, what: string, flags: Flags) => changeScope(io, name, what, flags))
  const removing = user
    .command('remove')
    .argument('<name>', 'User name.')
    .summary('Remove an account')
    .description('Remove an account, with its sessions and tokens.')
    .action((name: string, flags: Flags) => remove(io, name, flags))
  const removingSecondFactor = user
    .command('remove-second-factor')
    .argument('<name>', 'User name.')
    .summary('Remove the second factor of a user who has lost it')
    .description('Remove the second factor of a user who has lost it.\nTheir password is then enough to log in.')
    .action((name: string, flags: Flags) => removeSecondFactor(io, name, flags))
  for (const command of [adding, listing, changing, changingScope, removing, removingSecondFactor])
    withSettings(command, STORE_OPTIONS)
}

async function add(io: Io, name: string, flags: Flags): Promise<void> {
  const accounts = await openAccounts(configOf(io, flags), 'create')
  try {
    const { password, isMade } = await readOrGeneratePassword(io, flags)
    const scope = typeof flags.scope === 'string' ? parseScope(flags.scope) : undefined
    const user = await accounts.add(name, password, scope)
    io.out(plainLine(`${user.name} may ${describeScope(user.scope)}`))
    if (isMade) io.out(`password: ${password}`)
  } finally {
    await accounts.close()
  }
}

async function list(io: Io, flags: Flags): Promise<void> {
  const accounts = await openAccounts(configOf(io, flags), 'read')
  const users = await accounts.list().finally(accounts.close)
  if (flags.json) {
    const shapes = users.map(({ addedAt, ...user }) => ({ ...user, addedAt: new Date(addedAt).toISOString() }))
    return printJson(io, { users: shapes })
  }
  if (users.length === 0) return io.out('No accounts: nobody has to log in. Add one with freshet user add NAME')
  printTable(io, users, [
    { title: 'name', of: ({ name }) => name },
    { title: 'scope', of: ({ scope }) => scope },
    { title: 'since', of: ({ addedAt }) => timeAgo(new Date(addedAt).toISOString(), io.now()) },
  ])
}

async function changePassword(io: Io, name: string, flags: Flags): Promise<void> {
  await withUser(io, name, flags, async (accounts, { id }) => {
    const { password, isMade } = await readOrGeneratePassword(io, flags)
    await accounts.change(id, { password })
    io.out(plainLine(`${name} has a new password, and must log in again`))
    if (isMade) io.out(`password: ${password}`)
  })
}

async function changeScope(io: Io, name: string, what: string, flags: Flags): Promise<void> {
  const scope = parseScope(what)
  await withUser(io, name, flags, async (accounts, { id }) => {
    await accounts.change(id, { scope })
    io.out(plainLine(`${name} may ${describeScope(scope)}`))
  })
}

async function remove(io: Io, name: string, flags: Flags): Promise<void> {
  await withUser(io, name, flags, async (accounts, { id }) => {
    await accounts.remove(id)
    io.out(plainLine(`removed: ${name}`))
  })
}

async function removeSecondFactor(io: Io, name: string, flags: Flags): Promise<void> {
  await withUser(io, name, flags, async (accounts, { id }) => {
    await accounts.removeSecondFactor(id)
    io.out(plainLine(`${name} logs in with the password alone now`))
  })
}

export async function withUser(
  io: Io,
  name: string,
  flags: Flags,
  act: (accounts: Awaited<ReturnType<typeof openAccounts>>, user: User) => Promise<void>,
  mode: 'read' | 'write' = 'write',
): Promise<void> {
  const accounts = await openAccounts(configOf(io, flags), mode)
  try {
    const users = await accounts.list()
    const user = users.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!user) throw new InputError(`there is no user ${name}`, 'freshet user list shows all users')
    await act(accounts, user)
  } finally {
    await accounts.close()
  }
}

export function parseScope(text: string): AccessScope {
  const scope = ACCESS_SCOPES.find((one) => one === text)
  if (scope) return scope
  throw new InputError(`"${text}" is not a valid scope`, `expected one of ${ACCESS_SCOPES.join(', ')}`)
}

export function describeScope(scope: AccessScope): string {
  return { read: 'read', write: 'read and write', admin: 'do everything' }[scope]
}

async function readOrGeneratePassword(io: Io, flags: Flags): Promise<{ password: string; isMade: boolean }> {
  if (!flags.passwordStdin) return { password: generatePassword(), isMade: true }
  return { password: await readSecretLine(io, 'password'), isMade: false }
}

/** Easy to read and type: no letters that look alike. 99 bits. */
function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

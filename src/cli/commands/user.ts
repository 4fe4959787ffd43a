/** `freshet user`: accounts. Passwords come from standard input or are made up here; they never stand on a command line. */
import { randomInt } from 'node:crypto'
import type { Command } from 'commander'
import { InputError, openAccounts } from '../../app/index.ts'
import { ALLOWANCES, type Allowance, type Person } from '../../model/index.ts'
import { configOf, type Flags, PLACE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, table, timeAgo } from '../io.ts'
import { secretLine } from '../stdin-line.ts'

export function userCommand(user: Command, io: Io): void {
  user.description(
    'Manage user accounts.\nWithout accounts nobody has to log in, and Freshet listens on this machine only. The first account is an admin.',
  )
  withExamples(user, 'freshet user add ada', 'freshet user add bob --allow read', 'freshet user list')

  const adding = user
    .command('add')
    .argument('<name>', 'User name.')
    .summary('Add an account')
    .description('Add an account.\nPrints a generated password, unless you pass one on standard input.')
    .option('--allow <access>', 'Access: read, write or admin. (default: write; admin for the first account)')
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
  const allowing = user
    .command('allow')
    .argument('<name>', 'User name.')
    .argument('<access>', 'read, write or admin')
    .summary('Change the access of a user')
    .description('Change the access of a user.')
    .action((name: string, what: string, flags: Flags) => changeAllowance(io, name, what, flags))
  const removing = user
    .command('remove')
    .argument('<name>', 'User name.')
    .summary('Remove an account')
    .description('Remove an account, with its sessions and tokens.')
    .action((name: string, flags: Flags) => remove(io, name, flags))
  for (const command of [adding, listing, changing, allowing, removing]) withSettings(command, PLACE_OPTIONS)
}

async function add(io: Io, name: string, flags: Flags): Promise<void> {
  const accounts = await openAccounts(configOf(io, flags), 'create')
  try {
    const { password, isMade } = await passwordFor(io, flags)
    const allow = typeof flags.allow === 'string' ? allowanceIn(flags.allow) : undefined
    const person = await accounts.add(name, password, allow)
    io.out(plainLine(`${person.name} may ${allowanceInWords(person.allows)}`))
    if (isMade) io.out(`password: ${password}`)
  } finally {
    await accounts.close()
  }
}

async function list(io: Io, flags: Flags): Promise<void> {
  const accounts = await openAccounts(configOf(io, flags), 'read')
  const people = await accounts.list().finally(accounts.close)
  if (flags.json) {
    const shapes = people.map(({ addedAt, ...person }) => ({ ...person, addedAt: new Date(addedAt).toISOString() }))
    return printJson(io, { people: shapes })
  }
  if (people.length === 0) return io.out('No accounts: nobody has to log in. Add one with freshet user add NAME')
  table(io, people, [
    { title: 'name', of: ({ name }) => name },
    { title: 'access', of: ({ allows }) => allows },
    { title: 'since', of: ({ addedAt }) => timeAgo(new Date(addedAt).toISOString(), io.now()) },
  ])
}

async function changePassword(io: Io, name: string, flags: Flags): Promise<void> {
  await withPerson(io, name, flags, async (accounts, { id }) => {
    const { password, isMade } = await passwordFor(io, flags)
    await accounts.change(id, { password })
    io.out(plainLine(`${name} has a new password, and must log in again`))
    if (isMade) io.out(`password: ${password}`)
  })
}

async function changeAllowance(io: Io, name: string, what: string, flags: Flags): Promise<void> {
  const allows = allowanceIn(what)
  await withPerson(io, name, flags, async (accounts, { id }) => {
    await accounts.change(id, { allows })
    io.out(plainLine(`${name} may ${allowanceInWords(allows)}`))
  })
}

async function remove(io: Io, name: string, flags: Flags): Promise<void> {
  await withPerson(io, name, flags, async (accounts, { id }) => {
    await accounts.remove(id)
    io.out(plainLine(`removed: ${name}`))
  })
}

export async function withPerson(
  io: Io,
  name: string,
  flags: Flags,
  act: (accounts: Awaited<ReturnType<typeof openAccounts>>, person: Person) => Promise<void>,
  mode: 'read' | 'write' = 'write',
): Promise<void> {
  const accounts = await openAccounts(configOf(io, flags), mode)
  try {
    const people = await accounts.list()
    const person = people.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!person) throw new InputError(`there is no user ${name}`, 'freshet user list shows all users')
    await act(accounts, person)
  } finally {
    await accounts.close()
  }
}

export function allowanceIn(text: string): Allowance {
  const known = ALLOWANCES.find((one) => one === text)
  if (known) return known
  throw new InputError(`"${text}" is not a valid access`, `expected one of ${ALLOWANCES.join(', ')}`)
}

export function allowanceInWords(allows: Allowance): string {
  return { read: 'read', write: 'read and write', admin: 'do everything' }[allows]
}

async function passwordFor(io: Io, flags: Flags): Promise<{ password: string; isMade: boolean }> {
  if (!flags.passwordStdin) return { password: madePassword(), isMade: true }
  return { password: await secretLine(io, 'password'), isMade: false }
}

/** Easily read out and typed: no letters that look like others. 100 bits. */
function madePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

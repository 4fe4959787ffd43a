/** `freshet token`: manages API tokens. The secret of a token is shown once, when it is created. */
import type { Command } from 'commander'
import { InputError } from '../../app/index.ts'
import type { CredentialId } from '../../model/index.ts'
import { type Flags, STORE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, printTable, timeAgo } from '../io.ts'
import { describeScope, parseScope, withUser } from './user.ts'

export function tokenCommand(token: Command, io: Io): void {
  token.description(
    'Manage API tokens.\nPrograms send a token as "Authorization: Bearer TOKEN", or as the password of Basic authentication.',
  )
  withExamples(
    token,
    'freshet token add ada --name reader --scope read',
    'freshet token add ada --name Reeder --scope write --fever',
    'freshet token add ada --name archive --corpus',
    'freshet token list ada',
    'freshet token revoke ada 3',
  )

  const adding = token
    .command('add')
    .argument('<user>', 'User name.')
    .summary('Create a token')
    .description('Create a token.\nThe secret is shown once.')
    .requiredOption('--name <text>', 'Name of the program that uses it.')
    .option('--scope <scope>', 'Scope: read, write or admin, limited by the scope of the user.', 'read')
    .option('--fever', 'For programs that only support the Fever API.')
    .option('--corpus', 'For programs that read and export the whole crawl except private feeds.')
    .option('--json', 'Print one JSON object.')
    .action((user: string, flags: Flags) => addToken(io, user, flags))
  const listing = token
    .command('list')
    .argument('<user>', 'User name.')
    .summary('List the tokens of a user')
    .description('List the tokens of a user, and when each was last used.')
    .option('--json', 'Print one JSON object.')
    .action((user: string, flags: Flags) => list(io, user, flags))
  const revoking = token
    .command('revoke')
    .argument('<user>', 'User name.')
    .argument('<token>', 'Number of the token.')
    .summary('Revoke a token')
    .description('Revoke a token.')
    .action((user: string, id: string, flags: Flags) => revoke(io, user, id, flags))
  for (const command of [adding, listing, revoking]) withSettings(command, STORE_OPTIONS)
}

async function addToken(io: Io, user: string, flags: Flags): Promise<void> {
  const scope = parseScope(String(flags.scope))
  if (flags.fever && flags.corpus) throw new InputError('--fever and --corpus cannot be combined', 'create two tokens')
  await withUser(io, user, flags, async (accounts, { id }) => {
    const { token, secret } = await accounts.addToken(id, {
      name: String(flags.name),
      scope,
      ...(flags.fever && { for: 'fever' as const }),
      ...(flags.corpus && { for: 'corpus' as const }),
    })
    if (flags.json) return printJson(io, { id: token.id, name: token.name, scope: token.scope, secret })
    io.out(
      plainLine(`token ${token.id}, ${token.name}, may ${describeScope(token.scope)}; the secret is only shown now:`),
    )
    io.out(secret)
  })
}

async function list(io: Io, user: string, flags: Flags): Promise<void> {
  await withUser(
    io,
    user,
    flags,
    async (accounts, { id }) => {
      const tokens = await accounts.listTokens(id)
      const date = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
      if (flags.json)
        return printJson(io, {
          tokens: tokens.map(({ id, name, scope, addedAt, usedAt }) => ({
            id,
            name,
            scope,
            addedAt: date(addedAt),
            usedAt: date(usedAt),
          })),
        })
      if (tokens.length === 0) return io.out(plainLine(`${user} has no tokens`))
      printTable(io, tokens, [
        { title: 'id', of: (token) => String(token.id), right: true },
        { title: 'name', of: ({ name }) => name, shrinks: true },
        { title: 'scope', of: ({ scope }) => scope },
        { title: 'last used', of: ({ usedAt }) => (usedAt === undefined ? 'never' : timeAgo(date(usedAt), io.now())) },
      ])
    },
    'read',
  )
}

async function revoke(io: Io, user: string, word: string, flags: Flags): Promise<void> {
  if (!/^\d{1,15}$/.test(word))
    throw new InputError(`"${word}" is not the number of a token`, `freshet token list ${user}`)
  await withUser(io, user, flags, async (accounts, { id }) => {
    await accounts.revokeToken(id, Number(word) as CredentialId)
    io.out(`token ${word} is revoked`)
  })
}

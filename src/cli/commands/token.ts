/** `freshet token`: what programs send to speak for somebody. A secret is shown once, when it is made. */
import type { Command } from 'commander'
import { InputError } from '../../app/index.ts'
import type { PassId } from '../../model/index.ts'
import { type Flags, PLACE_OPTIONS, withExamples, withSettings } from '../command.ts'
import { type Io, plainLine, printJson, table, timeAgo } from '../io.ts'
import { allowanceIn, allowanceInWords, withPerson } from './user.ts'

export function tokenCommand(token: Command, io: Io): void {
  token.description(
    'Tokens, by which programs speak for somebody: sent as authorization: Bearer …, or as the password of Basic.',
  )
  withExamples(
    token,
    'freshet token add ada --name reader --allow read',
    'freshet token add ada --name Reeder --allow write --fever',
    'freshet token add ada --name archive --corpus',
    'freshet token list ada',
    'freshet token revoke ada 3',
  )

  const adding = token
    .command('add')
    .argument('<user>', 'whose it is')
    .summary('make a token')
    .requiredOption('--name <text>', 'for which program it is')
    .option('--allow <what>', 'read, write or admin; never more than the person', 'read')
    .option(
      '--fever',
      'for a program that knows only the Fever API: the token is its password, and serves for nothing else',
    )
    .option('--corpus', 'for a program that reads and exports the whole crawl but private feeds, and nothing else')
    .option('--json', 'as one JSON object')
    .action((user: string, flags: Flags) => add(io, user, flags))
  const listing = token
    .command('list')
    .argument('<user>')
    .summary("list somebody's tokens, and when each was last used")
    .option('--json', 'as one JSON object')
    .action((user: string, flags: Flags) => list(io, user, flags))
  const revoking = token
    .command('revoke')
    .argument('<user>')
    .argument('<token>', 'its number')
    .summary('end a token')
    .action((user: string, id: string, flags: Flags) => revoke(io, user, id, flags))
  for (const command of [adding, listing, revoking]) withSettings(command, PLACE_OPTIONS)
}

async function add(io: Io, user: string, flags: Flags): Promise<void> {
  const allows = allowanceIn(String(flags.allow))
  if (flags.fever && flags.corpus)
    throw new InputError('a token is for one purpose: --fever or --corpus', 'make two tokens')
  await withPerson(io, user, flags, async (accounts, { id }) => {
    const { token, secret } = await accounts.addToken(id, {
      name: String(flags.name),
      allows,
      ...(flags.fever && { for: 'fever' as const }),
      ...(flags.corpus && { for: 'corpus' as const }),
    })
    if (flags.json) return printJson(io, { id: token.id, name: token.name, allows: token.allows, secret })
    io.out(plainLine(`token ${token.id}, ${token.name}, may ${allowanceInWords(token.allows)}; it is shown this once:`))
    io.out(secret)
  })
}

async function list(io: Io, user: string, flags: Flags): Promise<void> {
  await withPerson(
    io,
    user,
    flags,
    async (accounts, { id }) => {
      const tokens = await accounts.tokens(id)
      const date = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
      if (flags.json)
        return printJson(io, {
          tokens: tokens.map(({ id, name, allows, addedAt, usedAt }) => ({
            id,
            name,
            allows,
            addedAt: date(addedAt),
            usedAt: date(usedAt),
          })),
        })
      if (tokens.length === 0) return io.out(plainLine(`${user} has no tokens`))
      table(io, tokens, [
        { title: 'id', of: (token) => String(token.id), right: true },
        { title: 'name', of: ({ name }) => name, gives: true },
        { title: 'may', of: ({ allows }) => allows },
        { title: 'last used', of: ({ usedAt }) => (usedAt === undefined ? 'never' : timeAgo(date(usedAt), io.now())) },
      ])
    },
    'read',
  )
}

async function revoke(io: Io, user: string, word: string, flags: Flags): Promise<void> {
  if (!/^\d{1,15}$/.test(word)) throw new InputError(`"${word}" is no number of a token`, `freshet token list ${user}`)
  await withPerson(io, user, flags, async (accounts, { id }) => {
    await accounts.revoke(id, Number(word) as PassId)
    io.out(`token ${word} is revoked`)
  })
}

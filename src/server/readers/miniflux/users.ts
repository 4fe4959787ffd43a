/**
 * Users and API keys of Miniflux's API: accounts and tokens. As in our own API, only admins manage them, because a token must not create
 * others that outlive it; users manage theirs on the page.
 */
import { type Context, Hono } from 'hono'
import type { CredentialId, User, UserId } from '../../../model/index.ts'
import { createAccounts } from '../../accounts.ts'
import type { LoggedChange } from '../../change-log.ts'
import { Problem } from '../../problem.ts'
import { accountProblem } from '../../routes/users.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { changeMadeBy, requireAdmin, requireWrite } from '../reader-auth.ts'
import { bodyOf, idIn, numberIn, textIn } from './body.ts'
import { dateText, minifluxUserShape } from './shapes.ts'

interface UserParts extends Pick<AuthenticatedParts, 'users' | 'clock' | 'readerState'> {
  onChange: (change: LoggedChange) => void
}

export function minifluxUserRoutes(parts: UserParts): Hono {
  const { readerState, onChange } = parts
  const accounts = createAccounts(parts)
  const app = new Hono()

  app.get('/users', async (c) => {
    requireAdmin(c)
    return c.json((await accounts.list()).map(minifluxUserShape))
  })

  app.get('/users/:id', async (c) => {
    requireAdmin(c)
    return c.json(minifluxUserShape(await userWith(c.req.param('id'))))
  })

  app.post('/users', async (c) => {
    const reader = requireAdmin(c)
    const body = await bodyOf(c)
    const [name, password] = [textIn(body, 'username'), typeof body.password === 'string' ? body.password : '']
    const user = await accounts.add(name, password, scopeOf(body) ?? 'write').catch(accountProblem)
    onChange(changeMadeBy(reader, 'miniflux.addUser', name))
    return c.json(minifluxUserShape(user), 201)
  })

  app.put('/users/:id', async (c) => {
    const reader = requireAdmin(c)
    const body = await bodyOf(c)
    const { id, name } = await userWith(String(idIn(c)))
    if (typeof body.username === 'string' && body.username !== name)
      throw new Problem(400, 'names of users cannot be changed', 'leave out username')
    const scope = scopeOf(body)
    const change = { ...(scope && { scope }), ...(typeof body.password === 'string' && { password: body.password }) }
    if (Object.keys(change).length > 0) await accounts.change(id, change).catch(accountProblem)
    onChange(changeMadeBy(reader, 'miniflux.editUser', name))
    return c.json(minifluxUserShape(await userWith(String(id))), 201)
  })

  app.delete('/users/:id', async (c) => {
    const reader = requireAdmin(c)
    const { id, name } = await userWith(String(idIn(c)))
    if (id === reader.userId) throw new Problem(400, 'you cannot remove yourself', 'ask another admin')
    await accounts.remove(id).catch(accountProblem)
    onChange(changeMadeBy(reader, 'miniflux.removeUser', name))
    return c.body(null, 204)
  })

  app.put('/users/:id/mark-all-as-read', async (c) => {
    const { userId } = requireWrite(c)
    requireOwn(c, userId)
    await readerState.markAllRead(userId, {})
    return c.body(null, 204)
  })

  app.get('/api-keys', async (c) => {
    const { userId } = requireAdmin(c)
    const tokens = await accounts.listTokens(userId).catch(accountProblem)
    return c.json(tokens.filter(({ kind }) => kind === 'token').map((token) => keyShape(token)))
  })

  app.post('/api-keys', async (c) => {
    const reader = requireAdmin(c)
    const name = textIn(await bodyOf(c), 'description').slice(0, MAX_NAME_LENGTH)
    if (!name) throw new Problem(400, 'the key has no description', 'send {"description": "my phone"}')
    const { token, secret } = await accounts.addToken(reader.userId, { name, scope: 'admin' }).catch(accountProblem)
    onChange(changeMadeBy(reader, 'miniflux.addToken', name))
    return c.json(keyShape(token, secret), 201)
  })

  app.delete('/api-keys/:id', async (c) => {
    const reader = requireAdmin(c)
    await accounts.revokeToken(reader.userId, idIn(c) as CredentialId).catch(accountProblem)
    onChange(changeMadeBy(reader, 'miniflux.revokeToken'))
    return c.body(null, 204)
  })

  /** By number or by name. */
  async function userWith(text: string): Promise<User> {
    const isSame = ({ id, name }: User) =>
      /^\d+$/.test(text) ? id === numberIn(text) : name.toLowerCase() === text.toLowerCase()
    const found = (await accounts.list()).find(isSame)
    if (!found) throw new Problem(404, 'there is no such user', 'see GET /v1/users')
    return found
  }
  return app
}

const MAX_NAME_LENGTH = 100

function requireOwn(c: Context, userId: UserId): void {
  if (idIn(c) !== userId) throw new Problem(403, 'that is another user', 'send your own id')
}

function scopeOf({ is_admin: isAdmin }: Record<string, unknown>): 'admin' | 'write' | undefined {
  return typeof isAdmin !== 'boolean' ? undefined : isAdmin ? 'admin' : 'write'
}

/** The secret is shown only once. */
function keyShape(
  { id, userId, name, addedAt, usedAt }: { id: number; userId: UserId; name: string; addedAt: number; usedAt?: number },
  token = '',
) {
  const lastUsedAt = usedAt === undefined ? null : dateText(usedAt)
  return { id, user_id: userId, token, description: name, last_used_at: lastUsedAt, created_at: dateText(addedAt) }
}

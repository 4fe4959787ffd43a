/**
 * Signatures of what this server hands to feed readers and gets back: action tokens and addresses of icons. The key is the stored hash of the
 * user's password, which leaves no server: so nothing has to be stored, all processes agree, and a new password ends all signatures.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UserId } from '../../model/index.ts'
import type { Users } from '../../ports/index.ts'

/** Undefined if there is no such user. */
export async function signerFor(users: Users, userId: UserId): Promise<((text: string) => string) | undefined> {
  const name = (await users.allUsers()).find(({ id }) => id === userId)?.name
  const user = name === undefined ? undefined : await users.userByName(name)
  return user && ((text) => createHmac('sha256', user.password).update(`freshet ${text}`).digest('base64url'))
}

export async function isSigned(users: Users, userId: UserId, text: string, signature: string): Promise<boolean> {
  const sign = await signerFor(users, userId)
  const [expected, given] = [Buffer.from(sign?.(text) ?? ''), Buffer.from(signature)]
  return expected.length > 0 && expected.length === given.length && timingSafeEqual(expected, given)
}

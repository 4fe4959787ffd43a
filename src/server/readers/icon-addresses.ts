/**
 * Addresses of icons for feed readers, which fetch them without login. An address is signed for one user and one feed: it shows the icon
 * while the user follows the feed, and nothing else. Where nobody has to log in, the API has the icon.
 */
import { Hono } from 'hono'
import { DAY, type FeedId, SECOND, type UserId } from '../../model/index.ts'
import { Problem } from '../problem.ts'
import type { AuthenticatedParts } from '../server-parts.ts'
import { pictureOfSite } from './icons.ts'
import type { ReaderAdapter } from './reader-adapter.ts'
import { isSigned, signerFor } from './signatures.ts'

const PATH = '/feed-icons'
const textOf = (userId: number, feedId: number) => `icon ${userId} ${feedId}`

type Users = AuthenticatedParts['users']

export async function iconPathsFor(users: Users, userId: UserId): Promise<(feedId: FeedId) => string> {
  const sign = await signerFor(users, userId)
  return (feedId) =>
    sign ? `${PATH}/${userId}-${feedId}-${sign(textOf(userId, feedId))}` : `/api/v1/feeds/${feedId}/icon`
}

export function iconAddressRoutes(
  { users, readerState, pictures }: Pick<AuthenticatedParts, 'users' | 'readerState' | 'pictures'>,
  adapter: ReaderAdapter,
): Hono {
  const app = new Hono()
  app.get(`${PATH}/:name`, async (c) => {
    const [, user, feed, signature = ''] = /^(\d{1,15})-(\d{1,15})-([\w-]{43})$/.exec(c.req.param('name')) ?? []
    const [userId, feedId] = [Number(user) as UserId, Number(feed) as FeedId]
    const isKnown = signature !== '' && (await isSigned(users, userId, textOf(userId, feedId), signature))
    const [subscription] = isKnown ? await readerState.subscriptionsTo(userId, [feedId]) : []
    const found = subscription && (await adapter.feedsById(userId, [feedId])).get(feedId)
    if (!found) throw new Problem(404, 'there is no such icon', 'see the addresses in subscription/list')
    const { type, body } = await pictureOfSite(found, pictures)
    return c.body(body, 200, { 'content-type': type, 'cache-control': `private, max-age=${DAY / SECOND}` })
  })
  return app
}

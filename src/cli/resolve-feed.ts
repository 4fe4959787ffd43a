/** Finds the feed that a user names: by number, name, address, or a unique part of the title. */
import type { FeedShape } from '../api/index.ts'
import { InputError, type Queries } from '../app/index.ts'
import { withoutCredentials } from '../model/index.ts'

/** The format of feed names. */
const NAME = /^[a-z][\w.-]{0,63}$/i

export async function resolveFeed(argument: string, queries: Queries): Promise<FeedShape> {
  const word = withoutCredentials(argument)
  if (/^\d{1,15}$/.test(word)) {
    const feed = await queries.feedWith(Number(word))
    if (feed) return feed
    throw new InputError(`there is no feed ${word}`, 'freshet feeds lists all feeds')
  }
  const [feedByName] = NAME.test(word) ? await queries.feeds({ name: word, order: 'id', limit: 1 }) : []
  if (feedByName) return feedByName
  const feedByAddress = await queries.feedAt(word)
  if (feedByAddress) return feedByAddress
  const matches = await queries.feeds({ text: word, order: 'id', limit: 10 })
  const exact = matches.find(({ siteUrl }) => siteUrl === word)
  const [first, ...otherMatches] = matches
  if (exact) return exact
  if (!first) throw new InputError(`there is no feed "${word}"`, 'freshet feeds lists all feeds')
  if (otherMatches.length === 0) return first
  const names = matches.map(({ id, title, url }) => `${id} (${title || url})`).join(', ')
  throw new InputError(`"${word}" matches several feeds: ${names}`, 'give the number of one')
}

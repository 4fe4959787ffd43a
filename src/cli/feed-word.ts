/** Which feed a person means: by its number, its name, its address, or a part of its title that only one feed has. */
import type { FeedShape } from '../api/index.ts'
import { InputError, type Queries } from '../app/index.ts'
import { withoutCredentials } from '../model/index.ts'

/** Of a feed, by which it is known. */
const NAME = /^[a-z][\w.-]{0,63}$/i

export async function feedMeant(given: string, queries: Queries): Promise<FeedShape> {
  const word = withoutCredentials(given)
  if (/^\d{1,15}$/.test(word)) {
    const feed = await queries.feedWith(Number(word))
    if (feed) return feed
    throw new InputError(`there is no feed ${word}`, 'freshet feeds lists all feeds')
  }
  const [named] = NAME.test(word) ? await queries.feeds({ name: word, order: 'id', limit: 1 }) : []
  if (named) return named
  const at = await queries.feedAt(word)
  if (at) return at
  const found = await queries.feeds({ text: word, order: 'id', limit: 10 })
  const exact = found.find(({ siteUrl }) => siteUrl === word)
  const [first, ...others] = found
  if (exact) return exact
  if (!first) throw new InputError(`there is no feed "${word}"`, 'freshet feeds lists all feeds')
  if (others.length === 0) return first
  const names = found.map(({ id, title, url }) => `${id} (${title || url})`).join(', ')
  throw new InputError(`"${word}" matches several feeds: ${names}`, 'give the number of one')
}

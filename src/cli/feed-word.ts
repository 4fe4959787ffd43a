/** Which feed a person means: by its number, its name, its address, or a part of its title that only one feed has. */
import { InputError, type OpenStore } from '../app/index.ts'
import { type FeedId, type ScheduledFeed, withoutCredentials } from '../model/index.ts'

export async function feedMeant(given: string, { catalogue }: OpenStore): Promise<ScheduledFeed> {
  const word = withoutCredentials(given)
  if (/^\d{1,15}$/.test(word)) {
    const [feed] = await catalogue.feedsById([Number(word) as FeedId])
    if (feed) return feed
    throw new InputError(`there is no feed ${word}`, 'freshet feeds lists them with their numbers')
  }
  const [named] = await catalogue.feeds({ name: word, order: 'id', limit: 1 })
  if (named) return named
  const there = await catalogue.feedAt(word)
  const [at] = there === undefined ? [] : await catalogue.feedsById([there])
  if (at) return at
  const found = await catalogue.feeds({ text: word, order: 'id', limit: 10 })
  const exact = found.find(({ feed }) => feed.siteUrl === word)
  const [first, ...others] = found
  if (exact) return exact
  if (!first) throw new InputError(`no feed is called "${word}"`, 'freshet feeds lists them with their numbers')
  if (others.length === 0) return first
  const names = found.map(({ feed }) => `${feed.id} (${feed.title || feed.url})`).join(', ')
  throw new InputError(`"${word}" may be any of ${names}`, 'give the number of the one you mean')
}

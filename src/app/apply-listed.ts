/**
 * Applies freshet.toml: adds new sources, updates name, category, folder, title prefix and fetching of existing feeds, and replaces the rules
 * that an earlier file had.
 */
import { findDestination, loadDestinations } from '../destinations/index.ts'
import { applyListedRules, type ListedRule } from '../filtering/index.ts'
import type { FetchSettings, SourceId } from '../model/index.ts'
import { InputError } from './addresses.ts'
import type { Crawl } from './composition.ts'
import type { Config } from './config.ts'
import type { ListedSource } from './listed-sources.ts'
import { findUser } from './named-user.ts'

/** Returns the number of added sources. Feeds that are no longer listed stay until a user removes them. */
export async function applyListedSources(
  { crawler, catalogue }: Crawl,
  listed: readonly ListedSource[],
): Promise<number> {
  const results = await crawler.subscribe([...listed], { listed: true })
  for (const [i, result] of results.entries()) {
    if (result.kind === 'refused')
      throw new InputError(`${result.url} in freshet.toml: ${result.reason}`, 'write url = "https://…"')
    if (result.added) continue
    const [source] = result.kind === 'source' ? await catalogue.sourcesById([result.sourceId as SourceId]) : []
    const feedId = result.kind === 'feed' ? result.feedId : source?.feedId
    const [existing] = feedId === undefined ? [] : await catalogue.feedsById([feedId])
    if (!existing) continue
    const { feed } = existing
    const { about, folder } = listed[i]!
    const edit = {
      ...(about.name && about.name !== feed.name && { name: about.name }),
      ...(about.category && about.category !== feed.ownCategory && { category: about.category }),
      ...(about.titlePrefix && about.titlePrefix !== feed.titlePrefix && { titlePrefix: about.titlePrefix }),
      ...(folder && folder !== feed.folder && { folder }),
      ...(about.fetching &&
        !isSame(about.fetching, feed.fetching) && { fetching: { ...feed.fetching, ...about.fetching } }),
    }
    if (Object.keys(edit).length > 0) await crawler.edit(feed.id, edit)
  }
  return results.filter((result) => result.kind !== 'refused' && result.added).length
}

/** Whether the feed has all settings that the file has; it may have others, such as cookies. */
function isSame(listed: FetchSettings, stored: FetchSettings = {}): boolean {
  return Object.entries(listed).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(stored[name as keyof FetchSettings]),
  )
}

/** For `--user`, or the first account. Returns what is missing for them to work. */
export async function applyRulesOfFile(
  { user }: Pick<Config, 'user'>,
  { userValues, catalogue, clock, users }: Crawl,
  listed: readonly ListedRule[],
): Promise<string[]> {
  const userId = user === '' ? await users.firstUser() : await findUser(user, users)
  await applyListedRules({ userValues, catalogue, clock }, userId, listed)
  const destinations = await loadDestinations(userValues, userId)
  return listed.flatMap(({ name, actions }) =>
    actions.flatMap((action) =>
      action.kind === 'send' && !findDestination(destinations, action.destination)
        ? [
            `rule "${name}" of freshet.toml sends to "${action.destination}", which does not exist: freshet destination add`,
          ]
        : [],
    ),
  )
}

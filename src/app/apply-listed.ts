/** What freshet.toml lists becomes so: what is not there is added, and what is said of a feed that is there is said again. */
import type { SourceId } from '../model/index.ts'
import { InputError } from './addresses.ts'
import type { ListedSource } from './listed-sources.ts'
import type { Crawl } from './wire.ts'

/** Answers how many were added. A feed that is no longer listed stays: removing is a person's word. */
export async function applyListed({ crawler, catalogue }: Crawl, listed: readonly ListedSource[]): Promise<number> {
  const given = await crawler.subscribe([...listed], { listed: true })
  for (const [i, one] of given.entries()) {
    if (one.kind === 'refused')
      throw new InputError(`${one.url} in freshet.toml: ${one.reason}`, 'write url = "https://…"')
    if (one.added) continue
    const [source] = one.kind === 'source' ? await catalogue.sourcesById([one.sourceId as SourceId]) : []
    const feedId = one.kind === 'feed' ? one.feedId : source?.feedId
    const [held] = feedId === undefined ? [] : await catalogue.feedsById([feedId])
    if (!held) continue
    const { feed } = held
    const { about, folder } = listed[i]!
    const edit = {
      ...(about.name && about.name !== feed.name && { name: about.name }),
      ...(about.category && about.category !== feed.ownCategory && { category: about.category }),
      ...(about.titlePrefix && about.titlePrefix !== feed.titlePrefix && { titlePrefix: about.titlePrefix }),
      ...(folder && folder !== feed.folder && { folder }),
    }
    if (Object.keys(edit).length > 0) await crawler.edit(feed.id, edit)
  }
  return given.filter((one) => one.kind !== 'refused' && one.added).length
}

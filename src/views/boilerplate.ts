/** Removes the boilerplate of feeds from displayed entries. The store and exports keep entries unchanged. */
import { type ShownWithout, shownWithout } from '../dedup/index.ts'
import type { Entry, FeedId } from '../model/index.ts'
import { ALL_FEEDS, type Roles } from '../ports/index.ts'

/** By feed. */
export async function boilerplateFilters(
  entries: readonly Entry[],
  { groupCatalogue }: Pick<Roles, 'groupCatalogue'>,
): Promise<Map<FeedId, ShownWithout>> {
  const ids = [...new Set(entries.map(({ feedId }) => feedId))]
  if (ids.length === 0) return new Map()
  const [ofAll, ...memories] = await groupCatalogue.feedBoilerplate([ALL_FEEDS, ...ids])
  const without = shownWithout(ofAll)
  return new Map(ids.map((id, i) => [id, without(memories[i])]))
}

/** Text that the feed adds before or after most of its headlines, as far as these entries contain it. */
export function titleBoilerplate(entries: readonly Entry[], filter: ShownWithout | undefined): string[] {
  const labels = new Set<string>()
  for (const { title } of entries) {
    const shown = filter?.title(title) ?? title
    const at = title.indexOf(shown)
    if (at < 0 || shown === title) continue
    for (const label of [title.slice(0, at), title.slice(at + shown.length)]) if (label.trim()) labels.add(label.trim())
  }
  return [...labels]
}

/** What is in a digest: the morning page of its period, and the chosen saved searches and folders, as the API shows them to the user. */
import type { EntryShape } from '../../api/index.ts'
import { type Client, loadMorning } from '../../client/index.ts'
import { DAY } from '../../model/index.ts'
import type { DigestContent } from './compose-digest.ts'
import type { DigestPeriod } from './digest-schedule.ts'
import type { DigestSettings } from './stored-digests.ts'

const MAX_SECTION = 20

export async function collectDigest(
  client: Client,
  period: DigestPeriod,
  { morning, searches, folders }: Pick<DigestSettings, 'morning' | 'searches' | 'folders'>,
): Promise<DigestContent> {
  const page = morning
    ? await loadMorning(client, period.dueAt, 'outlets', Math.max(period.dueAt - period.from, DAY))
    : { stories: [], single: [] }
  const range = {
    since: new Date(period.from).toISOString(),
    until: new Date(period.dueAt).toISOString(),
    excerpts: true,
    limit: MAX_SECTION,
  }
  const sections: { title: string; entries: EntryShape[] }[] = []
  if (searches.length > 0) {
    const saved = (await client.listSearches()).searches
    for (const id of searches) {
      const search = saved.find((one) => one.id === id)
      if (!search) continue
      const { entries } = await client.listEntries({ query: { ...range, q: search.query, sort: 'date' } })
      sections.push({ title: search.name, entries })
    }
  }
  for (const folder of folders) {
    const { entries } = await client.listEntries({ query: { ...range, folder, unique: 'story' } })
    sections.push({ title: folder, entries })
  }
  return { stories: page.stories, single: page.single, sections }
}

/**
 * Loads the stories of a morning page: by the number of outlets that report them in their own words (rank-stories.ts), or those first that
 * the user probably wants to read; then, shorter, entries of a single feed.
 */
import type { EntryShape, GroupShape } from '../../api/index.ts'
import type { Client } from '../client.ts'
import { type MorningStory, rankStories, storyOf } from './rank-stories.ts'
import { isRecurring, recurringTitles } from './recurring-titles.ts'

/** Stories by the number of outlets, or those first that the user probably wants to read. */
export type MorningOrder = 'outlets' | 'for-you'

export interface MorningPage {
  stories: MorningStory[]
  /** Whether the first one may be shown larger than the others. */
  hasLead: boolean
  single: EntryShape[]
}

export const DAY_MS = 86_400_000
const MOST_STORIES = 12
const MOST_SINGLE = 12
/** Stories that are ranked, and groups that are loaded at once. */
const MOST_RANKED = 30
const STEP = 10
const MOST_PERSONAL = 200

/** The 24 hours before `end`, or another length. */
export async function loadMorning(
  api: Client,
  end: number,
  order: MorningOrder,
  lengthMs = DAY_MS,
): Promise<MorningPage> {
  const since = new Date(end - lengthMs).toISOString()
  const until = new Date(end).toISOString()
  const [{ groups }, { entries }, personal] = await Promise.all([
    api.listGroups({ query: { level: 'story', order: 'large', since, limit: 100, excerpts: true } }),
    api.listEntries({ query: { since, until, unique: 'story', limit: 200 } }),
    order === 'for-you' ? api.getForYou({ query: { since, until, unread: false, limit: MOST_PERSONAL } }) : undefined,
  ])
  const ofDay = groups.filter(
    ({ firstAt, primary }) => primary && Date.parse(firstAt) < end && Date.parse(firstAt) > end - lengthMs - DAY_MS,
  )
  const recurring = recurringTitles(entries)
  const ranked = rankStories(await storiesIn(api, ofDay), personal ? MOST_RANKED : MOST_STORIES, recurring)
  const placeOf = placesIn(personal?.entries ?? [])
  const placeOfStory = ({ members }: MorningStory) => Math.min(...members.map(({ entry }) => placeOf(entry)))
  const stories = ranked.stories.toSorted((a, b) => placeOfStory(a) - placeOfStory(b)).slice(0, MOST_STORIES)
  const inStories = new Set(stories.flatMap(({ members }) => members.map(({ entry }) => entry.id)))
  const others = entries.filter(({ id }) => !inStories.has(id))
  const [serials, ordinary] = [
    others.filter((one) => isRecurring(one, recurring)),
    others.filter((one) => !isRecurring(one, recurring)),
  ]
  const single = [...oneOfEach(ordinary), ...oneOfEach(serials)].toSorted((a, b) => placeOf(a) - placeOf(b))
  return { stories, hasLead: ranked.hasLead, single: single.slice(0, MOST_SINGLE) }
}

/** Where an entry is in a ranking. Entries that are not in it are last, in the order that they have. */
function placesIn(ranking: readonly EntryShape[]): (entry: EntryShape) => number {
  const places = new Map(ranking.map(({ id }, i) => [id, i]))
  return ({ id }) => places.get(id) ?? ranking.length
}

/** The largest groups may be series of a single outlet, which are no stories. */
async function storiesIn(api: Client, groups: GroupShape[]): Promise<MorningStory[]> {
  const found: MorningStory[] = []
  for (let i = 0; i < groups.length && found.length < MOST_RANKED; i += STEP) {
    const whole = await Promise.all(groups.slice(i, i + STEP).map(({ id }) => api.getGroup({ params: { id } })))
    for (const [n, { members }] of whole.entries()) {
      const story = storyOf(groups[i + n]!, members)
      if (story) found.push(story)
    }
  }
  return found
}

/** Takes entries from each feed in turn, so that no busy feed fills the page. */
function oneOfEach(entries: EntryShape[]): EntryShape[] {
  const byFeed = Map.groupBy(entries, ({ feedId }) => feedId)
  const rows = [...byFeed.values()]
  const longest = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: longest }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat()
}

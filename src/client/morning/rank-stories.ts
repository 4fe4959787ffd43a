/**
 * Chooses and orders the stories of a page: by the number of outlets that report in their own words, and so that one subject or one outlet
 * does not fill the page. The copies of one text, such as a wire report, are one voice, however many outlets print them. Columns, podcasts, weather and
 * market reports recur whatever happens, so they come later and never lead.
 */
import type { EntryShape, GroupShape, MemberShape } from '../../api/index.ts'
import { isMarketReport, isRecurring, type Recurring } from './recurring-titles.ts'

export interface MorningStory {
  group: GroupShape
  primary: EntryShape
  /** In chronological order. */
  members: MemberShape[]
  /** The first report of each outlet. */
  outlets: MemberShape[]
  /** Outlets with a text of their own. */
  voices: number
}

export interface RankedStories {
  stories: MorningStory[]
  /** Whether the first one may be shown larger than the others. */
  hasLead: boolean
}

/** Each further story about the same subject, or first reported by the same outlet, counts this much less. */
const SAME_CATEGORY = 0.8
const SAME_OUTLET = 0.75
/** What an outlet that repeats the text of another adds, compared with one that writes its own. */
const COPY_WEIGHT = 0.1
const RECURRING_WEIGHT = 0.3

/** Undefined if only one outlet reports it. */
export function storyOf(group: GroupShape, members: readonly MemberShape[]): MorningStory | undefined {
  const sorted = members.toSorted((a, b) => a.at.localeCompare(b.at))
  const outlets = new Map<string, MemberShape>()
  for (const member of sorted) if (!outlets.has(outletOf(member.entry))) outlets.set(outletOf(member.entry), member)
  if (!group.primary || outlets.size < 2) return undefined
  return { group, primary: group.primary, members: sorted, outlets: [...outlets.values()], voices: voicesIn(sorted) }
}

/** Best first. `recurring` knows which titles are part of a series. */
export function rankStories(stories: readonly MorningStory[], most: number, recurring: Recurring): RankedStories {
  const waiting = new Map(stories.map((story) => [story, worth(story, recurring)]))
  const chosen: MorningStory[] = []
  const subjects = new Map<string, number>()
  const firsts = new Map<string, number>()
  while (chosen.length < most && waiting.size > 0) {
    const mayBeNext = [...waiting.keys()].filter((story) => chosen.length > 0 || mayLead(story, recurring))
    const next = bestOf(mayBeNext.length > 0 ? mayBeNext : [...waiting.keys()], (story) => {
      const [subject, first] = [subjects.get(subjectOf(story)) ?? 0, firsts.get(firstOutlet(story)) ?? 0]
      return waiting.get(story)! * SAME_CATEGORY ** subject * SAME_OUTLET ** first
    })
    chosen.push(next)
    waiting.delete(next)
    if (subjectOf(next) !== 'uncategorized') subjects.set(subjectOf(next), (subjects.get(subjectOf(next)) ?? 0) + 1)
    firsts.set(firstOutlet(next), (firsts.get(firstOutlet(next)) ?? 0) + 1)
  }
  return { stories: chosen, hasLead: chosen[0] !== undefined && mayLead(chosen[0], recurring) }
}

/** The site that publishes an entry; of entries without an address its feed. */
export function outletOf({ url, feedId }: Pick<EntryShape, 'url' | 'feedId'>): string {
  return url && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : `feed ${feedId}`
}

/** Texts and outlets are counted once each: neither the copies of a text nor a second text of an outlet is another voice. */
function voicesIn(members: readonly MemberShape[]): number {
  const [texts, outlets] = [new Set<number>(), new Set<string>()]
  for (const { entry } of members) {
    const [text, outlet] = [entry.copyOf ?? entry.id, outletOf(entry)]
    if (texts.has(text) || outlets.has(outlet)) continue
    texts.add(text)
    outlets.add(outlet)
  }
  return texts.size
}

function worth(story: MorningStory, recurring: Recurring): number {
  const value = story.voices + COPY_WEIGHT * (story.outlets.length - story.voices)
  return mayLead(story, recurring) ? value : value * RECURRING_WEIGHT
}

function mayLead({ primary, members }: MorningStory, recurring: Recurring): boolean {
  const isOrdinary = (entry: EntryShape) => !isRecurring(entry, recurring) && !isMarketReport(entry)
  return isOrdinary(primary) && members.filter(({ entry }) => isOrdinary(entry)).length * 2 > members.length
}

const subjectOf = ({ primary }: MorningStory) => primary.category
const firstOutlet = ({ outlets, primary }: MorningStory) => outletOf(outlets[0]?.entry ?? primary)

/** The first of equals. */
function bestOf<Item>(items: readonly Item[], value: (item: Item) => number): Item {
  return items.reduce((best, item) => (value(item) > value(best) ? item : best))
}

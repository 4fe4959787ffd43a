/** The stories of a day that several feeds tell. The largest groups may be the series of single feeds, which nobody repeats. */
import type { EntryShape, GroupShape, MemberShape } from '../../src/api/index.ts'

export interface Story {
  group: GroupShape
  primary: EntryShape
  tellings: EntryShape[]
  /** The first of each feed. */
  tellers: EntryShape[]
}

/** So many at most, of groups that come largest first; what most feeds tell, first. */
export async function multiFeedStories(
  groups: readonly GroupShape[],
  most: number,
  whole: (group: GroupShape) => Promise<{ group: GroupShape; members: MemberShape[] }>,
): Promise<Story[]> {
  const found: Story[] = []
  for (let i = 0; i < groups.length && found.length < most; i += most) {
    for (const { group, members } of await Promise.all(groups.slice(i, i + most).map(whole))) {
      const tellings = members.map(({ entry }) => entry)
      const tellers = firstOfEach(tellings)
      if (group.primary && tellers.length > 1) found.push({ group, primary: group.primary, tellings, tellers })
    }
  }
  return found.sort((a, b) => b.tellers.length - a.tellers.length).slice(0, most)
}

function firstOfEach(entries: EntryShape[]): EntryShape[] {
  const seen = new Set<number>()
  return entries.filter(({ feedId }) => !seen.has(feedId) && seen.add(feedId))
}

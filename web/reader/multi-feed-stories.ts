/** Stories of a day that several feeds report. The largest groups may be series of a single feed, which are left out. */
import type { EntryShape, GroupShape, MemberShape } from '../../src/api/index.ts'

export interface Story {
  group: GroupShape
  primary: EntryShape
  tellings: EntryShape[]
  /** The first entry of each feed. */
  tellers: EntryShape[]
}

/** Limits the number of stories. Groups come largest first; the result is sorted by the number of feeds. */
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

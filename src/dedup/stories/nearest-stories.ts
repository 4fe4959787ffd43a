/** The stories a headline may belong to: the most similar ones, with the words that say why, and those of the items it copies. */
import type { Item, LikenessEvidence } from '../item.ts'
import type { PlainItem } from '../plain-item.ts'
import { type Signature, signedWords } from '../sign/signature.ts'
import { earliest, isOlder, isSerial, type Story, type Telling, usesIn, wordsIn } from './story.ts'
import {
  type StoryLikeness,
  storyLikeness,
  type Tellings,
  vectorLength,
  type Weight,
  wordLikeness,
} from './story-likeness.ts'
import { GROWN_TELLINGS, type StoryMembership } from './story-membership.ts'
import type { StoryMemory } from './story-memory.ts'

export interface Nearness extends StoryLikeness {
  story: Story
}

const MOST_COMPARED = 5

export interface NearestStories {
  /** How many stories have been compared so far. */
  readonly compared: number
  /** The stories most similar to a headline, most similar first. */
  nearest(telling: Telling, weight: Weight): Nearness[]
  /** The stories of the items it copies, within the window; a single copy does not merge two large stories. */
  ofCopies(item: Item): Set<Story>
}

export function createNearestStories(
  memory: Pick<StoryMemory, 'likeliest' | 'telling'>,
  { leastSurprise, fits }: Pick<StoryMembership, 'leastSurprise' | 'fits'>,
): NearestStories {
  let compared = 0

  return {
    get compared() {
      return compared
    },

    nearest(telling, weight) {
      const own = vectorOf(new Map(telling.words.map((word) => [word, 1])), 1, weight)
      const candidates = memory.likeliest(telling, weight, MOST_COMPARED, leastSurprise())
      compared += candidates.length
      const near = candidates.flatMap((story): Nearness[] => {
        if (!fits(story, telling.at, telling.at)) return []
        const others = vectorOf(wordsIn(story), story.size, weight)
        return isSerial(telling, others) ? [] : [{ story, ...storyLikeness(own, others, weight) }]
      })
      if (telling.unspaced) for (const one of near) one.surprise /= 2
      return near.sort((a, b) => b.likeness - a.likeness || (isOlder(a.story, b.story) ? -1 : 1))
    },

    ofCopies({ copyOf = [], at }) {
      const stories = new Set<Story>()
      let [firstAt, lastAt] = [at, at]
      const found = [...new Set(copyOf.flatMap((id) => memory.telling(id)?.story ?? []))].sort(
        (a, b) => b.size - a.size || (isOlder(a, b) ? -1 : 1),
      )
      for (const [i, story] of found.entries()) {
        if (!fits(story, firstAt, lastAt)) continue
        if (i > 0 && story.size >= GROWN_TELLINGS) continue
        stories.add(story)
        firstAt = Math.min(firstAt, story.firstAt)
        lastAt = Math.max(lastAt, story.lastAt)
      }
      return stories
    },
  }
}

export function vectorOf(words: ReadonlyMap<number, number>, count: number, weight: Weight): Tellings {
  return { words, count, length: vectorLength(words, count, weight) }
}

/** Names the words most characteristic of this story. */
export function evidenceOf(
  { story, likeness }: Nearness,
  what: PlainItem,
  signed: Signature,
  weight: Weight,
): LikenessEvidence {
  const { words } = signedWords(what)
  const shared = new Map<string, number>()
  for (const [i, word] of signed.words.entries()) {
    const uses = usesIn(story, word)
    if (uses) shared.set(words[i] ?? '', wordLikeness(uses / story.size, weight(word)))
  }
  const most = [...shared].sort(([, a], [, b]) => b - a).slice(0, 3)
  const others = story.size === 1 ? '1 other' : `${story.size} others`
  const reason = `speaks of ${inOneBreath(most.map(([word]) => word))}, like ${others}`
  return { like: earliest(story).id, likeness, reason }
}

/** "a", "a and b", "a, b and c" */
function inOneBreath(words: string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

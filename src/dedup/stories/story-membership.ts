/**
 * Decides whether a headline reports the same event as a story, or two stories the same event. A story has a centre, the
 * words that all of its tellings (reports) use, and a time. A member must resemble the centre, all the more the fewer
 * tellings there are and the longer the story has been silent; it must share words that are unlikely to be shared by chance;
 * and it must resemble single tellings, too, in headline and text: a story held together by its centre alone drifts and
 * becomes a topic.
 *
 * The constants were chosen on English headlines of March 2014 that people had grouped, among news of other years; those for
 * texts on manually checked pairs of an agency's news of 1987.
 */
import { DAY, HOUR, type Instant, type Millis } from '../../model/index.ts'
import { CONTENT, FILLER } from '../sign/word-kinds.ts'
import { gapBetween, hasEnoughText, type Story, spanWith, type Telling, usesIn, wordsIn } from './story.ts'
import type { StoryLikeness, Weight } from './story-likeness.ts'
import { type InCommon, NO_SUCH_WORD } from './text-words.ts'

export interface StoryMembership {
  /** Minimum worth of common words before anything else is checked. */
  leastSurprise(): number
  belongs(telling: Telling, story: Story, how: StoryLikeness, weight: Weight): boolean
  /** `telling` is the report that brought them together. */
  areOne(story: Story, other: Story, how: StoryLikeness, telling: Telling): boolean
  /** No two tellings of a story are further apart than the window. */
  fits(story: Story, firstAt: Instant, lastAt: Instant): boolean
}

/** The queries it needs on the memory of stories. */
export interface Remembered {
  manyStories(): number
  textOverlap(a: string, b: string): number
  inCommon(a: Telling, b: Telling): InCommon
}

/** A story with one telling requires this much more likeness; one with ten a tenth of it. */
const YOUNG = 0.3
/** The same for scripts without spaces, whose words overlap. */
const YOUNG_UNSPACED = 0.15
/** Additional likeness required for each day of silence. */
const SILENT_DAY = 0.2
/** Two stories with this many tellings each need a higher likeness to be merged. */
export const GROWN_TELLINGS = 12
const GROWN_LIKENESS = 0.35
/** Every existing story is another chance of a random match, hence the logarithm of their number, plus this margin. */
const SPARE_SURPRISE = 1.5
const SPARE_SURPRISE_OF_ONE = 1
/** A story with many tellings within these hours is likelier to get another: by the logarithm of their number. */
const NEAR = 12 * HOUR
const MOST_NEAR = Math.log(64)
/** For a large story only the latest tellings are compared. */
const LOOKED_AT = 64
/** Words shared with a single telling, without fillers. */
const FEWEST_SHARED = 2
/** Rare common words beside the headlines: other names, places and figures of the same event. */
const FEWEST_BESIDE = 2
/** With this many within a day, headlines need only the likeness required by a large story. */
const MANY_BESIDE = 3
/**
 * A story with this many tellings is a little like everything, so its centre proves nothing. A new member must contain a
 * word that a fifth of its tellings use (true for nineteen in twenty who joined large ones), and two stories are merged only
 * by a telling that shares words with a single telling.
 */
const LARGE_STORY = 200
const CORE_SHARE = 0.2
/** Reports filled from a template come again on another day: similar, but not the same. */
const ANOTHER_DAY = 20 * HOUR
const SAME_TEMPLATE = 0.5
const SAME_REPORT = 0.97
/** With this many figures of its own in each of two reports of the same wording: another event. */
const OTHER_FIGURES = 2
/** From this likeness on the texts are the same except for an edit or a cut, if they are of about the same day. */
const SAME_TEXT = 0.8
const SAME_WITHIN = 12 * HOUR
/** Lines of a table, all figures, are easily equal by chance. */
const FEWEST_TO_BE_SAME = 8
/**
 * Subjects: the rarest common word may be used by this many times as many texts as the rarest words that occur in one
 * headline only. If a template is filled in twice, the common words are common and the names are not.
 */
const AS_RARE = 1.5
/** This share of a story's own tellings is subtracted from a word's uses, since they may be why the word is common. */
const OWN_SHARE = 0.5
/**
 * Headlines and texts together: from this likeness on it is the same event, if they share enough rare words, some of them in
 * headlines.
 */
const SAME_EVENT = 0.15
/** From this likeness on two are from a template, or nearly the same text. */
const SAME_WORDING = 0.4
/** With fewer known texts of a language, nearly every word is rare, and rarity says less. */
const FEW_OF_LANGUAGE = 100
const UNSEEN_OF_LANGUAGE = 4

export function createStoryMembership(threshold: number, windowMs: Millis, memory: Remembered): StoryMembership {
  const chance = () => Math.log(memory.manyStories())

  function likenessFor(tellings: number, gap: Millis, { unspaced }: Telling): number {
    return grownLikeness(gap) + (unspaced ? YOUNG_UNSPACED : YOUNG) / tellings
  }

  function grownLikeness(gap: Millis): number {
    return threshold + (SILENT_DAY * gap) / DAY
  }

  function belongs(telling: Telling, story: Story, { likeness, surprise }: StoryLikeness, weight: Weight): boolean {
    if (saysTheSame(telling, story)) return true
    if (!sharesCore(telling.words, story)) return false
    if (tellsTheSame(telling, story)) return true
    const gap = gapBetween(story, telling.at, telling.at)
    if (likeness < grownLikeness(gap)) return false
    const needed = chance() - Math.log(countTellingsNear(story, telling.at))
    if (surprise < needed + SPARE_SURPRISE) return false
    if (likeness < likenessFor(story.size, gap, telling) && !sharesMany(telling, story)) return false
    return isLikeSome(telling, story, needed + SPARE_SURPRISE_OF_ONE, weight)
  }

  /** Under any headline. */
  function saysTheSame(telling: Telling, story: Story): boolean {
    const { at, text } = telling
    if (contentWords(text) < FEWEST_TO_BE_SAME) return false
    return lastTellings(story).some(
      (other) =>
        Math.abs(other.at - at) <= SAME_WITHIN &&
        hasEnoughText(other) &&
        memory.textOverlap(text, other.text) >= SAME_TEXT &&
        isSameReport(memory.inCommon(telling, other), story.size),
    )
  }

  function isSameReport(common: InCommon, tellings: number): boolean {
    return !isByTemplate(common) && isOnSubject(common, tellings)
  }

  /** In other words, but with the same rare ones: recognized even where headlines alone would not suffice. */
  function tellsTheSame(telling: Telling, story: Story): boolean {
    if (contentWords(telling.text) < FEWEST_TO_BE_SAME) return false
    const fewestInBoth = FEWEST_SHARED * (telling.unspaced ? 2 : 1)
    return lastTellings(story).some((other) => {
      if (Math.abs(other.at - telling.at) > ANOTHER_DAY || sharedWords(telling, other) < fewestInBoth) return false
      if (contentWords(other.text) < FEWEST_TO_BE_SAME) return false
      const common = memory.inCommon(telling, other)
      const isFewOf = common.mostUses < FEW_OF_LANGUAGE
      if (common.likeness < SAME_EVENT) return false
      if (common.share >= SAME_WORDING) return false // from a template, or nearly the same text: checked elsewhere
      if (common.rareBeside < (isFewOf ? FEWEST_BESIDE : MANY_BESIDE)) return false
      return isOnSubject(common, story.size, UNSEEN_OF_LANGUAGE)
    })
  }

  /** Resembles one telling, or several of a large story; if texts are unknown, headlines count alone. */
  function isLikeSome(telling: Telling, story: Story, leastWorth: number, weight: Weight): boolean {
    let missing = 1 + Math.floor(Math.log2(story.size) / 2)
    for (const other of lastTellings(story)) {
      if (!shareWords(telling, other, leastWorth, weight) || !textsAgree(telling, other, story.size)) continue
      missing--
      if (missing === 0 || !hasEnoughText(telling) || !hasEnoughText(other)) return true
    }
    return false
  }

  function textsAgree(a: Telling, b: Telling, tellings: number): boolean {
    if (!a.text || !b.text) return (!a.text && !b.text) || headlineAgrees(a, b)
    const common = memory.inCommon(a, b)
    const { rareBeside, share } = common
    const isAnotherDays = Math.abs(a.at - b.at) > ANOTHER_DAY && share >= SAME_TEMPLATE && share < SAME_REPORT
    if (isAnotherDays || isByTemplate(common) || !isOnSubject(common, tellings)) return false
    return rareBeside >= FEWEST_BESIDE || !hasEnoughText(a) || !hasEnoughText(b)
  }

  /**
   * If only one has a text, a single common word ("files", "data") is a template's, unless the text contains more of the
   * other headline.
   */
  function headlineAgrees(a: Telling, b: Telling): boolean {
    return sharedWords(a, b) >= FEWEST_SHARED || memory.inCommon(a, b).beside >= FEWEST_BESIDE
  }

  /**
   * Whether the common words are as rare as the words specific to each. `unseen`: uses added to all counts if few texts of
   * the language are known.
   */
  function isOnSubject({ rarestShared, rarestOwn, mostUses }: InCommon, tellings: number, unseen = 0): boolean {
    const more = 1 + unseen / (1 + (mostUses / FEW_OF_LANGUAGE) ** 2)
    const [ofA, ofB] = rarestOwn
    return Math.max(1, rarestShared - OWN_SHARE * tellings) + more <= AS_RARE * Math.sqrt((ofA + more) * (ofB + more))
  }

  function sharesMany(telling: Telling, story: Story): boolean {
    if (!telling.text) return false
    return lastTellings(story).some(
      (other) =>
        other.text &&
        Math.abs(other.at - telling.at) <= DAY &&
        memory.inCommon(telling, other).rareBeside >= MANY_BESIDE,
    )
  }

  function areOne(story: Story, other: Story, { likeness, surprise }: StoryLikeness, telling: Telling): boolean {
    const [less, more] = [Math.min(story.size, other.size), Math.max(story.size, other.size)]
    const least = likenessFor(more, gapBetween(story, other.firstAt, other.lastAt), telling)
    const grown = Math.min(1, (less - 1) / (GROWN_TELLINGS - 1))
    if (likeness < least + (GROWN_LIKENESS - likenessFor(more, 0, telling)) * grown) return false
    if (surprise < chance() + SPARE_SURPRISE - Math.log(more)) return false
    if (!sharesCore(coreOf(other), story) || !sharesCore(coreOf(story), other)) return false
    return lastTellings(other).some(
      (one) =>
        (more < LARGE_STORY || sharedWords(telling, one) >= FEWEST_SHARED) &&
        textsAgree(telling, one, Math.min(story.size, other.size)),
    )
  }

  return {
    leastSurprise: () => chance() + SPARE_SURPRISE - MOST_NEAR,
    belongs,
    areOne,
    fits: (story, firstAt, lastAt) => spanWith(story, firstAt, lastAt) <= windowMs,
  }
}

/**
 * The same wording with other figures and another name in each headline: "raises" and "cuts", or two markets. Independent of
 * how rare words are.
 */
function isByTemplate({ wording, figures, rarestOwn }: InCommon): boolean {
  const [ofA, ofB] = figures.own
  const haveNames = rarestOwn[0] < NO_SUCH_WORD && rarestOwn[1] < NO_SUCH_WORD
  return (
    haveNames && wording >= SAME_WORDING && Math.min(ofA, ofB) >= OTHER_FIGURES && figures.both < Math.min(ofA, ofB)
  )
}

/** Without fillers. */
function sharedWords(a: Telling, b: Telling): number {
  let count = 0
  for (const word of a.words) if ((word & 3) !== FILLER && b.words.includes(word)) count++
  return count
}

/** Whether one of these words is central to a large story; always true for smaller ones. */
function sharesCore(words: readonly number[], story: Story): boolean {
  if (story.size < LARGE_STORY) return true
  const least = CORE_SHARE * story.size
  return words.some((word) => (word & 3) === CONTENT && usesIn(story, word) >= least)
}

/** Words used by enough of its tellings to be central. */
function coreOf(story: Story): number[] {
  const least = story.size < LARGE_STORY ? 1 : CORE_SHARE * story.size
  return [...wordsIn(story)].flatMap(([word, uses]) => (uses >= least ? word : []))
}

function shareWords(a: Telling, b: Telling, leastWorth: number, weight: Weight): boolean {
  let worth = 0
  let count = 0
  for (const word of a.words) {
    if (!b.words.includes(word)) continue
    worth += weight(word)
    if ((word & 3) !== FILLER) count++
  }
  return count >= FEWEST_SHARED && worth >= leastWorth
}

function contentWords(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 3) === CONTENT) count++
  return count
}

function countTellingsNear(story: Story, at: Instant): number {
  let near = 0
  for (const telling of lastTellings(story)) if (Math.abs(telling.at - at) <= NEAR) near++
  return Math.max(1, near)
}

function lastTellings(story: Story): Telling[] {
  return story.tellings.slice(-LOOKED_AT).filter((telling) => telling.story === story)
}

/**
 * Who in the ring has said this before? Verified: candidates by MinHash, those that share hardly a pair of words set
 * aside, the rest compared word by word. By SimHash: every item in the ring is asked for its distance, as in the
 * founding paper. Either way likeness is not passed on from member to member: what is like one of a group only stays apart.
 */
import { DAY, type Millis } from '../../model/index.ts'
import { byTime } from '../groups/primary.ts'
import type { CopyIndexOptions, LikenessEvidence } from '../item.ts'
import { hasText, type IndexWords } from '../sign/index-words.ts'
import { sharePairs } from './alignment.ts'
import { createWitnesses, withoutWords } from './commonplace.ts'
import type { CopyGroups } from './copy-groups.ts'
import type { CopyRing, RingItem } from './copy-ring.ts'
import { type CopyVerdict, judge } from './verify.ts'

export interface FoundCopies {
  /** Numbers of the items that say the same, one of each group that the item makes one; the rest of what is like it is not here. */
  copies: number[]
  /** The most alike of those; if there are none, the most alike of those that were looked at. */
  evidence: LikenessEvidence
}

/** Members of a group that are asked whether an item is like them. */
const MOST_ASKED = 8

export interface CopyFinder {
  find(item: RingItem): FoundCopies
  /** How many items were laid side by side so far. */
  readonly compared: number
}

export function createCopyFinder(ring: CopyRing, groups: CopyGroups, options: Required<CopyIndexOptions>): CopyFinder {
  const windowMs = options.windowDays * DAY
  const nothing: LikenessEvidence = { likeness: 0, reason: nothingLikeIt(options.windowDays) }
  const find = options.mode === 'simhash' ? nearFingerprints : likeTexts
  let compared = 0

  function likeTexts(item: RingItem): FoundCopies {
    const candidates = ring
      .candidates(item.keys)
      .filter((number) => apartMs(number, item) <= windowMs && number !== ring.nextToGo())
    const { matches, best } = matchesAmong(candidates, item)
    const common = matches.some(isDoubtful) ? commonIn(item) : undefined
    if (!common) return found(matches, best)
    const own = matchesAmong(candidates, { ...item, skeleton: withoutWords(item.skeleton, common), common })
    return found(own.matches, own.best)
  }

  /** One copy in a group is asked for; and after an identical text, whatever else is like it has been joined with that. */
  function matchesAmong(candidates: readonly number[], item: OwnItem): { matches: Match[]; best: Match | undefined } {
    const matches: Match[] = []
    const asked = new Set<number>()
    let best: Match | undefined
    let passedBy: number | undefined
    for (const number of candidates) {
      const group = ring.groupOf(number)
      if (group && asked.has(group)) continue
      if (isHopeless(number, item)) {
        passedBy ??= number
        continue
      }
      const match = compare(number, item)
      if (match.verdict.same) {
        asked.add(group)
        if (belongs(match, item)) matches.push(match)
        else match.verdict = likeOneOnly(match.verdict)
      }
      if (!best || isBetter(match, best)) best = match
      if (match.verdict.same && ring.distanceTo(number, item) === 0) break
    }
    if (!best && passedBy) best = compare(passedBy, item)
    return { matches, best }
  }

  function found(matches: readonly Match[], best: Match | undefined): FoundCopies {
    return { copies: best?.verdict.same ? oneWith(best, matches) : [], evidence: best ? evidenceOf(best) : nothing }
  }

  /** Where headlines differ the text alone says that two items are one: it has to be theirs. */
  function isDoubtful({ verdict }: Match): boolean {
    return verdict.byTextAlone === true
  }

  function commonIn(item: RingItem): ReadonlySet<number> | undefined {
    const witnesses = createWitnesses(item.skeleton)
    ring.visitSharingText(item.keys, (number) => witnesses.hear(ring.indexWordsOf(number)))
    return witnesses.commonplace()
  }

  function wordsOf(number: number, { common }: OwnItem): IndexWords {
    return common ? withoutWords(ring.indexWordsOf(number), common) : ring.indexWordsOf(number)
  }

  /** Like one member is like the group only if it is like the one who speaks for it, or like most of those who came last. */
  function belongs({ number, verdict }: Match, item: OwnItem): boolean {
    const group = ring.groupOf(number)
    if (!group || verdict === ANOTHER_VERSION || ring.distanceTo(number, item) === 0) return true
    const primary = groups.primaryOf(group)
    if (primary === number || compare(primary, item).verdict.same) return true
    const others = groups.membersOf(group, MOST_ASKED + 1).filter((one) => one !== number && one !== primary)
    const alike = others.slice(0, MOST_ASKED).filter((one) => compare(one, item).verdict.same).length
    return (alike + 1) * 2 >= Math.min(others.length, MOST_ASKED) + 2
  }

  /** Groups do not become one because something is like both: those who speak for them have to be alike, too. */
  function oneWith(best: Match, copies: readonly Match[]): number[] {
    const centre = centreOf(best.number)
    const isOne = (number: number) => number === centre || sameTexts(centre, number)
    return copies
      .filter((match) => match === best || match.verdict === ANOTHER_VERSION || isOne(centreOf(match.number)))
      .map(({ number }) => number)
  }

  function sameTexts(a: number, b: number): boolean {
    compared++
    const apart = Math.abs(ring.atOf(a) - ring.atOf(b))
    return judge(ring.indexWordsOf(a), ring.indexWordsOf(b), apart, options.threshold).same
  }

  /** Who speaks for an item's group; itself, if it is alone. */
  function centreOf(number: number): number {
    const group = ring.groupOf(number)
    return group ? groups.primaryOf(group) : number
  }

  /** Spares most candidates the full comparison, and says so only of those to which that would say no. */
  function isHopeless(number: number, item: OwnItem): boolean {
    if (!hasText(item.skeleton) || !ring.hasText(number) || ring.idOf(number) === item.id) return false
    return !sharePairs(wordsOf(number, item), item.skeleton)
  }

  function compare(number: number, item: OwnItem): Match {
    compared++
    if (ring.idOf(number) === item.id) return { number, verdict: ANOTHER_VERSION }
    return {
      number,
      verdict: judge(wordsOf(number, item), item.skeleton, apartMs(number, item), options.threshold),
    }
  }

  function apartMs(number: number, item: RingItem): Millis {
    return Math.abs(ring.atOf(number) - item.at)
  }

  /** As in the founding paper: a group is known by its primary, and an item is in one group at most. */
  function nearFingerprints(item: RingItem): FoundCopies {
    const near = ring
      .within(item, options.threshold)
      .filter((number) => apartMs(number, item) <= windowMs && number !== ring.nextToGo())
    let best: Match | undefined
    for (const number of new Set(near.map(centreOf))) {
      compared++
      const distance = ring.distanceTo(number, item)
      if (distance > options.threshold || number === ring.nextToGo()) continue
      const verdict = { same: true, likeness: 1 - distance / 64, reason: `${distance} of 64 bits differ` }
      if (!best || isBetter({ number, verdict }, best)) best = { number, verdict }
    }
    return best ? { copies: [best.number], evidence: evidenceOf(best) } : { copies: [], evidence: nothing }
  }

  /** Ties go to the earliest. */
  function isBetter(a: Match, b: Match): boolean {
    if (a.verdict.same !== b.verdict.same) return a.verdict.same
    if (a.verdict.likeness !== b.verdict.likeness) return a.verdict.likeness > b.verdict.likeness
    const [x, y] = [a, b].map(({ number }) => ({ id: ring.idOf(number), at: ring.atOf(number) })) as [Timed, Timed]
    return byTime(x, y) < 0
  }

  function evidenceOf({ number, verdict }: Match): LikenessEvidence {
    const { likeness, reason, contains } = verdict
    return { like: ring.idOf(number), likeness, reason, ...(contains && { contains }) }
  }

  return {
    find,
    get compared() {
      return compared
    },
  }
}

/** An item without what is commonplace in its text; and that. */
interface OwnItem extends RingItem {
  common?: ReadonlySet<number>
}

interface Match {
  number: number
  verdict: CopyVerdict
}

type Timed = Parameters<typeof byTime>[0]

const ANOTHER_VERSION: CopyVerdict = { same: true, likeness: 1, reason: 'another version of the same item' }

function likeOneOnly({ likeness }: CopyVerdict): CopyVerdict {
  return { same: false, likeness, reason: 'like one of a group, and not like the others: kept apart' }
}

function nothingLikeIt(windowDays: number): string {
  if (!Number.isFinite(windowDays)) return 'nothing like it'
  return `nothing like it in ${windowDays} ${windowDays === 1 ? 'day' : 'days'}`
}

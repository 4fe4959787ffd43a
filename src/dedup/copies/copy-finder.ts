/**
 * Finds the items in the ring that an item copies. In verified mode: candidates by MinHash, minus those that share hardly
 * any word pairs, compared word by word. In SimHash mode: the distance to every item in the ring, as in the original paper.
 * Likeness is not transitive in either mode: an item that resembles only one member of a group stays apart.
 */
import { DAY, type Millis } from '../../model/index.ts'
import { byTime } from '../groups/primary.ts'
import type { CopyIndexOptions, LikenessEvidence } from '../item.ts'
import { hasText, type IndexWords } from '../sign/index-words.ts'
import { sharePairs } from './alignment.ts'
import type { CopyGroups } from './copy-groups.ts'
import type { RingItem } from './copy-records.ts'
import type { CopyRing } from './copy-ring.ts'
import { createPhraseWitnesses, withoutWords } from './frequent-phrases.ts'
import { type CopyVerdict, compareWords } from './verify-copy.ts'

export interface FoundCopies {
  /** Numbers of the copies, one from each group that the item joins; other similar items are not listed. */
  copies: number[]
  /** The most similar of those; if there are none, the most similar of the compared items. */
  evidence: LikenessEvidence
}

/** Members of a group that are compared with an item. */
const MAX_COMPARED = 8

export interface CopyFinder {
  find(item: RingItem): FoundCopies
  /** Number of items compared so far. */
  readonly compared: number
}

export function createCopyFinder(ring: CopyRing, groups: CopyGroups, options: Required<CopyIndexOptions>): CopyFinder {
  const windowMs = options.windowDays * DAY
  const nothing: LikenessEvidence = { likeness: 0, reason: nothingLikeIt(options.windowDays) }
  const find = options.mode === 'simhash' ? findBySimhash : likeTexts
  let compared = 0

  function likeTexts(item: RingItem): FoundCopies {
    const candidates = ring
      .candidates(item.keys)
      .filter((number) => apartMs(number, item) <= windowMs && number !== ring.nextToGo())
    const { matches, best } = matchesAmong(candidates, item)
    const common = matches.some(isByTextAlone) ? commonIn(item) : undefined
    if (!common) return found(matches, best)
    const own = matchesAmong(candidates, { ...item, skeleton: withoutWords(item.skeleton, common), common })
    return found(own.matches, own.best)
  }

  /** One copy per group is enough; and once an identical text is found, everything else similar has been joined with that. */
  function matchesAmong(candidates: readonly number[], item: OwnItem): { matches: Match[]; best: Match | undefined } {
    const matches: Match[] = []
    const matchedGroups = new Set<number>()
    let best: Match | undefined
    let passedBy: number | undefined
    for (const number of candidates) {
      const group = ring.groupOf(number)
      if (group && matchedGroups.has(group)) continue
      if (cannotMatch(number, item)) {
        passedBy ??= number
        continue
      }
      const match = compare(number, item)
      if (match.verdict.same) {
        matchedGroups.add(group)
        if (belongsToGroup(match, item)) matches.push(match)
        else match.verdict = likeOneOnly(match.verdict)
      }
      if (!best || isBetter(match, best)) best = match
      if (match.verdict.same && ring.distanceTo(number, item) === 0) break
    }
    if (!best && passedBy) best = compare(passedBy, item)
    return { matches, best }
  }

  function found(matches: readonly Match[], best: Match | undefined): FoundCopies {
    const copies = best?.verdict.same ? groupsToJoin(best, matches) : []
    return { copies, evidence: best ? evidenceOf(best) : nothing }
  }

  /** If the headlines differ, the text alone decides, so its frequent phrases must not count. */
  function isByTextAlone({ verdict }: Match): boolean {
    return verdict.byTextAlone === true
  }

  function commonIn(item: RingItem): ReadonlySet<number> | undefined {
    const witnesses = createPhraseWitnesses(item.skeleton)
    ring.visitSharingText(item.keys, (number) => witnesses.hear(ring.indexWordsOf(number)))
    return witnesses.frequentPhrases()
  }

  function wordsOf(number: number, { common }: OwnItem): IndexWords {
    return common ? withoutWords(ring.indexWordsOf(number), common) : ring.indexWordsOf(number)
  }

  /** Similar to one member is not enough: it must resemble the group's primary, or most of its latest members, too. */
  function belongsToGroup({ number, verdict }: Match, item: OwnItem): boolean {
    const group = ring.groupOf(number)
    if (!group || verdict === ANOTHER_VERSION || ring.distanceTo(number, item) === 0) return true
    const primary = groups.primaryOf(group)
    if (primary === number || compare(primary, item).verdict.same) return true
    const others = groups.membersOf(group, MAX_COMPARED + 1).filter((one) => one !== number && one !== primary)
    const alike = others.slice(0, MAX_COMPARED).filter((one) => compare(one, item).verdict.same).length
    return (alike + 1) * 2 >= Math.min(others.length, MAX_COMPARED) + 2
  }

  /** Groups are not merged because one item resembles both: their primaries have to be similar, too. */
  function groupsToJoin(best: Match, copies: readonly Match[]): number[] {
    const centre = primaryOf(best.number)
    const isOne = (number: number) => number === centre || sameTexts(centre, number)
    return copies
      .filter((match) => match === best || match.verdict === ANOTHER_VERSION || isOne(primaryOf(match.number)))
      .map(({ number }) => number)
  }

  function sameTexts(a: number, b: number): boolean {
    compared++
    const apart = Math.abs(ring.atOf(a) - ring.atOf(b))
    return compareWords(ring.indexWordsOf(a), ring.indexWordsOf(b), apart, options.threshold).same
  }

  /** The primary of an item's group; the item itself if it is alone. */
  function primaryOf(number: number): number {
    const group = ring.groupOf(number)
    return group ? groups.primaryOf(group) : number
  }

  /** Skips the full comparison for candidates that it would certainly reject. */
  function cannotMatch(number: number, item: OwnItem): boolean {
    if (!hasText(item.skeleton) || !ring.hasText(number) || ring.idOf(number) === item.id) return false
    return !sharePairs(wordsOf(number, item), item.skeleton)
  }

  function compare(number: number, item: OwnItem): Match {
    compared++
    if (ring.idOf(number) === item.id) return { number, verdict: ANOTHER_VERSION }
    return {
      number,
      verdict: compareWords(wordsOf(number, item), item.skeleton, apartMs(number, item), options.threshold),
    }
  }

  function apartMs(number: number, item: RingItem): Millis {
    return Math.abs(ring.atOf(number) - item.at)
  }

  /** As in the original paper: a group is represented by its primary, and an item belongs to at most one group. */
  function findBySimhash(item: RingItem): FoundCopies {
    const near = ring
      .within(item, options.threshold)
      .filter((number) => apartMs(number, item) <= windowMs && number !== ring.nextToGo())
    let best: Match | undefined
    for (const number of new Set(near.map(primaryOf))) {
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

/** An item without the frequent phrases in its text, and those phrases. */
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

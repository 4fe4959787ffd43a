/**
 * Who in the ring has said this before? Verified: candidates by MinHash, those that share hardly a pair of words set
 * aside, the rest compared word by word. By SimHash: every item in the ring is asked for its distance, as in the
 * founding paper.
 */
import { DAY, type Millis } from '../../model/index.ts'
import { byTime } from '../groups/primary.ts'
import type { CopyIndexOptions, LikenessEvidence } from '../item.ts'
import { hasText } from '../sign/index-words.ts'
import { sharePairs } from './alignment.ts'
import type { CopyRing, RingItem } from './copy-ring.ts'
import { type CopyVerdict, judge } from './verify.ts'

export interface FoundCopies {
  /** Numbers of the items that say the same; of each group one at least. */
  copies: number[]
  /** The most alike of those; if there are none, the most alike of those that were looked at. */
  evidence: LikenessEvidence
}

const MOST_NEAR = 256

export interface CopyFinder {
  find(item: RingItem): FoundCopies
  /** How many items were laid side by side so far. */
  readonly compared: number
}

export function createCopyFinder(ring: CopyRing, options: Required<CopyIndexOptions>): CopyFinder {
  const windowMs = options.windowDays * DAY
  const nothing: LikenessEvidence = { likeness: 0, reason: nothingLikeIt(options.windowDays) }
  const find = options.mode === 'simhash' ? nearFingerprints : likeTexts
  let compared = 0

  /** One copy in a group is enough; and after an identical text, whatever else is like it has been joined with that. */
  function likeTexts(item: RingItem): FoundCopies {
    const copies: number[] = []
    const joined = new Set<number>()
    let best: Match | undefined
    let passedBy: number | undefined
    for (const number of ring.candidates(item.keys)) {
      const group = ring.groupOf(number)
      if (apartMs(number, item) > windowMs || number === ring.nextToGo() || (group && joined.has(group))) continue
      if (isHopeless(number, item)) {
        passedBy ??= number
        continue
      }
      const match = compare(number, item)
      if (!best || isBetter(match, best)) best = match
      if (!match.verdict.same) continue
      copies.push(number)
      joined.add(group)
      if (ring.distanceTo(number, item) === 0) break
    }
    if (!best && passedBy) best = compare(passedBy, item)
    return { copies, evidence: best ? evidenceOf(best) : nothing }
  }

  /** Spares most candidates the full comparison, and says so only of those to which that would say no. */
  function isHopeless(number: number, item: RingItem): boolean {
    if (!hasText(item.skeleton) || !ring.hasText(number) || ring.idOf(number) === item.id) return false
    return !sharePairs(ring.indexWordsOf(number), item.skeleton)
  }

  function compare(number: number, item: RingItem): Match {
    compared++
    if (ring.idOf(number) === item.id) return { number, verdict: ANOTHER_VERSION }
    return {
      number,
      verdict: judge(ring.indexWordsOf(number), item.skeleton, apartMs(number, item), options.threshold),
    }
  }

  function apartMs(number: number, item: RingItem): Millis {
    return Math.abs(ring.atOf(number) - item.at)
  }

  function nearFingerprints(item: RingItem): FoundCopies {
    const matches = ring
      .within(item, options.threshold)
      .filter((number) => apartMs(number, item) <= windowMs && number !== ring.nextToGo())
      .slice(0, MOST_NEAR)
      .map((number): Match => {
        compared++
        const distance = ring.distanceTo(number, item)
        return { number, verdict: { same: true, likeness: 1 - distance / 64, reason: `${distance} of 64 bits differ` } }
      })
    if (matches.length === 0) return { copies: [], evidence: nothing }
    const best = matches.reduce((best, match) => (isBetter(match, best) ? match : best))
    return { copies: matches.map(({ number }) => number), evidence: evidenceOf(best) }
  }

  /** Ties go to the earliest. */
  function isBetter(a: Match, b: Match): boolean {
    if (a.verdict.same !== b.verdict.same) return a.verdict.same
    if (a.verdict.likeness !== b.verdict.likeness) return a.verdict.likeness > b.verdict.likeness
    const [x, y] = [a, b].map(({ number }) => ({ id: ring.idOf(number), at: ring.atOf(number) })) as [Timed, Timed]
    return byTime(x, y) < 0
  }

  function evidenceOf({ number, verdict }: Match): LikenessEvidence {
    return { like: ring.idOf(number), likeness: verdict.likeness, reason: verdict.reason }
  }

  return {
    find,
    get compared() {
      return compared
    },
  }
}

interface Match {
  number: number
  verdict: CopyVerdict
}

type Timed = Parameters<typeof byTime>[0]

const ANOTHER_VERSION: CopyVerdict = { same: true, likeness: 1, reason: 'another version of the same item' }

function nothingLikeIt(windowDays: number): string {
  if (!Number.isFinite(windowDays)) return 'nothing like it'
  return `nothing like it in ${windowDays} ${windowDays === 1 ? 'day' : 'days'}`
}

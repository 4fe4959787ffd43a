/** Says in plain words what the features of a score mean. */
import type { ReasonShape } from '../../api/index.ts'
import type { FeedId } from '../../model/index.ts'
import { type Contribution, type FeatureKind, parseFeatureKey } from '../../ranking/index.ts'

/** Weaker ones are noise. */
const MIN_AMOUNT = 0.08
/** Smaller weights come from a few interactions. */
const CERTAIN = 0.3

export interface ReasonContext {
  /** Titles of feeds that the user follows. Reasons about other feeds are left out. */
  feedTitles: ReadonlyMap<FeedId, string>
  /** Of one entry: how many feeds report its story. */
  outlets?: number
}

/** The strongest first. */
export function reasonShapes(
  contributions: readonly Contribution[],
  context: ReasonContext,
  most: number,
): ReasonShape[] {
  return contributions
    .filter(({ amount, preference }) => preference !== undefined || Math.abs(amount) >= MIN_AMOUNT)
    .flatMap((contribution) => reasonShape(contribution, context) ?? [])
    .slice(0, most)
}

/** Titles for the feeds that are named in contributions. */
export function feedsIn(contributions: readonly Contribution[]): FeedId[] {
  return contributions.flatMap(({ key }) => {
    const feature = parseFeatureKey(key)
    return feature?.kind === 'feed' ? [Number(feature.value) as FeedId] : []
  })
}

function reasonShape(
  { key, amount, learned, preference }: Contribution,
  context: ReasonContext,
): ReasonShape | undefined {
  const feature = parseFeatureKey(key)
  if (!feature) return undefined
  const { kind, value } = feature
  const label = kind === 'feed' ? context.feedTitles.get(Number(value) as FeedId) : labelOf(kind, value)
  if (label === undefined) return undefined
  return {
    feature: key,
    kind,
    label,
    amount: Math.round(amount * 100) / 100,
    ...(preference && { preference }),
    words: wordsOf({ kind, label, learned, preference, outlets: context.outlets }),
  }
}

function labelOf(kind: FeatureKind, value: string): string {
  if (kind === 'language') return languageNames.of(value) ?? value
  return value
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

interface ReasonParts {
  kind: FeatureKind
  label: string
  learned: number
  preference: Contribution['preference']
  outlets: number | undefined
}

function wordsOf({ kind, label, learned, preference, outlets }: ReasonParts): string {
  const isRaised = learned >= 0
  const posts = postsWith(kind, label)
  if (preference === 'more') return `You want more ${posts}`
  if (preference === 'less') return `You want fewer ${posts}`
  if (preference === 'never') return `You never want ${posts}`
  if (isRaised && outlets !== undefined && kind === 'outlets') return `${outlets} of your feeds report it`
  if (isRaised && outlets !== undefined && kind === 'age') return 'It is new'
  if (kind === 'known')
    return outlets === undefined ? `${capitalized(posts)} come later` : 'You have read another report of it'
  if (isRaised && (kind === 'outlets' || kind === 'age')) return `${capitalized(posts)} come first`
  if (Math.abs(learned) < CERTAIN) return `You have ${isRaised ? 'opened' : 'skipped'} ${posts}`
  return `You ${isRaised ? 'often' : 'rarely'} open ${posts}`
}

function postsWith(kind: FeatureKind, label: string): string {
  switch (kind) {
    case 'feed':
      return `posts of ${label}`
    case 'author':
      return `posts by ${label}`
    case 'tag':
      return `posts tagged “${label}”`
    case 'word':
      return `posts about “${label}”`
    case 'category':
      return `posts on ${label}`
    case 'language':
      return `posts in ${label}`
    case 'outlets':
      return 'stories that several feeds report'
    case 'known':
      return 'stories that you have read about'
    case 'age':
      return 'new posts'
    case 'length':
      return `${label} posts`
    case 'media':
      return `posts with ${label}`
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

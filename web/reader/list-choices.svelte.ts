/**
 * How each list is shown: its order, layout and groups. Remembered in this browser for each list; what was not chosen for a list is as in
 * all others.
 */
import { preferences } from '../shell/preferences.svelte.ts'
import { keyOf, type ListSpec } from '../shell/router.svelte.ts'

export const LAYOUTS = ['compact', 'summary', 'cards', 'magazine'] as const
export const ORDERS = ['newest', 'oldest', 'best'] as const
export const GROUPINGS = ['none', 'day', 'feed'] as const

export interface ListChoices {
  layout: (typeof LAYOUTS)[number]
  /** `best` is for searches and "For you" only, `oldest` for all others. */
  order: (typeof ORDERS)[number]
  groupBy: (typeof GROUPINGS)[number]
  unreadOnly: boolean
  /** Only one entry of each story. */
  unique: boolean
  /** Entries that are scrolled past are marked as read. */
  markOnScroll: boolean
}

type Kept = Record<string, Partial<ListChoices>>

const KEY = 'freshet.lists'
/** Lists whose choices are kept; the one that was changed longest ago is forgotten first. */
const MOST_LISTS = 300
/** The choices for all lists. */
const ALL = '*'
const DEFAULTS = { layout: 'summary', order: 'newest', groupBy: 'none', unreadOnly: false } as const

class Choices {
  #kept = $state.raw<Kept>(load())

  of(spec: ListSpec): ListChoices {
    const { unique, markOnScroll } = preferences.current
    const all = { ...DEFAULTS, unique, markOnScroll, ...this.#kept[ALL] }
    const chosen = { ...all, ...(spec.kind === 'search' && { order: 'best' as const }), ...this.#kept[keyOf(spec)] }
    const isRanked = spec.kind === 'for-you'
    return { ...chosen, order: possibleOrder(spec, chosen.order), ...(isRanked && { groupBy: 'none' as const }) }
  }

  set(spec: ListSpec, change: Partial<ListChoices>): void {
    const key = keyOf(spec)
    const { [key]: before, ...others } = this.#kept
    this.#keep({ ...others, [key]: { ...before, ...change } })
  }

  /** Shows all lists like this one. */
  useForAll(spec: ListSpec): void {
    const { unique, markOnScroll, order, ...rest } = this.of(spec)
    preferences.set({ unique, markOnScroll })
    this.#keep({ [ALL]: { ...rest, ...(order !== 'best' && { order }) } })
  }

  /** Whether this list is shown in another way than lists without choices of their own. */
  isSpecial(spec: ListSpec): boolean {
    const { unique, markOnScroll } = preferences.current
    const all: Partial<ListChoices> = { ...DEFAULTS, unique, markOnScroll, ...this.#kept[ALL] }
    const own = Object.entries(this.#kept[keyOf(spec)] ?? {})
    return own.some(([name, value]) =>
      name !== 'order' || value !== 'best' ? all[name as keyof ListChoices] !== value : false,
    )
  }

  #keep(kept: Kept): void {
    const lists = Object.entries(kept).filter(([key]) => key !== ALL)
    this.#kept = Object.fromEntries([
      ...Object.entries(kept).filter(([key]) => key === ALL),
      ...lists.slice(Math.max(0, lists.length - MOST_LISTS)),
    ])
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept))
    } catch {
      // Without storage the choices last until the page is closed.
    }
  }
}

export const listChoices = new Choices()

function possibleOrder({ kind, value }: ListSpec, order: ListChoices['order']): ListChoices['order'] {
  if (kind === 'for-you') return 'best'
  const isSearch = kind === 'search' && value.trim() !== ''
  if (isSearch) return order === 'oldest' ? 'newest' : order
  return order === 'best' ? 'newest' : order
}

function load(): Kept {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const lists = Object.entries(stored as object).slice(-MOST_LISTS - 1)
    return Object.fromEntries(lists.map(([key, chosen]) => [key, valid(chosen)]))
  } catch {
    return {}
  }
}

function valid(chosen: unknown): Partial<ListChoices> {
  const { layout, order, groupBy, unreadOnly, unique, markOnScroll } = Object(chosen) as Record<string, unknown>
  const oneOf = <T extends string>(values: readonly T[], value: unknown) => values.find((one) => one === value)
  const known = {
    layout: oneOf(LAYOUTS, layout),
    order: oneOf(ORDERS, order),
    groupBy: oneOf(GROUPINGS, groupBy),
    ...(typeof unreadOnly === 'boolean' && { unreadOnly }),
    ...(typeof unique === 'boolean' && { unique }),
    ...(typeof markOnScroll === 'boolean' && { markOnScroll }),
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

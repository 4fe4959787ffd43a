/** Filters and sorts the rows of the table of feeds. Pure, so thousands of rows need no request. */
import type { FollowedFeedDetailsShape, FollowedFeedShape } from '../../src/api/index.ts'
import { LOCALE } from '../shell/locale.ts'

export interface FeedRow extends FollowedFeedShape {
  id: number
  details: FollowedFeedDetailsShape
}

export const STATES = ['any', 'unread', 'paused', 'failing', 'silent'] as const
export type ShownState = (typeof STATES)[number]
export const COLUMNS = ['title', 'folder', 'lastEntry', 'perWeek', 'unread', 'next', 'state'] as const
export type Column = (typeof COLUMNS)[number]

export interface RowFilter {
  text: string
  state: ShownState
}

export interface RowOrder {
  column: Column
  isDescending: boolean
}

/** The order in which a column is sorted first: numbers and dates from the largest. */
export const STARTS_DESCENDING: ReadonlySet<Column> = new Set(['lastEntry', 'perWeek', 'unread', 'state'])

export function isInTrouble({ state, failing, details }: FeedRow): boolean {
  return state === 'gone' || failing === true || details.successorUrl !== undefined
}

export function isSilent({ state, failing, details }: FeedRow): boolean {
  return details.silent === true && state === 'active' && !failing
}

/** Every word of the text is part of title, address or folder. */
export function filterRows(rows: readonly FeedRow[], { text, state }: RowFilter): FeedRow[] {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    if (!isInState(row, state)) return false
    const haystack = `${row.title} ${row.url} ${row.folder ?? ''}`.toLowerCase()
    return parts.every((part) => haystack.includes(part))
  })
}

function isInState(row: FeedRow, state: ShownState): boolean {
  switch (state) {
    case 'any':
      return true
    case 'unread':
      return row.unread > 0
    case 'paused':
      return row.state === 'paused'
    case 'failing':
      return isInTrouble(row)
    case 'silent':
      return isSilent(row)
  }
}

/** Rows with the same value are sorted by title; rows without a value come last. */
export function sortRows(rows: readonly FeedRow[], { column, isDescending }: RowOrder): FeedRow[] {
  const sortValue = VALUES[column]
  const keyed = rows.map((row) => ({ row, value: sortValue(row) }))
  return keyed
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined) || byTitle(a.row, b.row)
      return (isDescending ? -1 : 1) * compare(a.value, b.value) || byTitle(a.row, b.row)
    })
    .map(({ row }) => row)
}

const VALUES: Record<Column, (row: FeedRow) => string | number | undefined> = {
  title: ({ title }) => title,
  folder: ({ folder }) => folder,
  lastEntry: ({ details }) => dateOf(details.lastEntryAt),
  perWeek: ({ details }) => details.perWeek,
  unread: ({ unread }) => unread,
  next: ({ details }) => dateOf(details.dueAt),
  state: (row) => (isInTrouble(row) ? 3 : isSilent(row) ? 2 : row.state === 'paused' ? 1 : 0),
}

const { compare: compareTexts } = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' })

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b))
}

function dateOf(date: string | undefined): number | undefined {
  return date === undefined ? undefined : Date.parse(date)
}

const byTitle = (a: FeedRow, b: FeedRow): number => compareTexts(a.title, b.title) || a.id - b.id

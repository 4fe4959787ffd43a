/** The size of a row of a list: heights are fixed for a layout and a width, so that positions are known before rows are drawn. */
import type { ListChoices } from './list-choices.svelte.ts'

export interface RowShape {
  layout: ListChoices['layout'] | 'found'
  height: number
  columns: number
}

const CARD_WIDTH = 300
/** Title, summary and feed below the picture of a card. */
const CARD_TEXT = 172
const NARROW = 560

/** Search results show the words that were found, unless they are compact. */
export function rowShape(layout: ListChoices['layout'], width: number, isSearch: boolean): RowShape {
  switch (layout) {
    case 'compact':
      return { layout, height: 44, columns: 1 }
    case 'summary':
      return { layout: isSearch ? 'found' : layout, height: isSearch ? 122 : 112, columns: 1 }
    case 'magazine':
      return { layout, height: width < NARROW ? 138 : 172, columns: 1 }
    case 'cards': {
      const columns = Math.max(1, Math.min(6, Math.floor(width / CARD_WIDTH)))
      return { layout, height: Math.round((width / columns) * 0.5) + CARD_TEXT, columns }
    }
  }
}

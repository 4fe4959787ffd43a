/** The prefix of a passage's lines: list bullets, quotation marks, indentation. */

interface Margin {
  name: string
  /** Before the first line, until it is written. */
  marker: string
  /** Before all other lines. */
  indent: string
  /** Number of items so far, for a list. */
  items: number
}

export interface Margins {
  enter(element: string): void
  leave(element: string): void
  /** For the next passage. Only the first passage of a list item gets the bullet. */
  next(): { lead: string; indent: string }
}

const KINDS: ReadonlySet<string> = new Set(['blockquote', 'dd', 'li', 'ol', 'ul'])
const MAX_DEPTH = 12

export function createMargins(): Margins {
  const margins: Margin[] = []
  /** Elements too deep to have a margin. */
  let levelsBeyond = 0

  function markerFor(name: string): string {
    if (name === 'blockquote') return '> '
    if (name !== 'li') return ''
    const list = margins.findLast((margin) => margin.name === 'ol' || margin.name === 'ul')
    if (!list) return '- '
    list.items++
    return list.name === 'ol' ? `${list.items}. ` : '- '
  }

  return {
    enter(name) {
      if (!KINDS.has(name)) return
      if (margins.length === MAX_DEPTH) levelsBeyond++
      else {
        const marker = markerFor(name)
        margins.push({
          name,
          marker,
          indent: name === 'dd' ? '  ' : name === 'li' ? ' '.repeat(marker.length) : marker,
          items: 0,
        })
      }
    },
    leave(name) {
      if (!KINDS.has(name)) return
      if (levelsBeyond > 0) levelsBeyond--
      else margins.pop()
    },
    next() {
      let lead = ''
      let indent = ''
      for (const margin of margins) {
        lead += margin.marker || margin.indent
        indent += margin.indent
        margin.marker = ''
      }
      return { lead, indent }
    },
  }
}

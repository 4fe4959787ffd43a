/** What stands before the lines of a passage: list bullets, quotation marks, indentation. */

interface Margin {
  name: string
  /** Before the first line, until it is written. */
  sign: string
  /** Before all other lines. */
  indent: string
  /** Number of items so far, for a list. */
  items: number
}

export interface Margins {
  enter(element: string): void
  leave(element: string): void
  /** For the next passage. Only the first passage of a list item gets the bullet. */
  take(): { lead: string; indent: string }
}

const KINDS: ReadonlySet<string> = new Set(['blockquote', 'dd', 'li', 'ol', 'ul'])
const MOST = 12

export function createMargins(): Margins {
  const margins: Margin[] = []
  /** Elements too deep to have a margin. */
  let deeper = 0

  function signOf(name: string): string {
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
      if (margins.length === MOST) deeper++
      else {
        const sign = signOf(name)
        margins.push({
          name,
          sign,
          indent: name === 'dd' ? '  ' : name === 'li' ? ' '.repeat(sign.length) : sign,
          items: 0,
        })
      }
    },
    leave(name) {
      if (!KINDS.has(name)) return
      if (deeper > 0) deeper--
      else margins.pop()
    },
    take() {
      let lead = ''
      let indent = ''
      for (const margin of margins) {
        lead += margin.sign || margin.indent
        indent += margin.indent
        margin.sign = ''
      }
      return { lead, indent }
    },
  }
}

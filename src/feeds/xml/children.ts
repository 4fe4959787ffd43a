/** The elements inside a piece, for the few that have a structure of their own: people, pictures, media groups. */
import { createNames, type Word } from './names.ts'
import type { Piece } from './piece.ts'
import { walk } from './walk.ts'
import type { XmlText } from './xml-text.ts'

/** Those directly inside, whatever they are called. */
export function childrenOf(xml: XmlText, piece: Piece): Piece[] {
  const children: Piece[] = []
  if (!piece.hasMarkup) return children
  const { names } = piece.scope
  const scope = { ...piece.scope, names: createNames(names.family, everyElementCounts, names.prefixes) }
  walk(xml, piece.tag.end, piece.to, scope, {
    open: () => {},
    close: () => {},
    field: (child) => {
      if (children.length < MOST_CHILDREN) children.push(child)
    },
  })
  return children
}

const MOST_CHILDREN = 200

function everyElementCounts(key: string): Word {
  return { key, role: 'field' }
}

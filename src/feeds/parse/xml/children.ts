/** The child elements of an element with inner structure: people, pictures, media groups. */
import { namesInside } from './names.ts'
import type { XmlPiece } from './piece.ts'
import type { Scope } from './scope.ts'
import { walk } from './walk.ts'
import type { XmlText } from './xml-text.ts'

/** All direct children, whatever their name. */
export function childrenOf(xml: XmlText, piece: XmlPiece): XmlPiece[] {
  const children: XmlPiece[] = []
  if (!piece.hasMarkup) return children
  const { base, language, names } = piece.scope
  const scope: Scope = { base, language, names: namesInside(names) }
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

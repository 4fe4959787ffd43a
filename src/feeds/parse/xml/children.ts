/** The child elements of an element with inner structure: people, pictures, media groups. */

import type { XmlElement } from './element.ts'
import { namesInsideElement } from './element-names.ts'
import type { Scope } from './scope.ts'
import { walk } from './walk.ts'
import type { XmlText } from './xml-text.ts'

/** All direct children, whatever their name. */
export function childrenOf(xml: XmlText, element: XmlElement): XmlElement[] {
  const children: XmlElement[] = []
  if (!element.hasMarkup) return children
  const { base, language, names } = element.scope
  const scope: Scope = { base, language, names: namesInsideElement(names) }
  walk(xml, element.tag.end, element.to, scope, {
    open: () => {},
    close: () => {},
    field: (child) => {
      if (children.length < MAX_CHILDREN) children.push(child)
    },
  })
  return children
}

const MAX_CHILDREN = 200

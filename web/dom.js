/**
 * The few things we do to the document. Whatever comes from the server is set as text, never parsed as markup; and what
 * has not changed is not touched, so that nothing flickers and focus, selection and scrolling stay where they are.
 */

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`the page has no #${id}`)
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = '', ...children) {
  const element = document.createElement(tag)
  if (className) element.className = className
  element.append(...children)
  return element
}

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {string | undefined} value undefined takes the attribute away
 */
export function setAttribute(element, name, value) {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/**
 * A link that leads out of the page; an address that is none of the web's, such as `javascript:`, leads nowhere.
 *
 * @param {HTMLAnchorElement} link
 * @param {string | undefined} url
 */
export function setOutwardLink(link, url) {
  const safe = url !== undefined && /^https?:\/\//i.test(url) ? url : undefined
  setAttribute(link, 'href', safe)
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

/**
 * @template Item
 * @typedef {{ element: HTMLElement, update(item: Item): void }} Row
 */

/**
 * A list whose rows stay the same elements for as long as their items are shown. `show` says which rows are new.
 *
 * @template Item
 * @param {HTMLElement} parent
 * @param {(item: Item) => string | number} keyOf
 * @param {(item: Item) => Row<Item>} makeRow
 */
export function createList(parent, keyOf, makeRow) {
  /** @type {Map<string | number, Row<Item>>} */
  let rows = new Map()

  return {
    /**
     * @param {Item[]} items
     * @returns {HTMLElement[]}
     */
    show(items) {
      const before = rows
      /** @type {HTMLElement[]} */
      const added = []
      rows = new Map(
        items.map((item) => {
          const key = keyOf(item)
          const known = before.get(key)
          const row = known ?? makeRow(item)
          if (!known) added.push(row.element)
          row.update(item)
          return [key, row]
        }),
      )
      for (const [key, row] of before) if (!rows.has(key)) row.element.remove()
      placeInOrder(parent, [...rows.values()])
      return added
    },
  }
}

/**
 * Rows that stand right are not moved: moving an element would take the focus from it.
 *
 * @param {HTMLElement} parent
 * @param {{ element: HTMLElement }[]} rows
 */
function placeInOrder(parent, rows) {
  let cursor = parent.firstElementChild
  for (const { element } of rows) {
    if (element === cursor) cursor = cursor.nextElementSibling
    else parent.insertBefore(element, cursor)
  }
}

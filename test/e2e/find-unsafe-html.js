/**
 * Runs in a page: inserts HTML into the page, as a document, and serialized twice; then moves the pointer over all of it. Names every
 * element and attribute that is not harmless, and every script that ran.
 *
 * @param {{ documents: (readonly [name: string, html: string])[], elements: string[] }} given
 * @returns {Promise<string[]>}
 */
async function findUnsafeHtml({ documents, elements }) {
  const known = new Set(['HTML', 'HEAD', 'BODY', ...elements.map((one) => one.toUpperCase())])
  const world = /** @type {{ hit?: number }} */ (/** @type {unknown} */ (window))
  /** @type {string[]} */
  const found = []
  for (const [name, html] of documents) {
    const part = document.createElement('div')
    part.innerHTML = html
    look(name, part)
    const again = document.createElement('div')
    again.innerHTML = part.innerHTML
    look(`${name}, twice`, again)
    look(`${name}, as a document`, new DOMParser().parseFromString(html, 'text/html'))
    document.body.replaceChildren(part)
    for (const element of part.querySelectorAll('*'))
      for (const event of ['mouseover', 'click', 'focus', 'pointerenter', 'toggle', 'error'])
        element.dispatchEvent(new Event(event, { cancelable: true }))
    await new Promise((resolve) => setTimeout(resolve))
    if (world.hit !== undefined) found.push(`${name}: it ran`)
    delete world.hit
  }
  return found

  /**
   * @param {string} name
   * @param {ParentNode} root
   */
  function look(name, root) {
    for (const element of root.querySelectorAll('*')) {
      if (!known.has(element.nodeName)) found.push(`${name}: <${element.nodeName}>`)
      for (const { name: attribute, value } of element.attributes) {
        const acts = /^on|^(?:style|srcset|srcdoc|id|name|class|action|formaction|ping|background)$/.test(attribute)
        const leads = /^(?:href|src|cite|data)$/.test(attribute) && !/^(?:https?:\/\/|mailto:|tel:)/.test(value)
        if (acts || leads) found.push(`${name}: ${attribute}="${value}"`)
      }
    }
  }
}

Object.assign(window, { findUnsafeHtml })

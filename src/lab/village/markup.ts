/** Writes XML and HTML; `escaped` escapes all text. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')
}

/** An element with text; an empty string if there is no text. */
export function element(name: string, text: string | undefined, attributes: Record<string, string> = {}): string {
  if (text === undefined) return ''
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${written.join('')}>${escaped(text)}</${name}>\n`
}

export function paragraphsInHtml(paragraphs: readonly string[]): string {
  return paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')
}

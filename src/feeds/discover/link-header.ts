/** Parser for the HTTP `Link` header (RFC 8288): one pass, stops at the first syntax error. */
export interface HeaderLink {
  href: string
  /** Names in lower case; the first of equal names wins. */
  parameters: ReadonlyMap<string, string>
}

const MAX_HEADER_CHARS = 16_000
const TARGET = /[\s,]*<([^>]*)>/y
const PARAMETER = /\s*;\s*([\w!#$&+.^`|~*-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/y

export function parseLinkHeader(header: string): HeaderLink[] {
  const text = header.slice(0, MAX_HEADER_CHARS)
  const links: HeaderLink[] = []
  let at = 0
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  for (let target = next(TARGET); target !== null; target = next(TARGET)) {
    const parameters = new Map<string, string>()
    for (let parameter = next(PARAMETER); parameter !== null; parameter = next(PARAMETER)) {
      const name = parameter[1]!.toLowerCase()
      const value = parameter[2]?.replace(/\\(.)/g, '$1') ?? parameter[3] ?? ''
      if (!parameters.has(name)) parameters.set(name, value)
    }
    links.push({ href: target[1]!, parameters })
  }
  return links
}

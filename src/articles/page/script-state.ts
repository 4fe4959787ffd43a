/**
 * Finds the data that a page's scripts render it from: Next.js, Nuxt and similar frameworks include it as JSON, or as a
 * script that is nearly JSON. Pages rendered by scripts alone have their text nowhere else. Each place is read once, up to a
 * bound; if parsing fails, its longest string is used.
 */

const SIGNS = [
  '__NEXT_DATA__',
  '__NUXT_DATA__',
  '__NUXT__',
  '__INITIAL_STATE__',
  '__PRELOADED_STATE__',
  '__APOLLO_STATE__',
] as const

const MAX_CHARS = 5_000_000
/** Shorter strings are not texts. */
const MIN_TEXT_LENGTH = 250

/** The values of all such places; in Nuxt's flat lists references are resolved. */
export function findScriptStates(html: string): unknown[] {
  const states: unknown[] = []
  for (const sign of SIGNS) {
    const script = scriptAt(html, sign)
    if (script === undefined) continue
    const value = valueIn(script)
    states.push(sign === '__NUXT_DATA__' && Array.isArray(value) ? linked(value) : value)
  }
  return states.filter((state) => state !== undefined)
}

/** The content of a script with this id, or the value assigned to this name. */
function scriptAt(html: string, sign: string): string | undefined {
  const at = html.indexOf(sign)
  if (at < 0) return undefined
  const end = html.indexOf('</script', at)
  const script = html.slice(at + sign.length, Math.min(end < 0 ? html.length : end, at + MAX_CHARS))
  const start = script.indexOf(/^["'\s>]/.test(script) && html[at - 1] !== '.' && html[at - 1] !== '[' ? '>' : '=')
  return start < 0 ? undefined : script.slice(start + 1).trim()
}

function valueIn(script: string): unknown {
  const value = /^[{[]/.test(script) ? parsed(script.slice(0, endOfValue(script))) : undefined
  if (value !== undefined) return value
  const text = longestString(script)
  return /^\s{0,20}[{[]/.test(text) ? (parsed(text) ?? text) : text.length >= MIN_TEXT_LENGTH ? text : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The position of the bracket that closes the one at the beginning. */
function endOfValue(text: string): number {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]
    if (sign === '"') i = endOfString(text, i)
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return i + 1
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  const quote = text[start]
  let i = start + 1
  while (i < text.length && text[i] !== quote) i += text[i] === '\\' ? 2 : 1
  return i
}

function longestString(script: string): string {
  let best = ''
  for (let i = 0; i < script.length; i++) {
    if (script[i] !== '"' && script[i] !== "'") continue
    const end = endOfString(script, i)
    if (end - i - 1 > best.length) best = script.slice(i + 1, end)
    i = end
  }
  return best.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi, unescaped)
}

function unescaped(_all: string, four: string | undefined, two: string | undefined, sign: string): string {
  const code = four ?? two
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  return sign === 'n' || sign === 'r' ? '\n' : sign === 't' ? ' ' : sign
}

/** Resolves a flat list in which numbers are indexes: each value gets the values that it refers to. */
function linked(values: readonly unknown[]): unknown {
  const at = (reference: unknown) => (typeof reference === 'number' ? values[reference] : reference)
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    for (const [key, reference] of Object.entries(value)) {
      Object.defineProperty(value, key, { value: at(reference), enumerable: true, configurable: true, writable: true })
    }
  }
  return values[0]
}

/**
 * The part of ICU MessageFormat that the page's texts use: `{name}`, `{count, plural, =0 {…} one {…} other {# …}}` and
 * `{kind, select, a {…} other {…}}`, nested as needed. `'{'` is a literal brace and `''` an apostrophe. Messages are parsed when they are
 * first used, so that a catalog costs nothing but its bytes.
 */
export type Part = string | { argument: string } | { isCount: true } | Choice

interface Choice {
  argument: string
  type: 'plural' | 'select'
  choices: Record<string, Part[]>
}

/** What a message is given. Numbers are formatted by the locale; true and false are for `select`. */
export type Arguments = Record<string, string | number | boolean>

/** Throws an error that says what is wrong and where. */
export function parseMessage(message: string): Part[] {
  let at = 0
  return parts(false, false)

  function fail(problem: string): never {
    throw new Error(`${problem} at character ${at + 1} of “${message}”`)
  }

  function parts(isInPlural: boolean, isNested: boolean): Part[] {
    const found: Part[] = []
    let text = ''
    const add = (part: Part) => {
      if (text) found.push(text)
      text = ''
      found.push(part)
    }
    for (;;) {
      const character = message[at]
      if (character === undefined || character === '}') {
        if (isNested !== (character === '}')) fail(isNested ? 'A brace is not closed' : 'A brace is not opened')
        if (text) found.push(text)
        return found
      }
      if (character === '{') add(argument(isInPlural))
      else if (character === "'") text += quotation()
      else {
        at++
        if (character === '#' && isInPlural) add({ isCount: true })
        else text += character
      }
    }
  }

  /** An apostrophe stands for itself, unless another one follows or it begins a quotation with a brace. */
  function quotation(): string {
    const next = message[++at]
    if (next === "'") at++
    if (next !== '{' && next !== '}' && next !== '#') return "'"
    const end = message.indexOf("'", at)
    if (end < 0) fail('A quotation is not closed')
    const quoted = message.slice(at, end)
    at = end + 1
    return quoted
  }

  function word(): string {
    const [found = ''] = /^\s*(?:=\d+|[\w-]*)\s*/.exec(message.slice(at)) ?? []
    at += found.length
    return found.trim() || fail('A name is missing')
  }

  function expect(character: string): void {
    if (message[at] !== character) fail(`“${character}” is missing`)
    at++
  }

  function argument(isInPlural: boolean): Part {
    expect('{')
    const name = word()
    if (message[at] === '}') {
      at++
      return { argument: name }
    }
    expect(',')
    const type = word()
    if (type !== 'plural' && type !== 'select') return fail(`“${type}” is not supported`)
    expect(',')
    const choices: Record<string, Part[]> = {}
    while (message[at] !== '}') {
      const key = word()
      expect('{')
      choices[key] = parts(type === 'plural' || isInPlural, true)
      expect('}')
      while (message[at] === ' ') at++
    }
    expect('}')
    if (!choices.other) fail(`“${name}” has no choice “other”`)
    return { argument: name, type, choices }
  }
}

/** Formats messages of one language. Texts are isolated in right-to-left languages, so that names do not reorder the sentence. */
export function createFormatter(
  locale: string,
  isRightToLeft: boolean,
): (message: Part[], values: Arguments) => string {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (message, values) => format(message, values, 0)

  function format(parts: Part[], values: Arguments, count: number): string {
    let text = ''
    for (const part of parts) {
      const next = textOf(part, values, count)
      // "Next poll in 5 min." needs no second full stop.
      text += typeof part === 'string' && text.endsWith('.') && next.startsWith('.') ? next.slice(1) : next
    }
    return text
  }

  function textOf(part: Part, values: Arguments, count: number): string {
    if (typeof part === 'string') return part
    if ('isCount' in part) return numbers.format(count)
    const value = values[part.argument]
    if (!('choices' in part)) {
      if (typeof value === 'number') return numbers.format(value)
      return isRightToLeft ? `\u2068${value}\u2069` : String(value)
    }
    const { choices } = part
    if (part.type === 'select') return format(choices[String(value)] ?? choices.other ?? [], values, count)
    const counted = Number(value)
    return format(choices[`=${counted}`] ?? choices[rules.select(counted)] ?? choices.other ?? [], values, counted)
  }
}

/** The arguments of a message, in order, and what each is for. */
export function argumentsOf(parts: Part[]): Map<string, 'text' | 'plural' | 'select'> {
  const found = new Map<string, 'text' | 'plural' | 'select'>()
  const visit = (part: Part): void => {
    if (typeof part === 'string' || 'isCount' in part) return
    if ('choices' in part) {
      found.set(part.argument, part.type)
      for (const choice of Object.values(part.choices)) choice.forEach(visit)
    } else if (!found.has(part.argument)) found.set(part.argument, 'text')
  }
  parts.forEach(visit)
  return found
}

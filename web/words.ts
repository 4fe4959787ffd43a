/**
 * The page's texts in its language: `words.section.key`, or `words.section.key({ name })` for a text with arguments. They are written in
 * languages/en.json; `npm run texts` writes their types.
 */
import { type Catalog, currentCatalog } from './languages/catalog.ts'
import { type Arguments, createFormatter, type Part, parseMessage } from './languages/message.ts'
import type { Texts } from './languages/texts.ts'
import { IS_RIGHT_TO_LEFT, LOCALE } from './shell/locale.ts'

type Text = string | ((values: Arguments) => string) | { [key: string]: Text }

const format = createFormatter(LOCALE, IS_RIGHT_TO_LEFT)

function textOf(message: string): Text {
  if (!message.includes('{')) return message
  let parsed: Part[] | undefined
  return (values) => {
    parsed ??= parseMessage(message)
    return format(parsed, values)
  }
}

function textsOf(catalog: Catalog): Text {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, value]) => [key, typeof value === 'string' ? textOf(value) : textsOf(value)]),
  )
}

export const words = textsOf(currentCatalog().catalog) as unknown as Texts

/** The text for a name that comes from the server, if there is one. */
export function textFor(texts: object, name: string): string | undefined {
  const text = Object.hasOwn(texts, name) ? (texts as Record<string, unknown>)[name] : undefined
  return typeof text === 'string' ? text : undefined
}

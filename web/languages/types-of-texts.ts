/** Writes the types of the page's texts, from the English catalog: a text with arguments is a function of them. */
import type { Catalog } from './catalog.ts'
import { argumentsOf, parseMessage } from './message.ts'

const TYPES = { text: 'string | number', plural: 'number', select: 'string | boolean' }

export function typesOfTexts(english: Catalog): string {
  const header = '/** The types of the texts in en.json, written by `npm run texts`. */\n'
  return `${header}export interface Texts ${objectType(english, '')}\n`
}

function objectType(catalog: Catalog, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(catalog).map(([key, value]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`
    return `${inner}${name}: ${typeof value === 'string' ? textType(value) : objectType(value, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function textType(message: string): string {
  if (!message.includes('{')) return 'string'
  const values = [...argumentsOf(parseMessage(message))].map(([name, use]) => `${name}: ${TYPES[use]}`)
  return `(values: { ${values.join('; ')} }) => string`
}

/** `npm run texts`: writes the types of the page's texts, web/languages/texts.ts, from the English catalog. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '../web/languages/catalog.ts'
import { argumentsOf, parseMessage } from '../web/languages/message.ts'

const TYPES = { text: 'string | number', plural: 'number', select: 'string | boolean' }

const folder = join(import.meta.dirname, '../web/languages')

if (import.meta.main) {
  writeFileSync(join(folder, 'texts.ts'), typesOfTexts(JSON.parse(readFileSync(join(folder, 'en.json'), 'utf8'))))
}

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

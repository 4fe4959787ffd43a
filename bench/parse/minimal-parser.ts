/**
 * A minimal feed parser on top of htmlparser2's events: title, address, id, date and description of each item. Only the usual element
 * names, no resolved addresses, no date formats beyond the platform's, no repairs.
 */
import { Parser } from 'htmlparser2'

export interface ThinItem {
  title?: string
  link?: string
  id?: string
  date?: number
  description?: string
}

export const FIELDS: Record<string, keyof ThinItem> = {
  title: 'title',
  link: 'link',
  guid: 'id',
  id: 'id',
  pubDate: 'date',
  'dc:date': 'date',
  published: 'date',
  updated: 'date',
  description: 'description',
  summary: 'description',
  content: 'description',
  'content:encoded': 'description',
}

export function parseThinly(bytes: Buffer): ThinItem[] {
  const items: ThinItem[] = []
  let item: ThinItem | undefined
  let field: keyof ThinItem | undefined
  let text = ''
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (name === 'item' || name === 'entry') {
          item = {}
          items.push(item)
          depth = 0
        } else if (item && depth === 1) {
          field = FIELDS[name]
          text = ''
          if (field === 'link' && attributes.href !== undefined) item.link ??= attributes.href
        }
      },
      ontext(part) {
        if (field !== undefined) text += part
      },
      onclosetag(name) {
        if (name === 'item' || name === 'entry') item = undefined
        else if (item && depth === 1 && field !== undefined) {
          if (field === 'date') item.date ??= Date.parse(text)
          else item[field] ??= text.trim()
          field = undefined
        }
        depth--
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(bytes.toString())
  return items
}

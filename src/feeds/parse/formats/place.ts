/** Coordinates: GeoRSS (simple and GML) and the older W3C vocabulary. */
import { elementMarkup } from '../xml/element.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { firstText } from './field-values.ts'
import type { EntryFields } from './vocabulary.ts'

export interface Coordinates {
  latitude: number
  longitude: number
}

export function readPlace(xml: XmlText, fields: EntryFields): Coordinates | undefined {
  const gml = fields.where[0]
  const inside = gml && /<(?:[\w-]{1,20}:)?pos[^<>]*>([^<]{1,100})</.exec(elementMarkup(xml, gml))?.[1]
  const point = firstText(xml, fields.point)
  const latitude = firstText(xml, fields.latitude)
  const longitude = firstText(xml, fields.longitude)
  return (
    parseCoordinates(point) ??
    parseCoordinates(inside) ??
    parseCoordinates(latitude && longitude && `${latitude} ${longitude}`)
  )
}

function parseCoordinates(text: string | undefined): Coordinates | undefined {
  if (text === undefined || text === '') return undefined
  const [latitude, longitude, extra] = text
    .trim()
    .split(/[\s,]+/, 3)
    .map(Number)
  if (latitude === undefined || longitude === undefined || extra !== undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

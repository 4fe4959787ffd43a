/** Where on earth: GeoRSS in its simple and its GML form, and the older W3C vocabulary. */
import type { Pieces } from '../xml/outline.ts'
import { markupOf } from '../xml/piece.ts'
import type { XmlText } from '../xml/xml-text.ts'
import { allOf, firstText } from './reading.ts'

export interface Place {
  latitude: number
  longitude: number
}

export function readPlace(xml: XmlText, pieces: Pieces): Place | undefined {
  const where = allOf(pieces, ['georss:where', 'gml:point'])[0]
  const inside = where && /<(?:[\w-]{1,20}:)?pos[^<>]*>([^<]{1,100})</.exec(markupOf(xml, where))?.[1]
  const point = firstText(xml, pieces, ['georss:point'])
  const latitude = firstText(xml, pieces, ['geo:lat'])
  const longitude = firstText(xml, pieces, ['geo:long', 'geo:lon'])
  return place(point) ?? place(inside) ?? place(latitude && longitude && `${latitude} ${longitude}`)
}

function place(text: string | undefined): Place | undefined {
  if (text === undefined || text === '') return undefined
  const [latitude, longitude, more] = text
    .trim()
    .split(/[\s,]+/, 3)
    .map(Number)
  if (latitude === undefined || longitude === undefined || more !== undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

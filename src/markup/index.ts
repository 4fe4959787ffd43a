/**
 * How the web writes: HTML split into tags and text, the text of HTML, entities, names of months, JSON that is nearly JSON.
 * Feeds, articles and copies all read it, so each of these has its one home here. All of it is a function of its arguments
 * and linear in the document. entities knows HTML's named characters. Its own words:
 *
 * - source:     the document as it came; what is told of is told by its place in it (a parameter's name, no Source of the model)
 * - part:       what the splitter comes to next: a text, a start tag, an attribute of it, an end tag
 * - element:    what a tag's name means to a reader of text; one object for each name, compared by identity
 * - raw:        an element whose inside is text up to its end tag, whatever that looks like
 * - loose:      of text that may be HTML or not: only likely tags are taken for tags
 * - own:        entities that a document defines for itself; and a string that keeps no other alive (`ownCopy`)
 */
export { type Element, elementOf } from './elements.ts'
export { decodeEntities, type OwnEntities } from './entities.ts'
export { mendJson } from './mend-json.ts'
export { monthNamed, monthOf } from './months.ts'
export { createNameTable } from './name-table.ts'
export { ownCopy } from './own-copy.ts'
export { looseLines, looseText, oneLine, plainText, textAsHtml, titleText } from './plain-text.ts'
export { type HtmlPart, type HtmlParts, htmlParts, nextPart } from './split-html.ts'
export { windows1252Character } from './windows-1252.ts'

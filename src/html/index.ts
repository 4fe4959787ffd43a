/**
 * Low-level markup: HTML tokens, text of HTML, entities, month names, lenient JSON. Shared by feeds, articles and dedup. Pure functions,
 * linear in the document. The package `entities` provides HTML's named characters. Terms:
 *
 * - source:     the document's text; tokens are positions in it (not the model's Source)
 * - part:       a token: a text, a start tag, an attribute, an end tag
 * - element:    the properties of a tag name; one object per name, compared by identity
 * - raw:        an element whose content is text up to its end tag, such as a script
 * - loose:      text that may or may not be HTML: only likely tags count as tags
 * - own:        entities that a document declares itself
 */

export { copyString } from './copy-string.ts'
export { type Element, elementOf } from './elements.ts'
export { type DeclaredEntities, decodeEntities } from './entities.ts'
export { collapseWhitespace, looseLines, looseText, plainText, textAsHtml, titleText } from './html-to-text.ts'
export { type HtmlPart, type HtmlParts, htmlParts, nextPart } from './html-tokenizer.ts'
export { monthNamed, monthOf } from './months.ts'
export { createNameTable } from './name-table.ts'
export { repairJson } from './repair-json.ts'
export { windows1252Character } from './windows-1252.ts'

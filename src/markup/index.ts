/**
 * How the web writes: HTML split into tags and text, the text of HTML, entities, names of months, JSON that is nearly JSON.
 * Feeds, articles and copies all read it, so each of these has its one home here. All of it is a function of its arguments
 * and linear in the document. entities knows HTML's named characters.
 */
export { type Element, elementOf } from './elements.ts'
export { decodeEntities, type OwnEntities } from './entities.ts'
export { mendJson } from './mend-json.ts'
export { monthOf } from './months.ts'
export { createNameTable } from './name-table.ts'
export { ownCopy } from './own-copy.ts'
export { looseLines, looseText, oneLine, plainText, textAsHtml, titleText } from './plain-text.ts'
export { type HtmlListener, splitHtml } from './split-html.ts'
export { windows1252Character } from './windows-1252.ts'

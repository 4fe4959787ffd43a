/**
 * How the web writes: names of months, JSON that is nearly JSON. Feeds and articles both read it, so each of these has its
 * one home here. All of it is a function of its arguments and linear in the document.
 */
export { mendJson } from './mend-json.ts'
export { monthOf } from './months.ts'

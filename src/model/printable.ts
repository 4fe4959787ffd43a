/**
 * Makes untrusted text safe to print. Terminals obey control characters: ESC and the C1 controls begin sequences that move the
 * cursor, change the window's title or write to the clipboard; a carriage return overwrites the line; bidirectional overrides
 * reorder letters. Without its first character, a sequence is plain text. Everything the command line or the log prints goes through here.
 */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const CONTROLS_IN_A_LINE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** On one line: control characters become spaces. */
export function printable(text: string): string {
  return text.replace(BIDI, '').replace(CONTROLS, ' ')
}

/** Keeps line breaks and tabs. */
export function printableLines(text: string): string {
  return text
    .replace(BIDI, '')
    .replace(/\r\n|\u2028|\u2029/g, '\n')
    .replace(CONTROLS_IN_A_LINE, ' ')
}

/** For documents such as Markdown and HTML; bidirectional marks are part of their text. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS_IN_A_LINE, '')
}

/** JSON on one line that is safe to print: also escapes what JSON would leave as it is. */
export function jsonText(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(
    UNPRINTABLE_IN_JSON,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

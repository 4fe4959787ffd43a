/**
 * Text from outside, made safe to print. A terminal obeys control characters: ESC and the C1 controls begin sequences that
 * move the cursor, change the window's title or write into the clipboard; a carriage return overwrites what stood there;
 * bidirectional overrides show letters in another order than they stand in. Without the character that begins it, a sequence
 * is plain text. Every line that leaves by the command line or the log goes through here.
 */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const CONTROLS_IN_A_LINE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** One line, whatever it was: what is no letter becomes a space. */
export function printable(text: string): string {
  return text.replace(BIDI, '').replace(CONTROLS, ' ')
}

/** The same where several lines are meant: their ends and tabs stay. */
export function printableLines(text: string): string {
  return text
    .replace(BIDI, '')
    .replace(/\r\n|\u2028|\u2029/g, '\n')
    .replace(CONTROLS_IN_A_LINE, ' ')
}

/** For documents in which controls mean nothing, such as Markdown and HTML; marks of direction are part of their text. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS_IN_A_LINE, '')
}

/** JSON on one line that says the same to a program, and is safe to look at: what JSON leaves as it is, is escaped, too. */
export function jsonText(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(
    UNPRINTABLE_IN_JSON,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

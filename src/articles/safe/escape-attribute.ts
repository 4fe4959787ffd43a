/** Escapes a value for double quotes. Old browsers treat the backtick as a quotation mark. */
import { escapeHtml } from '../output/escape.ts'

export function escapeAttribute(value: string): string {
  const escaped = escapeHtml(value)
  return escaped.includes('`') ? escaped.replaceAll('`', '&#96;') : escaped
}

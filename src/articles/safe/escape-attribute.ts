/** A value that stands between double quotes. The backtick was a quotation mark to browsers that are still about. */
import { escapeHtml } from '../output/escape.ts'

export function escapeAttribute(value: string): string {
  const escaped = escapeHtml(value)
  return escaped.includes('`') ? escaped.replaceAll('`', '&#96;') : escaped
}

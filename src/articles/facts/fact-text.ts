/** Converts values of metadata to plain text: some are HTML in a string, some are HTML escaped twice. */
import { decodeHTML } from 'entities'
import { looseLines, looseText } from '../../html/index.ts'
import { oneVisibleLine } from '../page/page-node.ts'

export function factText(value: string): string {
  return oneVisibleLine(/[<&]/.test(value) ? looseText(decodeHTML(value)) : value)
}

/** The same for long texts; paragraphs become lines. */
export function factTextLines(value: string): string {
  return looseLines(value)
    .split(/[\n\r\u2028\u2029]+/)
    .map(oneVisibleLine)
    .filter((line) => line !== '')
    .join('\n')
}

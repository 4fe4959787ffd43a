/** `npm run texts`: writes the types of the page's texts, web/languages/texts.ts, from the English catalog. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOfTexts } from '../web/languages/types-of-texts.ts'

const folder = join(import.meta.dirname, '../web/languages')

writeFileSync(join(folder, 'texts.ts'), typesOfTexts(JSON.parse(readFileSync(join(folder, 'en.json'), 'utf8'))))

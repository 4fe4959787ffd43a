/** `npm run docs`: writes the pages of docs/ that are generated from the code. */
import { writeFileSync } from 'node:fs'
import { configurationPage } from '../src/app/index.ts'
import { commandsPage } from '../src/cli/commands-page.ts'

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('configuration.md', docs), configurationPage())
writeFileSync(new URL('commands.md', docs), await commandsPage())

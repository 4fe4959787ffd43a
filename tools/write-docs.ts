/** `npm run docs`: writes the pages of docs/ that are generated from the code. */
import { writeFileSync } from 'node:fs'
import { configurationPage } from '../src/app/index.ts'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())

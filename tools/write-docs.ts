/** Writes those pages of docs/ that are made from the code. `npm run docs` */
import { writeFileSync } from 'node:fs'
import { configurationPage } from '../src/app/index.ts'

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())

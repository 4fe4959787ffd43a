/** Modules of the page show English texts in tests, as if the entry point had loaded them. */

import { setCatalog } from '../web/languages/catalog.ts'
import english from '../web/languages/en.json' with { type: 'json' }

setCatalog('en', english)

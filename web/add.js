/**
 * The add box: an address typed or pasted, or an OPML file chosen or dropped anywhere on the page. The answer below it
 * stays true: while a feed is looked for it says so, and later what came of it.
 */
import { api, ifThere, inWords } from './api.js'
import { byId, make, setText } from './dom.js'
import { plural, sentence, shortAddress } from './words.js'

/** @import { SourceShape, SubscriptionShape } from '../src/api/index.ts' */

/** More results than these are counted instead of listed. */
const MOST_LINES = 5
/** Of the text; what JSON makes of it has to fit into what the server takes. */
const MAX_FILE_BYTES = 60 * 1024 * 1024

const form = byId('add-form', HTMLFormElement)
const field = byId('address', HTMLInputElement)
const fileField = byId('opml-file', HTMLInputElement)
const answer = byId('answer', HTMLElement)

/** @type {Map<number, { line: HTMLElement, address: string }>} */
const watched = new Map()

/** @param {() => void} changed is called when something was added */
export function startAddBox(changed) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const addresses = field.value.split(/[\s,]+/).filter(Boolean)
    if (addresses.length === 0) return field.focus()
    if (await add({ addresses }, 'Adding …')) field.value = ''
    changed()
  })

  fileField.addEventListener('change', async () => {
    await addFile(fileField.files?.[0])
    fileField.value = ''
    changed()
  })

  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  document.addEventListener('drop', async (event) => {
    document.body.classList.remove('dropping')
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    await addFile(file)
    changed()
  })
}

/**
 * Brings the answer up to date with the sources whose feed is still looked for.
 *
 * @param {SourceShape[]} looking some of those, or all
 */
export async function followUp(looking) {
  for (const [id, { line, address }] of [...watched]) {
    /** @type {SourceShape | undefined} */
    const source =
      looking.find((candidate) => candidate.id === id) ?? (await ifThere(api.getSource({ params: { id } })))
    if (source?.state === 'looking') {
      if (source.trouble) setText(line, `${address}: ${source.trouble.words}. It is tried again, ever more seldom.`)
      continue
    }
    const found = source?.feedId && (await ifThere(api.getFeed({ params: { id: source.feedId } })))
    watched.delete(id)
    if (!found) setText(line, `The feed of ${address} is no longer looked for.`)
    else setText(line, `Found the feed of ${address}: ${found.feed.title || shortAddress(found.feed.url)}.`)
  }
}

/** @param {File | undefined} file */
async function addFile(file) {
  if (!file) return
  if (file.size > MAX_FILE_BYTES) return showLines([make('p', 'bad', `${file.name} is larger than 60 MB; split it.`)])
  await add({ opml: await file.text() }, `Reading ${file.name} …`)
}

/**
 * @param {{ addresses?: string[], opml?: string }} body
 * @param {string} meanwhile
 */
async function add(body, meanwhile) {
  showLines([make('p', '', meanwhile)])
  try {
    const { results, skipped } = await api.addFeeds({ body })
    showLines(results.length > MOST_LINES || skipped > 0 ? summary(results, skipped) : results.map(lineFor))
    return results.some(({ kind }) => kind !== 'refused')
  } catch (error) {
    showLines([make('p', 'bad', sentence(inWords(error)))])
    return false
  }
}

/** @param {SubscriptionShape} result */
function lineFor(result) {
  const address = shortAddress(result.url)
  switch (result.kind) {
    case 'refused':
      return make('p', 'bad', `${result.url} was not added: ${result.reason}`)
    case 'feed':
      return make(
        'li',
        '',
        result.added ? `Added ${address}. It is read as soon as may be.` : `${address} is here already.`,
      )
    case 'source': {
      const line = make('p', '', `Looking for the feed of ${address} …`)
      watched.set(result.sourceId, { line, address })
      return line
    }
  }
}

/**
 * @param {SubscriptionShape[]} results
 * @param {number} skipped
 */
function summary(results, skipped) {
  const feeds = results.filter((result) => result.kind === 'feed')
  const added = feeds.filter((result) => result.added).length
  const sources = results.filter((result) => result.kind === 'source').length
  const refused = results.filter((result) => result.kind === 'refused')
  const parts = [
    added > 0 && `${plural(added, 'feed was', 'feeds were')} added`,
    feeds.length > added && `${plural(feeds.length - added, 'was', 'were')} here already`,
    sources > 0 && `for ${plural(sources, 'address', 'addresses')} the feed is looked for`,
    refused.length > 0 && `${plural(refused.length, 'was', 'were')} not added`,
    skipped > 0 && `${plural(skipped, 'line', 'lines')} of the file named no address`,
  ].filter((part) => part !== false)
  const first = make('p', '', parts.length === 0 ? 'The list is empty.' : `${sentence(parts.join(', '))}.`)
  return [first, ...refused.slice(0, MOST_LINES).map(lineFor)]
}

/** @param {HTMLElement[]} lines */
function showLines(lines) {
  for (const [id, { line }] of watched) if (!lines.includes(line)) watched.delete(id)
  answer.replaceChildren(...lines)
}

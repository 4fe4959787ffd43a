/**
 * The tags of a document, one after the other, without a tree: discovery and OPML look at single elements, and a tree of
 * twenty thousand nested ones is only a way to be hurt. htmlparser2's tokenizer knows comments, CDATA, scripts and
 * quotes; its Parser is not used, because it searches its whole stack at every stray end tag, which is quadratic.
 *
 * Names and names of attributes come in lower case, values undecoded save for their entities. The work is linear in the
 * text, and what is kept of one tag is bounded.
 */
import { decodeHTMLStrict } from 'entities'
import { Tokenizer } from 'htmlparser2'

export type Attributes = ReadonlyMap<string, string>

export interface TagListener {
  /** Attributes are read of these elements only. */
  elements: ReadonlySet<string>
  /** Each opening tag of `elements`. Answering 'stop' ends the reading. */
  opened(name: string, attributes: Attributes, selfClosed: boolean): 'stop' | undefined
  /** Each closing tag of `elements`. */
  closed?(name: string): 'stop' | undefined
  /** Text between two tags, entities not yet decoded. */
  text?(text: string): void
}

const MAX_ATTRIBUTES = 50
const MAX_NAME = 60
const MAX_VALUE = 8_000

export function readTags(markup: string, syntax: 'html' | 'xml', listener: TagListener): void {
  for (const _ of readTagsInPieces(markup, syntax, listener));
}

/** Characters that are read in some milliseconds. */
const PIECE = 200_000

/** The same for those who let others have their turn: a piece each time. */
export function* readTagsInPieces(markup: string, syntax: 'html' | 'xml', listener: TagListener): Generator<void> {
  let element = ''
  let wanted = false
  let attributes = new Map<string, string>()
  let attribute = ''
  let value = ''

  const obey = (answer: 'stop' | undefined) => {
    if (answer === 'stop') tokenizer.pause()
  }
  const nameAt = (start: number, end: number) => markup.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase()
  const opened = (selfClosed: boolean) => {
    if (wanted) obey(listener.opened(element, attributes, selfClosed))
    wanted = false
  }

  const tokenizer = new Tokenizer(
    { xmlMode: syntax === 'xml', decodeEntities: false },
    {
      onopentagname(start, end) {
        element = nameAt(start, end)
        wanted = listener.elements.has(element)
        if (wanted) attributes = new Map()
      },
      onattribname(start, end) {
        if (wanted) attribute = nameAt(start, end)
        value = ''
      },
      onattribdata(start, end) {
        if (wanted && value.length < MAX_VALUE) value += markup.slice(start, Math.min(end, start + MAX_VALUE))
      },
      onattribend() {
        if (!wanted || attributes.size >= MAX_ATTRIBUTES || attributes.has(attribute)) return
        attributes.set(attribute, value.includes('&') ? decodeHTMLStrict(value) : value)
      },
      onopentagend: () => opened(false),
      onselfclosingtag: () => opened(true),
      onclosetag(start, end) {
        const name = nameAt(start, end)
        if (listener.elements.has(name)) obey(listener.closed?.(name))
      },
      ontext: (start, end) => listener.text?.(markup.slice(start, end)),
      oncdata: (start, end, endOffset) => listener.text?.(markup.slice(start, end - endOffset)),
      onattribentity() {},
      ontextentity() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  for (let from = 0; from < markup.length && tokenizer.running; ) {
    const end = markup.indexOf('>', from + PIECE) // where no name is cut in two
    const to = end === -1 ? markup.length : end + 1
    tokenizer.write(markup.slice(from, to))
    from = to
    yield
  }
  tokenizer.end()
}

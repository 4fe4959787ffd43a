/**
 * Turns publishers' HTML, which the server has sanitized, into elements. This is a second line of defense: it drops everything active,
 * should anything get past the server's sanitizer; the content security policy is the third. Pictures are loaded through our server; links
 * open in a new tab without a referrer.
 */
import { playableAddress } from '../player/recording.ts'
import { pictureAt } from './pictures.ts'

const ACTS = 'script, style, iframe, object, embed, form, input, button, link, meta, base, svg, math, template, portal'

interface Policy {
  createHTML(text: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy
}

const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
const policy: Policy = factory?.createPolicy('freshet-sanitised', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
}

export function elementsOf(html: string, entryId: number): DocumentFragment {
  const { body } = new DOMParser().parseFromString(policy.createHTML(html), 'text/html')
  for (const element of body.querySelectorAll(ACTS)) element.remove()
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes])
      if (/^on|^(style|srcset|srcdoc|id|name|class)$/i.test(name)) element.removeAttribute(name)
    if (element instanceof HTMLAnchorElement) outward(element)
    if (element instanceof HTMLImageElement) throughUs(element, entryId)
    if (element instanceof HTMLMediaElement || element instanceof HTMLSourceElement) {
      const from = element.getAttribute('src')
      if (from && /^https?:/i.test(from)) element.setAttribute('src', playableAddress(entryId, from))
    }
    if (element instanceof HTMLMediaElement) {
      element.controls = true
      element.preload = 'none'
      element.removeAttribute('autoplay')
    }
  }
  const fragment = document.createDocumentFragment()
  fragment.append(...body.childNodes)
  return document.importNode(fragment, true)
}

/** Addresses of the pictures in a text, without loading them. */
export function picturesIn(html: string): string[] {
  const { body } = new DOMParser().parseFromString(policy.createHTML(html), 'text/html')
  const sources = [...body.querySelectorAll('img')].map((image) => image.getAttribute('src') ?? '')
  return sources.filter((src) => /^https?:/i.test(src))
}

function outward(link: HTMLAnchorElement): void {
  if (!/^(https?|mailto|tel):/i.test(link.getAttribute('href') ?? '')) link.removeAttribute('href')
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

function throughUs(image: HTMLImageElement, entryId: number): void {
  const from = image.getAttribute('src')
  if (!from || !/^https?:/i.test(from)) {
    image.remove()
    return
  }
  image.src = pictureAt(entryId, from)
  image.loading = 'lazy'
  image.decoding = 'async'
  if (!image.hasAttribute('alt')) image.alt = ''
}

/** The tab, the history and a bookmark say what one looks at, and whoever cannot see the page hears it first. */
export function setDocumentTitle(what: string): void {
  document.title = what === '' ? 'Freshet' : `${what} · Freshet`
}

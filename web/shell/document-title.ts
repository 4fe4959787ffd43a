/** Sets the title that the tab, the history and bookmarks show, and that screen readers read first. */
export function setDocumentTitle(title: string): void {
  document.title = title === '' ? 'Freshet' : `${title} · Freshet`
}

/* Light, dark or high contrast, before anything is drawn: else every visit would begin with a flash of the other. */
;(() => {
  try {
    const look = JSON.parse(localStorage.getItem('freshet.preferences') ?? '{}')
    if (typeof look.theme === 'string') document.documentElement.dataset.theme = look.theme
  } catch {
    // Nothing is kept here, or nothing that we wrote: it looks as the machine does.
  }
})()

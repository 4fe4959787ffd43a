/* Sets the theme before the first paint, so that no visit starts with a flash of another theme. */
;(() => {
  try {
    const look = JSON.parse(localStorage.getItem('freshet.preferences') ?? '{}')
    if (typeof look.theme === 'string') document.documentElement.dataset.theme = look.theme
  } catch {
    // Nothing valid is stored: the system's theme applies.
  }
})()

// Sets the chosen theme before anything is drawn, so that no page flashes in the other one.
try {
  const theme = localStorage.getItem('sibyl.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the system's theme it is.
}

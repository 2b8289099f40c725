// What must be done before anything is loaded or drawn.

// Storage may be closed to this page: then the system's theme it is, and no tab has gone live on purpose.
function kept(storage, name) {
  try {
    return globalThis[storage].getItem(name);
  } catch {
    return null;
  }
}

// The chosen theme, so that no page flashes in the other one.
const theme = kept('localStorage', 'sibyl.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

// Strangers begin in the sandbox. The server marks the page of who shows no session; where one is shown that has ended, the
// page itself finds out.
const isStranger = document.querySelector('meta[name=sibyl-stranger]') !== null;
if (isStranger && kept('sessionStorage', 'sibyl.lane') !== 'live') {
  // Nothing more of this page is read: its scripts would start it all the same.
  stop();
  location.replace(`/sandbox/${location.search}`);
}

// Runs before the first paint, so that a chosen theme never flashes the other one. The key is the one of theme.ts.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme is fine then.
}

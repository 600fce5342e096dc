/**
 * Size budgets per screen: its own files and their static imports, gzipped, from the build manifest. Lazily loaded code
 * (the map, the toasts) does not count.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const WEB = path.join(root, 'dist', 'web');
const CSS_KB = 18;
/** Kilobytes of script allowed, by the screen's source file. */
const BUDGETS = {
  'landing/LandingScreen.tsx': 120,
  'faq/FaqScreen.tsx': 120,
  'legal/LegalScreen.tsx': 120,
  'privacy/PrivacyScreen.tsx': 125,
  'event-page/EventScreen.tsx': 120,
  'refund/RefundScreen.tsx': 120,
  'order/OrderScreen.tsx': 125,
  'scanner/ScannerScreen.tsx': 160,
  'profile/ProfileScreen.tsx': 220,
  'overview/OverviewScreen.tsx': 180,
  'guests/GuestsScreen.tsx': 180,
  'orders/OrdersScreen.tsx': 180,
  'tickets/TicketsScreen.tsx': 180,
  'door/DoorScreen.tsx': 180,
  'profile/money/MoneyScreen.tsx': 180,
  'profile/editor/PageScreen.tsx': 180,
  'profile/editor/NewEventScreen.tsx': 180,
};

/** What a page of another website loads to show tickets: the element, and the page in its frame. */
const EMBED_KB = { element: 2, frame: 80, css: 8 };

export function weighScreens() {
  const manifest = manifestOf('manifest.json');
  const entry = Object.keys(manifest).find((source) => manifest[source].isEntry);
  return Object.entries(BUDGETS).map(([screen, scriptKb]) => {
    if (!manifest[screen]) throw new Error(`The build has no ${screen}.`);
    const files = new Set([...filesOf(manifest, entry), ...filesOf(manifest, screen)]);
    const script = kilobytes([...files].filter((file) => file.endsWith('.js')));
    const css = kilobytes([...files].filter((file) => file.endsWith('.css')));
    return { screen, script, scriptKb, css, cssKb: CSS_KB };
  });
}

function weighEmbed() {
  const [{ file, css }] = Object.values(manifestOf('embed.json')).filter(({ isEntry }) => isEntry);
  return [
    { screen: 'app/embed.js', script: kilobytes(['embed.js']), scriptKb: EMBED_KB.element, css: 0, cssKb: 0 },
    {
      screen: 'event-page/embed',
      script: kilobytes([file]),
      scriptKb: EMBED_KB.frame,
      css: kilobytes(css),
      cssKb: EMBED_KB.css,
    },
  ];
}

const weighAll = () => [...weighScreens(), ...weighEmbed()];

export function brokenBudgets() {
  return weighAll().flatMap(({ screen, script, scriptKb, css, cssKb }) => [
    ...(script > scriptKb ? [`${screen}: ${script.toFixed(1)} kB of script, ${scriptKb} are allowed`] : []),
    ...(css > cssKb ? [`${screen}: ${css.toFixed(1)} kB of CSS, ${cssKb} are allowed`] : []),
  ]);
}

const manifestOf = (name) => JSON.parse(readFileSync(path.join(WEB, '.vite', name), 'utf8'));

function filesOf(manifest, source, seen = new Set()) {
  if (seen.has(source)) return [];
  seen.add(source);
  const { file, css = [], imports = [] } = manifest[source];
  return [file, ...css, ...imports.flatMap((imported) => filesOf(manifest, imported, seen))];
}

/** 1 kB is 1000 bytes, as in browser dev tools. */
function kilobytes(files) {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(WEB, file)), { level: 9 }).length, 0) / 1000;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { screen, script, scriptKb, css, cssKb } of weighAll())
    console.log(
      `${screen.padEnd(28)} script ${script.toFixed(1)} of ${scriptKb} kB, CSS ${css.toFixed(1)} of ${cssKb} kB`,
    );
}

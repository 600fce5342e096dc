import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Pages that open offline, and the screen of each. */
const PAGES = {
  '/scanner': 'scanner/ScannerScreen.tsx',
  '/success': 'order/OrderScreen.tsx',
  '/order': 'order/OrderScreen.tsx',
};

/** The entry lazily imports every screen. An offline page needs only its own. */
const SCREENS = [...readFileSync(here('src/web/routes.tsx'), 'utf8').matchAll(/import\('\.\/(.+?)'\)/g)].map(
  ([, source = '']) => source,
);

/**
 * The service worker of those pages: one classic script at a fixed address, with the file names of the pages' build.
 */
export default defineConfig(
  (): UserConfig => ({
    publicDir: false,
    define: { BUILD: JSON.stringify(built()) },
    build: {
      outDir: here('dist/web'),
      // Contains the pages' build already.
      emptyOutDir: false,
      target: 'baseline-widely-available',
      lib: {
        entry: here('src/service-worker/worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => 'worker.js',
      },
    },
  }),
);

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

function built(): { entry: string; files: Record<string, string[]> } {
  const manifest = readManifest();
  const ofTemplate = [...template().matchAll(/"\/(static\/[^"]+)"/g)].map(([, file = '']) => file);
  const entry = manifest['index.html'];
  if (!entry) throw new Error('Build the pages first: the worker keeps their files.');
  const files = Object.entries(PAGES).map(([page, screen]) => {
    if (!SCREENS.includes(screen))
      throw new Error(`${page} is kept with ${screen}, which src/web/routes.tsx does not show.`);
    const others = new Set(SCREENS.filter((source) => source !== screen));
    const needed = new Set([...ofTemplate, ...filesOf(manifest, 'index.html', others)]);
    return [page, [...needed].sort().map((file) => `/${file}`)] as const;
  });
  return { entry: `/${entry.file}`, files: Object.fromEntries(files) };
}

/** Follows the import graph from a source, including lazy imports. `seen` starts with what to leave out. */
function filesOf(manifest: Record<string, Chunk>, source: string, seen: Set<string>): string[] {
  if (seen.has(source)) return [];
  seen.add(source);
  const chunk = manifest[source];
  if (!chunk) throw new Error(`The build has no ${source}.`);
  const { file, css = [], assets = [], imports = [], dynamicImports = [] } = chunk;
  return [
    file,
    ...css,
    ...assets,
    ...[...imports, ...dynamicImports].flatMap((imported) => filesOf(manifest, imported, seen)),
  ];
}

/** The pages' build has just written both files. */
function readManifest(): Record<string, Chunk> {
  return JSON.parse(readFileSync(here('dist/web/.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
}

function template(): string {
  return readFileSync(here('dist/web/index.html'), 'utf8');
}

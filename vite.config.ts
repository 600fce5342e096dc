import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What most screens draw with. Not the contract: its schemas would come along to pages that send nothing. Nor those parts
 * that bring a library with them, or that only who runs an event meets.
 */
const KIT =
  /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]|src[\\/]web[\\/](?:ui|shell)[\\/](?!ConfirmDanger|QrCode|DataTable|StatTile)/;

/** The looks of the public pages: one file, since each that the first paint waits for costs a slow line a round trip. */
const LOOKS = /src[\\/]web[\\/](?:ui|shell|landing|event-page(?:[\\/](?:cart|photos))?|faq|legal)[\\/][^\\/]+\.css$/;

/** Two builds: the pages for the browser, and with `--ssr` the file with which the server draws the public ones. */
export default defineConfig(({ isSsrBuild }) => ({
  root: here('src/web'),
  // Files at addresses of their own, as the makers of browsers want them.
  publicDir: isSsrBuild ? false : here('src/web/app'),
  plugins: [
    react(),
    leafletWithoutHtml(),
    beforePaint(),
    preloadFonts(/(bricolage-grotesque|instrument-sans)-[^/]*\.woff2$/),
  ],
  // The server runs without dev packages, so its file holds all it needs.
  ssr: { noExternal: true },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    outDir: here(isSsrBuild ? 'dist/server-web' : 'dist/web'),
    emptyOutDir: true,
    // Which files a screen is made of: the server asks for them in the page, and the budgets weigh them.
    manifest: !isSsrBuild,
    target: 'baseline-widely-available',
    // `light-dark()` carries both themes; lowering it for old browsers would double the style sheets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy allows no data: scripts or styles, and small files are cheap over HTTP/2.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the page's policy refuses.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: isSsrBuild ? '[name].js' : 'static/js/[name]-[hash].js',
        chunkFileNames: isSsrBuild ? '[name].js' : 'static/js/[name]-[hash].js',
        assetFileNames: 'static/[name]-[hash][extname]',
        // What most screens share comes as one file: thirty small ones cost a slow line more than they save it.
        ...(isSsrBuild
          ? {}
          : {
              codeSplitting: {
                groups: [
                  { name: 'looks', test: LOOKS, priority: 2 },
                  { name: 'kit', test: KIT, minShareCount: 3 },
                ],
              },
            }),
      },
    },
  },
}));

/**
 * Leaflet asks while it loads whether the browser draws SVG, by a string of HTML. The policy of our pages refuses those
 * (Trusted Types), and the map would not load. The same question is asked with an element.
 */
function leafletWithoutHtml(): Plugin {
  const question = "div.innerHTML = '<svg/>';";
  return {
    name: 'leaflet-without-html',
    transform(code, id) {
      if (!id.endsWith('leaflet-src.js') && !id.endsWith('leaflet-src.esm.js')) return null;
      if (!code.includes(question)) throw new Error(`${id} asks otherwise now: see whether it still needs this change`);
      return code.replace(question, "div.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));");
    },
  };
}

/** A tiny classic script outside the bundle: modules run only after the first paint. At the page's end it is asked for again if it was lost. */
function beforePaint(): Plugin {
  const file = here('src/web/shell/before-paint.js');
  let reference: string | undefined;
  return {
    name: 'before-paint',
    async buildStart() {
      if (this.environment.mode !== 'build') return;
      const source = await this.fs.readFile(file, { encoding: 'utf8' });
      reference = this.emitFile({ type: 'asset', name: 'before-paint.js', source, originalFileName: file });
    },
    generateBundle() {
      if (reference) scriptPath = this.getFileName(reference);
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => {
        const src = scriptPath ? `/${scriptPath}` : '/shell/before-paint.js';
        return [
          { tag: 'script', attrs: { src }, injectTo: 'head-prepend' },
          { tag: 'script', attrs: { src }, injectTo: 'body' },
        ];
      },
    },
  };
}
let scriptPath: string | undefined;

/** The two faces of every page start loading with the HTML, not after the style sheet. */
function preloadFonts(wanted: RegExp): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => wanted.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

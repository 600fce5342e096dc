import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('src/web'),
  publicDir: false,
  plugins: [react(), themeBeforePaint(), preloadFonts(/(bricolage-grotesque|instrument-sans)-[^/]*\.woff2$/)],
  build: {
    outDir: here('dist/web'),
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // `light-dark()` carries both themes; lowering it for old browsers would double the style sheets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy allows no data: scripts or styles, and small files are cheap over HTTP/2.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the page's policy refuses.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: 'static/[name]-[hash][extname]',
      },
    },
  },
});

/** A tiny classic script in the head, outside the bundle: modules run only after the first paint. */
function themeBeforePaint(): Plugin {
  const file = here('src/web/shell/theme-before-paint.js');
  let reference: string | undefined;
  return {
    name: 'theme-before-paint',
    async buildStart() {
      if (this.environment.mode !== 'build') return;
      const source = await this.fs.readFile(file, { encoding: 'utf8' });
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source, originalFileName: file });
    },
    generateBundle() {
      if (reference) themePath = this.getFileName(reference);
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        {
          tag: 'script',
          attrs: { src: themePath ? `/${themePath}` : '/shell/theme-before-paint.js' },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}
let themePath: string | undefined;

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

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { beforePaint } from './vite.config.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The page that other websites frame. A build of its own: in that of the other pages its code would be cut into the files that
 * those share, most of which it doesn't need.
 */
export default defineConfig({
  root: here('src/web'),
  publicDir: false,
  plugins: [react(), beforePaint()],
  build: {
    outDir: here('dist/web'),
    // Contains the pages' build already.
    emptyOutDir: false,
    manifest: '.vite/embed.json',
    target: 'baseline-widely-available',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: here('src/web/event-page/embed/embed.html'),
      output: {
        entryFileNames: 'static/js/embed-[hash:7].js',
        chunkFileNames: 'static/js/embed-[hash:7].js',
        assetFileNames: 'static/[name]-[hash:7][extname]',
      },
    },
  },
});

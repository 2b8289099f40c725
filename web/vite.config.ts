// Builds the pages into build/site: hashed files that the server hands out, and nothing from elsewhere.
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  server: {
    port: 5173,
    // Calls and streams go to an exchange that runs beside it.
    proxy: Object.fromEntries(
      ['/v1', '/api', '/ws', '/docs', '/sandbox/v1', '/sandbox/api', '/sandbox/ws'].map((path) => [
        path,
        { target: 'http://127.0.0.1:8080', ws: path.endsWith('/ws') },
      ]),
    ),
  },
  build: {
    outDir: 'build/site',
    emptyOutDir: true,
    // Nothing may stand in the page itself: its policy allows files of this origin only.
    assetsInlineLimit: 0,
    // The page that is kept on the device answers for its files, and Chromium complains of what it fetched ahead of that.
    modulePreload: false,
    target: 'es2023',
    // A first visit asks for ten files instead of forty: everything that every page begins with is one, and so is what four
    // pages or more share. What fewer share would burden the others.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 2 },
            { name: 'shared', minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
    // The budget is what a page loads in all, compressed; `npm run bench -- --only web` prints it.
    chunkSizeWarningLimit: 1_000,
    manifest: true,
    reportCompressedSize: false,
  },
});

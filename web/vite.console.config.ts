// Builds the console of operators into build/console, apart from the pages: the public port has no file of it.
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  server: {
    port: 5174,
    open: '/console.html',
    // Calls go to the operator plane of an exchange that runs beside it.
    proxy: { '/admin': 'http://127.0.0.1:8081', '/metrics': 'http://127.0.0.1:8081' },
  },
  build: {
    outDir: 'build/console',
    emptyOutDir: true,
    // Nothing may stand in the page itself: its policy allows files of this origin only.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2023',
    rolldownOptions: { input: 'console.html' },
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
  },
});

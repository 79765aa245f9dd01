import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The page is built into the package, so that the wheel holds it and no Node is needed to run the studio.
export default defineConfig({
  plugins: [svelte()],
  base: "./",
  build: {
    outDir: "../src/keypose/studio/page",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page's rules allow no data: addresses
    chunkSizeWarningLimit: 1200,
  },
});

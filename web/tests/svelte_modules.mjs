// Lets node import the page's modules: TypeScript with runes, and paths without an ending, as Vite does.
import { existsSync, readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

import { compileModule } from "svelte/compiler";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith(".") && context.parentURL) {
      const file = new URL(`${specifier}.ts`, context.parentURL);
      if (existsSync(file)) return next(file.href, context);
    }
    return next(specifier, { ...context, conditions: ["browser", ...context.conditions] });
  },
  load(url, context, next) {
    if (!url.endsWith(".svelte.ts")) return next(url, context);
    const filename = fileURLToPath(url);
    const code = stripTypeScriptTypes(readFileSync(filename, "utf8"));
    return { format: "module", shortCircuit: true, source: compileModule(code, { filename }).js.code };
  },
});

import { mount } from "svelte";

import "./look.css";
import { studio } from "./state/studio.svelte";
import Studio from "./Studio.svelte";

// What a test needs to see; the viewports add where things are on screen.
declare global {
  interface Window {
    __keypose: Record<string, unknown>;
  }
}
window.__keypose = { ...window.__keypose, studio };

const root = document.getElementById("studio");
if (root) mount(Studio, { target: root });
studio.open();

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

const place = document.getElementById("studio");
if (place) mount(Studio, { target: place });
studio.open();

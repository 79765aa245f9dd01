import { mount } from "svelte";

import "./look.css";
import Studio from "./Studio.svelte";

const place = document.getElementById("studio");
if (place) mount(Studio, { target: place });

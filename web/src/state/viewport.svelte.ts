// How the viewports show the stage: the active tool, a view that is shown alone, the camera that is looked through.

export type Tool = "select" | "move" | "turn" | "stretch" | "insert" | "link";
export type ViewName = "perspective" | "top" | "front" | "side";

export class ViewportState {
  tool = $state<Tool>("select");
  maximised = $state<ViewName | null>(null);
  camera = $state<string | null>(null);
  /** How often the viewports were asked to frame the selection. */
  framings = $state(0);
}

export const viewport = new ViewportState();

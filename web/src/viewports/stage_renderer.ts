// How do the views get on screen? One canvas, one scene, drawn once per view into its rectangle, and only when
// something changed.

import { type Box3, LinearSRGBColorSpace, Scene, Vector3, WebGLRenderer } from "three";

import type { Studio } from "../state/studio.svelte";
import { Aims } from "./bodies/follow_targets";
import { Floors } from "./bodies/planes";
import { RoughPaths } from "./bodies/rough_paths";
import { Skins } from "./bodies/soft_surfaces";
import { Solids } from "./bodies/rigid_bodies";
import { Ties } from "./bodies/connection_marks";
import { Touch } from "./bodies/body_picker";
import { Cast } from "./actors/actor_markers";
import { GROUND } from "./primitives/colours";
import { extentOfStage, placesOfActor } from "./views/extent";
import { FieldHandles } from "./fields/field_handles";
import { FieldMarks } from "./fields/field_marks";
import { Links } from "./fields/sense_links";
import { Pushes } from "./fields/force_arrows";
import { Starts } from "./actors/start_handles";
import { Told } from "./fields/field_poses";
import { Wakes } from "./actors/live_trails";
import { Ghosts } from "./actors/key_markers";
import { Gizmo } from "./gizmo";
import { Grid } from "./views/grid";
import { Handles } from "./handles";
import { holds, NOWHERE, placed, type Rectangle, type ViewName, VIEWS } from "./views/layout";
import { Names } from "./actors/name_labels";
import { PerspectiveView } from "./views/perspective_view";
import { Picker } from "./picker";
import { PlanView } from "./views/plan_view";
import { Trails } from "./actors/trails";
import type { View } from "./views/view";

const ONE_PLACE = 1e-3; // of the stage's radius: nearer than this two handles are in one place

export type Part = "trails" | "ghosts" | "cast" | "looks" | "fields" | "pushes";

export class Picture {
  readonly perspective = new PerspectiveView();
  readonly views: Record<ViewName, View>;
  readonly handles: Handles;
  readonly cast: Cast;
  readonly trails: Trails;
  readonly gizmo: Gizmo;
  readonly picker: Picker;
  readonly fields: FieldHandles;
  readonly fieldMarks: FieldMarks;
  readonly links: Links;
  readonly pushes: Pushes;
  readonly starts: Starts;
  readonly wakes: Wakes;
  readonly aims: Aims;
  readonly roughPaths: RoughPaths;
  /** How far the stage goes from its middle [m]. */
  reach = 5;
  private middle = new Vector3();
  /** Where free bodies count. */
  private room: Box3 | null = null;
  readonly ties: Ties;
  private solids: Solids;
  private skins: Skins;
  private floors: Floors;
  /** Whether the mouse has led the pointer in this live run. */
  hasLed = false;
  private ghosts: Ghosts;
  private grids: Record<ViewName, Grid>;
  private names: Names;
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private stale = new Set<Part>();
  private asked = 0;
  private afterDrawing: (() => void)[] = [];

  constructor(
    readonly studio: Studio,
    readonly canvas: HTMLCanvasElement,
    labels: HTMLElement,
    private band: HTMLElement,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: false, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours are said as they are shown
    this.renderer.setScissorTest(true);
    this.renderer.setClearColor(GROUND);
    this.views = {
      perspective: this.perspective,
      top: new PlanView("top"),
      front: new PlanView("front"),
      side: new PlanView("side"),
    };
    this.grids = { perspective: new Grid(), top: new Grid(), front: new Grid(), side: new Grid() };
    const told = new Told(studio);
    this.handles = new Handles(studio, told);
    this.cast = new Cast(studio);
    this.fields = new FieldHandles(studio, told, this.handles, this.cast);
    this.fieldMarks = new FieldMarks(studio, this.fields);
    this.links = new Links(studio, told, this.fields, this.cast);
    this.pushes = new Pushes(studio);
    this.starts = new Starts(studio, this.handles, this.cast);
    this.wakes = new Wakes(studio, this.cast);
    this.trails = new Trails(studio);
    this.ghosts = new Ghosts(studio, this.handles, this.cast);
    this.gizmo = new Gizmo(studio, this.handles, this.fields);
    this.solids = new Solids(studio, this.cast);
    this.skins = new Skins(studio, this.cast);
    this.ties = new Ties(studio, this.cast);
    this.floors = new Floors(studio, this.cast);
    this.aims = new Aims(studio, this.cast);
    this.roughPaths = new RoughPaths(studio, this.cast);
    this.picker = new Picker(studio, this.handles, this.cast, new Touch(this.solids, this.skins, this.cast));
    this.names = new Names(studio, this.cast, this.fields, labels);
    canvas.addEventListener("webglcontextrestored", () => this.ask("trails", "ghosts", "cast", "pushes"));
    for (const grid of Object.values(this.grids)) this.scene.add(grid.object);
    this.scene.add(this.trails.object, this.cast.object, this.ghosts.object, ...this.gizmo.objects);
    for (const part of [this.floors, this.solids, this.skins, this.roughPaths, this.ties, this.aims]) this.scene.add(part.object);
    for (const part of [this.pushes, this.wakes, this.links, this.starts, this.fieldMarks]) this.scene.add(part.object);
  }

  get shownViews(): View[] {
    return VIEWS.map((name) => this.views[name]).filter((view) => view.isShown);
  }

  viewAt(x: number, y: number): View | null {
    return this.shownViews.find((view) => holds(view.rectangle, x, y)) ?? null;
  }

  /** Show the box of a box selection, or take it away. */
  rubber(box: Rectangle | null): void {
    const { style } = this.band;
    this.band.hidden = box === null;
    if (!box) return;
    [style.left, style.top] = [`${box.left}px`, `${box.top}px`];
    [style.width, style.height] = [`${box.width}px`, `${box.height}px`];
  }

  /** Draw at the next frame; what is named is made anew first. */
  ask(...parts: Part[]): void {
    for (const part of parts) this.stale.add(part);
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  /** Call back whenever a frame has been drawn. */
  onDrawn(act: () => void): void {
    this.afterDrawing.push(act);
  }

  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.arrange(width, height);
  }

  arrange(width = this.canvas.clientWidth, height = this.canvas.clientHeight): void {
    const rectangles = placed(width, height, this.studio.view.maximised);
    for (const name of VIEWS) this.views[name].rectangle = rectangles.get(name) ?? NOWHERE;
    this.placeCameras();
    this.ask();
  }

  /** Every place that is seen of some actors. */
  placesOf(names: Iterable<string>): Vector3[] {
    return [...names].flatMap((name) => placesOfActor(this.studio, name, this.cast.standing(name), this.room));
  }

  /** Cameras stand as their views say; needed before anything is projected. */
  placeCameras(): void {
    const { camera } = this.studio.view;
    const standing = camera === null ? null : this.cast.standing(camera);
    this.perspective.through = standing && { ...standing, fov: this.studio.actor(camera)?.fov ?? 50 };
    for (const view of this.shownViews) view.place(this.reach);
  }

  dispose(): void {
    cancelAnimationFrame(this.asked);
    this.renderer.dispose();
  }

  private draw(): void {
    if (this.stale.has("looks")) this.cast.recast();
    if (this.stale.has("trails")) {
      this.measure();
      this.trails.update();
      this.roughPaths.update(this.reach);
    }
    if (this.stale.has("ghosts")) this.ghosts.update();
    if (this.stale.has("cast")) this.updateCast();
    if (this.stale.has("pushes")) this.pushes.update();
    this.placeCameras();
    if (["cast", "ghosts", "fields"].some((part) => this.stale.has(part as Part))) this.updateFields();
    this.stale.clear();
    const whole = this.canvas.clientHeight;
    for (const view of this.shownViews) {
      const { left, top, width, height } = view.rectangle;
      for (const name of VIEWS) this.grids[name].object.visible = name === view.name;
      this.grids[view.name].lay(view, this.reach);
      for (const part of [this.gizmo, this.pushes, this.cast, this.ghosts, this.starts, this.fieldMarks]) part.prepare(view);
      this.renderer.setViewport(left, whole - top - height, width, height);
      this.renderer.setScissor(left, whole - top - height, width, height);
      this.renderer.render(this.scene, view.camera);
    }
    this.names.update(this.shownViews);
    for (const act of this.afterDrawing) act();
  }

  private updateCast(): void {
    this.cast.update();
    this.solids.update();
    this.skins.update();
    this.ties.update(this.reach);
    this.floors.update(this.middle, this.reach);
    this.aims.update();
  }

  private updateFields(): void {
    this.fields.settle(ONE_PLACE * this.reach);
    this.fieldMarks.update();
    this.links.update(Math.min(...this.shownViews.map((view) => view.metresPerPixel(view.target))));
    this.starts.update();
  }

  /** How large the stage is. */
  measure(): void {
    const extent = extentOfStage(this.studio);
    if (extent) ({ middle: this.middle, reach: this.reach, room: this.room } = extent);
    this.studio.reach = steps(this.reach);
  }
}

/** A length in steps, so that what depends on it does not change with every pixel that a key is dragged. */
function steps(length: number): number {
  return 2 ** (Math.round(2 * Math.log2(length)) / 2);
}

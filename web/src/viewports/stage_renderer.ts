// How do the views get on screen? One canvas, one scene, drawn once per view into its rectangle, and only when
// something changed.

import { type Box3, LinearSRGBColorSpace, Scene, Vector3, WebGLRenderer } from "three";

import { doc } from "../state/document.svelte";
import { fieldArrows } from "../state/field_arrows.svelte";
import { viewport } from "../state/viewport.svelte";
import { ActorMarkers } from "./actors/actor_markers";
import { KeyMarkers } from "./actors/key_markers";
import { LiveTrails } from "./actors/live_trails";
import { NameLabels } from "./actors/name_labels";
import { StartHandles } from "./actors/start_handles";
import { Trails } from "./actors/trails";
import { BodyPicker } from "./bodies/body_picker";
import { ConnectionMarks } from "./bodies/connection_marks";
import { FollowTargets } from "./bodies/follow_targets";
import { Planes } from "./bodies/planes";
import { RigidBodies } from "./bodies/rigid_bodies";
import { RoughPaths } from "./bodies/rough_paths";
import { SoftSurfaces } from "./bodies/soft_surfaces";
import { FieldHandles } from "./fields/field_handles";
import { FieldMarks } from "./fields/field_marks";
import { FieldPoses } from "./fields/field_poses";
import { ForceArrows } from "./fields/force_arrows";
import { SenseLinks } from "./fields/sense_links";
import { Gizmo } from "./gizmo";
import { Handles } from "./handles";
import { Picker } from "./picker";
import { GROUND } from "./primitives/colours";
import { extentOfStage, positionsOfActor } from "./views/extent";
import { Grid } from "./views/grid";
import { contains, NOWHERE, type Rectangle, type ViewName, viewRectangles, VIEWS } from "./views/layout";
import { PerspectiveView } from "./views/perspective_view";
import { PlanView } from "./views/plan_view";
import type { View } from "./views/view";

const COINCIDENT_FRACTION = 1e-3; // of the stage's radius: nearer than this two handles are in one place

export type StalePart = "trails" | "ghosts" | "cast" | "looks" | "fields" | "pushes";

export class StageRenderer {
  readonly perspective = new PerspectiveView();
  readonly views: Record<ViewName, View>;
  readonly handles: Handles;
  readonly actorMarkers: ActorMarkers;
  readonly trails: Trails;
  readonly gizmo: Gizmo;
  readonly picker: Picker;
  readonly fields: FieldHandles;
  readonly fieldMarks: FieldMarks;
  readonly links: SenseLinks;
  readonly forceArrows: ForceArrows;
  readonly startHandles: StartHandles;
  readonly liveTrails: LiveTrails;
  readonly followTargets: FollowTargets;
  readonly roughPaths: RoughPaths;
  /** How far the stage goes from its middle [m]. */
  reach = 5;
  private middle = new Vector3();
  /** Where free bodies count. */
  private bounds: Box3 | null = null;
  readonly connectionMarks: ConnectionMarks;
  private rigidBodies: RigidBodies;
  private softSurfaces: SoftSurfaces;
  private planes: Planes;
  /** Whether the mouse has led the pointer in this live run. */
  hasDrivenPointer = false;
  private keyMarkers: KeyMarkers;
  private grids: Record<ViewName, Grid>;
  private nameLabels: NameLabels;
  private webgl: WebGLRenderer;
  private scene = new Scene();
  private stale = new Set<StalePart>();
  private frameRequest = 0;
  private frameCallbacks: (() => void)[] = [];

  constructor(
    readonly canvas: HTMLCanvasElement,
    labels: HTMLElement,
    private band: HTMLElement,
  ) {
    this.webgl = new WebGLRenderer({ canvas, antialias: false, powerPreference: "high-performance" });
    this.webgl.outputColorSpace = LinearSRGBColorSpace; // colours are said as they are shown
    this.webgl.setScissorTest(true);
    this.webgl.setClearColor(GROUND);
    this.views = {
      perspective: this.perspective,
      top: new PlanView("top"),
      front: new PlanView("front"),
      side: new PlanView("side"),
    };
    this.grids = { perspective: new Grid(), top: new Grid(), front: new Grid(), side: new Grid() };
    const fieldPoses = new FieldPoses();
    this.handles = new Handles(fieldPoses);
    this.actorMarkers = new ActorMarkers();
    this.fields = new FieldHandles(fieldPoses, this.handles, this.actorMarkers);
    this.fieldMarks = new FieldMarks(this.fields);
    this.links = new SenseLinks(fieldPoses, this.fields, this.actorMarkers);
    this.forceArrows = new ForceArrows();
    this.startHandles = new StartHandles(this.handles, this.actorMarkers);
    this.liveTrails = new LiveTrails(this.actorMarkers);
    this.trails = new Trails();
    this.keyMarkers = new KeyMarkers(this.handles, this.actorMarkers);
    this.gizmo = new Gizmo(this.handles, this.fields);
    this.rigidBodies = new RigidBodies(this.actorMarkers);
    this.softSurfaces = new SoftSurfaces(this.actorMarkers);
    this.connectionMarks = new ConnectionMarks(this.actorMarkers);
    this.planes = new Planes(this.actorMarkers);
    this.followTargets = new FollowTargets(this.actorMarkers);
    this.roughPaths = new RoughPaths(this.actorMarkers);
    this.picker = new Picker(
      this.handles,
      this.actorMarkers,
      new BodyPicker(this.rigidBodies, this.softSurfaces, this.actorMarkers),
    );
    this.nameLabels = new NameLabels(this.actorMarkers, this.fields, labels);
    canvas.addEventListener("webglcontextrestored", () => this.requestDraw("trails", "ghosts", "cast", "pushes"));
    for (const grid of Object.values(this.grids)) this.scene.add(grid.object);
    this.scene.add(this.trails.object, this.actorMarkers.object, this.keyMarkers.object, ...this.gizmo.objects);
    for (const part of [
      this.planes,
      this.rigidBodies,
      this.softSurfaces,
      this.roughPaths,
      this.connectionMarks,
      this.followTargets,
    ])
      this.scene.add(part.object);
    for (const part of [this.forceArrows, this.liveTrails, this.links, this.startHandles, this.fieldMarks])
      this.scene.add(part.object);
  }

  get shownViews(): View[] {
    return VIEWS.map((name) => this.views[name]).filter((view) => view.isShown);
  }

  viewAt(x: number, y: number): View | null {
    return this.shownViews.find((view) => contains(view.rectangle, x, y)) ?? null;
  }

  /** Show the box of a box selection, or take it away. */
  setSelectionBox(box: Rectangle | null): void {
    const { style } = this.band;
    this.band.hidden = box === null;
    if (!box) return;
    [style.left, style.top] = [`${box.left}px`, `${box.top}px`];
    [style.width, style.height] = [`${box.width}px`, `${box.height}px`];
  }

  /** Draw at the next frame; what is named is made anew first. */
  requestDraw(...parts: StalePart[]): void {
    for (const part of parts) this.stale.add(part);
    this.frameRequest ||= requestAnimationFrame(() => {
      this.frameRequest = 0;
      this.draw();
    });
  }

  /** Call back whenever a frame has been drawn. */
  onFrame(act: () => void): void {
    this.frameCallbacks.push(act);
  }

  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.webgl.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.webgl.setSize(width, height, false);
    this.arrange(width, height);
  }

  arrange(width = this.canvas.clientWidth, height = this.canvas.clientHeight): void {
    const rectangles = viewRectangles(width, height, viewport.maximised);
    for (const name of VIEWS) this.views[name].rectangle = rectangles.get(name) ?? NOWHERE;
    this.placeCameras();
    this.requestDraw();
  }

  /** Every place that is seen of some actors. */
  positionsOf(nameLabels: Iterable<string>): Vector3[] {
    return [...nameLabels].flatMap((name) => positionsOfActor(name, this.actorMarkers.pose(name), this.bounds));
  }

  /** Cameras stand as their views say; needed before anything is projected. */
  placeCameras(): void {
    const { camera } = viewport;
    const pose = camera === null ? null : this.actorMarkers.pose(camera);
    this.perspective.through = pose && { ...pose, fov: doc.actor(camera)?.fov ?? 50 };
    for (const view of this.shownViews) view.placeCamera(this.reach);
  }

  dispose(): void {
    cancelAnimationFrame(this.frameRequest);
    this.webgl.dispose();
  }

  private draw(): void {
    if (this.stale.has("looks")) this.actorMarkers.updateLooks();
    if (this.stale.has("trails")) {
      this.measure();
      this.trails.update();
      this.roughPaths.update(this.reach);
    }
    if (this.stale.has("ghosts")) this.keyMarkers.update();
    if (this.stale.has("cast")) this.updateCast();
    if (this.stale.has("pushes")) this.forceArrows.update();
    this.placeCameras();
    if (["cast", "ghosts", "fields"].some((part) => this.stale.has(part as StalePart))) this.updateFields();
    this.stale.clear();
    const whole = this.canvas.clientHeight;
    for (const view of this.shownViews) {
      const { left, top, width, height } = view.rectangle;
      for (const name of VIEWS) this.grids[name].object.visible = name === view.name;
      this.grids[view.name].update(view, this.reach);
      for (const part of [
        this.gizmo,
        this.forceArrows,
        this.actorMarkers,
        this.keyMarkers,
        this.startHandles,
        this.fieldMarks,
      ])
        part.prepare(view);
      this.webgl.setViewport(left, whole - top - height, width, height);
      this.webgl.setScissor(left, whole - top - height, width, height);
      this.webgl.render(this.scene, view.camera);
    }
    this.nameLabels.update(this.shownViews);
    for (const act of this.frameCallbacks) act();
  }

  private updateCast(): void {
    this.actorMarkers.update();
    this.rigidBodies.update();
    this.softSurfaces.update();
    this.connectionMarks.update(this.reach);
    this.planes.update(this.middle, this.reach);
    this.followTargets.update();
  }

  private updateFields(): void {
    this.fields.layoutHandles(COINCIDENT_FRACTION * this.reach);
    this.fieldMarks.update();
    this.links.update(Math.min(...this.shownViews.map((view) => view.metresPerPixel(view.target))));
    this.startHandles.update();
  }

  /** How large the stage is. */
  measure(): void {
    const extent = extentOfStage();
    if (extent) ({ middle: this.middle, reach: this.reach, bounds: this.bounds } = extent);
    fieldArrows.reach = steps(this.reach);
  }
}

/** A length in steps, so that what depends on it does not change with every pixel that a key is dragged. */
function steps(length: number): number {
  return 2 ** (Math.round(2 * Math.log2(length)) / 2);
}

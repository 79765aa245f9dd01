// What the page says and is told. Made by `python -m keypose.studio.protocol.generate_ts`; do not edit.

export const PROTOCOL_VERSION = 1;

/** Move keys by a way in the world [m], as it was when the gesture began. */
export interface MoveKeys {
  do: "move_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
  by: [number, number, number];
  /** The moment [s] at which what carries the keys is looked at. None: each key when it is passed, as it is shown. */
  time?: number | null;
  digits?: number | null;
}

/** Turn keys about their own places, by a turn in the world. */
export interface TurnKeys {
  do: "turn_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
  by: [number, number, number, number];
  time?: number | null;
}

/** Put keys at numbers [m], as the scene file writes their places; an axis that is None stays each key's own. */
export interface PlaceKeys {
  do: "place_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
  to: [number | null, number | null, number | null];
}

/** Let keys face another way: turn to its left, nod down, tilt to its right; what is None stays each key's own. */
export interface FaceKeys {
  do: "face_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
  degrees: [number | null, number | null, number | null];
}

/** Set a tangent by hand: dP/du as a vector in the world. */
export interface DragTangent {
  do: "drag_tangent";
  id: number;
  gesture?: string | null;
  actor: string;
  key: number;
  side: "arrive" | "both" | "leave";
  to: [number, number, number];
  time?: number | null;
  digits?: number | null;
}

/** Say something of several keys; None unsays it. Words and values are those of the scene file. */
export interface SetKeys {
  do: "set_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
  changes: Record<string, unknown>;
}

/** Let tension, continuity and bias shape these keys again; tangents by hand are lost. */
export interface BackToTcb {
  do: "back_to_tcb";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
}

/** Give keys a named effect, built in or the scene's own. */
export interface ApplyEffect {
  do: "apply_effect";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
  effect: string;
}

/** A new key on the curve, which keeps its shape. */
export interface InsertKey {
  do: "insert_key";
  id: number;
  gesture?: string | null;
  actor: string;
  u: number;
  /** The moment [s] at which the rough path of a follower is seen, if others carry some of its keys. */
  time?: number | null;
}

/** Take keys away. */
export interface DeleteKeys {
  do: "delete_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  keys: number[];
}

/** Put copied keys, as the scene file writes them, behind a key; -1 is the front. */
export interface PasteKeys {
  do: "paste_keys";
  id: number;
  gesture?: string | null;
  actor: string;
  after: number;
  keys: Record<string, unknown>[];
}

/** Bring a key to another place in the order of keys. */
export interface ShiftKey {
  do: "shift_key";
  id: number;
  gesture?: string | null;
  actor: string;
  key: number;
  to: number;
}

/** Move corresponding points of one drawing, in its plane or in space. */
export interface MovePoints {
  do: "move_points";
  id: number;
  gesture?: string | null;
  actor: string;
  key: number;
  points: number[];
  by: [number, number, number];
  /** Whether that is a way in the world, as points are grasped in the views; else in the drawing's own numbers. */
  in_world?: boolean;
  digits?: number | null;
}

/** Draw a key's drawing anew; every key of the path keeps the same number of points. */
export interface DrawPoints {
  do: "draw_points";
  id: number;
  gesture?: string | null;
  actor: string;
  key: number;
  places: [number, number, number][];
  digits?: number | null;
}

/** Say something of the whole path: tension, closed, ends, adjust and so on. */
export interface SetPath {
  do: "set_path";
  id: number;
  gesture?: string | null;
  actor: string;
  changes: Record<string, unknown>;
}

/** Say something of the motion: duration, start, outside. */
export interface SetMotion {
  do: "set_motion";
  id: number;
  gesture?: string | null;
  actor: string;
  changes: Record<string, unknown>;
}

/** Draw the speed anew, by its control values. None: steady, or by the keys' own times. */
export interface SetSpeed {
  do: "set_speed";
  id: number;
  gesture?: string | null;
  actor: string;
  values: number[] | null;
}

/** Drag one control value of the drawn speed. */
export interface RaiseSpeed {
  do: "raise_speed";
  id: number;
  gesture?: string | null;
  actor: string;
  index: number;
  value: number;
}

/** One more control value at x = 0 … 1 of the duration. */
export interface InsertSpeed {
  do: "insert_speed";
  id: number;
  gesture?: string | null;
  actor: string;
  x: number;
  value: number;
}

/** One control value less. */
export interface DeleteSpeed {
  do: "delete_speed";
  id: number;
  gesture?: string | null;
  actor: string;
  index: number;
}

/** Pass a key some frames later, or earlier if negative (BH89 §6). */
export interface NudgeKey {
  do: "nudge_key";
  id: number;
  gesture?: string | null;
  actor: string;
  key: number;
  frames: number;
  fps?: number;
}

/** Pin a key to a moment [s] at which it is passed; None frees it, and its speed says when. */
export interface TimeKey {
  do: "time_key";
  id: number;
  gesture?: string | null;
  actor: string;
  key: number;
  time: number | null;
}

/** A new actor, as the scene file writes one. */
export interface AddActor {
  do: "add_actor";
  id: number;
  gesture?: string | null;
  actor: Record<string, unknown>;
}

/** Take an actor off the stage; those who need it are named in the refusal. */
export interface RemoveActor {
  do: "remove_actor";
  id: number;
  gesture?: string | null;
  actor: string;
}

/** Call an actor something else; whoever speaks of it follows. */
export interface RenameActor {
  do: "rename_actor";
  id: number;
  gesture?: string | null;
  actor: string;
  name: string;
}

/** Say something of an actor: parent, facing, look. */
export interface SetActor {
  do: "set_actor";
  id: number;
  gesture?: string | null;
  actor: string;
  changes: Record<string, unknown>;
}

/** A named effect of the scene's own; no values take it away. */
export interface DefineEffect {
  do: "define_effect";
  id: number;
  gesture?: string | null;
  name: string;
  values: Record<string, number>;
}

/** The whole scene, as the scene file writes it. */
export interface SetScene {
  do: "set_scene";
  id: number;
  gesture?: string | null;
  scene: Record<string, unknown>;
}

/** One more field or tracker on the stage, as the scene file writes one. */
export interface AddField {
  do: "add_field";
  id: number;
  gesture?: string | null;
  name: string;
  field: unknown;
}

/** Take a field off the stage; the links of all who sensed it go with it. */
export interface RemoveField {
  do: "remove_field";
  id: number;
  gesture?: string | null;
  field: string;
}

/** Call a field something else; whoever senses it follows. */
export interface RenameField {
  do: "rename_field";
  id: number;
  gesture?: string | null;
  field: string;
  name: string;
}

/** What a field is, anew and as a whole, as the scene file writes one. */
export interface SetField {
  do: "set_field";
  id: number;
  gesture?: string | null;
  field: string;
  value: unknown;
}

/** Move a field by a way in the world [m]; a carried one in its carrier's frame, as that is at `time` [s]. */
export interface MoveField {
  do: "move_field";
  id: number;
  gesture?: string | null;
  field: string;
  by: [number, number, number];
  time?: number;
  digits?: number | null;
}

/** Turn a field about its own place, by a turn in the world. */
export interface TurnField {
  do: "turn_field";
  id: number;
  gesture?: string | null;
  field: string;
  by: [number, number, number, number];
  time?: number;
}

/** Stretch a field about its own place, by a factor along each of its own axes. */
export interface StretchField {
  do: "stretch_field";
  id: number;
  gesture?: string | null;
  field: string;
  by: [number, number, number];
  time?: number;
  digits?: number | null;
}

/**
 * Say in numbers where a field is, as its carrier sees it; what is None stays as it is.
 *
 * `to` is its place [m], `degrees` its turn to the left, nod down and tilt to the right, `stretch` how many times as
 * large it is along its own axes. Whoever carries parts of it is seen as at `time` [s].
 */
export interface PlaceField {
  do: "place_field";
  id: number;
  gesture?: string | null;
  field: string;
  /** Which of the fields that add up; None: all of it. */
  part?: number | null;
  to?: [number | null, number | null, number | null];
  degrees?: [number | null, number | null, number | null];
  stretch?: [number | null, number | null, number | null];
  time?: number;
}

/** Put on the stage what somebody senses of its own, under a name; all who sense the same sense it by that name. */
export interface NameSensed {
  do: "name_sensed";
  id: number;
  gesture?: string | null;
  actor: string;
  /** As the scene file writes it. */
  field: unknown;
  name: string;
}

/**
 * Let dynamic splines, followers and free bodies sense a field: its name, or one of their own as a file writes it.
 *
 * `affinity` 0 … 1 says how strongly; None cuts the link.
 */
export interface LinkActors {
  do: "link_actors";
  id: number;
  gesture?: string | null;
  actors: string[];
  field: unknown;
  affinity: number | null;
}

/** Say something of dynamic splines: velocity, friction, continuity and so on, in words of the scene file. */
export interface SetSplines {
  do: "set_splines";
  id: number;
  gesture?: string | null;
  actors: string[];
  changes: Record<string, unknown>;
}

/** Let dynamic splines begin elsewhere, by a way in the world [m]. */
export interface MoveSplines {
  do: "move_splines";
  id: number;
  gesture?: string | null;
  actors: string[];
  by: [number, number, number];
  digits?: number | null;
}

/** Give the actor "pointer" the way the mouse led it in this page's live run, as a motion. */
export interface KeepPointer {
  do: "keep_pointer";
  id: number;
  gesture?: string | null;
}

/** Whose arrows this page wants to see, as far as `reach` [m] around each. */
export interface ShowFields {
  do: "show_fields";
  id: number;
  fields: string[];
  reach: number;
}

/**
 * Say something of followers, free and still bodies, in words of the scene file: within, speed, velocity and so on.
 *
 * A speed leaves the eagerness out, and the other way round.
 */
export interface SetMovers {
  do: "set_movers";
  id: number;
  gesture?: string | null;
  actors: string[];
  changes: Record<string, unknown>;
  /** Words that are not said any more: what is usual holds, as a critical damping. */
  unset?: string[];
}

/**
 * Say something of bodies, in words of the scene file: shape, mass, bounce, friction, stiffness.
 *
 * Links of figures are meant by their names, as arm/hand. A motion that has none yet gets one, if its shape is said.
 */
export interface SetBodies {
  do: "set_bodies";
  id: number;
  gesture?: string | null;
  actors: string[];
  changes: Record<string, unknown>;
  unset?: string[];
}

/** Say something of the joints that links hang by, as of arm/hand: stiffness, damping, strength, limits or limit. */
export interface SetJoints {
  do: "set_joints";
  id: number;
  gesture?: string | null;
  links: string[];
  changes: Record<string, unknown>;
  unset?: string[];
}

/**
 * Say something of what holds bodies together, or leads them, by their numbers on the stage: stiffness, within.
 *
 * A speed leaves the eagerness out, and the other way round.
 */
export interface SetConnections {
  do: "set_connections";
  id: number;
  gesture?: string | null;
  connections: number[];
  changes: Record<string, unknown>;
  unset?: string[];
}

/** Let a motion push nobody any more. */
export interface RemoveBody {
  do: "remove_body";
  id: number;
  gesture?: string | null;
  actor: string;
}

/** Let free and still bodies begin elsewhere, by a way in the world [m]. */
export interface MoveBodies {
  do: "move_bodies";
  id: number;
  gesture?: string | null;
  actors: string[];
  by: [number, number, number];
  digits?: number | null;
}

/** Let free and still bodies begin turned otherwise: to their left, down, tilted to their right; None stays. */
export interface FaceBodies {
  do: "face_bodies";
  id: number;
  gesture?: string | null;
  actors: string[];
  degrees: [number | null, number | null, number | null];
}

/** How strongly, and where to, all bodies fall [m/s²]. */
export interface SetGravity {
  do: "set_gravity";
  id: number;
  gesture?: string | null;
  to: [number, number, number];
}

/**
 * One meeting more, with a goal for each actor.
 *
 * A goal is the name of a key, a distance along the path [m], {"turn": "the name of a key"}, or {"key": 2}: a key by
 * its number, which gets a name if it has none.
 */
export interface AddMeeting {
  do: "add_meeting";
  id: number;
  gesture?: string | null;
  goals: Record<string, unknown>;
  /** None: one that is free. */
  name?: string | null;
  after?: string[];
}

/** Say something of a meeting: name, need, of, gate, patience. */
export interface SetMeeting {
  do: "set_meeting";
  id: number;
  gesture?: string | null;
  meeting: string;
  changes: Record<string, unknown>;
}

/** Let an actor of a meeting have another goal, or one more actor come; None: it comes no more. */
export interface SetGoal {
  do: "set_goal";
  id: number;
  gesture?: string | null;
  meeting: string;
  actor: string;
  goal: unknown;
}

/** Let a meeting wait for another. */
export interface ConnectMeetings {
  do: "connect_meetings";
  id: number;
  gesture?: string | null;
  meeting: string;
  after: string;
}

/** Let a meeting wait for another no more. */
export interface DisconnectMeetings {
  do: "disconnect_meetings";
  id: number;
  gesture?: string | null;
  meeting: string;
  after: string;
}

/** Take a meeting out of the script; whoever waited for it waits for what it waited for. */
export interface RemoveMeeting {
  do: "remove_meeting";
  id: number;
  gesture?: string | null;
  meeting: string;
}

/** What is wrong with a formula while it is being typed? Answered by `FormulaChecked`. */
export interface CheckFormula {
  do: "check_formula";
  id: number;
  kind: "formula" | "keep" | "potential";
  text: string;
  parameters?: Record<string, unknown>;
}

/** Take the last change back. */
export interface Undo {
  do: "undo";
  id: number;
}

/** Do it again. */
export interface Redo {
  do: "redo";
  id: number;
}

/** Take a gesture back as if it had never begun: there is nothing to redo. One that did nothing leaves nothing. */
export interface CancelGesture {
  do: "cancel_gesture";
  id: number;
  gesture: string;
}

/** Begin an empty scene. */
export interface New {
  do: "new";
  id: number;
}

/** Open a scene file of the studio's folder. */
export interface Open {
  do: "open";
  id: number;
  file: string;
}

/** Open one of the example scenes, unsaved. */
export interface OpenExample {
  do: "open_example";
  id: number;
  name: string;
}

/** Save where it was opened; `file`: save as. */
export interface Save {
  do: "save";
  id: number;
  file?: string | null;
}

/** Take up the edits that were not saved when the studio last ended, or leave them. */
export interface Recover {
  do: "recover";
  id: number;
  take: boolean;
}

/** Shoot and write a take, by the file's ending. */
export interface Export {
  do: "export";
  id: number;
  file: string;
  fps?: number;
  seconds?: number | null;
}

/** Stop writing; nothing is left of it. */
export interface CancelExport {
  do: "cancel_export";
  id: number;
}

/** Show poses from now on, as time goes by. `speed` is negative backwards. */
export interface Play {
  do: "play";
  id: number;
  time: number;
  speed?: number;
  repeat?: "cycle" | "once" | "ping-pong";
}

/** Stop where it is. */
export interface Pause {
  do: "pause";
  id: number;
}

/** Show the poses at a moment [s]. */
export interface Seek {
  do: "seek";
  id: number;
  time: number;
}

/** Nothing: shows how long the way there and back takes. */
export interface Ping {
  do: "ping";
  id: number;
}

/** What is on screen: frames per second of trails and stripes. */
export interface Hello {
  do: "hello";
  id: number;
  fps?: number;
  /** The protocol version that the page was built for; None is not checked. */
  protocol?: number | null;
}

/**
 * Begin a live run of the scene from its first moment, or end it and show the document again.
 *
 * While it is live, `play` and `pause` let ticks pass or not, `seek` rewinds, and every edit changes what runs.
 */
export interface Live {
  do: "live";
  id: number;
  is_on: boolean;
}

/** Where the mouse holds the actor "pointer" now [m], in a live run. */
export interface Point {
  do: "point";
  id: number;
  to: [number, number, number];
}

/** A key as its file says it, and when it is passed. */
export interface KeyView {
  /** The key's words in the scene file. */
  spec: Record<string, unknown>;
  /** [s] */
  time: number;
  /** What holds here, the key's own value or its path's. */
  tension: number;
  continuity: number;
  bias: number;
  /** Whether its tangents on the side of arrival and of departure are set by hand. */
  is_manual: [boolean, boolean];
  /** Whether its passing time is fixed, by capture or by its own time; else the speed decides it. */
  is_pinned: boolean;
  /** The named effect these values are, if any. */
  effect: string | null;
  /** Yaw, pitch and roll of its orientation [degrees], where it has one. */
  degrees: [number, number, number] | null;
}

/** How a path is travelled. */
export interface SpeedView {
  kind: "drawn" | "mover" | "recorded" | "steady" | "through" | "times";
  /** Where its control values are, x = 0 … 1. */
  x: number[];
  values: number[];
}

/** What a dynamic spline says. */
export interface SplineView {
  /** Its words in the scene file, every one, without its points if it is a drawing. */
  spec: Record<string, unknown>;
  /** Where it begins [m]; of a drawing its middle. */
  position: [number, number, number];
  /** How it begins [m/s]; of a drawing the mean. */
  velocity: [number, number, number];
  friction: number;
}

/** What has weight about an actor or a link. */
export interface BodyView {
  /** As the scene file writes it, every word of it: {"kind": "sphere", "radius": 0.3}. */
  shape: Record<string, unknown>;
  mass: number;
  bounce: number;
  friction: number;
  /** Of a mesh: the corners of its triangles one behind the other [m], or of the box around it if it has many. */
  faces: number[] | null;
  /** [Pa]; None is rigid. */
  stiffness: number | null;
  /** Of a soft one: the triangles of its surface one behind the other, by the numbers of the points of its skin. */
  surface: number[] | null;
}

/** How a follower races its target; what is not said is None. */
export interface FollowView {
  within: number;
  /** Also where a speed says how eager it is. */
  eagerness: number;
  damping: number;
  /** Whether its damping is not said. */
  is_critical: boolean;
  reaction: number;
  correction: number | null;
  speed: number | null;
  turn_within: number;
  /** Whether its path has orientations. */
  has_orientations: boolean;
  /** [m/s] at which it settles. */
  nominal_speed: number;
}

/** Where a free or a still body begins, and how. */
export interface StartView {
  position: [number, number, number];
  /** Yaw, pitch and roll. */
  degrees: [number, number, number];
  /** [m/s]; None for a still one. */
  velocity: [number, number, number] | null;
  /** [degrees/s] */
  spin: [number, number, number] | null;
}

/** A link of a dynamic spline. */
export interface SenseView {
  /** What it senses on the stage, by name; None for something of its own. */
  name: string | null;
  /** What it senses of its own, as the scene file writes it; else None. */
  spec: unknown;
  /** In a person's words: "wind", "keeps its offset to man". */
  title: string;
  /** Whom it tracks, avoids, or whose field it is, if that is one actor. */
  target: string | null;
  affinity: number;
}

/** An actor and what can be said of it. */
export interface ActorView {
  name: string;
  kind: "motion" | "mover" | "recorded";
  parent: string | null;
  facing: Record<string, unknown> | null;
  look: unknown;
  is_camera: boolean;
  fov: number | null;
  /** Of a drawing; 0 for one place. */
  points: number;
  dimension: number;
  /** The path's own words in the scene file, without its keys. */
  path: Record<string, unknown>;
  closed: boolean;
  keys: KeyView[];
  speed: SpeedView;
  span: [number, number];
  outside: string;
  /** If it is steered by fields. */
  spline: SplineView | null;
  /** What has weight about it. */
  body: BodyView | null;
  /** If it follows its path as a body does; then `keys` are those of that path. */
  follow: FollowView | null;
  /** If a reach leads it along a path; then `keys` are those of that path. */
  is_driven: boolean;
  /** If it is a free or a still body. */
  start: StartView | null;
  /** What pushes it, if fields can. */
  senses: SenseView[] | null;
  /** What to beware of, in sentences: that it will not settle, that it had to stop, and when. */
  warnings: string[];
}

/** What undo and redo would do. */
export interface Step {
  undo: string | null;
  redo: string | null;
}

/** A named number of a formula; with a range it is a slider. */
export interface Parameter {
  name: string;
  value: number;
  low: number | null;
  high: number | null;
}

/** One of several fields that add up, and where it is. */
export interface PartView {
  /** As of a field. */
  kind: string;
  carrier: string | null;
  /** Its position [m] in the frame of its carrier, if that does not depend on carriers within it. */
  position: [number, number, number] | null;
  degrees: [number, number, number];
  stretch: [number, number, number];
  radius: number | null;
  size: [number, number, number] | null;
}

/** A field or tracker of the stage, and what can be said of it. */
export interface FieldView {
  name: string;
  /** As the scene file writes it: "vortex", "formula", "keep_offset", "avoid"; of fields that add up "sum". */
  kind: string;
  /** All its words in the scene file. */
  spec: unknown;
  /** Whether it can be moved, turned and stretched; trackers cannot. */
  is_placed: boolean;
  /** Who carries it, or whom it is about; a group as "flock/*". */
  carrier: string | null;
  /** Of a formula, a potential or a metric: what was typed. */
  text: string | null;
  parameters: Parameter[];
  /** Yaw, pitch and roll in the frame of its carrier [degrees]. */
  degrees: [number, number, number];
  /** How many times as large it is along its own axes. */
  stretch: [number, number, number];
  /** Where it ends [m], if in a ball. */
  radius: number | null;
  /** Where it ends [m], if in a box: its sides. */
  size: [number, number, number] | null;
  /** How many actors sense it. */
  sensed_by: number;
  /** Of fields that add up, each. */
  parts: PartView[];
  /** Parameters that do nothing, for what was typed does not speak of them. */
  unused: string[];
}

/** What a part of a figure hangs by; a pin has no numbers. */
export interface JointView {
  kind: "ball" | "hinge" | "pin";
  /** On whom, as "arm/lower", or the figure itself. */
  to: string;
  /** Where, as the part sees it [m]. */
  at: [number, number, number];
  /** stiffness [N m/rad], damping [N m s/rad] and strength [N m]. */
  numbers: Record<string, number>;
  /** How far a hinge turns from rest [degrees]. */
  limits: [number, number] | null;
  /** How far a ball joint does [degrees]. */
  limit: number | null;
}

/** A part of a figure: it has a pose and a body, and is said by its actor. */
export interface LinkView {
  /** As "arm/hand". */
  name: string;
  actor: string;
  body: BodyView | null;
  joint: JointView | null;
}

/** What holds two bodies together, or leads one; by its number among all of the stage. */
export interface ConnectionView {
  kind: "ball" | "hinge" | "pin" | "reach" | "spring";
  /** Whom it holds, or leads. */
  link: string;
  /** To whom; None is the world. Of a reach the name of its goal, None if that is a path. */
  to: string | null;
  /** Where it holds the one, as that sees it [m]. */
  at: [number, number, number];
  /** Where it holds the other, as that sees it, or where in the world [m]. */
  to_at: [number, number, number];
  /** Of a spring: stiffness [N/m], damping [N s/m], length [m]. Of a reach: help [N]. None is not said. */
  numbers: Record<string, number | null>;
  /** Of a reach. */
  follow: FollowView | null;
  /** Of a reach along a path: the names of its keys. */
  keys: (string | null)[];
}

/** Where one of those who meet is to be. */
export interface GoalView {
  /** A part of a figure as "arm/hand". */
  actor: string;
  /** The name of a key of its path; None where a distance is said. */
  key: string | null;
  /** Along its path [m]; None where a key is said. */
  distance: number | null;
  /** Whether the goal is the orientation of that key, not its position. */
  is_orientation: boolean;
}

/** Some who are to reach their goals at the same time. */
export interface MeetingView {
  name: string;
  goals: GoalView[];
  /** The meetings it waits for. */
  after: string[];
  /** How many of those; None is all. */
  need: number | null;
  of: "bodies" | "targets";
  /** Whether nobody passes before it is active. */
  gate: boolean;
  /** [s] */
  patience: number;
}

/** The document at a revision. `is_complete`: actors not listed here are gone; else they are unchanged. */
export interface Scene {
  is: "scene";
  revision: number;
  /** The revision at which this document came in place of another: from there on it is a new scene to look at. */
  opened_at: number;
  is_complete: boolean;
  actors: ActorView[];
  order: string[];
  steps: Step;
  file: string | null;
  is_saved: boolean;
  duration: number;
  /** Named effects: the built-in ones and the scene's own. */
  effects: Record<string, Record<string, number>>;
  /** What pushes on the stage; always all of it. */
  fields: FieldView[];
  /** Parts of figures; always all of them. They have poses as actors have, in `order`. */
  links: LinkView[];
  /** Those parts of figures that are led along paths, with the keys of these; always all of them. */
  driven: ActorView[];
  /** What holds bodies together; always all of it. */
  connections: ConnectionView[];
  /** [m/s²] */
  gravity: [number, number, number];
  /** Who meets whom; always all of it, in the order it was said. */
  meetings: MeetingView[];
}

/** A message was carried out; an edit is on disk by now. */
export interface Done {
  is: "done";
  id: number;
  revision: number;
  text: string | null;
}

/** A message was not carried out, with the reason; the document is unchanged. */
export interface Refused {
  is: "refused";
  id: number;
  reason: string;
}

/** Something a person should know, with what to do. */
export interface Notice {
  is: "notice";
  kind: "error" | "note" | "warning";
  text: string;
}

/** How far a long task is: `fraction` is 0 … 1. */
export interface Progress {
  is: "progress";
  task: string;
  fraction: number;
  seconds_left: number | null;
  is_over: boolean;
}

/** An actor's way on the card of an example, 240 wide and 120 high. */
export interface CardTrail {
  /** Its colour; None: by its place in the cast. */
  look: string | null;
  line: [number, number][];
  keys: [number, number][];
  /** The outlines of what it has of bodies, halfway through. */
  bodies: [number, number][][];
}

/** A scene to begin with. */
export interface Example {
  name: string;
  title: string;
  text: string;
  trails: CardTrail[];
}

/** Something that can be said of a kind of field. */
export interface FieldOption {
  name: string;
  /** What it means, in a person's words, with its unit. */
  doc: string;
  /**
   * How it is said; "vector" of three numbers, "position" where the field is held, which is changed as that is,
   * "target" the name of an actor or a group, "other" not by hand.
   */
  form: "choice" | "flag" | "number" | "other" | "position" | "target" | "text" | "vector";
  /** What holds while it is not said. */
  default: unknown;
  choices: string[];
  low: number | null;
  high: number | null;
}

/** A kind of field or tracker that can be put on the stage. */
export interface FieldKind {
  kind: string;
  /** As a menu calls it: "Vortex", "Keep the distance". */
  title: string;
  /** What it does, in a sentence. */
  text: string;
  /** Whether it is about somebody: its words "target" must be said. */
  is_tracker: boolean;
  /** One to begin with, as the scene file writes it; trackers still without their target. */
  spec: Record<string, unknown>;
  options: FieldOption[];
}

/** What a page needs to begin. */
export interface Welcome {
  is: "welcome";
  /** The protocol version; the page asks to be reloaded if it was built for another one. */
  protocol: number;
  version: string;
  /** The folder's own name, where files are opened and saved. */
  folder: string;
  /** The full path of that folder. */
  folder_path: string;
  files: string[];
  recent: string[];
  examples: Example[];
  /** What a take can be exported as. */
  endings: string[];
  /** What was not saved when the studio last ended. */
  recovery: string | null;
  /** What fields there are. */
  kinds: FieldKind[];
}

/** Whether it plays, and where it is. */
export interface Transport {
  is: "transport";
  time: number;
  is_playing: boolean;
  speed: number;
  /** Whether what is seen is a run, tick by tick, and not what was shot. */
  is_live: boolean;
  /** How far the live run has come so far [s]; between nothing and there it can be rewound. */
  simulated_until: number;
}

/** What is wrong with a formula that is being typed; `reason` is None if nothing is. */
export interface FormulaChecked {
  is: "formula_checked";
  id: number;
  reason: string | null;
  /** Where, counted from 0. */
  column: number | null;
  /** Just behind what is wrong, if that is more than one letter. */
  end: number | null;
  /** Names it uses that nobody has said yet: they could be parameters. */
  missing: string[];
}

/** A collision of two bodies. */
export interface CollisionView {
  time: number;
  actor: string;
  other: string;
  position: [number, number, number];
  /** [m/s] */
  speed: number;
}

/** The collisions in what is shown, the take or the live run so far; of very many the fastest. */
export interface Collisions {
  is: "collisions";
  collisions: CollisionView[];
}

/** What became of a meeting at a moment. */
export interface MeetingEventView {
  time: number;
  meeting: string;
  actor: string;
  state: "active" | "done" | "failed" | "late" | "reached";
  /** In a sentence. */
  text: string;
}

/** What became of meetings in what is seen, the film or the live run so far. */
export interface MeetingEvents {
  is: "meeting_events";
  events: MeetingEventView[];
}

/** Where an array lies among the numbers. */
export interface Array {
  name: string;
  shape: number[];
  /** In float32 numbers from the first. */
  begin: number;
}

/**
 * How an actor goes, in the world, as these arrays.
 *
 * `line` (m, 3) along its way over its span, `line_u` (m,) the path's parameter there, `line_speed` (m,) [m/s];
 * `dots` (frames, 3) and `dot_speed` (frames,) one per frame; `keys` (k, 3), `key_orientations` (k, 4) w x y z,
 * `arrive` (k, 3) and `leave` (k, 3) the keys' tangents dP/du; `stripes` (frames,) distance along the path [m];
 * `profile` (p, 2) the relative speed drawn over x; of a drawing `drawings` (k, points, 3) its keys. Of a
 * follower `line` is what its body did, and `path` (m, 3) with `path_u` (m,) the rough path.
 */
export interface Curve {
  is: "curve";
  actor: string;
  revision: number;
  /** [m] */
  length: number;
  duration: number;
  arrays: Array[];
}

/**
 * Where everybody is at one moment: `poses` (actors, 7), place and w x y z, in the scene's order; of drawings
 * `points` one behind the other, (all points, 3); of fields `fields` (fields, 7), place and w x y z of each; where
 * somebody follows, `targets` (actors, 3) in the scene's order, NaN for all others. Where others carry keys of a rough
 * path, its `path 3`, `path_u 3` and so on, as of a curve, are those of the actor with that number in that order.
 */
export interface Poses {
  is: "poses";
  time: number;
  revision: number;
  arrays: Array[];
}

/**
 * How a field pushes at a moment, on lattices in three planes through its place: `positions` (3, n, 3) [m] and
 * `pushes` (3, n, 3) [m/s²]. The planes are those of the views from the top (x, z), the front (x, y) and the side
 * (z, y); where it has no value it pushes NaN.
 */
export interface Arrows {
  is: "arrows";
  field: string;
  time: number;
  revision: number;
  /** The plane in which it pushes most. */
  best: "front" | "side" | "top";
  arrays: Array[];
}

export type AnyMessage =
  | MoveKeys
  | TurnKeys
  | PlaceKeys
  | FaceKeys
  | DragTangent
  | SetKeys
  | BackToTcb
  | ApplyEffect
  | InsertKey
  | DeleteKeys
  | PasteKeys
  | ShiftKey
  | MovePoints
  | DrawPoints
  | SetPath
  | SetMotion
  | SetSpeed
  | RaiseSpeed
  | InsertSpeed
  | DeleteSpeed
  | NudgeKey
  | TimeKey
  | AddActor
  | RemoveActor
  | RenameActor
  | SetActor
  | DefineEffect
  | SetScene
  | AddField
  | RemoveField
  | RenameField
  | SetField
  | MoveField
  | TurnField
  | StretchField
  | PlaceField
  | NameSensed
  | LinkActors
  | SetSplines
  | MoveSplines
  | KeepPointer
  | ShowFields
  | SetMovers
  | SetBodies
  | SetJoints
  | SetConnections
  | RemoveBody
  | MoveBodies
  | FaceBodies
  | SetGravity
  | AddMeeting
  | SetMeeting
  | SetGoal
  | ConnectMeetings
  | DisconnectMeetings
  | RemoveMeeting
  | CheckFormula
  | Undo
  | Redo
  | CancelGesture
  | New
  | Open
  | OpenExample
  | Save
  | Recover
  | Export
  | CancelExport
  | Play
  | Pause
  | Seek
  | Ping
  | Hello
  | Live
  | Point;

export type AnyEdit =
  | MoveKeys
  | TurnKeys
  | PlaceKeys
  | FaceKeys
  | DragTangent
  | SetKeys
  | BackToTcb
  | ApplyEffect
  | InsertKey
  | DeleteKeys
  | PasteKeys
  | ShiftKey
  | MovePoints
  | DrawPoints
  | SetPath
  | SetMotion
  | SetSpeed
  | RaiseSpeed
  | InsertSpeed
  | DeleteSpeed
  | NudgeKey
  | TimeKey
  | AddActor
  | RemoveActor
  | RenameActor
  | SetActor
  | DefineEffect
  | SetScene
  | AddField
  | RemoveField
  | RenameField
  | SetField
  | MoveField
  | TurnField
  | StretchField
  | PlaceField
  | NameSensed
  | LinkActors
  | SetSplines
  | MoveSplines
  | KeepPointer
  | SetMovers
  | SetBodies
  | SetJoints
  | SetConnections
  | RemoveBody
  | MoveBodies
  | FaceBodies
  | SetGravity
  | AddMeeting
  | SetMeeting
  | SetGoal
  | ConnectMeetings
  | DisconnectMeetings
  | RemoveMeeting;

export type AnyUpdate =
  | Scene
  | Done
  | Refused
  | Notice
  | Progress
  | Welcome
  | Transport
  | FormulaChecked
  | Collisions
  | MeetingEvents;

export type AnyNumbers =
  | Curve
  | Poses
  | Arrows;

/**
 * The claim protocol as a machine of small steps. A step is what one committed statement or transaction
 * does; between two steps anybody else may step, die, or be taken for dead. `explore` visits every state
 * that can be reached, so a property that holds here holds in every order of events within the bounds.
 *
 * The model knows one message. Effects live in the same database as the mark.
 */

/** What protects the protocol. Each can be taken away to see what it is good for. */
export const LAYERS = [
  "look", // our claim looks at the row first, holds it, and refuses a live claim
  "insertCheck", // our claim gives back what another program inserted after the look
  "ownerCheck", // our end of a message runs only while the row is still ours
  "oneTransaction", // our effects commit together with the mark
  "expiry", // a silent claim ends, and the reaper makes it visible
  "trigger", // the shared table refuses to take a live claim or to undo a success
  "uniqueEffect", // the same effect twice is one
] as const;
export type Layer = (typeof LAYERS)[number];

export interface Model {
  /** Our guarded workers. */
  readonly own: number;
  /** Programs that know only the given statements. */
  readonly foreign: number;
  /** Tries per actor. */
  readonly attempts: number;
  /** How often a claim may be taken for dead although its worker lives. */
  readonly falseExpiries: number;
  readonly mayCrash: boolean;
  readonly without: readonly Layer[];
}

type Status = "none" | "processing" | "success" | "failed";
type Place = "idle" | "looked" | "working" | "marking" | "ended";

interface Actor {
  place: Place;
  attempts: number;
}

interface State {
  status: Status;
  /** The index of the actor whose claim the row shows, -1 for none. */
  owner: number;
  /** Which try of that actor it was; a later try is another owner. */
  ownerTry: number;
  isLive: boolean;
  effects: number;
  actors: Actor[];
  expiries: number;
  /** Set by the step that must not happen; not part of what is remembered. */
  wrong: "success undone" | "live claim stolen" | null;
}

export type Finding = "double effect" | "success undone" | "live claim stolen" | "stuck";

export interface Exploration {
  readonly states: number;
  /** The shortest way to each thing that must not happen. */
  readonly found: ReadonlyMap<Finding, readonly string[]>;
}

export function explore(model: Model): Exploration {
  const protocol = createProtocol(model);
  const seen = new Map<string, number>();
  const states: State[] = [];
  const ways: { from: number; step: string }[] = [];
  const edges: number[][] = [];
  const found = new Map<Finding, string[]>();
  const pathTo = (target: number): string[] => {
    const path: string[] = [];
    for (let at = target; at > 0; at = ways[at]!.from) path.unshift(ways[at]!.step);
    return path;
  };
  const report = (finding: Finding, path: () => string[]) => {
    if (!found.has(finding)) found.set(finding, path());
  };
  const visit = (state: State, from: number, step: string): number => {
    const key = keyOf(state);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const index = states.push(state) - 1;
    seen.set(key, index);
    ways.push({ from, step });
    if (state.effects > 1) report("double effect", () => pathTo(index));
    return index;
  };
  visit(protocol.initial, -1, "");
  for (let index = 0; index < states.length; index += 1) {
    const next: number[] = [];
    protocol.steps(states[index]!, (step, state) => {
      if (state.wrong !== null) report(state.wrong, () => [...pathTo(index), step]);
      next.push(visit({ ...state, wrong: null }, index, step));
    });
    edges[index] = next;
  }
  const stuck = findStuck(model, states, edges);
  if (stuck >= 0) report("stuck", () => pathTo(stuck));
  return { states: states.length, found };
}

/** One random walk: each step with the status that the row then shows. */
export function walk(
  model: Model,
  random: () => number,
  length: number,
): { step: string; status: string }[] {
  const protocol = createProtocol(model);
  const path: { step: string; status: string }[] = [];
  let state = protocol.initial;
  while (path.length < length) {
    const next: { step: string; state: State }[] = [];
    // To see no row is no statement of its own; the two are taken together.
    protocol.steps(state, (step, to) => {
      if (!step.endsWith("sees no row")) next.push({ step, state: to });
      else
        protocol.steps(to, (second, end) => {
          if (second === `${step.split(" ")[0]} claims`) next.push({ step: second, state: end });
        });
    });
    if (next.length === 0) return path;
    const chosen = next[Math.floor(random() * next.length)]!;
    state = { ...chosen.state, wrong: null };
    path.push({ step: chosen.step, status: state.status });
  }
  return path;
}

/** A state with a worker of ours still to come from which no order of events leads to success. */
function findStuck(model: Model, states: readonly State[], edges: readonly number[][]): number {
  const before: number[][] = states.map(() => []);
  edges.forEach((next, index) => {
    for (const target of next) before[target]!.push(index);
  });
  const good = new Uint8Array(states.length);
  const open = states.flatMap((state, index) => (state.status === "success" ? [index] : []));
  for (const index of open) good[index] = 1;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const earlier of before[index]!) {
      if (good[earlier] === 1) continue;
      good[earlier] = 1;
      open.push(earlier);
    }
  }
  return states.findIndex(
    (state, index) =>
      good[index] === 0 &&
      state.actors.slice(0, model.own).some((a) => a.place === "idle" && a.attempts > 0),
  );
}

function keyOf(state: State): string {
  const { status, owner, ownerTry, isLive, effects, actors, expiries } = state;
  let key = `${status[0]}${owner}${ownerTry}${isLive ? 1 : 0}${effects}${expiries}`;
  for (const actor of actors) key += actor.place[0]! + actor.attempts;
  return key;
}

type Emit = (step: string, next: State) => void;

function createProtocol(model: Model) {
  const has = (layer: Layer) => !model.without.includes(layer);
  const isOwn = (actor: number) => actor < model.own;
  const nameOf = (actor: number) => (isOwn(actor) ? `own${actor}` : `dag${actor - model.own}`);

  const change = (
    state: State,
    actor: number,
    place: Place,
    edit?: (next: State) => void,
  ): State => {
    const actors = state.actors.map((a, i) => (i === actor ? { ...a, place } : a));
    const next = { ...state, actors };
    edit?.(next);
    return next;
  };
  const owns = (state: State, actor: number) =>
    state.owner === actor && state.ownerTry === state.actors[actor]!.attempts;
  const addEffect = (next: State) => {
    next.effects = has("uniqueEffect") ? 1 : Math.min(2, next.effects + 1);
  };
  const setStatus = (next: State, status: Status) => {
    if (next.status === "success" && has("trigger")) return;
    if (next.status === "success" && status !== "success") next.wrong = "success undone";
    next.status = status;
  };
  const take = (actor: number) => (next: State) => {
    const isTheft =
      next.status === "processing" && next.isLive && next.owner !== actor && isOwn(actor);
    if (isTheft) next.wrong = "live claim stolen";
    next.status = "processing";
    next.owner = actor;
    next.ownerTry = next.actors[actor]!.attempts;
    next.isLive = true;
  };
  /** Whether the given claim statement would change the row. */
  const wouldTake = (state: State) =>
    state.status !== "success" &&
    !(has("trigger") && state.status === "processing" && state.isLive);

  /** Spends a try; what follows is that try's. */
  const begin = (state: State, actor: number): State => ({
    ...state,
    actors: state.actors.map((a, i) => (i === actor ? { ...a, attempts: a.attempts - 1 } : a)),
  });

  const claimOwn = (before: State, actor: number, emit: Emit) => {
    const name = nameOf(actor);
    const state = begin(before, actor);
    if (!has("look")) {
      if (wouldTake(state)) emit(`${name} claims`, change(state, actor, "working", take(actor)));
      else emit(`${name} is refused`, change(state, actor, "idle"));
      return;
    }
    // The row is held from the look to the commit, so a row that exists is one step.
    if (state.status === "none") emit(`${name} sees no row`, change(state, actor, "looked"));
    else if (state.status === "processing" && state.isLive) {
      emit(`${name} sees a live claim`, change(state, actor, "idle"));
    } else emit(`${name} claims`, change(state, actor, "working", take(actor)));
  };

  const claimAfterNoRow = (state: State, actor: number, emit: Emit) => {
    const name = nameOf(actor);
    const wasInserted = state.status === "none";
    if (wasInserted || (wouldTake(state) && !has("insertCheck"))) {
      emit(`${name} claims`, change(state, actor, "working", take(actor)));
    } else emit(`${name} gives back`, change(state, actor, "idle"));
  };

  const endOwn = (state: State, actor: number, emit: Emit) => {
    const name = nameOf(actor);
    if (has("ownerCheck") && !(owns(state, actor) && state.status === "processing")) {
      emit(`${name} is fenced`, change(state, actor, "idle"));
      return;
    }
    if (has("oneTransaction")) {
      const finish = (next: State) => {
        addEffect(next);
        setStatus(next, "success");
      };
      emit(`${name} finishes`, change(state, actor, "ended", finish));
    } else emit(`${name} writes its effect`, change(state, actor, "marking", addEffect));
    emit(
      `${name} fails`,
      change(state, actor, "idle", (next) => setStatus(next, "failed")),
    );
  };

  const stepOwn = (state: State, actor: number, emit: Emit) => {
    const { place, attempts } = state.actors[actor]!;
    if (place === "idle" && state.status === "success") return;
    if (place === "idle" && attempts > 0) claimOwn(state, actor, emit);
    if (place === "looked") claimAfterNoRow(state, actor, emit);
    if (place === "working") endOwn(state, actor, emit);
    if (place === "marking") mark(state, actor, emit);
  };

  const mark = (state: State, actor: number, emit: Emit) =>
    emit(
      `${nameOf(actor)} marks success`,
      change(state, actor, "ended", (next) => setStatus(next, "success")),
    );

  const stepForeign = (state: State, actor: number, emit: Emit) => {
    const name = nameOf(actor);
    const { place, attempts } = state.actors[actor]!;
    if (place === "idle" && state.status !== "success" && attempts > 0) {
      const begun = begin(state, actor);
      if (wouldTake(begun)) emit(`${name} claims`, change(begun, actor, "working", take(actor)));
      else emit(`${name} is refused`, change(begun, actor, "idle"));
    }
    if (place === "working") {
      emit(`${name} writes its effect`, change(state, actor, "marking", addEffect));
      emit(
        `${name} fails`,
        change(state, actor, "idle", (next) => setStatus(next, "failed")),
      );
    }
    if (place === "marking") mark(state, actor, emit);
  };

  const stepWorld = (state: State, emit: Emit) => {
    state.actors.forEach(({ place }, actor) => {
      if (model.mayCrash && place !== "idle" && place !== "ended") {
        emit(`${nameOf(actor)} dies`, change(state, actor, "idle"));
      }
    });
    if (!has("expiry") || state.status !== "processing") return;
    if (state.isLive) {
      const isWorking = owns(state, state.owner) && state.actors[state.owner]!.place !== "idle";
      if (!isWorking) emit("a dead claim expires", { ...state, isLive: false });
      else if (state.expiries > 0) {
        emit("a live claim expires", { ...state, isLive: false, expiries: state.expiries - 1 });
      }
    } else emit("the reaper comes", { ...state, status: "failed" });
  };

  const count = model.own + model.foreign;
  const initial: State = {
    status: "none",
    owner: -1,
    ownerTry: 0,
    isLive: false,
    effects: 0,
    actors: Array.from({ length: count }, () => ({ place: "idle", attempts: model.attempts })),
    expiries: model.falseExpiries,
    wrong: null,
  };
  const steps = (state: State, emit: Emit) => {
    for (let actor = 0; actor < count; actor += 1) {
      if (isOwn(actor)) stepOwn(state, actor, emit);
      else stepForeign(state, actor, emit);
    }
    stepWorld(state, emit);
  };
  return { initial, steps };
}

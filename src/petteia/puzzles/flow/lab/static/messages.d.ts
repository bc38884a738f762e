// Written by python -m petteia.web.messages.typescript from the types of the server.

import type { Asked, Ears } from "/static/messages.js";

/** A puzzle and the paths that are drawn on it. */
export interface Drawn {
	text: string;
	paths?: string[][];
	rule?: string;
}

/** A cell of a puzzle. */
export interface FlowCell {
	id: string;
	x: number;
	y: number;
	dot: string | null;
	bridge: boolean;
	ways: Record<string, string>;
}

/** Whether a drawing is a solution, and what is wrong with it. */
export interface FlowChecked {
	solved: boolean;
	faults: string[];
	covered: number;
}

/** What can be asked for. */
export interface FlowChoices {
	rules: object;
	engines: Record<string, string>;
	watched: string[];
	boards: string[];
	formats: string[];
	kinds: string[];
}

/** A colour of a puzzle: its letter, how it is drawn, its two dots. */
export interface FlowColour {
	letter: string;
	paint: string;
	ink: string;
	dots: string[];
}

/** A watched solver is done, or was stopped. */
export interface FlowEnded {
	ended: boolean;
}

/** A step of a watched solver; see ``trace.trace``. */
export interface FlowEvent {
	step: number;
	event: string;
	cell: string | null;
	value: string | null;
	why: string;
	depth: number;
	counts: object;
	colours: Record<string, string | null>;
	links: ([string, string])[] | null;
	domains?: any;
}

/** Some steps of a watched solver. */
export interface FlowEvents {
	events: FlowEvent[];
}

/** The next sure step with its reason, or what cannot stay. */
export interface FlowHint {
	kind: string;
	reason: string;
	text: string;
	link: string[] | null;
	cells: string[];
	paths: string[][];
}

/** A puzzle, and what was drawn on it; a made one with how it was made. */
export interface FlowPuzzle {
	text: string;
	width: number;
	height: number;
	grid: string;
	cells: FlowCell[];
	walls: string[][];
	colours: FlowColour[];
	paths: string[][];
	rule?: string;
	seed?: number;
	attempts?: number;
	difficulty?: string | null;
}

/** The answer of an engine. */
export interface FlowSolved {
	rule: string;
	engine: string;
	status: string;
	unique: boolean | null;
	milliseconds: number;
	counts: object;
	paths: string[][];
}

/** A puzzle as text. */
export interface FlowText {
	text: string;
}

/** A puzzle in every format. */
export interface FlowTexts {
	texts: Record<string, string>;
}

/** A puzzle to be made. */
export interface NewPuzzle {
	width?: number;
	height?: number;
	colours?: number | null;
	difficulty?: string | null;
	kind?: string;
	seed?: number;
	rule?: string;
}

/** A puzzle and the engine that solves it. */
export interface SolvedBy {
	text: string;
	engine?: string;
	rule?: string;
}

/** Show me this solver step by step. */
export interface WatchSolver {
	text: string;
	engine?: string;
	rule?: string;
	id: number;
	do: "flow";
}

declare module "/static/messages.js" {
	/** Asks a route; the answer is of its type. */
	interface Ask {
		(path: `/api/flow/check`, asked: Drawn): Promise<FlowChecked>;
		(path: `/api/flow/hint`, asked: Drawn): Promise<FlowHint>;
		(path: `/api/flow/new`, asked: NewPuzzle): Promise<FlowPuzzle>;
		(path: `/api/flow/read`, asked: FlowText): Promise<FlowPuzzle>;
		(path: `/api/flow/solve`, asked: SolvedBy): Promise<FlowSolved>;
		(path: `/api/flow/texts`, asked: FlowText): Promise<FlowTexts>;
		(path: `/api/flow`): Promise<FlowChoices>;
	}

	/** Begins something; its news are of its types. */
	interface Listen {
		(message: Asked<WatchSolver>, ears: Ears<FlowEvents, FlowEnded>, again?: boolean): () => void;
	}
}

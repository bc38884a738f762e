// @ts-check
// One board for every game: cells, pieces on them, and moves that are paths over cells. What it
// looks like comes from the server as a scene, with all places; here people move on it.

import {
	WAYS,
	add,
	announce,
	beside,
	button,
	capital,
	cellUnder,
	follow,
	h,
	put,
	s,
} from "./dom.js";

/**
 * @typedef {import("./messages.js").Piece} Piece
 * @typedef {import("./messages.js").Action} Action
 * @typedef {import("./messages.js").View} View
 * @typedef {Side["board"]} Primitive
 * @typedef {import("./messages.js").Sign} Sign
 * @typedef {import("./messages.js").SceneSide} Side
 * @typedef {import("./messages.js").Scene} Scene
 * @typedef {{path: string[], kind: string, text?: string}} Arrow
 * @typedef {[number, number]} Place
 */

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The last thing that was used: keys that move on the board wait for the keyboard. */
let byKeyboard = false;
addEventListener(
	"keydown",
	(event) => {
		if (event.key === "Tab" || event.key in WAYS) byKeyboard = true;
	},
	true,
);
addEventListener("pointerdown", () => (byKeyboard = false), true);

export class Board {
	/** @param {{names?: string[], onMove?: (action: Action) => void, onCell?: (id: string) => void, why?: () => string, still?: boolean}} [given] ``why`` tells why nothing can be moved */
	constructor(given = {}) {
		this.given = given;
		this.names = given.names ?? ["first", "second"];
		this.flip = false;
		/** @type {View | null} */
		this.view = null;
		/** @type {Action[]} */
		this.actions = [];
		/** @type {string[]} the cells of a move that are chosen already */
		this.prefix = [];
		/** @type {string[][]} parts of a move that are made already */
		this.made = [];
		this.focused = "";
		/** @type {Map<string, Place>} */
		this.places = new Map();
		/** @type {Map<string, Place[]>} where pieces stand on a cell */
		this.slots = new Map();
		/** @type {Map<string, Piece[]>} */
		this.byCell = new Map();
		/** @type {Arrow[]} */
		this.arrows = [];
		/** @type {Record<string, number>[]} shades of pieces, and of cells */
		this.heat = [];
		this.over = s("g.layers", { "aria-hidden": "true" });
		this.svg = s("svg.board", { role: "group", "aria-label": "board" });
		this.choice = h("div.choice", { role: "group", hidden: true });
		this.element = h("div.board-box", this.svg, this.choice);
		this.svg.addEventListener("pointerdown", (event) => this.#down(event));
		this.svg.addEventListener("keydown", (event) => this.#key(event));
	}

	/** Draws a position; ``actions`` are the moves that the visitor may make now. @param {View} view @param {{actions?: Action[], moved?: string[], taken?: Piece[]}} [how] */
	show(view, { actions = [], moved = [], taken = [] } = {}) {
		const ghosts = taken.flatMap((piece) => this.#drawnOn(piece.cell, piece.owner));
		this.view = view;
		this.actions = actions;
		this.prefix = [];
		this.made = [];
		this.choice.hidden = true;
		this.#draw();
		if (!still() && !this.given.still) this.#animate(moved, ghosts);
	}

	/** Only to be looked at: nothing on it can be reached by keys. */
	asPicture() {
		this.svg.setAttribute("aria-hidden", "true");
		for (const cell of this.svg.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex");
	}

	/** Turns the board around. */
	turn() {
		this.flip = !this.flip;
		this.#draw();
	}

	/** Arrows and shades over the board. @param {{arrows?: Arrow[], heat?: Record<string, number>, marks?: Record<string, number>}} layer */
	layer({ arrows = [], heat = {}, marks = {} }) {
		this.arrows = arrows;
		this.heat = [heat, marks];
		this.#layers();
	}

	// --- drawing ---

	/** Where a cell lies. @param {string} id @returns {Place} */
	#at(id) {
		return this.places.get(id) ?? [0, 0];
	}

	/** The pieces drawn on a cell, all or a player's. @param {string} id @param {number} [owner] @returns {SVGGElement[]} */
	#drawnOn(id, owner) {
		const whose = owner === undefined ? "" : `.p${owner}`;
		return [...this.svg.querySelectorAll(`.piece${whose}[data-on="${CSS.escape(id)}"]`)];
	}

	#draw() {
		const view = this.view;
		if (!view) return;
		const hadFocus = this.svg.contains(document.activeElement);
		const { sides, symbols } = view.scene,
			side = sides[Number(this.flip)];
		this.places = new Map(side.cells.map(([, x, y, id]) => [id, [x, y]]));
		this.slots = new Map(side.cells.map(([name, , , id]) => [id, symbols[name].slots ?? [[0, 0]]]));
		this.byCell = new Map(view.cells.map((cell) => [cell.id, []]));
		for (const piece of view.pieces)
			if (piece.count > 0) this.byCell.get(piece.cell)?.push({ ...piece });
		this.svg.setAttribute("viewBox", side.box.join(" "));
		this.svg.setAttribute("aria-label", `board: ${view.status}`);
		this.element.style.setProperty("--ratio", String(side.box[2] / side.box[3]));

		const cells = side.cells.map(([name, x, y, id]) =>
			s(
				"g",
				{
					class: `${symbols[name].kind}${view.last.includes(id) ? " last" : ""}`,
					"data-cell": id,
					transform: `translate(${x} ${y})`,
					role: "button",
					tabindex: -1,
				},
				s("title", id),
				drawn(symbols[name].parts, id),
				drawn([symbols[name].ring]),
				s("circle.dot"),
			),
		);
		const words = side.labels.map(([name, x, y, text]) =>
			s("g", { transform: `translate(${x} ${y})` }, drawn(symbols[name].parts, text)),
		);
		const pieces = side.pieces.map(([name, x, y, on, scale, count]) =>
			s(
				"g",
				{
					class: symbols[name].kind,
					"data-on": on,
					transform: `translate(${x} ${y}) scale(${scale})`,
				},
				s("g.lift", drawn(symbols[name].parts), this.#badge(count)),
			),
		);
		put(
			this.svg,
			drawn([side.board]),
			s("g.cells", cells),
			s("g.words", { "aria-hidden": "true" }, words),
			s("g.pieces", { "aria-hidden": "true" }, pieces),
			this.over,
		);
		for (const part of this.made) this.#shift(part);
		this.#mark();
		this.#layers();
		if (hadFocus) this.#focus(this.focused, true);
	}

	/** The number on a heap. @param {number} count of its pieces; 0 if it is not to be seen */
	#badge(count) {
		const { symbols } = /** @type {View} */ (this.view).scene;
		return count ? s("g.badge", drawn(symbols.badge.parts, count)) : null;
	}

	/** Draws a part of a move that is not made yet: its piece goes to the other cell's heap. @param {string[]} part */
	#shift([from, to]) {
		const view = /** @type {View} */ (this.view);
		const heap = this.byCell.get(from)?.find(({ owner }) => owner === (view.mover ?? owner)),
			there = this.byCell.get(to);
		const moved = heap && this.#drawnOn(from, heap.owner).at(-1);
		if (!moved || !there) return;
		const own = there.filter((piece) => piece.owner === heap.owner);
		for (const piece of there)
			if (piece !== own[0]) for (const each of this.#drawnOn(to, piece.owner)) each.remove();
		heap.count -= 1;
		this.byCell.set(from, this.byCell.get(from)?.filter(({ count }) => count > 0) ?? []);
		if (own.length) own[0].count += 1;
		this.byCell.set(to, own.length ? own : [{ ...heap, cell: to, count: 1 }]);

		const [x, y] = this.#at(to),
			[dx, dy] = slotFor(this.slots.get(to), this.#drawnOn(to).length);
		moved.dataset.on = to;
		moved.setAttribute("transform", `translate(${x + dx} ${y + dy})`);
		moved.parentElement?.append(moved);
		for (const cell of [from, to]) {
			const figures = this.#drawnOn(cell, heap.owner),
				top = figures.at(-1)?.firstElementChild;
			const count = this.byCell.get(cell)?.find(({ owner }) => owner === heap.owner)?.count ?? 0;
			for (const figure of figures) figure.querySelector(".badge")?.remove();
			if (top && count >= view.scene.counted) add(top, this.#badge(count));
		}
	}

	/** Marks what can be moved, what is chosen, where it can go; and says so. */
	#mark() {
		const sources = this.#options([]);
		const targets = this.prefix.length ? this.#options(this.prefix) : new Map();
		let first = "";
		this.svg.classList.remove("refused");
		for (const cell of /** @type {NodeListOf<SVGElement>} */ (this.svg.querySelectorAll(".cell"))) {
			const id = cell.dataset.cell ?? "",
				isChosen = this.prefix.includes(id);
			const isSource = sources.has(id),
				isTarget = targets.has(id);
			if (!first && (isSource || this.given.onCell)) first = id;
			cell.classList.toggle("source", isSource);
			cell.classList.toggle(
				"drop",
				!this.prefix.length && (sources.get(id) ?? []).some((action) => action.path.length === 1),
			);
			cell.classList.toggle("chosen", isChosen);
			cell.classList.toggle("target", isTarget);
			const count = this.#drawnOn(id).length;
			cell.classList.toggle("full", count > 0);
			const [cx, cy] = slotFor(this.slots.get(id), this.view?.scene.tall ? count : 0);
			const dot = /** @type {SVGElement} */ (cell.lastElementChild);
			dot.setAttribute("cx", String(cx));
			dot.setAttribute("cy", String(cy));
			cell.ariaLabel = this.#name(id, isSource, isTarget);
			cell.ariaPressed = isChosen ? "true" : null;
		}
		if (!this.places.has(this.focused)) this.focused = first || this.view?.cells[0]?.id || "";
		this.#focus(this.focused, false);
	}

	#name(id, isSource, isTarget) {
		const pieces = (this.byCell.get(id) ?? []).map(
			(piece) =>
				`${this.names[piece.owner] ?? ""} ${piece.kind}${piece.count > 1 ? ` times ${piece.count}` : ""}`,
		);
		const words = [id, pieces.join(" and ") || "empty"];
		if (isTarget) words.push("can go here");
		else if (isSource && !this.prefix.length) words.push("can move");
		return words.join(", ");
	}

	#layers() {
		const parts = this.heat.flatMap((layer, i) =>
			Object.entries(layer)
				.filter(([id]) => this.places.has(id))
				.map(([id, share]) => {
					const [cx, cy] = this.#at(id),
						size = Math.abs(share) / Math.max(...Object.values(layer).map(Math.abs));
					return s("circle", {
						class: `heat ${i ? "move" : "stone"} ${share < 0 ? "less" : "more"}`,
						cx,
						cy,
						r: i ? 4 + 9 * size : 24,
						"stroke-width": i ? 3 : 2 + 7 * size,
					});
				}),
		);
		for (const arrow of this.arrows) {
			const points = arrow.path.filter((id) => this.places.has(id)).map((id) => this.#at(id));
			if (!points.length) continue;
			const end = points[points.length - 1];
			if (points.length === 1) {
				parts.push(s("circle", { class: `spot ${arrow.kind}`, cx: end[0], cy: end[1], r: 22 }));
			} else {
				const before = points[points.length - 2];
				const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
				const beside = ([x, y], far, turn = 0) =>
					/** @type {Place} */ ([
						x + far * Math.cos(angle + turn),
						y + far * Math.sin(angle + turn),
					]);
				const path = (list) =>
					`M${list.map((at) => at.map((each) => each.toFixed(1)).join(" ")).join("L")}`;
				const tip = beside(end, -12);
				parts.push(
					s(
						"g",
						{ class: `arrow ${arrow.kind}` },
						s("path.shaft", { d: path([...points.slice(0, -1), tip]) }),
						s("path.head", { d: `${path([end, beside(tip, 17, 2.2), beside(tip, 17, -2.2)])}Z` }),
					),
				);
			}
			if (arrow.text)
				parts.push(
					s(
						"text",
						{ class: `arrow-text ${arrow.kind}`, x: end[0], y: end[1] + 6, "font-size": 17 },
						arrow.text,
					),
				);
		}
		put(this.over, parts);
	}

	/** A piece slides along its path; what it took fades. @param {string[]} path @param {SVGGElement[]} ghosts */
	#animate(path, ghosts) {
		const places = path.filter((id) => this.places.has(id)).map((id) => this.#at(id));
		if (places.length > 1) {
			const [x, y] = places[places.length - 1];
			const frames = places.map((at) => ({
				transform: `translate(${at[0] - x}px, ${at[1] - y}px)`,
			}));
			this.#drawnOn(path[path.length - 1])
				.at(-1)
				?.firstElementChild?.animate(frames, {
					duration: 150 * Math.min(3, Math.max(1, (places.length - 1) / 2)),
					easing: "ease-in-out",
				});
		}
		for (const ghost of ghosts) {
			delete ghost.dataset.on;
			ghost.classList.add("ghost");
			this.svg.querySelector(".pieces")?.prepend(ghost);
			const fading = ghost.firstElementChild?.animate([{ opacity: 1 }, { opacity: 0 }], {
				duration: 260,
				fill: "forwards",
			});
			fading?.addEventListener("finish", () => ghost.remove());
		}
	}

	// --- moving ---

	/** The cells that can be chosen next, each with the moves that are still meant. @param {string[]} prefix @returns {Map<string, Action[]>} */
	#options(prefix) {
		/** @type {Map<string, Action[]>} */
		const found = new Map();
		/** @param {string} id @param {Action} action */
		const offer = (id, action) => found.set(id, [...new Set([...(found.get(id) ?? []), action])]);
		for (const action of this.actions) {
			for (const way of left(action, this.made) ?? []) {
				if (!prefix.length && way.length) offer(way[0], action);
				else if (leads(prefix, way)) offer(way[way.length - 1], action);
			}
		}
		// Where the end does not say which way was meant, the cells between do.
		for (const [end, list] of prefix.length ? [...found] : []) {
			for (const action of list) {
				if (action.parts?.length) continue;
				const from = action.path.lastIndexOf(prefix[prefix.length - 1], action.path.length - 2);
				for (const id of action.path.slice(from + 1, -1)) {
					const through = list.filter((each) => each.path.includes(id));
					if (through.length < list.length && id !== end)
						for (const each of through) offer(id, each);
				}
			}
		}
		return found;
	}

	/** A cell was clicked, or reached by keys. @param {string} id */
	pick(id) {
		if (this.given.onCell) return this.given.onCell(id);
		if (this.prefix.length) {
			const meant = this.#options(this.prefix).get(id);
			if (meant?.some((action) => action.parts?.length)) return this.#part([this.prefix[0], id]);
			if (meant) {
				const ending = meant.filter((action) => action.path[action.path.length - 1] === id);
				if (meant.length === 1) return this.#make(meant[0]);
				if (ending.length === meant.length) return this.#offer(ending, id);
				this.prefix = [...this.prefix, id];
				this.#mark();
				announce(`${id}; choose the next cell`);
				return;
			}
		}
		const [from] = this.prefix,
			again = from === id;
		this.prefix = [];
		this.choice.hidden = true;
		const sources = this.#options([]).get(id);
		if (!sources && this.#restart()) return;
		if (sources && !again) {
			const single = sources.filter((action) => action.path.length === 1);
			if (single.length === 1 && sources.length === 1) return this.#make(single[0]);
			if (single.length) this.#offer(single, id);
			if (single.length < sources.length) {
				this.prefix = [id];
				announce(`${id} chosen; it can go to ${[...this.#options([id]).keys()].join(", ")}`);
			}
		}
		this.#mark();
		if (!sources) this.#refuse(id, from);
	}

	/** Says beside a cell why nothing can be done there. @param {string} id @param {string} [from] the piece that was to go there */
	#refuse(id, from) {
		const view = /** @type {View} */ (this.view),
			[piece] = this.byCell.get(id) ?? [];
		let why = "";
		if (!this.actions.length) why = this.given.why?.() ?? "";
		else if (from) why = view.forced || `${from} cannot go to ${id}`;
		else if (piece && view.mover !== null && piece.owner !== view.mover)
			why = `it is the turn of ${this.names[view.mover]}`;
		else if (piece) why = view.forced || `${id} has no legal move now`;
		if (!why) return;
		put(this.choice, h("span.refusal", capital(why)));
		beside(this.choice, id);
		this.svg.classList.add("refused");
		announce(why);
	}

	/** One piece of a move of several was moved: the move is made when nothing is left of it. @param {string[]} part */
	#part(part) {
		this.made = [...this.made, part];
		const whole = this.actions.find((action) => left(action, this.made)?.length === 0);
		if (whole) return this.#make(whole);
		this.prefix = [];
		this.#draw();
		announce(`${part[0]} to ${part[1]}; choose the next piece, or Escape to take it back`);
	}

	/** Takes the parts of an unfinished move back. */
	#restart() {
		if (!this.made.length) return false;
		this.made = [];
		this.prefix = [];
		this.#draw();
		return true;
	}

	/** @param {Action} action */
	#make(action) {
		this.prefix = [];
		this.choice.hidden = true;
		this.#mark();
		this.given.onMove?.(action);
	}

	/** Several moves end here: a small menu. @param {Action[]} actions @param {string} id */
	#offer(actions, id) {
		put(
			this.choice,
			actions.map((action) => button(action.move, () => this.#make(action))),
		);
		this.choice.setAttribute("aria-label", `moves at ${id}`);
		beside(this.choice, id);
		if (byKeyboard) this.choice.querySelector("button")?.focus();
	}

	#down(event) {
		const start = cellUnder(event);
		if (!start || event.button) return;
		event.preventDefault();
		if (this.prefix.length && this.#options(this.prefix).has(start)) return this.pick(start);
		const lifts = this.#options([])
			.get(start)
			?.some((action) => action.path.length > 1);
		this.pick(start);
		if (!lifts || this.prefix[0] !== start) return;
		const piece = this.#drawnOn(start).at(-1),
			matrix = piece?.getScreenCTM();
		const lift = /** @type {SVGElement | null} */ (piece?.firstElementChild ?? null);
		let moved = false;
		follow(
			(now) => {
				const [dx, dy] = [now.clientX - event.clientX, now.clientY - event.clientY];
				if (!moved && Math.hypot(dx, dy) < 5) return;
				moved = true;
				if (!piece || !lift || !matrix) return;
				lift.style.transform = `translate(${dx / matrix.a}px, ${dy / matrix.d}px)`;
				piece.classList.add("dragged");
				piece.parentElement?.append(piece);
			},
			(now) => {
				if (lift) lift.style.transform = "";
				piece?.classList.remove("dragged");
				if (!moved || now.type === "pointercancel") return;
				const end = cellUnder(now);
				if (!end || end === start) return;
				if (this.#options(this.prefix).has(end)) return this.pick(end);
				this.prefix = []; // it can be dragged again
				this.#mark();
				this.#refuse(end, start);
			},
		);
	}

	// --- keys ---

	#focus(id, really) {
		for (const cell of this.svg.querySelectorAll('.cell[tabindex="0"]'))
			cell.setAttribute("tabindex", "-1");
		const cell = /** @type {SVGElement | null} */ (
			this.svg.querySelector(`.cell[data-cell="${CSS.escape(id)}"]`)
		);
		cell?.setAttribute("tabindex", "0");
		this.focused = id;
		if (really) cell?.focus({ preventScroll: true });
	}

	#key(event) {
		const way = WAYS[event.key];
		if (way) {
			event.preventDefault();
			event.stopPropagation();
			const next = this.#neighbour(way);
			if (next) this.#focus(next, true);
		} else if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			this.pick(this.focused);
		} else if (event.key === "Escape") {
			if (!this.prefix.length) this.#restart();
			this.prefix = [];
			this.choice.hidden = true;
			this.#mark();
		}
	}

	/** The nearest cell in a direction. @param {[number, number]} way */
	#neighbour([dx, dy]) {
		const here = this.#at(this.focused);
		let best = null,
			least = Infinity;
		for (const [id, [x, y]] of this.places) {
			const ahead = (x - here[0]) * dx + (y - here[1]) * dy;
			const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
			if (ahead > 1 && ahead + 2.2 * aside < least) [best, least] = [id, ahead + 2.2 * aside];
		}
		return best;
	}
}

/** What is left of a move of several pieces after some parts of it; null if they are not its parts. @param {Action} action @param {string[][]} made */
function left(action, made) {
	const open = action.parts?.length ? [...action.parts] : [action.path];
	for (const part of made) {
		const at = open.findIndex((each) => each[0] === part[0] && each[each.length - 1] === part[1]);
		if (at < 0) return null;
		open.splice(at, 1);
	}
	return open;
}

/** Whether cells lie on a way in this order, from its beginning and not yet to its end. @param {string[]} cells @param {string[]} way */
function leads(cells, way) {
	let at = -1;
	return (
		cells[0] === way[0] &&
		cells.every((id) => (at = way.indexOf(id, at + 1)) >= 0) &&
		at < way.length - 1
	);
}

/** The slot of a cell for a piece on so many others. @param {Place[] | undefined} slots @param {number} below @returns {Place} */
const slotFor = (slots = [], below) => slots[Math.min(below, slots.length - 1)] ?? [0, 0];

/** The elements of a symbol. @param {(Primitive | undefined)[]} parts @param {string | number} [text] for those without their own */
const drawn = (parts, text = "") =>
	parts.map((part) => part && s(part[0], part[1], part[0] === "text" && (part[2] ?? text)));

/** A die. @param {View} view @param {number} value */
export const die = (view, value) =>
	s(
		"svg.die",
		{ viewBox: "-15 -15 30 30", role: "img", "aria-label": `die: ${value}` },
		drawn(view.scene.symbols[`die ${value}`].parts),
	);

/** The attributes by which pieces take the colours that players are named after. @param {string[]} names */
export const colours = ([first, second]) => ({ "data-c0": first, "data-c1": second });

/** Pieces that one view has and the next has not, on cells that the move passed: they were taken. @param {View | null} before @param {View} after @returns {Piece[]} */
export function takenBetween(before, after) {
	if (!before) return [];
	const owners = new Map(after.pieces.map((piece) => [piece.cell, piece.owner]));
	const counts = [0, 1].map((owner) =>
		[before, after].map((view) =>
			view.pieces
				.filter((piece) => piece.owner === owner)
				.reduce((sum, piece) => sum + piece.count, 0),
		),
	);
	return before.pieces.filter(
		(piece) =>
			counts[piece.owner]?.[1] < counts[piece.owner]?.[0] && owners.get(piece.cell) !== piece.owner,
	);
}

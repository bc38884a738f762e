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
import { drawn, fade, slide, slotFor, upright } from "./figures.js";
import { arrowParts, heatParts, wayParts } from "./layers.js";
import { left, neighbour, options, usedDice } from "./paths.js";
import { moves } from "./wishes.js";

/**
 * @import { Arrow, Place } from "./layers.js"
 * @import { Action, Piece, SceneSide, View } from "./messages.js"
 */

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
	/** @param {{names?: string[], onMove?: (action: Action) => void, onCell?: (id: string) => void, onPart?: () => void, why?: () => string, still?: boolean}} [given] ``onPart`` hears of parts of a move that are made or taken back, ``why`` tells why nothing can be moved */
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
		/** whether a move was made whose position has not come yet */
		this.isSent = false;
		this.focused = "";
		/** @type {Map<string, Place>} */
		this.places = new Map();
		/** @type {Map<string, Place[]>} where pieces stand on a cell */
		this.slots = new Map();
		/** @type {Map<string, Piece[]>} */
		this.byCell = new Map();
		/** @type {Arrow[]} */
		this.arrows = [];
		/** @type {string[]} the cells that a piece has before it */
		this.way = [];
		/** @type {Record<string, number>[]} shades of pieces, and of cells */
		this.heat = [];
		this.over = s("g.layers", { "aria-hidden": "true" });
		this.svg = s("svg.board", { role: "group", "aria-label": "board" });
		this.choice = h("div.choice", { role: "group", hidden: true });
		/** in place of the board where a game has no picture; the panel says the same aloud */
		this.words = h("div.board-words", { "aria-hidden": "true" });
		this.element = h("div.board-box", this.svg, this.words, this.choice);
		this.svg.addEventListener("pointerdown", (event) => this.#down(event));
		this.svg.addEventListener("keydown", (event) => this.#key(event));
		// Not at the picture itself, which a listener would make a stop for the Tab key.
		for (const name of ["pointerover", "focusin"])
			this.element.addEventListener(name, (event) =>
				this.#showWay(event.target.closest("[data-cell]")?.dataset.cell ?? ""),
			);
		this.element.addEventListener("pointerleave", () => this.#showWay(""));
	}

	/** Draws a position; ``actions`` are the moves that the visitor may make now. @param {View} view @param {{actions?: Action[], moved?: string[], taken?: Piece[]}} [how] */
	show(view, { actions = [], moved = [], taken = [] } = {}) {
		const ghosts = taken.flatMap((piece) => this.#drawnOn(piece.cell, piece.owner));
		const named = (/** @type {Action[]} */ list) => list.map(({ move }) => move).join();
		// News of the same position may come while somebody is about to move.
		const isSame = this.view?.text === view.text && named(this.actions) === named(actions);
		if (!isSame || this.isSent) {
			this.isSent = false;
			this.prefix = [];
			this.made = [];
			this.choice.hidden = true;
		}
		this.view = view;
		this.actions = actions;
		this.#draw();
		if (!moves() || this.given.still) return;
		slide(this.#drawnOn(moved[moved.length - 1] ?? "").at(-1), moved, this.places);
		fade(ghosts, this.svg.querySelector(".pieces"));
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
			whole = sides[Number(this.flip)],
			side = this.given.still ? whole : upright(whole, view.scene.tall);
		this.places = new Map(side.cells.map(([, x, y, id]) => [id, [x, y]]));
		this.slots = new Map(side.cells.map(([name, , , id]) => [id, symbols[name].slots ?? [[0, 0]]]));
		this.byCell = new Map(view.cells.map((cell) => [cell.id, []]));
		for (const piece of view.pieces)
			if (piece.count > 0) this.byCell.get(piece.cell)?.push({ ...piece });
		this.svg.setAttribute("viewBox", side.box.join(" "));
		this.svg.setAttribute("aria-label", `board: ${view.status}`);
		this.element.classList.toggle("bare", !view.cells.length);
		this.words.textContent = view.cells.length ? "" : capital(view.status);
		this.element.classList.toggle("standing", side.box[2] < 0.6 * side.box[3]);
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
			s("g.props", { "aria-hidden": "true" }, this.#props(side.props)),
			this.over,
		);
		for (const part of this.made) this.#shift(part);
		this.#mark();
		this.#layers();
		if (hadFocus) this.#focus(this.focused, true);
	}

	/** Dice and cube; dice that parts of a move have used are faint. @param {SceneSide["props"]} props */
	#props(props) {
		const { symbols } = /** @type {View} */ (this.view).scene,
			spent = usedDice(this.view?.dice ?? [], this.made);
		return props.map(([name, x, y, what, scale], i) =>
			s(
				"g",
				{
					class: `${symbols[name].kind} prop${what === "die" && spent.has(i) ? " spent" : ""}`,
					transform: `translate(${x} ${y}) scale(${scale})`,
				},
				s("g.lift", drawn(symbols[name].parts)),
			),
		);
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
		put(
			this.over,
			heatParts(this.heat, this.places),
			wayParts(this.way, this.places),
			this.arrows.map((arrow) => arrowParts(arrow, this.#spots(arrow.path))),
		);
	}

	/** Where a move begins and ends: in heaps, from the uppermost piece to where it will lie. @param {string[]} path */
	#spots(path) {
		if (!this.view?.scene.tall) return this.places;
		const spots = new Map(this.places);
		for (const id of path) {
			const count = this.#drawnOn(id).length - Number(id === path[0]);
			const [x, y] = this.#at(id),
				[dx, dy] = slotFor(this.slots.get(id), Math.max(0, count));
			spots.set(id, [x + dx, y + dy]);
		}
		return spots;
	}

	/** Shows the way that a piece on a cell has before it. @param {string} id */
	#showWay(id) {
		const owner = this.byCell.get(id)?.[0]?.owner;
		const track = owner === undefined ? [] : (this.view?.tracks[owner] ?? []);
		const at = track.indexOf(id);
		const way = at < 0 ? [] : track.slice(at);
		if (way.join() === this.way.join()) return;
		this.way = way;
		this.#layers();
	}

	// --- moving ---

	/** The cells that can be chosen next, each with the moves that are still meant. @param {string[]} prefix */
	#options(prefix) {
		return options(this.actions, this.made, prefix);
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
		if (!sources && this.back()) return;
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
		this.given.onPart?.();
		announce(`${part[0]} to ${part[1]}; choose the next piece, or Escape to take it back`);
	}

	/** Takes the last part of an unfinished move back; whether there was one. */
	back() {
		if (!this.made.length) return false;
		this.made = this.made.slice(0, -1);
		this.prefix = [];
		this.#draw();
		this.given.onPart?.();
		announce("taken back");
		return true;
	}

	/** @param {Action} action */
	#make(action) {
		this.isSent = true;
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
			const next = neighbour(this.places, this.focused, way);
			if (next) this.#focus(next, true);
		} else if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			this.pick(this.focused);
		} else if (event.key === "Escape") {
			if (!this.prefix.length) this.back();
			this.prefix = [];
			this.choice.hidden = true;
			this.#mark();
		}
	}
}

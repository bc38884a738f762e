// @ts-check
// One board for every game: cells, pieces on them, and moves that are paths over cells.

import { announce, h, put, s } from "./dom.js";
import { CELL, figure, flatTopped, ornament, outline } from "./shapes.js";

/**
 * @typedef {import("./shapes.js").Cell} Cell
 * @typedef {import("./shapes.js").Piece} Piece
 * @typedef {{move: string, path: string[], captures: string[], parts?: string[][], player?: number | null}} Action
 * @typedef {{text: string, at: [number, number]}} Label
 * @typedef {{cells: Cell[], pieces: Piece[], labels: Label[], actions: Action[], last: string[],
 *   mover: number | null, status: string, dice: number[], size: [number, number], kind: string,
 *   text: string, choices?: Action[][], game: string}} View
 * @typedef {{path: string[], kind: string, text?: string}} Arrow
 */

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The last thing that was used: keys that move on the board wait for the keyboard. */
let byKeyboard = false;
addEventListener("keydown", (event) => { if (event.key === "Tab" || event.key.startsWith("Arrow")) byKeyboard = true; }, true);
addEventListener("pointerdown", () => (byKeyboard = false), true);

export class Board {
	/** @param {{names?: string[], onMove?: (action: Action) => void, onCell?: (id: string) => void, still?: boolean}} [given] */
	constructor(given = {}) {
		this.given = given;
		this.names = given.names ?? ["first", "second"];
		this.flip = false;
		/** @type {View | null} */
		this.view = null;
		/** @type {Action[]} */
		this.actions = [];
		/** @type {string[]} */
		this.prefix = [];
		this.focused = "";
		this.tall = 1;
		/** @type {string[][]} parts of a move that are made already */
		this.made = [];
		/** @type {Arrow[]} */
		this.arrows = [];
		/** @type {Record<string, number>} */
		this.heat = {};
		this.svg = s("svg", { class: "board", role: "group", "aria-label": "board" });
		this.choice = h("div", { class: "choice", hidden: true });
		this.element = h("div", { class: "board-box" }, this.svg, this.choice);
		this.svg.addEventListener("pointerdown", (event) => this.#down(event));
		this.svg.addEventListener("keydown", (event) => this.#key(event));
	}

	/** Draws a position; ``actions`` are the moves that the visitor may make now. @param {View} view @param {{actions?: Action[], moved?: string[], taken?: Piece[]}} [how] */
	show(view, { actions = [], moved = [], taken = [] } = {}) {
		this.view = view;
		this.actions = actions;
		this.prefix = [];
		this.made = [];
		this.#hideChoice();
		this.#draw();
		if (!still() && !this.given.still) this.#animate(moved, taken);
	}

	/** Turns the board around. */
	turn() {
		this.flip = !this.flip;
		this.#draw();
	}

	/** Arrows and shades over the board. @param {{arrows?: Arrow[], heat?: Record<string, number>}} layer */
	layer({ arrows = [], heat = {} }) {
		this.arrows = arrows;
		this.heat = heat;
		this.#layers();
	}

	// --- drawing ---

	#draw() {
		const view = this.view;
		if (!view) return;
		const hadFocus = this.svg.contains(document.activeElement);
		// Points of backgammon are five pieces high, and so is whatever stands beside them.
		const tall = view.cells.some((cell) => cell.shape === "up" || cell.shape === "down") ? 5 : 1;
		this.tall = tall;
		const xs = view.cells.map((cell) => cell.at[0]);
		const ys = view.cells.map((cell) => cell.at[1]);
		const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
		/** @param {[number, number]} at @param {boolean} [label] @returns {[number, number]} */
		const place = (at, label = false) => {
			let [x, y] = at;
			if (this.flip) {
				// A label beside its row stays on its side and only follows the row.
				const row = view.cells.filter((cell) => label && Math.abs(cell.at[1] - y) < 0.01).map((cell) => cell.at[0]);
				const inside = row.length ? x >= Math.min(...row) && x <= Math.max(...row) : x >= box.left && x <= box.right;
				if (!label || inside) x = box.left + box.right - x;
				if (!label || (y >= box.top && y <= box.bottom)) y = box.top + box.bottom - y;
			}
			return [x * CELL, y * CELL * (tall > 1 ? 3.1 : 1)];
		};
		const flat = flatTopped(view.cells);
		const hex = view.cells.some((cell) => cell.shape === "hex");
		/** @type {Map<string, [number, number]>} */
		this.places = new Map(view.cells.map((cell) => [cell.id, place(cell.at)]));
		const reach = hex ? 1 / Math.sqrt(3) : 0.5;
		let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
		for (const cell of view.cells) {
			const [x, y] = /** @type {[number, number]} */ (this.places.get(cell.id));
			const across = hex && flat ? reach : 0.5, down = hex ? (flat ? 0.5 : reach) : tall / 2;
			left = Math.min(left, x - across * CELL);
			right = Math.max(right, x + across * CELL);
			top = Math.min(top, y - down * CELL);
			bottom = Math.max(bottom, y + down * CELL);
		}
		const labelled = view.labels.length ? 26 : 10;
		const margin = (has) => (has ? labelled : 10);
		const out = view.labels.map((label) => place(label.at, true));
		const frame = [
			left - margin(out.some(([x]) => x < left)), top - margin(out.some(([, y]) => y < top)),
			right + margin(out.some(([x]) => x > right)), bottom + margin(out.some(([, y]) => y > bottom)),
		];
		this.svg.setAttribute("viewBox", `${frame[0]} ${frame[1]} ${frame[2] - frame[0]} ${frame[3] - frame[1]}`);
		const [wide, high] = [frame[2] - frame[0], frame[3] - frame[1]];
		this.element.style.setProperty("--ratio", String(wide / high));
		this.svg.setAttribute("aria-label", `board: ${view.status}`);

		const pieces = new Map(view.cells.map((cell) => [cell.id, /** @type {Piece[]} */ ([])]));
		for (const piece of view.pieces) if (piece.count > 0) pieces.get(piece.cell)?.push(piece);
		const last = new Set(view.last);
		const cells = view.cells.map((cell) => {
			const [x, y] = /** @type {[number, number]} */ (this.places?.get(cell.id));
			const here = pieces.get(cell.id) ?? [];
			const kind = `cell ${cell.mark} ${cell.shape}${last.has(cell.id) ? " last" : ""}`;
			return s(
				"g",
				{ class: kind, "data-cell": cell.id, transform: `translate(${x} ${y})`, role: "button", tabindex: -1 },
				outline(cell, { flat, flip: this.flip, tall }), ornament(cell),
				outline(cell, { flat, flip: this.flip, tall, inset: 3.2, kind: "ring" }),
				s("circle", { class: "dot", r: here.length && tall === 1 ? 27 : 10, cy: tall > 1 ? this.#foot(cell, here) : 0 }),
			);
		});
		const standing = view.cells.flatMap((cell) => this.#figures(cell, pieces.get(cell.id) ?? []));
		const words = view.labels.map((label, i) => {
			const x = Math.min(Math.max(out[i][0], left - 14), right + 14);
			const y = Math.min(Math.max(out[i][1], top - 14), bottom + 14);
			return s("text", { class: "label", x, y: y + 5, "font-size": 15 }, label.text);
		});
		const felt = s("rect", { class: "felt", x: left - 6, y: top - 6, width: right - left + 12, height: bottom - top + 12, rx: 12 });
		this.over = s("g", { class: "layers", "aria-hidden": "true" });
		put(
			this.svg, hex ? null : felt, s("g", { class: "cells" }, cells), s("g", { class: "words", "aria-hidden": "true" }, words),
			s("g", { class: "pieces", "aria-hidden": "true" }, standing), this.over,
		);
		this.byCell = pieces;
		this.#mark();
		this.#layers();
		if (hadFocus) this.#focus(this.focused, true);
	}

	/** @param {Cell} cell @param {Piece[]} here */
	#figures(cell, here) {
		const [x, y] = /** @type {[number, number]} */ (this.places?.get(cell.id));
		return here.flatMap((piece, i) => {
			if (this.tall > 1 && here.length === 1) return this.#column(cell, piece, x, y);
			const scale = here.length === 1 ? 1 : 1.25 / here.length;
			const aside = ((i - (here.length - 1) / 2) * CELL * 0.86) / here.length;
			return [s("g", { class: `piece p${piece.owner}`, "data-on": cell.id, transform: `translate(${x + aside} ${y}) scale(${scale})` }, s("g", { class: "lift" }, figure(piece)))];
		});
	}

	/** Whether pieces on a tall cell are heaped from its lower end. @param {Cell} cell */
	#isFromBelow(cell) {
		const ys = (this.view?.cells ?? []).map((each) => each.at[1]);
		const low = cell.at[1] > (Math.min(...ys) + Math.max(...ys)) / 2;
		return low !== this.flip;
	}

	/** Where the next piece on a tall cell would stand, from the cell's middle. @param {Cell} cell @param {Piece[]} here */
	#foot(cell, here) {
		const count = Math.min(5, here.reduce((sum, piece) => sum + piece.count, 0));
		const way = this.#isFromBelow(cell) ? 1 : -1;
		return way * ((this.tall * CELL) / 2 - 26 - Math.min(count, 4.6) * 46);
	}

	/** A column of pieces on a tall cell; the sixth and later lie on the others. @param {Cell} cell @param {Piece} piece @param {number} x @param {number} y */
	#column(cell, piece, x, y) {
		const way = this.#isFromBelow(cell) ? 1 : -1;
		const foot = y + way * ((this.tall * CELL) / 2 - 26);
		const shown = Math.min(piece.count, 5);
		const list = [];
		for (let i = 0; i < shown; i++) {
			const more = i === shown - 1 && piece.count > 5;
			const lift = s("g", { class: "lift" }, figure({ ...piece, count: 1 }), more ? s("text", { class: "letter", y: 7, "font-size": 19 }, piece.count) : null);
			list.push(s("g", { class: `piece p${piece.owner}`, "data-on": cell.id, transform: `translate(${x} ${foot - way * i * 46})` }, lift));
		}
		return list;
	}

	/** Marks what can be moved, what is chosen, where it can go; and says so. */
	#mark() {
		const options = this.#options([]);
		const sources = new Set(options.keys());
		const targets = this.prefix.length ? this.#options(this.prefix) : new Map();
		const given = this.given.onCell;
		let first = "";
		for (const cell of this.svg.querySelectorAll(".cell")) {
			const id = /** @type {SVGElement} */ (cell).dataset.cell ?? "";
			const isTarget = targets.has(id);
			const isSource = sources.has(id);
			if (!first && (isSource || given)) first = id;
			cell.classList.toggle("source", isSource);
			cell.classList.toggle("drop", isSource && !this.prefix.length && (options.get(id) ?? []).some((action) => action.path.length === 1));
			cell.classList.toggle("chosen", this.prefix.includes(id));
			cell.classList.toggle("target", isTarget);
			cell.setAttribute("aria-label", this.#name(id, isSource, isTarget));
			if (this.prefix.includes(id)) cell.setAttribute("aria-pressed", "true");
			else cell.removeAttribute("aria-pressed");
		}
		for (const piece of this.svg.querySelectorAll(".piece")) {
			piece.classList.toggle("movable", sources.has(/** @type {SVGElement} */ (piece).dataset.on ?? ""));
		}
		const known = this.view?.cells.some((cell) => cell.id === this.focused);
		if (!known) this.focused = first || this.view?.cells[0]?.id || "";
		this.#focus(this.focused, false);
	}

	/** @param {string} id @param {boolean} isSource @param {boolean} isTarget */
	#name(id, isSource, isTarget) {
		const here = this.byCell?.get(id) ?? [];
		const pieces = here.map((piece) => `${this.names[piece.owner] ?? ""} ${piece.kind}${piece.count > 1 ? ` times ${piece.count}` : ""}`);
		const words = [id, pieces.join(" and ") || "empty"];
		if (isTarget) words.push("can go here");
		else if (isSource && !this.prefix.length) words.push("can move");
		return words.join(", ");
	}

	#layers() {
		if (!this.over || !this.places) return;
		const places = this.places;
		const parts = [];
		for (const [id, share] of Object.entries(this.heat)) {
			const at = places.get(id);
			if (at) parts.push(s("circle", { class: `heat ${share < 0 ? "less" : "more"}`, cx: at[0], cy: at[1], r: 8 + 18 * Math.min(1, Math.abs(share)) }));
		}
		for (const arrow of this.arrows) {
			const points = arrow.path.map((id) => places.get(id)).filter((at) => at !== undefined);
			if (!points.length) continue;
			const end = points[points.length - 1];
			if (points.length === 1) {
				parts.push(s("circle", { class: `spot ${arrow.kind}`, cx: end[0], cy: end[1], r: 22 }));
			} else {
				const before = points[points.length - 2];
				const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
				const tip = [end[0] - 12 * Math.cos(angle), end[1] - 12 * Math.sin(angle)];
				const shaft = [...points.slice(0, -1), tip].map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
				const wing = (turn) => `${(tip[0] + 17 * Math.cos(angle + turn)).toFixed(1)} ${(tip[1] + 17 * Math.sin(angle + turn)).toFixed(1)}`;
				const head = `M${(tip[0] + 12 * Math.cos(angle)).toFixed(1)} ${(tip[1] + 12 * Math.sin(angle)).toFixed(1)}L${wing(2.2)}L${wing(-2.2)}Z`;
				parts.push(s("g", { class: `arrow ${arrow.kind}` }, s("path", { class: "shaft", d: `M${shaft}` }), s("path", { class: "head", d: head })));
			}
			if (arrow.text) parts.push(s("text", { class: `arrow-text ${arrow.kind}`, x: end[0], y: end[1] + 6, "font-size": 17 }, arrow.text));
		}
		put(this.over, parts);
	}

	/** A piece slides along its path; what it took fades. @param {string[]} path @param {Piece[]} taken */
	#animate(path, taken) {
		const places = (path ?? []).map((id) => this.places?.get(id)).filter((at) => at !== undefined);
		if (places.length > 1) {
			const end = places[places.length - 1];
			const moved = [...this.svg.querySelectorAll(".piece")].filter((each) => /** @type {SVGElement} */ (each).dataset.on === path[path.length - 1]).at(-1);
			const frames = places.map(([x, y]) => ({ transform: `translate(${x - end[0]}px, ${y - end[1]}px)` }));
			moved?.firstElementChild?.animate(frames, { duration: 150 * Math.min(3, Math.max(1, (places.length - 1) / 2)), easing: "ease-in-out" });
		}
		for (const piece of taken) {
			const at = this.places?.get(piece.cell);
			if (!at) continue;
			const ghost = s("g", { class: `piece ghost p${piece.owner}`, transform: `translate(${at[0]} ${at[1]})` }, s("g", {}, figure(piece)));
			this.svg.querySelector(".pieces")?.prepend(ghost);
			ghost.firstElementChild.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 260, fill: "forwards" }).onfinish = () => ghost.remove();
		}
	}

	// --- moving ---

	/** The cells that can be chosen next, each with the moves that are still meant. @param {string[]} prefix @returns {Map<string, Action[]>} */
	#options(prefix) {
		/** @type {Map<string, Action[]>} */
		const found = new Map();
		const offer = (id, action) => {
			const list = found.get(id) ?? [];
			if (!list.includes(action)) list.push(action);
			found.set(id, list);
		};
		for (const action of this.actions) {
			if (!action.path.length) continue;
			if (action.parts?.length) {
				for (const part of left(action, this.made) ?? []) {
					if (!prefix.length) offer(part[0], action);
					else if (part[0] === prefix[0]) offer(part[part.length - 1], action);
				}
				continue;
			}
			if (!prefix.length) {
				offer(action.path[0], action);
				continue;
			}
			let at = -1;
			if (action.path[0] !== prefix[0]) continue;
			at = 0;
			for (const id of prefix.slice(1)) {
				at = action.path.indexOf(id, at + 1);
				if (at < 0) break;
			}
			if (at < 0) continue;
			if (at < action.path.length - 1) offer(action.path[action.path.length - 1], action);
		}
		// Where the end does not say which way was meant, the cells between do.
		if (prefix.length) {
			for (const [end, list] of [...found]) {
				if (list.length < 2) continue;
				for (const action of list) {
					const from = action.path.lastIndexOf(prefix[prefix.length - 1], action.path.length - 2);
					for (const id of action.path.slice(from + 1, -1)) {
						const through = list.filter((each) => each.path.includes(id));
						if (through.length < list.length && id !== end) for (const each of through) offer(id, each);
					}
				}
			}
		}
		return found;
	}

	/** A cell was clicked, or reached by keys. @param {string} id */
	pick(id) {
		if (this.given.onCell) {
			this.given.onCell(id);
			return;
		}
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
		const again = this.prefix[0] === id;
		this.prefix = [];
		this.#hideChoice();
		if (!this.#options([]).has(id) && this.#restart()) return;
		const sources = this.#options([]).get(id);
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
	}

	/** One piece of a move of several was moved: the move is made when nothing is left of it. @param {string[]} part */
	#part(part) {
		const before = this.made;
		this.made = [...this.made, part];
		const meant = this.actions.filter((action) => left(action, this.made));
		const whole = meant.find((action) => !left(action, this.made)?.length);
		if (whole) return this.#make(whole);
		const view = this.view;
		if (!view) return;
		const pieces = view.pieces.map((piece) => ({ ...piece }));
		const from = pieces.find((piece) => piece.cell === part[0] && (view.mover === null || piece.owner === view.mover));
		if (from) {
			from.count -= 1;
			const taken = pieces.find((piece) => piece.cell === part[1] && piece.owner !== from.owner);
			if (taken) taken.count = 0;
			const onto = pieces.find((piece) => piece.cell === part[1] && piece.owner === from.owner && piece.count > 0);
			if (onto) onto.count += 1;
			else pieces.push({ ...from, cell: part[1], count: 1 });
		}
		this.prefix = [];
		this.kept = before.length ? this.kept : view;
		this.view = { ...view, pieces };
		this.#draw();
		announce(`${part[0]} to ${part[1]}; choose the next piece, or Escape to take it back`);
	}

	/** Takes the parts of an unfinished move back. */
	#restart() {
		if (!this.made.length || !this.kept) return false;
		this.view = this.kept;
		this.made = [];
		this.prefix = [];
		this.#draw();
		return true;
	}

	/** @param {Action} action */
	#make(action) {
		this.prefix = [];
		this.#hideChoice();
		this.#mark();
		this.given.onMove?.(action);
	}

	/** Several moves end here: a small menu. @param {Action[]} actions @param {string} id */
	#offer(actions, id) {
		put(this.choice, actions.map((action) => h("button", { onclick: () => this.#make(action) }, action.move)));
		this.choice.hidden = false;
		this.choice.setAttribute("aria-label", `moves at ${id}`);
		this.choice.setAttribute("role", "group");
		const cell = this.svg.querySelector(`[data-cell="${CSS.escape(id)}"]`)?.getBoundingClientRect();
		const box = this.element.getBoundingClientRect();
		if (cell) {
			const wide = this.choice.offsetWidth;
			const x = Math.max(0, Math.min(cell.x + cell.width / 2 - box.x - wide / 2, box.width - wide));
			this.choice.style.left = `${x}px`;
			this.choice.style.top = `${Math.min(cell.bottom - box.y + 4, box.height - this.choice.offsetHeight)}px`;
		}
		if (byKeyboard) this.choice.querySelector("button")?.focus();
	}

	#hideChoice() {
		this.choice.hidden = true;
	}

	/** @param {PointerEvent} event */
	#down(event) {
		const start = cellUnder(event);
		if (!start || event.button) return;
		event.preventDefault();
		if (this.prefix.length && this.#options(this.prefix).has(start)) return this.pick(start);
		const lifts = this.#options([]).get(start)?.some((action) => action.path.length > 1);
		this.pick(start);
		if (!lifts || this.prefix[0] !== start) return;
		const piece = [...this.svg.querySelectorAll(".piece")].filter((each) => /** @type {SVGElement} */ (each).dataset.on === start).at(-1);
		const lift = /** @type {SVGElement | null} */ (piece?.firstElementChild ?? null);
		const matrix = /** @type {SVGGElement | undefined} */ (piece)?.getScreenCTM();
		let moved = false;
		const move = (now) => {
			const [dx, dy] = [now.clientX - event.clientX, now.clientY - event.clientY];
			if (!moved && Math.hypot(dx, dy) < 5) return;
			moved = true;
			if (lift && matrix) {
				lift.style.transform = `translate(${dx / matrix.a}px, ${dy / matrix.d}px)`;
				piece?.classList.add("dragged");
				piece?.parentElement?.append(piece);
			}
		};
		const up = (now) => {
			removeEventListener("pointermove", move);
			removeEventListener("pointerup", up);
			removeEventListener("pointercancel", up);
			if (lift) lift.style.transform = "";
			piece?.classList.remove("dragged");
			if (!moved || now.type === "pointercancel") return;
			const end = cellUnder(now);
			if (end && end !== start && this.#options(this.prefix).has(end)) this.pick(end);
		};
		addEventListener("pointermove", move);
		addEventListener("pointerup", up);
		addEventListener("pointercancel", up);
	}

	// --- keys ---

	/** @param {string} id @param {boolean} really */
	#focus(id, really) {
		for (const cell of this.svg.querySelectorAll('.cell[tabindex="0"]')) cell.setAttribute("tabindex", "-1");
		const cell = /** @type {SVGElement | null} */ (this.svg.querySelector(`.cell[data-cell="${CSS.escape(id)}"]`));
		cell?.setAttribute("tabindex", "0");
		this.focused = id;
		if (really) cell?.focus({ preventScroll: true });
	}

	/** @param {KeyboardEvent} event */
	#key(event) {
		/** @type {Record<string, [number, number]>} */
		const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
		const way = ways[event.key];
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
			this.#hideChoice();
			this.#mark();
		}
	}

	/** The nearest cell in a direction. @param {[number, number]} way */
	#neighbour([dx, dy]) {
		const here = this.places?.get(this.focused);
		if (!here) return null;
		let best = null, least = Infinity;
		for (const [id, [x, y]] of this.places ?? []) {
			const ahead = (x - here[0]) * dx + (y - here[1]) * dy;
			const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
			if (ahead > 1 && ahead + 2.2 * aside < least) [best, least] = [id, ahead + 2.2 * aside];
		}
		return best;
	}
}

/** What is left of a move of several pieces after some parts of it; null if they are not its parts. @param {Action} action @param {string[][]} made */
function left(action, made) {
	const open = [...(action.parts ?? [])];
	for (const part of made) {
		const at = open.findIndex((each) => each[0] === part[0] && each[each.length - 1] === part[1]);
		if (at < 0) return null;
		open.splice(at, 1);
	}
	return open;
}

/** The attributes by which pieces take the colours that players are named after. @param {string[]} names */
export function colours(names) {
	return { "data-c0": names[0], "data-c1": names[1] };
}

/** The cell under a pointer. @param {PointerEvent} event */
function cellUnder(event) {
	for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
		const found = element.closest("[data-cell], [data-on]");
		if (found instanceof SVGElement) return found.dataset.cell ?? found.dataset.on ?? null;
	}
	return null;
}

/** Pieces that one view has and the next has not, on cells that the move passed: they were taken. @param {View | null} before @param {View} after @returns {Piece[]} */
export function takenBetween(before, after) {
	if (!before) return [];
	const owners = new Map(after.pieces.map((piece) => [piece.cell, piece.owner]));
	const counts = [0, 1].map((owner) => [before, after].map((view) => view.pieces.filter((piece) => piece.owner === owner).reduce((sum, piece) => sum + piece.count, 0)));
	return before.pieces.filter((piece) => counts[piece.owner]?.[1] < counts[piece.owner]?.[0] && owners.get(piece.cell) !== piece.owner);
}

// @ts-check
// One board for every game: cells, pieces on them, and moves that are paths over cells.

import { WAYS, announce, button, cellUnder, follow, h, put, s } from "./dom.js";
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
	/** @param {{names?: string[], onMove?: (action: Action) => void, onCell?: (id: string) => void, still?: boolean}} [given] */
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
		this.tall = 1;
		/** @type {Map<string, Place>} */
		this.places = new Map();
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
		this.view = view;
		this.actions = actions;
		this.prefix = [];
		this.made = [];
		this.choice.hidden = true;
		this.#draw();
		if (!still() && !this.given.still) this.#animate(moved, taken);
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

	/** The pieces drawn on a cell. @param {string} id @returns {SVGGElement[]} */
	#drawnOn(id) {
		return [...this.svg.querySelectorAll(`.piece[data-on="${CSS.escape(id)}"]`)];
	}

	#draw() {
		const view = this.view;
		if (!view) return;
		const hadFocus = this.svg.contains(document.activeElement);
		// Points of backgammon are five pieces high, and so is whatever stands beside them.
		const tall = (this.tall = view.cells.some(
			(cell) => cell.shape === "up" || cell.shape === "down",
		)
			? 5
			: 1);
		const flat = flatTopped(view.cells),
			hex = view.cells.some((cell) => cell.shape === "hex");
		const [left, right] = ends(view.cells.map((cell) => cell.at[0])),
			[top, bottom] = ends(view.cells.map((cell) => cell.at[1]));
		/** @param {Place} at @param {boolean} [label] @returns {Place} */
		const place = ([x, y], label = false) => {
			if (this.flip) {
				// A label beside its row stays on its side and only follows the row.
				const row = view.cells
					.filter((cell) => label && Math.abs(cell.at[1] - y) < 0.01)
					.map((cell) => cell.at[0]);
				const [from, to] = row.length ? ends(row) : [left, right];
				if (!label || (x >= from && x <= to)) x = left + right - x;
				if (!label || (y >= top && y <= bottom)) y = top + bottom - y;
			}
			return [x * CELL, y * CELL * (tall > 1 ? 3.1 : 1)];
		};
		this.places = new Map(view.cells.map((cell) => [cell.id, place(cell.at)]));
		const reach = CELL / Math.sqrt(3),
			half = CELL / 2;
		const [across, down] = hex ? (flat ? [reach, half] : [half, reach]) : [half, tall * half];
		const middles = [...this.places.values()];
		const [west, east] = ends(
				middles.map(([x]) => x),
				across,
			),
			[north, south] = ends(
				middles.map(([, y]) => y),
				down,
			);
		const labels = view.labels.map((label) => place(label.at, true));
		const margin = (isLabelled) => (isLabelled ? 26 : 10);
		const frame = [
			west - margin(labels.some(([x]) => x < west)),
			north - margin(labels.some(([, y]) => y < north)),
		];
		const size = [
			east + margin(labels.some(([x]) => x > east)) - frame[0],
			south + margin(labels.some(([, y]) => y > south)) - frame[1],
		];
		this.svg.setAttribute("viewBox", [...frame, ...size].join(" "));
		this.svg.setAttribute("aria-label", `board: ${view.status}`);
		this.element.style.setProperty("--ratio", String(size[0] / size[1]));

		this.byCell = new Map(
			view.cells.map((cell) => [
				cell.id,
				view.pieces.filter((piece) => piece.cell === cell.id && piece.count > 0),
			]),
		);
		const cells = view.cells.map((cell) => {
			const here = this.byCell.get(cell.id) ?? [],
				how = { flat, flip: this.flip, tall };
			return s(
				"g",
				{
					class: `cell ${cell.mark} ${cell.shape}${view.last.includes(cell.id) ? " last" : ""}`,
					"data-cell": cell.id,
					transform: `translate(${this.#at(cell.id).join(" ")})`,
					role: "button",
					tabindex: -1,
				},
				s("title", cell.id),
				outline(cell, how),
				ornament(cell),
				outline(cell, { ...how, inset: 3.2, kind: "ring" }),
				s("circle.dot", {
					r: here.length && tall === 1 ? 27 : 10,
					cy: tall > 1 ? this.#foot(cell, here) : 0,
				}),
			);
		});
		const words = view.labels.map((label, i) =>
			s(
				"text.label",
				{
					x: Math.min(Math.max(labels[i][0], west - 14), east + 14),
					y: Math.min(Math.max(labels[i][1], north - 14), south + 14) + 5,
					"font-size": tall > 1 ? 22 : 15,
				},
				label.text,
			),
		);
		const felt = hex
			? null
			: s("rect.felt", {
					x: west - 6,
					y: north - 6,
					width: east - west + 12,
					height: south - north + 12,
					rx: 12,
				});
		put(
			this.svg,
			felt,
			s("g.cells", cells),
			s("g.words", { "aria-hidden": "true" }, words),
			s(
				"g.pieces",
				{ "aria-hidden": "true" },
				view.cells.flatMap((cell) => this.#figures(cell)),
			),
			this.over,
		);
		this.#mark();
		this.#layers();
		if (hadFocus) this.#focus(this.focused, true);
	}

	/** A piece on a cell, or a part of a heap. @param {Piece} piece @param {string} where @param {...any} more */
	#figure(piece, where, ...more) {
		return s(
			"g",
			{ class: `piece p${piece.owner}`, "data-on": piece.cell, transform: where },
			s("g.lift", figure(piece), ...more),
		);
	}

	/** @param {Cell} cell */
	#figures(cell) {
		const here = this.byCell.get(cell.id) ?? [],
			[x, y] = this.#at(cell.id);
		return here.flatMap((piece, i) => {
			if (this.tall > 1 && here.length === 1) return this.#column(cell, piece, x, y);
			const aside = ((i - (here.length - 1) / 2) * CELL * 0.86) / here.length;
			return [
				this.#figure(
					piece,
					`translate(${x + aside} ${y}) scale(${here.length === 1 ? 1 : 1.25 / here.length})`,
				),
			];
		});
	}

	/** From where pieces on a tall cell are heaped: 1 from below, -1 from above. @param {Cell} cell */
	#way(cell) {
		const [top, bottom] = ends((this.view?.cells ?? []).map((each) => each.at[1]));
		return cell.at[1] > (top + bottom) / 2 !== this.flip ? 1 : -1;
	}

	/** Where the next piece on a tall cell would stand, from the cell's middle. @param {Cell} cell @param {Piece[]} here */
	#foot(cell, here) {
		const count = here.reduce((sum, piece) => sum + piece.count, 0);
		return this.#way(cell) * ((this.tall * CELL) / 2 - 26 - Math.min(count, 4.6) * 46);
	}

	/** A column of pieces on a tall cell; the sixth and later lie on the others. @param {Cell} cell @param {Piece} piece @param {number} x @param {number} y */
	#column(cell, piece, x, y) {
		const way = this.#way(cell),
			shown = Math.min(piece.count, 5);
		return Array.from({ length: shown }, (_, i) =>
			this.#figure(
				{ ...piece, count: 1 },
				`translate(${x} ${y + way * ((this.tall * CELL) / 2 - 26 - i * 46)})`,
				i === shown - 1 && piece.count > 5
					? s("text.letter", { y: 7, "font-size": 19 }, piece.count)
					: null,
			),
		);
	}

	/** Marks what can be moved, what is chosen, where it can go; and says so. */
	#mark() {
		const sources = this.#options([]);
		const targets = this.prefix.length ? this.#options(this.prefix) : new Map();
		let first = "";
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

	/** A piece slides along its path; what it took fades. @param {string[]} path @param {Piece[]} taken */
	#animate(path, taken) {
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
		for (const piece of taken) {
			const ghost = this.#figure(piece, `translate(${this.#at(piece.cell).join(" ")})`);
			ghost.classList.add("ghost");
			this.svg.querySelector(".pieces")?.prepend(ghost);
			ghost.firstElementChild.animate([{ opacity: 1 }, { opacity: 0 }], {
				duration: 260,
				fill: "forwards",
			}).onfinish = () => ghost.remove();
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
		const again = this.prefix[0] === id;
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
	}

	/** One piece of a move of several was moved: the move is made when nothing is left of it. @param {string[]} part */
	#part(part) {
		const view = this.view;
		if (!view) return;
		if (!this.made.length) this.kept = view;
		this.made = [...this.made, part];
		const whole = this.actions.find((action) => left(action, this.made)?.length === 0);
		if (whole) return this.#make(whole);
		const pieces = view.pieces.map((piece) => ({ ...piece }));
		const from = pieces.find(
			(piece) => piece.cell === part[0] && (view.mover === null || piece.owner === view.mover),
		);
		if (from) {
			from.count -= 1;
			const there = pieces.filter((piece) => piece.cell === part[1] && piece.count > 0);
			for (const piece of there) piece.count = piece.owner === from.owner ? piece.count + 1 : 0;
			if (!there.some((piece) => piece.owner === from.owner))
				pieces.push({ ...from, cell: part[1], count: 1 });
		}
		this.prefix = [];
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
		this.choice.hidden = false;
		this.choice.setAttribute("aria-label", `moves at ${id}`);
		const cell = this.svg.querySelector(`[data-cell="${CSS.escape(id)}"]`)?.getBoundingClientRect();
		const box = this.element.getBoundingClientRect(),
			wide = this.choice.offsetWidth;
		if (cell) {
			this.choice.style.left = `${Math.max(0, Math.min(cell.x + cell.width / 2 - box.x - wide / 2, box.width - wide))}px`;
			this.choice.style.top = `${Math.min(cell.bottom - box.y + 4, box.height - this.choice.offsetHeight)}px`;
		}
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
				if (end && end !== start && this.#options(this.prefix).has(end)) this.pick(end);
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

/** The least and the greatest, and as much beyond. @param {number[]} values @param {number} [beyond] @returns {Place} */
const ends = (values, beyond = 0) => [Math.min(...values) - beyond, Math.max(...values) + beyond];

/** The attributes by which pieces take the colours that players are named after. @param {string[]} names */
export function colours(names) {
	const [c0, c1] = names.map((name) => ({ light: "white", dark: "black" })[name] ?? name);
	return { "data-c0": c0, "data-c1": c1 };
}

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

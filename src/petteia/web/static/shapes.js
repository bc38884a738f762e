// @ts-check
// How cells and pieces look. A new shape of cell is one more entry here.

import { s } from "./dom.js";

export const CELL = 60;
const PITCH = Math.sqrt(3) / 2;

/**
 * @typedef {{id: string, at: [number, number], shape: string, mark: string}} Cell
 * @typedef {{cell: string, owner: number, letter: string, kind: string, count: number}} Piece
 */

/** A closed path with rounded corners. @param {[number, number][]} corners @param {number} radius */
function rounded(corners, radius) {
	const steps = corners.map(([x, y], i) => {
		const ends = [corners.at(i - 1), corners[(i + 1) % corners.length]].map((other) => {
			const [nx, ny] = /** @type {[number, number]} */ (other);
			const share = radius / Math.hypot(nx - x, ny - y);
			return `${(x + (nx - x) * share).toFixed(1)} ${(y + (ny - y) * share).toFixed(1)}`;
		});
		return `${i ? "L" : "M"}${ends[0]}Q${x.toFixed(1)} ${y.toFixed(1)} ${ends[1]}`;
	});
	return steps.join("") + "Z";
}

/** Hexes in columns have a flat top. @param {Cell[]} cells */
export function flatTopped(cells) {
	const hexes = cells.filter((cell) => cell.shape === "hex");
	const gap = (values) => {
		const known = [...new Set(values.map((value) => Math.round(value * 1000)))].sort(
			(a, b) => a - b,
		);
		return Math.min(...known.slice(1).map((value, i) => value - known[i]), Infinity);
	};
	return gap(hexes.map((cell) => cell.at[1])) < gap(hexes.map((cell) => cell.at[0]));
}

/** The outline of a cell around the origin. @param {Cell} cell @param {{flat: boolean, flip: boolean, tall: number, inset?: number, kind?: string}} how */
export function outline(cell, { flat, flip, tall, inset = 1, kind = "face" }) {
	if (cell.shape === "hex") {
		const reach = (CELL / 2 - inset) / PITCH;
		const corners = [0, 1, 2, 3, 4, 5].map((k) => {
			const turn = ((k + (flat ? 0 : 0.5)) * Math.PI) / 3;
			return /** @type {[number, number]} */ ([reach * Math.cos(turn), reach * Math.sin(turn)]);
		});
		return s("path", { class: kind, d: rounded(corners, 7) });
	}
	if (cell.shape === "circle") return s("circle", { class: kind, r: CELL / 2 - inset });
	const across = CELL - 2 * inset;
	const down = tall * CELL - 2 * inset;
	if (cell.shape === "up" || cell.shape === "down") {
		// A backgammon point: its foot on the edge of the board, its tip towards the middle.
		const tip = (cell.shape === "up") === !flip ? -1 : 1;
		const foot = (-tip * down) / 2;
		return s("path", {
			class: kind,
			d: `M${-across / 2} ${foot}L${across / 2} ${foot}L0 ${-foot * 0.92}Z`,
		});
	}
	return s("rect", {
		class: kind,
		x: -across / 2,
		y: -down / 2,
		width: across,
		height: down,
		rx: 7,
	});
}

/** What makes a cell special, drawn over its face. @param {Cell} cell */
export function ornament(cell) {
	if (cell.mark === "rosette") {
		const petal = "M0 -6C6.5 -11 5.5 -20 0 -25C-5.5 -20 -6.5 -11 0 -6Z";
		const petals = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
			s("path", { d: petal, transform: `rotate(${45 * k})` }),
		);
		return s("g.rosette", petals, s("circle", { r: 4.5 }));
	}
	return null;
}

/** The body of a piece around the origin: round for the first player, square for the second. @param {number} owner @param {string} kind @param {number} shrink @param {number} dy */
function body(owner, kind, shrink, dy) {
	if (owner === 1) {
		const half = 19 - shrink;
		return s("rect", {
			class: kind,
			x: -half,
			y: dy - half,
			width: 2 * half,
			height: 2 * half,
			rx: 9 - shrink / 2,
		});
	}
	return s("circle", { class: kind, cy: dy, r: 21 - shrink });
}

/** One piece, or a stack with its count. @param {Piece} piece */
export function figure(piece) {
	const parts = [];
	const high = Math.min(piece.count, 3);
	for (let level = 0; level < high; level++) {
		parts.push(
			body(piece.owner, "base", 0, 3 - 4 * level),
			body(piece.owner, "body", 0, -4 * level),
		);
	}
	const top = -4 * (high - 1);
	parts.push(body(piece.owner, "rim", 5, top));
	if (piece.kind === "king") {
		parts.push(
			s("path.crown", {
				d: `M-10 ${top + 7}L-12 ${top - 6}L-5 ${top}L0 ${top - 10}L5 ${top}L12 ${top - 6}L10 ${top + 7}Z`,
			}),
		);
	} else if (piece.kind !== "man" && piece.letter) {
		parts.push(s("text.letter", { y: top + 7, "font-size": 20 }, piece.letter.toUpperCase()));
	}
	if (piece.count > 1) {
		parts.push(s("circle.count", { cx: 17, cy: top + 15, r: 10.5 }));
		parts.push(s("text.number", { x: 17, y: top + 19.5, "font-size": 13 }, piece.count));
	}
	return parts;
}

/** A die with pips; a number where there are more than six. @param {number} value */
export function die(value) {
	const half = 13;
	const box = s("svg.die", {
		viewBox: "-15 -15 30 30",
		role: "img",
		"aria-label": `die: ${value}`,
	});
	box.append(s("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 6 }));
	if (value < 0 || value > 6) {
		box.append(s("text", { y: 5, "font-size": 14 }, value));
		return box;
	}
	const corners = [
		[-1, -1],
		[1, 1],
		[1, -1],
		[-1, 1],
		[-1, 0],
		[1, 0],
	].slice(0, value - (value % 2));
	for (const [x, y] of [...corners, ...(value % 2 ? [[0, 0]] : [])]) {
		box.append(s("circle", { cx: 6.5 * x, cy: 6.5 * y, r: 2.7 }));
	}
	return box;
}

// @ts-check
// What lies over a board: arrows of moves, shades of features, the way of a piece.

import { s } from "./dom.js";

/**
 * @typedef {{path: string[], kind: string, text?: string}} Arrow
 * @typedef {[number, number]} Place
 * @typedef {Map<string, Place>} Places where the cells lie
 */

/** A path through places. @param {Place[]} list */
const path = (list) =>
	`M${list.map((at) => at.map((each) => each.toFixed(1)).join(" ")).join("L")}`;

/** The places of some cells. @param {string[]} cells @param {Places} places @returns {Place[]} */
const at = (cells, places) =>
	cells.flatMap((id) => {
		const found = places.get(id);
		return found ? [found] : [];
	});

/** Rings of pieces and dots of cells. @param {Record<string, number>[]} layers @param {Places} places */
export const heatParts = (layers, places) =>
	layers.flatMap((layer, i) => {
		const most = Math.max(...Object.values(layer).map(Math.abs));
		return Object.entries(layer).flatMap(([id, share]) =>
			at([id], places).map(([cx, cy]) =>
				s("circle", {
					class: `heat ${i ? "move" : "stone"} ${share < 0 ? "less" : "more"}`,
					cx,
					cy,
					r: i ? 4 + (9 * Math.abs(share)) / most : 24,
					"stroke-width": i ? 3 : 2 + (7 * Math.abs(share)) / most,
				}),
			),
		);
	});

/** The way before a piece. @param {string[]} way @param {Places} places */
export function wayParts(way, places) {
	const points = at(way, places);
	if (points.length < 2) return [];
	const [x, y] = points[points.length - 1];
	return [s("path.way", { d: path(points) }), s("circle.way-end", { cx: x, cy: y, r: 8 })];
}

/** An arrow, or a spot if the move has one cell only. @param {Arrow} arrow @param {Places} places */
export function arrowParts(arrow, places) {
	const points = at(arrow.path, places);
	if (!points.length) return null;
	const end = points[points.length - 1];
	const words =
		arrow.text &&
		s(
			"text",
			{ class: `arrow-text ${arrow.kind}`, x: end[0], y: end[1] + 6, "font-size": 17 },
			arrow.text,
		);
	if (points.length === 1)
		return s(
			"g",
			s("circle", { class: `spot ${arrow.kind}`, cx: end[0], cy: end[1], r: 22 }),
			words,
		);
	const before = points[points.length - 2];
	const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
	const beside = (/** @type {Place} */ [x, y], /** @type {number} */ far, turn = 0) =>
		/** @type {Place} */ ([x + far * Math.cos(angle + turn), y + far * Math.sin(angle + turn)]);
	const tip = beside(end, -12);
	return s(
		"g",
		{ class: `arrow ${arrow.kind}` },
		s("path.shaft", { d: path([...points.slice(0, -1), tip]) }),
		s("path.head", { d: `${path([end, beside(tip, 17, 2.2), beside(tip, 17, -2.2)])}Z` }),
		words,
	);
}

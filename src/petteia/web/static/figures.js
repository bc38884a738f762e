// @ts-check
// Pieces and dice: their elements, their places on a cell, their colours.

import { s } from "./dom.js";

/**
 * @import { Piece, SceneSide, View } from "./messages.js"
 * @typedef {SceneSide["board"]} Primitive
 * @typedef {[number, number]} Place
 */

/** The slot of a cell for a piece on so many others. @param {Place[] | undefined} slots @param {number} below @returns {Place} */
export const slotFor = (slots = [], below) => slots[Math.min(below, slots.length - 1)] ?? [0, 0];

/** The elements of a symbol. @param {(Primitive | undefined)[]} parts @param {string | number} [text] for those without their own */
export const drawn = (parts, text = "") =>
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

/**
 * A piece slides along its path.
 * @param {SVGGElement | undefined} piece
 * @param {string[]} path
 * @param {Map<string, Place>} places
 */
export function slide(piece, path, places) {
	const points = path.flatMap((id) => {
		const at = places.get(id);
		return at ? [at] : [];
	});
	if (points.length < 2) return;
	const [x, y] = points[points.length - 1];
	piece?.firstElementChild?.animate(
		points.map((at) => ({ transform: `translate(${at[0] - x}px, ${at[1] - y}px)` })),
		{
			duration: 150 * Math.min(3, Math.max(1, (points.length - 1) / 2)),
			easing: "ease-in-out",
		},
	);
}

/** Pieces that were taken fade. @param {SVGGElement[]} ghosts @param {Element | null} layer */
export function fade(ghosts, layer) {
	for (const ghost of ghosts) {
		delete ghost.dataset.on;
		ghost.classList.add("ghost");
		layer?.prepend(ghost);
		const fading = ghost.firstElementChild?.animate([{ opacity: 1 }, { opacity: 0 }], {
			duration: 260,
			fill: "forwards",
		});
		fading?.addEventListener("finish", () => ghost.remove());
	}
}

const narrow = matchMedia("(max-width: 56rem) and (orientation: portrait)");
const WIDE = 1.9; // so much wider than high a board is too small on a phone

/**
 * A very wide board stands upright on a phone, a quarter turned; its signs do not turn.
 * @param {SceneSide} side
 * @param {boolean} tall whether pieces are laid out in columns, which cannot turn
 */
export function upright(side, tall) {
	const [left, top, width, height] = side.box;
	if (tall || !narrow.matches || width < WIDE * height) return side;
	const [tag, attributes, text] = side.board;
	/** @type {<T extends [string, number, number, ...any[]]>(placed: T) => T} */
	const turned = (placed) => {
		const [name, x, y, ...rest] = placed;
		return /** @type {any} */ ([name, y, -x, ...rest]);
	};
	/** @type {SceneSide} */
	const standing = {
		box: [top, -(left + width), height, width],
		board: [tag, { ...attributes, transform: "rotate(-90)" }, text],
		cells: side.cells.map(turned),
		pieces: side.pieces.map(turned),
		labels: side.labels.map(turned),
		props: side.props.map(turned),
	};
	return standing;
}

// @ts-check
// Flow as a game: packs of puzzles, one for every day, stars, times, and progress in the browser.

import { address } from "/static/api.js";
import { dialog, h, note, para, s, table } from "/static/dom.js";

/**
 * @typedef {{stars: number, seconds: number, strokes: number}} Result
 * @typedef {{name: string, title: string, side: number, difficulty: string}} Pack
 * @typedef {{key: string, title: string, side: number, difficulty: string, seed: number,
 *   next: string | null}} Task a puzzle of a pack or of a day; ``next`` is the address after it
 */

export const COUNT = 20; // puzzles of a pack
const SIZES = [5, 6, 7, 8, 9];
const DIFFICULTIES = ["easy", "medium", "hard"];
const DAILY = 8; // cells a side
const SHELF = "flow-progress";

/** @type {Pack[]} */
export const PACKS = SIZES.flatMap((side) =>
	DIFFICULTIES.map((difficulty) => ({
		name: `${side}-${difficulty}`,
		title: `${side}×${side} ${difficulty}`,
		side,
		difficulty,
	})),
);

/** @returns {Record<string, Result>} */
const progress = () => JSON.parse(localStorage.getItem(SHELF) ?? "{}");

/** What was reached in a puzzle. @param {string} key @returns {Result | undefined} */
export const resultOf = (key) => progress()[key];

/** Keeps a result, if it is better than the one before. @param {string} key @param {Result} found */
export function noteResult(key, found) {
	const all = progress(),
		old = all[key];
	const isBetter =
		!old || found.stars > old.stars || (found.stars === old.stars && found.seconds < old.seconds);
	if (isBetter) localStorage.setItem(SHELF, JSON.stringify({ ...all, [key]: found }));
	localStorage.setItem("flow-pack", key.split("/")[0]);
}

/**
 * Stars: three for one stroke a colour without help, two without help, one with hints; none for a
 * solution that a solver drew.
 * @param {number} strokes
 * @param {number} colours
 * @param {number} hints
 */
export const starsFor = (strokes, colours, hints) => (hints ? 1 : strokes <= colours ? 3 : 2);

/** @param {number} seconds */
export const clock = (seconds) =>
	`${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Stars as a sign. @param {number} count */
export const stars = (count) =>
	h(
		"span.stars",
		{ role: "img", "aria-label": `${count} of 3 stars` },
		[1, 2, 3].map((each) =>
			s(
				"svg",
				{
					viewBox: "0 0 24 24",
					class: each <= count ? "star full" : "star",
					"aria-hidden": "true",
				},
				s("path", { d: "M12 2l3 6.6 7.2.8-5.4 4.8 1.6 7-6.4-3.7-6.4 3.7 1.6-7L1.8 9.4l7.2-.8z" }),
			),
		),
	);

/** A seed that everybody has for the same name. @param {string} name */
function seedOf(name) {
	let hash = 2166136261;
	for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
	return hash;
}

/** The day as in an address. */
export const today = () => new Date().toLocaleDateString("sv");

/** The puzzle of a day. @param {string} day @returns {Task} */
export const daily = (day) => ({
	key: `daily/${day}`,
	title: `Daily puzzle, ${day}`,
	side: DAILY,
	difficulty: "",
	seed: Number(day.replaceAll("-", "")) || seedOf(day),
	next: null,
});

/** A puzzle of a pack. @param {string} name @param {number} number @returns {Task} */
export function ofPack(name, number) {
	const pack = PACKS.find((each) => each.name === name) ?? PACKS[0],
		n = Math.min(COUNT, Math.max(1, Math.floor(number) || 1));
	return {
		key: `${pack.name}/${n}`,
		title: `${pack.title}, ${n} of ${COUNT}`,
		side: pack.side,
		difficulty: pack.difficulty,
		seed: seedOf(`${pack.name}/${n}`),
		next: n < COUNT ? address("flow", { pack: pack.name, n: n + 1 }) : null,
	};
}

/** The first puzzle that is not solved yet, in the pack that was played last. */
export function nextOne() {
	const name = localStorage.getItem("flow-pack") ?? "",
		pack = PACKS.find((each) => each.name === name) ?? PACKS[0];
	const known = progress();
	const numbers = Array.from({ length: COUNT }, (_, i) => i + 1);
	return ofPack(pack.name, numbers.find((n) => !known[`${pack.name}/${n}`]) ?? 1);
}

/** All packs with what was reached in them. */
export function packDialog() {
	const known = progress();
	const rows = PACKS.map((pack) => {
		const found = Array.from({ length: COUNT }, (_, i) => known[`${pack.name}/${i + 1}`]);
		const solved = found.filter(Boolean).length;
		const n = found.findIndex((each) => !each) + 1 || 1;
		return [
			h("a", { href: address("flow", { pack: pack.name, n }) }, pack.title),
			`${solved} of ${COUNT}`,
			`${found.reduce((sum, each) => sum + (each?.stars ?? 0), 0)} of ${3 * COUNT} ★`,
		];
	});
	dialog(
		"Packs",
		para(h("a.button", { href: address("flow", { daily: today() }) }, "The puzzle of today")),
		table(["pack", "solved", "stars"], rows, "packs"),
		note(
			"Three stars: one stroke a colour, without help. Two: without help. One: with hints. ",
			"Your browser keeps them.",
		),
	);
}

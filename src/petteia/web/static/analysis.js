// @ts-check
// What an analysis says, beside the best moves: all moves, all throws, features, payoffs.

import { button, capital, folded, h, note, percent, scrolled, table, valueText } from "./dom.js";
import { shaded } from "./plots.js";

/**
 * @import { Bench } from "./bench.js"
 * @import { Analysis, Game, Matrix, Ranked, Share, Shares, Throw } from "./messages.js"
 * @typedef {{bench: Bench, game: Game,
 *   play: (move: string) => void, throwDice: (text: string) => void}} Page what shows it
 */

/** All moves in a table. @param {Page} page @param {Ranked[]} ranked @param {boolean} open whether it is unfolded */
export function rest({ bench, play }, ranked, open) {
	const chances = ranked.map((each) => each.chance ?? 0);
	const low = Math.min(...chances),
		high = Math.max(...chances);
	const box = folded(
		`All ${ranked.length} moves`,
		table(
			[],
			ranked.map((each) => {
				return [
					button(each.move, () => play(each.move), "link", {
						onpointerenter: () => bench.arrows([each]),
						onpointerleave: () => bench.arrows(ranked),
					}),
					valueText(each.value, each.end, each.draw),
					percent(each.chance, 1),
					bar(2 + (4 * ((each.chance ?? low) - low)) / (high - low || 1), "share faint"),
				];
			}),
			"all-moves",
		),
	);
	box.open = open;
	return box;
}

/**
 * Before the dice are thrown: every throw, and what can be made of it.
 * @param {Page} page
 * @param {Analysis} found
 * @param {Throw[]} throws
 */
export function throws({ game, throwDice }, found, throws) {
	const name = game.names[found.mover ?? 0];
	const after = throws.some((each) => each.best !== null); // not where both choose then
	return table(
		["throw", "comes", `${name} then`, ...(after ? ["best move"] : [])],
		throws.map((each) => [
			button(each.throw, () => throwDice(each.throw), "link"),
			percent(each.share, 1),
			percent(each.chance, 1),
			...(after ? [each.best ?? "none"] : []),
		]),
		"all-moves",
		`Every throw; before it ${name} has ${percent(found.chance, 1)}`,
	);
}

/**
 * What each feature adds; under the pointer, which pieces and which moves do it.
 * @param {Page} page
 * @param {Shares} evaluation
 */
export function shares({ bench, game }, { name, value, mover, features: all }) {
	const features = all.filter((each) => each.share);
	const title = `${name}: ${valueText(value)} for ${game.names[mover]}`;
	if (!features.length) return note(title);
	const most = Math.max(...features.map((each) => Math.abs(each.share)));
	const list = table(
		[],
		features.map(({ name, share }) => [
			name.replaceAll("_", " "),
			valueText(share),
			bar(Math.abs((5 * share) / most), share < 0 ? "share less" : "share"),
		]),
	);
	for (const [i, row] of [...list.querySelectorAll("tr")].entries()) {
		row.tabIndex = 0;
		for (const name of ["pointerenter", "focus"])
			row.addEventListener(name, () =>
				bench.board.layer({ heat: features[i].pieces, marks: features[i].moves }),
			);
		for (const name of ["pointerleave", "blur"])
			row.addEventListener(name, () => bench.board.layer({}));
	}
	const box = folded(
		title,
		list,
		note(
			"Point at a feature. Rings around pieces show what they add to it, small dots what a move ",
			"there would add: solid for more, dashed for less. Features not listed add nothing here.",
		),
	);
	box.className = "shares";
	box.open = true;
	return box;
}

/** Where both choose: payoffs, and how often each move should be played. @param {Page} page @param {Matrix} known */
export function matrix({ bench, game }, known) {
	const most = Math.max(...known.payoffs.flat().map(Math.abs), 1e-9);
	const size =
		known.size[0] * known.size[1] > known.rows.length * known.columns.length
			? ` of ${known.size[0]} by ${known.size[1]} moves, those played most`
			: "";
	const path = (/** @type {number} */ side, /** @type {string} */ move) =>
		bench.view?.choices?.[side].find((action) => action.move === move)?.path ?? [];
	const sides = [known.rows, known.columns];
	bench.board.layer({
		arrows: sides.flatMap((list, side) =>
			list
				.filter((each) => each.share > 0.02)
				.map((each) => ({
					path: path(side, each.move),
					kind: each.share > 0.3 ? "best" : "other",
					text: percent(each.share),
				})),
		),
	});
	const strategies = sides.map((list, side) =>
		table(
			[],
			list
				.filter((each) => each.share > 0.005)
				.map((each) => [each.move, percent(each.share), bar(7 * each.share, "share")]),
			"all-moves",
			`${capital(game.names[side])} should play`,
		),
	);
	return h(
		"div",
		note(`The game is worth ${valueText(known.value)} to ${game.names[0]}`),
		strategies,
		note(`Payoffs of ${game.names[0]}${size}; in the margins how often each is best played`),
		scrolled(
			"payoffs",
			table(
				[`${game.names[0]} \\ ${game.names[1]}`, "", ...known.columns.map((each) => each.move)],
				[
					["", "", ...known.columns.map((each) => percent(each.share))],
					...known.rows.map((row, i) => [
						row.move,
						percent(row.share),
						...known.payoffs[i].map((value) => shaded(value.toFixed(1), value / most)),
					]),
				],
				"matrix",
			),
		),
	);
}

/** A bar of some length. @param {number} length @param {string} kind */
function bar(length, kind) {
	const element = h("span", { class: kind });
	element.style.width = `${length}rem`;
	return element;
}

/** The moves of a mixed strategy as a ranking. @param {Share[]} shares @returns {Ranked[]} */
export const mixed = (shares) =>
	shares
		.filter((each) => each.share > 0)
		.map((each) => ({
			...each,
			end: null,
			visits: 0,
			line: ["", `best played ${percent(each.share)} of the time`],
		}));

// @ts-check
// A review as a walk: one key moment at a time, what was played and what was better, and why; how
// exact each side was; the chance over the game as a curve that can be clicked.

import { listen } from "./api.js";
import {
	button,
	capital,
	gain,
	h,
	note,
	para,
	percent,
	put,
	s,
	sign,
	table,
	valueText,
} from "./dom.js";

/**
 * @import { Bench } from "./bench.js"
 * @import { Asked, Judged, Review, ReviewShown, Thrown } from "./messages.js"
 * @typedef {{at: number, size: number, title: string, judged?: Judged}} Moment
 */

const MOST = 3; // key moments of moves, and of throws

/** What a move gave away. @param {Judged} judged */
export const lossOf = ({ played, best }) => Math.max(0, best.chance - played.chance);

/** The largest that are at least so large. @param {Moment[]} moments @param {number} least */
const largest = (moments, least) =>
	moments
		.filter((each) => each.size >= least)
		.sort((a, b) => b.size - a.size)
		.slice(0, MOST);

/**
 * A whole review beside the board.
 * @param {Bench} bench
 * @param {ReviewShown} found
 * @param {number} unseen moves that nobody has looked at
 * @param {(at: number) => void} onTry
 */
export function showReview(bench, found, unseen, onTry) {
	drawCurve(bench, new Map(found.judged), new Map(found.thrown), found.exact);
	bench.beside(
		"review",
		h(
			"div.review",
			sides(bench),
			walk(bench, onTry),
			note(
				found.exact
					? "Exact: every value is from the solved table."
					: `Chances are estimates, by ${found.by}.`,
				" Accuracy is what a move keeps of the best one's chance, on average.",
				isRated(decisions(bench))
					? " Rate is the error rate: what a decision lost, in thousandths of the stake (mEMG)."
					: "",
				bench.thrown.size ? " Luck is what throws changed, compared with their mean." : "",
			),
			unseen > 0 ? note(`${unseen} moves were not looked at: the machine is busy.`) : null,
		),
	);
}

/**
 * Reviews a game, and draws the curve as it becomes known; gives what ends it.
 * @param {Bench} bench
 * @param {Asked<Review>} asked
 * @param {(found: ReviewShown) => void} done
 * @param {(problem: string) => void} error
 */
export function lookAt(bench, asked, done, error) {
	/** @type {ReviewShown} */
	const found = { judged: [], thrown: [], exact: true, by: "" };
	return listen(asked, {
		part: (part) => {
			if (part.throw) found.thrown.push([part.at, part.throw]);
			else if (part.judged?.length) {
				found.judged.push([part.at, part.judged]);
				found.exact &&= part.exact === true;
				if (found.judged.length % 4 === 0)
					drawCurve(bench, new Map(found.judged), new Map(found.thrown), found.exact);
			}
		},
		done: (ended) => done({ ...found, by: ended.agent ?? "" }),
		error,
	});
}

/** The moves that could have been others, with what they lost. @param {Bench} bench */
const decisions = (bench) =>
	[...bench.judged].flatMap(([at, list]) =>
		list.filter((each) => each.choices !== 1).map((each) => ({ ...each, at, loss: lossOf(each) })),
	);

/** Whether losses are known in points. @param {Judged[]} moves */
const isRated = (moves) => moves.some((each) => each.lost !== undefined);

/** How exact each side was, its errors and its luck. @param {Bench} bench */
function sides(bench) {
	const { errors } = bench.given.marks,
		moves = decisions(bench),
		throws = [...bench.thrown.values()],
		rated = isRated(moves);
	const rows = [0, 1].map((side) => {
		const losses = moves.filter((each) => each.mover === side).map((each) => each.loss);
		const mean = losses.reduce((sum, loss) => sum + loss, 0) / Math.max(1, losses.length);
		const points = moves.filter((each) => each.mover === side && each.lost !== undefined);
		const lost = points.reduce((sum, each) => sum + (each.lost ?? 0), 0);
		const gains = throws.map((each) => (each.player === side ? each.luck : -each.luck));
		return [
			[sign(side), capital(bench.names[side])],
			h("b", losses.length ? percent(1 - mean, 1) : "–"),
			...errors.map((each) => losses.filter((loss) => bench.classOf(loss) === each).length),
			...(rated ? [points.length ? ((1000 * lost) / points.length).toFixed(1) : "–"] : []),
			...(throws.length ? [gain(gains.reduce((sum, each) => sum + each, 0))] : []),
		];
	});
	const signs = errors.map((each) => each.sign);
	return table(
		[
			"player",
			"accuracy",
			...signs,
			...(rated ? ["rate"] : []),
			...(throws.length ? ["luck"] : []),
		],
		rows,
	);
}

/** The key moments in the order of the game. @param {Bench} bench @returns {Moment[]} */
function momentsOf(bench) {
	const { errors, luck: lucky } = bench.given.marks;
	const moves = decisions(bench).map((each) => ({
		at: each.at,
		size: each.loss,
		title: `${capital(bench.names[each.mover])} played ${each.played.move}`,
		judged: each,
	}));
	const throws = [...bench.thrown].map(([at, { player, roll, luck }]) => ({
		at,
		size: Math.abs(luck),
		title: `${capital(bench.names[player])} threw ${roll}: ${gain(luck)}`,
	}));
	return [...largest(moves, errors[errors.length - 1].from), ...largest(throws, lucky)].sort(
		(a, b) => a.at - b.at,
	);
}

/** One key moment at a time. @param {Bench} bench @param {(at: number) => void} onTry */
function walk(bench, onTry) {
	const moments = momentsOf(bench),
		{ errors } = bench.given.marks;
	if (!moments.length)
		return para(
			`No move lost ${percent(errors[errors.length - 1].from)} of the chance to win or more.`,
		);
	const box = h("div.moment", { "aria-live": "polite" });
	/** Shows a moment on the board, with what was played and what was better. @param {Moment} moment */
	const go = async ({ at, judged }) => {
		await bench.given.onGo(at);
		const path = (/** @type {string} */ move) => {
			const view = bench.view,
				all = view?.choices?.[judged?.mover ?? 0] ?? view?.actions ?? [];
			const action = all.find((each) => each.move === move);
			return action?.parts?.length ? action.parts : [action?.path ?? []];
		};
		if (!judged) return;
		bench.board.layer({
			arrows: [
				...path(judged.played.move).map((each) => ({ path: each, kind: "other" })),
				...path(judged.best.move).map((each) => ({ path: each, kind: "best" })),
			],
		});
	};
	const show = (/** @type {number} */ number) => {
		const moment = moments[number];
		const step = (
			/** @type {number} */ to,
			/** @type {string} */ text,
			/** @type {string} */ name,
		) =>
			button(
				text,
				() => {
					show(to);
					go(moments[to]);
				},
				"tool",
				{ "aria-label": `${name} key moment`, disabled: !moments[to] },
			);
		put(
			box,
			h("b", `Key moment ${number + 1} of ${moments.length}`),
			step(number - 1, "‹", "last"),
			step(number + 1, "›", "next"),
			para(
				button(`Move ${bench.turns[moment.at]}`, () => go(moment), "link"),
				`: ${moment.title}. `,
			),
			moment.judged && compared(bench, moment.judged),
			h(
				"p.card-tools",
				button(moment.judged ? "Try it" : "Play on from here", () => onTry(moment.at), "primary"),
			),
		);
	};
	show(0);
	return box;
}

/** The move played beside the best one, and why that is better. @param {Bench} bench @param {Judged} judged */
function compared(bench, judged) {
	const { played, best, line, why } = judged,
		error = bench.classOf(lossOf(judged));
	return [
		table(
			["", "move", "chance to win"],
			[
				[
					"played",
					[played.move, error ? h("span.mark", ` ${error.sign}`) : ""],
					percent(played.chance),
				],
				["better", h("b", best.move), percent(best.chance)],
			],
		),
		line.length > 1 ? note(`It could go on: ${line.join(" ")}`) : null,
		why.length
			? note(
					`It has more: ${why
						.map((each) => `${each.name.replaceAll("_", " ")} ${valueText(each.share)}`)
						.join(", ")}.`,
				)
			: null,
	];
}

/**
 * The chance of the first player over the game, with errors as dots.
 * @param {Bench} bench
 * @param {Map<number, Judged[]>} judged
 * @param {Map<number, Thrown>} thrown
 * @param {boolean} exact
 */
export function drawCurve(bench, judged, thrown, exact) {
	bench.judged = judged;
	bench.thrown = thrown;
	bench.moves(bench.plies);
	bench.graph.hidden = !judged.size;
	if (!judged.size) return;
	const { errors } = bench.given.marks;
	const classes = errors.map((each) => `${each.sign} ${each.name} from ${percent(each.from)}`);
	put(
		bench.graph,
		curve(bench, Math.max(300, bench.element.clientWidth - 34), 86),
		h(
			"figcaption",
			`Chance of ${bench.names[0]} to win, ${exact ? "exact" : "an estimate"}. `,
			`Dots are errors: ${classes.join(", ")}.`,
		),
	);
}

/** The curve of what a review has found. @param {Bench} bench @param {number} wide @param {number} high */
function curve(bench, wide, high) {
	const length = bench.plies.length;
	const points = [...bench.judged]
		.sort(([a], [b]) => a - b)
		.map(([at, [{ mover, best }]]) => ({
			at,
			x: ((at + 0.5) / Math.max(1, length)) * wide,
			y: high * (mover === 0 ? 1 - best.chance : best.chance),
		}));
	const spots = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
	const [first, last] = [points[0], points[points.length - 1]].map(({ x }) => x.toFixed(1));
	const picture = s(
		"svg",
		{
			viewBox: `0 -8 ${wide} ${high + 16}`,
			role: "group",
			"aria-label": `chance of ${bench.names[0]} over the game`,
		},
		s("rect.ground", { width: wide, height: high }),
		s("path.area", { d: `M${spots.join("L")}L${last} ${high}L${first} ${high}Z` }),
		s("line.middle", { x1: 0, x2: wide, y1: high / 2, y2: high / 2 }),
		s("path.trace", { d: `M${spots.join("L")}` }),
		points.flatMap(({ at, x, y }) =>
			(bench.judged.get(at) ?? []).map((each) => dot(bench, each, at, x, y)),
		),
	);
	picture.addEventListener("click", (/** @type {MouseEvent} */ event) => {
		const box = picture.getBoundingClientRect();
		const at = Math.floor(((event.clientX - box.x) / box.width) * length);
		if (!(/** @type {Element} */ (event.target).closest(".error")))
			bench.given.onGo(Math.max(0, Math.min(length, at)));
	});
	return picture;
}

/**
 * An error as a dot of the curve; nothing where there was none.
 * @param {Bench} bench
 * @param {Judged} judged
 * @param {number} at
 * @param {number} x
 * @param {number} y
 */
function dot(bench, judged, at, x, y) {
	const loss = lossOf(judged),
		error = bench.classOf(loss);
	if (!error) return null;
	const { mover, played } = judged;
	const words = `${bench.names[mover]}: ${error.name}, ${played.move} lost ${percent(loss)}`;
	return s(
		"g",
		{
			class: `error ${error.name}`,
			tabindex: 0,
			role: "button",
			"aria-label": words,
			onclick: () => bench.given.onGo(at),
		},
		s("title", words),
		mover === 0
			? s("circle", { cx: x, cy: y, r: 6 })
			: s("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11, rx: 2 }),
	);
}
